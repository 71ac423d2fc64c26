"""Schedules: when work is due, and triggers that ask for it now."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends

from errors import not_found
from jobs import Job, enqueue
from shapes import Shape, Text
from store import transaction

router = APIRouter(prefix="/api/schedules", tags=["schedules"])


class Schedule(Shape):
    """A cron expression and the time zone it is read in."""

    id: str
    cron: str
    timezone: Literal["UTC"] = "UTC"


class Trigger(Shape):
    """What a client may say of a run; the default only says that it may be left out."""

    requested_at: Text = ""


class Triggered(Shape):
    """A schedule and the job that was queued for it."""

    schedule: Schedule
    emitted_job: Job


SCHEDULES = {"daily-reconciliation": Schedule(id="daily-reconciliation", cron="0 6 * * *")}


async def known_schedule(schedule_id: str) -> Schedule:
    """Return the schedule of a path."""
    if schedule_id not in SCHEDULES:
        raise not_found("schedule")
    return SCHEDULES[schedule_id]


Known = Annotated[Schedule, Depends(known_schedule)]


@router.get("/{schedule_id}")
async def read(schedule: Known) -> Schedule:
    """Show one schedule."""
    return schedule


@router.post("/{schedule_id}/trigger", status_code=202)
async def trigger(schedule: Known, body: Trigger) -> Triggered:
    """Queue the work of a schedule; every call queues it anew."""
    asked = body.requested_at or datetime.now(UTC).isoformat()
    payload = {"scheduleId": schedule.id, "requestedAt": asked}
    with transaction():
        job = enqueue("reconcile-checkouts", "cron", payload)
    return Triggered(schedule=schedule, emitted_job=job)
