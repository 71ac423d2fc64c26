"""The queue: jobs are stored with the change that asks for them, and effects with their jobs."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends

from errors import not_found
from shapes import Shape, new_id
from store import Collection

router = APIRouter(prefix="/api/jobs", tags=["jobs"])

Kind = Literal["process-payment", "reserve-inventory", "reconcile-checkouts"]
Source = Literal["saga", "cron"]


class Job(Shape):
    """Work for the worker."""

    id: str
    kind: Kind
    source: Source
    status: Literal["queued", "running", "done"] = "queued"
    payload: dict[str, Any]


class Effect(Shape):
    """What a job has done to the world; a job has one."""

    id: str
    job_id: str
    kind: Kind


class EffectList(Shape):
    """The effects of a job."""

    items: list[Effect]


jobs = Collection("jobs", Job)
effects = Collection("effects", Effect)
"""By the ids of their jobs."""
work_is_waiting = asyncio.Event()


def enqueue(kind: Kind, source: Source, payload: dict[str, Any]) -> Job:
    """Add a job within the caller's transaction."""
    job = Job(id=new_id(), kind=kind, source=source, payload=payload)
    jobs.put(job.id, job)
    work_is_waiting.set()
    return job


async def stored_job(job_id: str) -> Job:
    """Return the job of a path."""
    job = jobs.get(job_id)
    if job is None:
        raise not_found("job")
    return job


Stored = Annotated[Job, Depends(stored_job)]


@router.get("/{job_id}")
async def read(job: Stored) -> Job:
    """Show one job."""
    return job


@router.get("/{job_id}/effects")
async def read_effects(job: Stored) -> EffectList:
    """Show what a job has done so far."""
    effect = effects.get(job.id)
    return EffectList(items=[effect] if effect else [])
