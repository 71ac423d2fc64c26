/** The checkout saga: which event moves a workflow from which state to which, and what it asks for. */

import type { Kind } from "./jobs.ts";

export type Status = "payment_pending" | "paid" | "completed" | "cancelled";

export const FIRST: Status = "payment_pending";

/** `needs` names the field of the event that is kept, as `keptAs`, in the workflow. */
interface Transition {
  from: Status;
  to: Status;
  needs?: "transactionId" | "reason";
  keptAs?: "transactionId" | "cancelReason";
  job?: Kind;
}

export const TRANSITIONS = new Map<string, Transition>([
  ["PaymentCompleted", {
    from: "payment_pending",
    to: "paid",
    needs: "transactionId",
    keptAs: "transactionId",
    job: "reserve-inventory",
  }],
  ["PaymentFailed", {
    from: "payment_pending",
    to: "cancelled",
    needs: "reason",
    keptAs: "cancelReason",
  }],
  ["InventoryReserved", { from: "paid", to: "completed" }],
]);
