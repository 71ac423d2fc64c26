/** The queue: a job is stored together with the change that asks for it. */

import type { Routes } from "./http.ts";
import { stored } from "./store.ts";

export type Kind = "process-payment" | "reserve-inventory" | "reconcile-checkouts";
type Source = "saga" | "cron";

export interface Job {
  id: string;
  kind: Kind;
  source: Source;
  status: "queued";
  payload: Record<string, unknown>;
}

/** Add a new job to a change that is not committed yet. */
export function enqueue(
  change: Deno.AtomicOperation,
  kind: Kind,
  source: Source,
  payload: Job["payload"],
): Job {
  const job: Job = { id: crypto.randomUUID(), kind, source, status: "queued", payload };
  change.set(["jobs", job.id], job);
  return job;
}

export const routes: Routes = {
  "GET /api/jobs/:id": async (_, { id }) => Response.json((await stored<Job>("jobs", id)).value),
};
