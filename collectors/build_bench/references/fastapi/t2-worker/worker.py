"""What runs beside the requests: the worker that does the jobs, and the clock of the deadlines."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from jobs import Effect, Job, effects, jobs, work_is_waiting
from schedules import PAYMENT_EXPIRY
from shapes import new_id
from store import transaction
from workflows import expire


@asynccontextmanager
async def running(_: FastAPI) -> AsyncIterator[None]:
    """Work while the service runs; what is unfinished at its end is taken up by the next start."""
    tasks = [asyncio.create_task(work()), asyncio.create_task(keep_deadlines())]
    yield
    for task in tasks:
        task.cancel()


async def work() -> None:
    """Do the jobs, oldest first, and wait for more."""
    while True:
        job = next((job for job in jobs.all() if job.status != "done"), None)
        if job is None:
            work_is_waiting.clear()
            await work_is_waiting.wait()
        else:
            await do(job)


async def do(job: Job) -> None:
    """Do a job: a running one had its effect before the service was last stopped."""
    if job.status == "queued":
        with transaction():
            effects.put(job.id, Effect(id=new_id(), job_id=job.id, kind=job.kind))
            jobs.put(job.id, job.model_copy(update={"status": "running"}))
    await asyncio.sleep(job.payload.get("holdMs", 0) / 1000)
    with transaction():
        jobs.put(job.id, job.model_copy(update={"status": "done"}))


async def keep_deadlines() -> None:
    """Cancel what was not paid in time, as often as the schedule says."""
    while True:
        expire()
        await asyncio.sleep(PAYMENT_EXPIRY.every_seconds)
