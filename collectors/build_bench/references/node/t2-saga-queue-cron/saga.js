/** The checkout saga: which event moves a workflow from which state to which, and what it asks for. */

export const FIRST = "payment_pending";

/** `needs` names the field of the event that is kept, as `keptAs`, in the workflow. */
export const TRANSITIONS = {
  PaymentCompleted: {
    from: "payment_pending",
    to: "paid",
    needs: "transactionId",
    keptAs: "transactionId",
    job: "reserve-inventory",
  },
  PaymentFailed: {
    from: "payment_pending",
    to: "cancelled",
    needs: "reason",
    keptAs: "cancelReason",
  },
  InventoryReserved: { from: "paid", to: "completed" },
};
