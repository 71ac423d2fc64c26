/** Workflows: one checkout each, moved along the saga by events. */

import { invalid } from "./errors.ts";
import type { Routes } from "./http.ts";
import { enqueue, type Job } from "./jobs.ts";
import { FIRST, type Status, TRANSITIONS } from "./saga.ts";
import { read, text, whole } from "./shapes.ts";
import { type Found, kv, settle, stored } from "./store.ts";

interface NewWorkflow {
  orderId: string;
  customerId: string;
  totalCents: number;
}

interface Workflow extends NewWorkflow {
  id: string;
  status: Status;
  transactionId?: string;
  cancelReason?: string;
}

interface Event {
  type: string;
  transactionId?: unknown;
  reason?: unknown;
}

/** A workflow and the job that the last step has queued, if any. */
interface Progress {
  workflow: Workflow;
  emittedJob: Job | null;
}

const anything = (value: unknown) => value;
const NewWorkflow = { orderId: text, customerId: text, totalCents: whole(1) };
const Event = { type: text, transactionId: anything, reason: anything };

/** Start the workflow of an order; a second start finds the first. Null when another was quicker. */
async function start(fields: NewWorkflow): Promise<Progress | null> {
  const known = await kv.get<Workflow>(["workflows", fields.orderId]);
  if (known.versionstamp !== null) return { workflow: known.value, emittedJob: null };
  const workflow = { id: fields.orderId, ...fields, status: FIRST };
  const change = kv.atomic().check(known).set(known.key, workflow);
  const payload = { orderId: workflow.id, amountCents: workflow.totalCents };
  const emittedJob = enqueue(change, "process-payment", "saga", payload);
  return (await change.commit()).ok ? { workflow, emittedJob } : null;
}

/** Move a workflow; an event that does not fit its state changes nothing. Null when it was moved meanwhile. */
async function move(found: Found<Workflow>, event: Event): Promise<Progress | null> {
  const step = TRANSITIONS.get(event.type);
  if (!step) throw invalid("type: is no event of the saga");
  if (found.value.status !== step.from) return { workflow: found.value, emittedJob: null };
  const kept = step.needs && step.keptAs && { [step.keptAs]: text(event[step.needs], step.needs) };
  const workflow: Workflow = { ...found.value, status: step.to, ...kept };
  const change = kv.atomic().check(found).set(found.key, workflow);
  const emittedJob = step.job ? enqueue(change, step.job, "saga", { orderId: workflow.id }) : null;
  return (await change.commit()).ok ? { workflow, emittedJob } : null;
}

/** Tell a workflow what happened, whoever else tells it something. */
function tell(id: string, event: Event): Promise<Progress> {
  return settle(async () => move(await stored<Workflow>("workflows", id), event));
}

export const routes: Routes = {
  "POST /api/workflows": async (request) => {
    const fields = await read(NewWorkflow, request);
    return Response.json(await settle(() => start(fields)), { status: 202 });
  },

  "GET /api/workflows/:id": async (_, { id }) =>
    Response.json((await stored<Workflow>("workflows", id)).value),

  "POST /api/workflows/:id/events": async (request, { id }) => {
    await stored<Workflow>("workflows", id);
    const event = await read(Event, request);
    return Response.json(await tell(id, event), { status: 202 });
  },
};
