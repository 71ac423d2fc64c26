/**
 * The store: collections of documents in memory, and a journal of their changes on disk.
 *
 * A change is one line of the journal: it is stored whole or, when a crash has torn it, not at all.
 */

import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { Global, Injectable, Module } from "@nestjs/common";

/** A collection, an id, and the document; without one it is deleted. */
type Change = [collection: string, id: string, document?: object];

@Injectable()
export class Store {
  private readonly journal = join(process.env.DATA_DIR ?? ".", "journal.jsonl");
  private readonly collections = new Map<string, Map<string, object>>();

  constructor() {
    if (!existsSync(this.journal)) return;
    const stored = readFileSync(this.journal);
    const whole = stored.lastIndexOf("\n") + 1;
    truncateSync(this.journal, whole);
    const lines = stored.toString("utf8", 0, whole).split("\n").filter(Boolean);
    for (const line of lines) this.apply(JSON.parse(line));
  }

  /** The documents of a collection by their ids, oldest first. */
  collection<Document extends object>(name: string): ReadonlyMap<string, Document> {
    return this.documents(name) as Map<string, Document>;
  }

  /** Store a change before anybody sees it. */
  commit(...change: Change): void {
    appendFileSync(this.journal, `${JSON.stringify(change)}\n`);
    this.apply(change);
  }

  private apply([name, id, document]: Change): void {
    if (document) this.documents(name).set(id, document);
    else this.documents(name).delete(id);
  }

  private documents(name: string): Map<string, object> {
    const found = this.collections.get(name) ?? new Map<string, object>();
    this.collections.set(name, found);
    return found;
  }
}

@Global()
@Module({ providers: [Store], exports: [Store] })
export class StoreModule {}
