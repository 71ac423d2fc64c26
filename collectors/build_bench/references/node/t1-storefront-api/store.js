/**
 * The store: collections of documents in memory, and a journal of their changes on disk.
 *
 * A change is one line of the journal: it is stored whole or, when a crash has torn it, not at all.
 * Nothing here waits, so whatever a handler does between two awaits happens at once for all others.
 */

import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";

const journal = join(process.env.DATA_DIR, "journal.jsonl");
const collections = {};

if (existsSync(journal)) {
  const stored = readFileSync(journal);
  const whole = stored.lastIndexOf("\n") + 1;
  truncateSync(journal, whole);
  for (const line of stored.toString("utf8", 0, whole).split("\n").filter(Boolean)) {
    apply(JSON.parse(line));
  }
}

/** The documents of one name by their ids, oldest first. */
export function collection(name) {
  return (collections[name] ??= new Map());
}

/** Store some changes, all or none: each `[name, id, document]`, without a document to delete. */
export function commit(...changes) {
  appendFileSync(journal, `${JSON.stringify(changes)}\n`);
  apply(changes);
}

function apply(changes) {
  for (const [name, id, document] of changes) {
    if (document) collection(name).set(id, document);
    else collection(name).delete(id);
  }
}
