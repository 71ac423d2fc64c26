/** What runs beside the requests: the worker that does the jobs, and the clock of the deadlines. */

import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { arrivals, begin, finish, unfinished } from "./jobs.js";
import { PAYMENT_EXPIRY } from "./schedules.js";
import { expire } from "./workflows.js";

/** Start both; neither keeps a service alive that has been told to stop. */
export function start() {
  work();
  setInterval(expire, PAYMENT_EXPIRY.everySeconds * 1000).unref();
}

/** Do the jobs, oldest first, and wait for more. */
async function work() {
  for (;;) {
    const job = unfinished();
    if (job) await perform(job);
    else await once(arrivals, "job");
  }
}

/** Do a job: a running one had its effect before the service was last stopped. */
async function perform(job) {
  if (job.status === "queued") begin(job);
  await pause(job.payload.holdMs ?? 0, undefined, { ref: false });
  finish(job);
}
