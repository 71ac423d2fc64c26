/** Schedules: when work is due, and triggers that ask for it now. */

import { notFound } from "./errors.ts";
import type { Routes } from "./http.ts";
import { enqueue } from "./jobs.ts";
import { optional, read, text } from "./shapes.ts";
import { kv } from "./store.ts";

const SCHEDULES = new Map([
  ["daily-reconciliation", { id: "daily-reconciliation", cron: "0 6 * * *", timezone: "UTC" }],
]);

function known(id: string) {
  const schedule = SCHEDULES.get(id);
  if (!schedule) throw notFound("schedule");
  return schedule;
}

export const routes: Routes = {
  "GET /api/schedules/:id": (_, { id }) => Response.json(known(id)),

  /** Every call queues the work of the schedule anew. */
  "POST /api/schedules/:id/trigger": async (request, { id }) => {
    const schedule = known(id);
    const { requestedAt } = await read({ requestedAt: optional(text, undefined) }, request);
    const payload = { scheduleId: id, requestedAt: requestedAt ?? new Date().toISOString() };
    const change = kv.atomic();
    const emittedJob = enqueue(change, "reconcile-checkouts", "cron", payload);
    await change.commit();
    return Response.json({ schedule, emittedJob }, { status: 202 });
  },
};
