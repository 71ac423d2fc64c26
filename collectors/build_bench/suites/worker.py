"""Task t2-worker: the checkout of t2, a worker that does its jobs, and a deadline for payment."""

from __future__ import annotations

import asyncio

from collectors.build_bench.suites import checkout
from collectors.build_bench.suites.api import Api, Json, has, part, same, text, until
from collectors.build_bench.suites.checkout import DAILY, JOBS, WORKFLOWS
from collectors.build_bench.suites.probes import Probes, Suite

DONE_S = 10.0
"""From queueing to `done` without the holds, and from a deadline to its effect."""
PATIENCE_S = DONE_S + 2.0
"""With the longest hold and the longest deadline of these probes."""
HOLD_MS = 1000
"""Long enough to be killed in, short enough to wait for."""
SETTLE_S = 0.3
"""How long a second effect is waited for that must not come."""
PROBES = Probes()


async def queued(api: Api, **more: int) -> Json:
    """Start a workflow and return its payment job."""
    answer = await checkout.started(api, {**checkout.fresh_checkout(), **more})
    job = part(answer, "emittedJob", "answer")
    text(job, "id", "emittedJob")
    return job


async def reached(api: Api, job: Json, status: str) -> None:
    """Wait until a job has a status."""

    async def look() -> Json:
        return (await api.get(f"{JOBS}/{job['id']}")).object(200)

    await until(PATIENCE_S, "job", look, {"status": status})


async def effects(api: Api, job: Json) -> list[Json]:
    """Return the effects that a job has had."""
    return (await api.get(f"{JOBS}/{job['id']}/effects")).items()


async def acted_once(api: Api, job: Json) -> None:
    """Wait until a job is done, and check that it has had its one effect then and later."""
    await reached(api, job, "done")
    for pause in (0.0, SETTLE_S):
        await asyncio.sleep(pause)
        had = await effects(api, job)
        same(len(had), 1, f"number of effects of the {job.get('kind')} job")
        text(had[0], "id", "effect")
        has(had[0], {"jobId": job["id"], "kind": job.get("kind")}, "effect")


async def settled(api: Api, path: str, wanted: Json) -> None:
    """Wait until a workflow has some values."""

    async def look() -> Json:
        return (await api.get(path)).object(200)

    await until(PATIENCE_S, "workflow", look, wanted)


EXPIRED: Json = {"status": "cancelled", "cancelReason": "expired"}


async def due(api: Api, milliseconds: int) -> str:
    """Start a workflow to be paid within a time and return its path."""
    body = checkout.fresh_checkout()
    await checkout.started(api, {**body, "payWithinMs": milliseconds})
    return f"{WORKFLOWS}/{body['orderId']}"


@PROBES.extra
async def job_runs_to_done(api: Api) -> None:
    """A queued job is done within 10 s and has had one effect."""
    await acted_once(api, await queued(api))


@PROBES.extra
async def every_kind_runs(api: Api) -> None:
    """Jobs of the saga and of the schedule are done too, each with one effect of its kind."""
    paid = await checkout.told(api, await checkout.waiting(api), checkout.paid_with())
    triggered = (await api.post(f"{DAILY}/trigger", {})).object(202)
    jobs = [part(answer, "emittedJob", "answer") for answer in (paid, triggered)]
    await asyncio.gather(*(acted_once(api, job) for job in jobs))


@PROBES.extra
async def hold_shows_running(api: Api) -> None:
    """A job with a hold is running, its effect stored, until the hold is over."""
    job = await queued(api, holdMs=HOLD_MS)
    await reached(api, job, "running")
    await asyncio.sleep(SETTLE_S)
    same(len(await effects(api, job)), 1, "number of effects of a running job")
    await reached(api, job, "done")


@PROBES.extra
async def killed_mid_job_acts_once(api: Api) -> None:
    """A job whose service is killed while it runs is done after the restart, with one effect."""
    job = await queued(api, holdMs=HOLD_MS)
    await reached(api, job, "running")
    await asyncio.sleep(SETTLE_S)
    await api.crash()
    await acted_once(api, job)


@PROBES.extra
async def queued_jobs_survive_kill(api: Api) -> None:
    """Jobs whose service is killed as soon as they were queued are done after the restart."""
    jobs = [await queued(api, holdMs=hold) for hold in (HOLD_MS, 0, 0)]
    await api.crash()
    await asyncio.gather(*(acted_once(api, job) for job in jobs))


@PROBES.extra
async def done_jobs_stay_done(api: Api) -> None:
    """A job that is done is not done again after a restart."""
    job = await queued(api)
    await reached(api, job, "done")
    await api.restart()
    same((await api.get(f"{JOBS}/{job['id']}")).object(200).get("status"), "done", "status")
    await acted_once(api, job)


@PROBES.extra
async def unpaid_workflow_expires(api: Api) -> None:
    """A workflow that is not paid in time is cancelled by the schedule, and takes no payment."""
    path = await due(api, 500)
    await settled(api, path, EXPIRED)
    checkout.unmoved(await checkout.told(api, path, checkout.paid_with()), EXPIRED)


@PROBES.extra
async def paid_workflow_does_not_expire(api: Api) -> None:
    """A workflow that was paid in time stays paid."""
    path = await due(api, 2000)
    await checkout.told(api, path, checkout.paid_with())
    await settled(api, await due(api, 2000), EXPIRED)
    same((await api.get(path)).object(200).get("status"), "paid", "status")


@PROBES.extra
async def deadline_survives_restart(api: Api) -> None:
    """A deadline set before a restart is kept after it."""
    path = await due(api, 2000)
    await api.restart()
    await settled(api, path, EXPIRED)


@PROBES.extra
async def expiry_schedule_contract(api: Api) -> None:
    """The schedule of the deadlines shows how often it runs."""
    found = (await api.get("/api/schedules/payment-expiry")).object(200)
    has(found, {"id": "payment-expiry", "everySeconds": 1}, "schedule")


@PROBES.extra
async def worker_validation(api: Api) -> None:
    """A hold and a time to pay outside their bounds are refused."""
    body = checkout.fresh_checkout()
    broken = ({"holdMs": -1}, {"holdMs": 5001}, {"holdMs": "5"}, {"payWithinMs": 0})
    for fields in broken:
        (await api.post(WORKFLOWS, {**body, **fields})).invalid()


SUITE = Suite(
    "t2-worker",
    (*checkout.SUITE.probes, *PROBES),
    (*checkout.SUITE.sources, __name__),
)
