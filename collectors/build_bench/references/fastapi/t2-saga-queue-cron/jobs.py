"""The queue: jobs are stored with the change that asks for them."""

from typing import Any, Literal

from fastapi import APIRouter

from errors import not_found
from shapes import Shape, new_id
from store import Collection

router = APIRouter(prefix="/api/jobs", tags=["jobs"])

Kind = Literal["process-payment", "reserve-inventory", "reconcile-checkouts"]
Source = Literal["saga", "cron"]


class Job(Shape):
    """Work that somebody else will do."""

    id: str
    kind: Kind
    source: Source
    status: Literal["queued"] = "queued"
    payload: dict[str, Any]


jobs = Collection("jobs", Job)


def enqueue(kind: Kind, source: Source, payload: dict[str, Any]) -> Job:
    """Add a job within the caller's transaction."""
    job = Job(id=new_id(), kind=kind, source=source, payload=payload)
    jobs.put(job.id, job)
    return job


@router.get("/{job_id}")
async def read(job_id: str) -> Job:
    """Show one job."""
    job = jobs.get(job_id)
    if job is None:
        raise not_found("job")
    return job
