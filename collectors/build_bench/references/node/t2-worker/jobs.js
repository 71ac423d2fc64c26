/** The queue: a job is stored together with the change that asks for it, an effect with its job. */

import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { notFound } from "./errors.js";
import { collection, commit } from "./store.js";

const jobs = collection("jobs");
const effects = collection("effects"); // by the ids of their jobs

/** Says `job` when there is work. */
export const arrivals = new EventEmitter();

/** A new job, and the change that stores it. */
export function queued(kind, source, payload) {
  const job = { id: randomUUID(), kind, source, status: "queued", payload };
  arrivals.emit("job");
  return [job, ["jobs", job.id, job]];
}

/** The oldest job that is not done. */
export function unfinished() {
  return [...jobs.values()].find(({ status }) => status !== "done");
}

/** A job has its effect at the moment it becomes running. */
export function begin(job) {
  const effect = { id: randomUUID(), jobId: job.id, kind: job.kind };
  commit(["effects", job.id, effect], ["jobs", job.id, { ...job, status: "running" }]);
}

export function finish(job) {
  commit(["jobs", job.id, { ...job, status: "done" }]);
}

function stored(id) {
  const job = jobs.get(id);
  if (!job) throw notFound("job");
  return job;
}

export const routes = {
  "GET /api/jobs/:id": ({ id }) => [200, stored(id)],

  "GET /api/jobs/:id/effects": ({ id }) => {
    const effect = effects.get(stored(id).id);
    return [200, { items: effect ? [effect] : [] }];
  },
};
