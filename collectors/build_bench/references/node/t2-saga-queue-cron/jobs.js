/** The queue: a job is stored together with the change that asks for it. */

import { randomUUID } from "node:crypto";
import { notFound } from "./errors.js";
import { collection } from "./store.js";

const jobs = collection("jobs");

/** A new job, and the change that stores it. */
export function queued(kind, source, payload) {
  const job = { id: randomUUID(), kind, source, status: "queued", payload };
  return [job, ["jobs", job.id, job]];
}

function stored(id) {
  const job = jobs.get(id);
  if (!job) throw notFound("job");
  return job;
}

export const routes = {
  "GET /api/jobs/:id": ({ id }) => [200, stored(id)],
};
