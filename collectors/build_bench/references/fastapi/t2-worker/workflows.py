"""Workflows: one checkout each, moved along the saga by events, and by the deadline for payment."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import Field, TypeAdapter, ValidationError

from errors import invalid, not_found
from jobs import Job, enqueue
from saga import FIRST, TRANSITIONS, EventType, Status
from shapes import LARGEST, Shape, Text
from store import Collection, transaction

LONGEST_MS = 365 * 24 * 60 * 60 * 1000

router = APIRouter(prefix="/api/workflows", tags=["workflows"])


class NewWorkflow(Shape):
    """What a client sends to start a checkout."""

    order_id: Text
    customer_id: Text
    total_cents: Annotated[int, Field(strict=True, ge=1, le=LARGEST)]
    hold_ms: Annotated[int, Field(strict=True, ge=0, le=5000)] = 0
    pay_within_ms: Annotated[int, Field(strict=True, ge=1, le=LONGEST_MS)] = 15 * 60 * 1000


class Workflow(NewWorkflow):
    """A checkout and its state."""

    id: str
    pay_by: datetime
    status: Status
    transaction_id: str | None = None
    cancel_reason: str | None = None


class Event(Shape):
    """Something that happened; its field is looked at only when the event applies."""

    type: EventType
    transaction_id: Any = None
    reason: Any = None


class Progress(Shape):
    """A workflow and the job that the last step has queued, if any."""

    workflow: Workflow
    emitted_job: Job | None


workflows = Collection("workflows", Workflow)
_text = TypeAdapter(Text)


async def stored_workflow(workflow_id: str) -> Workflow:
    """Return the workflow of a path."""
    workflow = workflows.get(workflow_id)
    if workflow is None:
        raise not_found("workflow")
    return workflow


Stored = Annotated[Workflow, Depends(stored_workflow)]


@router.post("", status_code=202)
async def start(body: NewWorkflow) -> Progress:
    """Start the workflow of an order; a second start finds the first."""
    if known := workflows.get(body.order_id):
        return Progress(workflow=known, emitted_job=None)
    pay_by = datetime.now(UTC) + timedelta(milliseconds=body.pay_within_ms)
    workflow = Workflow(id=body.order_id, status=FIRST, pay_by=pay_by, **body.model_dump())
    payload = {
        "orderId": workflow.id,
        "amountCents": workflow.total_cents,
        "holdMs": workflow.hold_ms,
    }
    with transaction():
        workflows.put(workflow.id, workflow)
        job = enqueue("process-payment", "saga", payload)
    return Progress(workflow=workflow, emitted_job=job)


@router.get("/{workflow_id}")
async def read(workflow: Stored) -> Workflow:
    """Show one workflow."""
    return workflow


@router.post("/{workflow_id}/events", status_code=202)
async def tell(workflow: Stored, event: Event) -> Progress:
    """Tell a workflow what happened."""
    return move(workflow, event)


def move(workflow: Workflow, event: Event) -> Progress:
    """Move a workflow; an event that does not fit its state changes nothing."""
    step = TRANSITIONS[event.type]
    if workflow.status != step.source:
        return Progress(workflow=workflow, emitted_job=None)
    changes: dict[str, str] = {"status": step.target}
    if step.needs and step.kept_as:
        changes[step.kept_as] = _needed(event, step.needs)
    moved = workflow.model_copy(update=changes)
    with transaction():
        workflows.put(moved.id, moved)
        job = enqueue(step.job, "saga", {"orderId": moved.id}) if step.job else None
    return Progress(workflow=moved, emitted_job=job)


def expire() -> None:
    """Cancel the workflows whose time to pay is over: the payment has failed by its deadline."""
    now = datetime.now(UTC)
    for workflow in workflows.all():
        if workflow.status == FIRST and workflow.pay_by <= now:
            move(workflow, Event(type="PaymentFailed", reason="expired"))


def _needed(event: Event, field: str) -> str:
    """Return the field that an event needs to apply."""
    try:
        return _text.validate_python(getattr(event, field))
    except ValidationError:
        raise invalid(f"{field}: must be a string with something in it") from None
