"""The checkout saga: which event moves a workflow between which states, and what it asks for."""

from dataclasses import dataclass
from typing import Literal

from jobs import Kind

Status = Literal["payment_pending", "paid", "completed", "cancelled"]
EventType = Literal["PaymentCompleted", "PaymentFailed", "InventoryReserved"]

FIRST: Status = "payment_pending"


@dataclass(frozen=True)
class Transition:
    """One step; where it names them, it keeps a field of its event and queues a job."""

    source: Status
    target: Status
    needs: str | None = None
    kept_as: str | None = None
    job: Kind | None = None


TRANSITIONS: dict[EventType, Transition] = {
    "PaymentCompleted": Transition(
        source="payment_pending",
        target="paid",
        needs="transaction_id",
        kept_as="transaction_id",
        job="reserve-inventory",
    ),
    "PaymentFailed": Transition(
        source="payment_pending", target="cancelled", needs="reason", kept_as="cancel_reason"
    ),
    "InventoryReserved": Transition(source="paid", target="completed"),
}
