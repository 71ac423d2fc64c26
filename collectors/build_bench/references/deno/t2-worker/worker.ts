/** What runs beside the requests: the worker that does the jobs, and the clock of the deadlines. */

import { begin, finish, unfinished } from "./jobs.ts";
import { PAYMENT_EXPIRY } from "./schedules.ts";
import { kv } from "./store.ts";
import { expire } from "./workflows.ts";

/** Start both. The queue is slow to deliver again what a crash has cut off, so that is done at once. */
export async function start(): Promise<void> {
  const cutOff = await unfinished();
  kv.listenQueue(perform);
  keepDeadlines();
  await Promise.all(cutOff.map(({ id }) => perform(id)));
}

/** Do a job: one that comes again may have had its effect, and may be done. */
async function perform(id: string): Promise<void> {
  const job = await begin(id);
  if (job.status === "done") return;
  await pause(Number(job.payload.holdMs ?? 0));
  await finish(job);
}

async function keepDeadlines(): Promise<void> {
  while (true) {
    await expire();
    await pause(PAYMENT_EXPIRY.everySeconds * 1000);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
