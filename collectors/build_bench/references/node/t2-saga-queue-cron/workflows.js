/** Workflows: one checkout each, moved along the saga by events. */

import { invalid, notFound } from "./errors.js";
import { queued } from "./jobs.js";
import { FIRST, TRANSITIONS } from "./saga.js";
import { read, text, whole } from "./shapes.js";
import { collection, commit } from "./store.js";

const NewWorkflow = { orderId: text, customerId: text, totalCents: whole(1) };

const workflows = collection("workflows");

function stored(id) {
  const workflow = workflows.get(id);
  if (!workflow) throw notFound("workflow");
  return workflow;
}

/** Start the workflow of an order; a second start finds the first. */
function start(fields) {
  const known = workflows.get(fields.orderId);
  if (known) return { workflow: known, emittedJob: null };
  const workflow = { id: fields.orderId, ...fields, status: FIRST };
  const payload = { orderId: workflow.id, amountCents: workflow.totalCents };
  const [job, stored] = queued("process-payment", "saga", payload);
  commit(["workflows", workflow.id, workflow], stored);
  return { workflow, emittedJob: job };
}

/** Move a workflow; an event that does not fit its state changes nothing. */
function move(workflow, event) {
  const step = Object.hasOwn(TRANSITIONS, event.type ?? "") && TRANSITIONS[event.type];
  if (!step) throw invalid("type: is no event of the saga");
  if (workflow.status !== step.from) return { workflow, emittedJob: null };
  const kept = step.needs && { [step.keptAs]: text(event[step.needs], step.needs) };
  const moved = { ...workflow, status: step.to, ...kept };
  const [job, ...queue] = step.job ? queued(step.job, "saga", { orderId: moved.id }) : [null];
  commit(["workflows", moved.id, moved], ...queue);
  return { workflow: moved, emittedJob: job };
}

export const routes = {
  "POST /api/workflows": async ({ body }) => [202, start(read(NewWorkflow, await body()))],

  "GET /api/workflows/:id": ({ id }) => [200, stored(id)],

  "POST /api/workflows/:id/events": async ({ id, body }) => {
    stored(id);
    const event = read(
      { type: text, transactionId: (value) => value, reason: (value) => value },
      await body(),
    );
    return [202, move(stored(id), event)];
  },
};
