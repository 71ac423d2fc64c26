/** Schedules: when work is due, and triggers that ask for it now. */

import { notFound } from "./errors.js";
import { queued } from "./jobs.js";
import { optional, read, text } from "./shapes.js";
import { commit } from "./store.js";

const SCHEDULES = new Map([
  ["daily-reconciliation", { id: "daily-reconciliation", cron: "0 6 * * *", timezone: "UTC" }],
]);

function known(id) {
  const schedule = SCHEDULES.get(id);
  if (!schedule) throw notFound("schedule");
  return schedule;
}

/** Queue the work of a schedule; every call queues it anew. */
function trigger(schedule, { requestedAt = new Date().toISOString() }) {
  const [job, stored] = queued("reconcile-checkouts", "cron", {
    scheduleId: schedule.id,
    requestedAt,
  });
  commit(stored);
  return { schedule, emittedJob: job };
}

export const routes = {
  "GET /api/schedules/:id": ({ id }) => [200, known(id)],

  "POST /api/schedules/:id/trigger": async ({ id, body }) => {
    const schedule = known(id);
    return [202, trigger(schedule, read({ requestedAt: optional(text) }, await body()))];
  },
};
