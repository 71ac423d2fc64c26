/** The queue: a job is stored and queued with the change that asks for it, an effect with its job. */

import type { Routes } from "./http.ts";
import { all, kv, settle, stored } from "./store.ts";

export type Kind = "process-payment" | "reserve-inventory" | "reconcile-checkouts";
type Source = "saga" | "cron";

export interface Job {
  id: string;
  kind: Kind;
  source: Source;
  status: "queued" | "running" | "done";
  payload: Record<string, unknown>;
}

interface Effect {
  id: string;
  jobId: string;
  kind: Kind;
}

/** Add a new job to a change that is not committed yet. */
export function enqueue(
  change: Deno.AtomicOperation,
  kind: Kind,
  source: Source,
  payload: Job["payload"],
): Job {
  const job: Job = { id: crypto.randomUUID(), kind, source, status: "queued", payload };
  change.set(["jobs", job.id], job).enqueue(job.id);
  return job;
}

export async function unfinished(): Promise<Job[]> {
  return (await all<Job>("jobs")).filter(({ status }) => status !== "done");
}

/** Give a job its effect, at the moment it becomes running; one that has it keeps it. */
export function begin(id: string): Promise<Job> {
  return settle(async () => {
    const found = await stored<Job>("jobs", id);
    if (found.value.status !== "queued") return found.value;
    const job: Job = { ...found.value, status: "running" };
    const effect: Effect = { id: crypto.randomUUID(), jobId: id, kind: job.kind };
    const change = kv.atomic().check(found).set(found.key, job).set(["effects", id], effect);
    return (await change.commit()).ok ? job : null;
  });
}

export async function finish(job: Job): Promise<void> {
  await kv.set(["jobs", job.id], { ...job, status: "done" });
}

export const routes: Routes = {
  "GET /api/jobs/:id": async (_, { id }) => Response.json((await stored<Job>("jobs", id)).value),

  "GET /api/jobs/:id/effects": async (_, { id }) => {
    await stored<Job>("jobs", id);
    const effect = await kv.get<Effect>(["effects", id]);
    return Response.json({ items: effect.value ? [effect.value] : [] });
  },
};
