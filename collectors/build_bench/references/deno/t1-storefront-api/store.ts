/** The store: one Deno KV database, whose changes are checked against what they were made from. */

import { internal, notFound } from "./errors.ts";

const ATTEMPTS = 100;

export const kv = await Deno.openKv(`${Deno.env.get("DATA_DIR")}/storefront.sqlite3`);

export type Found<Value> = Deno.KvEntry<Value>;

/** The entry of a document that must be there. */
export async function stored<Value>(collection: string, id: string): Promise<Found<Value>> {
  const entry = await kv.get<Value>([collection, id]);
  if (entry.versionstamp === null) throw notFound(collection.slice(0, -1));
  return entry;
}

/** Every document of a collection. */
export async function all<Value>(collection: string): Promise<Value[]> {
  const entries = await Array.fromAsync(kv.list<Value>({ prefix: [collection] }));
  return entries.map(({ value }) => value);
}

/** Try a change until nobody else has changed what it was made from; it returns null to be tried again. */
export async function settle<Result>(change: () => Promise<Result | null>): Promise<Result> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const result = await change();
    if (result !== null) return result;
  }
  throw internal();
}
