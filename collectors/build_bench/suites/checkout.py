"""Task t2-saga-queue-cron: a checkout saga, a queue of jobs and a schedule."""

from __future__ import annotations

import asyncio
import secrets
from datetime import datetime

from collectors.build_bench.suites import storefront
from collectors.build_bench.suites.api import Api, Failed, Json, has, part, same, text
from collectors.build_bench.suites.probes import Probes, Suite

WORKFLOWS, JOBS = "/api/workflows", "/api/jobs"
DAILY = "/api/schedules/daily-reconciliation"
PARALLEL = 10
ROUNDS = 2
"""The first opens the connections, so that the requests of the second really come together."""
PROBES = Probes()


def fresh_checkout() -> Json:
    """Return the body that starts a workflow no other probe has started."""
    tag = secrets.token_hex(6)
    total = 1 + secrets.randbelow(100_000)
    return {"orderId": f"order-{tag}", "customerId": f"customer-{tag}", "totalCents": total}


def paid_with(transaction: str = "tx-1") -> Json:
    """Return the event of a payment."""
    return {"type": "PaymentCompleted", "transactionId": transaction}


RESERVED: Json = {"type": "InventoryReserved"}
DECLINED: Json = {"type": "PaymentFailed", "reason": "card declined"}


async def started(api: Api, body: Json | None = None) -> Json:
    """Start a workflow and return the answer, which holds the workflow and the emitted job."""
    return (await api.post(WORKFLOWS, body or fresh_checkout())).object(202)


async def waiting(api: Api) -> str:
    """Start a workflow and return its path."""
    body = fresh_checkout()
    await started(api, body)
    return f"{WORKFLOWS}/{body['orderId']}"


async def told(api: Api, path: str, *events: Json) -> Json:
    """Send events to a workflow and return the answer to the last."""
    answer: Json = {}
    for event in events:
        answer = (await api.post(f"{path}/events", event)).object(202)
    return answer


async def emitted(api: Api, answer: Json, wanted: Json) -> Json:
    """Check the job of an answer, which can be read at once, and return it."""
    job = part(answer, "emittedJob", "answer")
    has(job, {**wanted, "status": "queued"}, "emittedJob")
    read = (await api.get(f"{JOBS}/{text(job, 'id', 'emittedJob')}")).object(200)
    has(read, {"id": job["id"], "kind": job["kind"]}, "job")
    return job


def unmoved(answer: Json, wanted: Json) -> None:
    """Check that an answer shows these fields of the workflow and that nothing was queued."""
    has(part(answer, "workflow", "answer"), wanted, "workflow")
    same(answer.get("emittedJob"), None, "emittedJob")


@PROBES.core
async def start_correlated_saga(api: Api) -> None:
    """A start answers 202 with a workflow that has the order's id and waits for payment."""
    body = fresh_checkout()
    workflow = part(await started(api, body), "workflow", "answer")
    has(workflow, {**body, "id": body["orderId"], "status": "payment_pending"}, "workflow")


@PROBES.core
async def saga_emits_payment_job(api: Api) -> None:
    """A start queues a process-payment job of the saga, which can be read."""
    body = fresh_checkout()
    job = await emitted(
        api, await started(api, body), {"kind": "process-payment", "source": "saga"}
    )
    payload = {"orderId": body["orderId"], "amountCents": body["totalCents"]}
    has(part(job, "payload", "job"), payload, "payload")


@PROBES.core
async def payment_advances_and_queues_inventory(api: Api) -> None:
    """A payment makes the workflow paid and queues a reserve-inventory job."""
    path = await waiting(api)
    answer = await told(api, path, paid_with("tx-77"))
    workflow = {"status": "paid", "transactionId": "tx-77"}
    has(part(answer, "workflow", "answer"), workflow, "workflow")
    await emitted(api, answer, {"kind": "reserve-inventory", "source": "saga"})


@PROBES.core
async def inventory_completes_saga(api: Api) -> None:
    """Reserved inventory completes a paid workflow and queues nothing."""
    path = await waiting(api)
    unmoved(await told(api, path, paid_with(), RESERVED), {"status": "completed"})


@PROBES.core
async def payment_failure_compensates(api: Api) -> None:
    """A failed payment cancels the workflow, keeps the reason and queues nothing."""
    path = await waiting(api)
    wanted = {"status": "cancelled", "cancelReason": DECLINED["reason"]}
    unmoved(await told(api, path, DECLINED), wanted)


@PROBES.core
async def redelivery_is_idempotent(api: Api) -> None:
    """A second start and a repeated payment change nothing and queue nothing."""
    body = fresh_checkout()
    await started(api, body)
    unmoved(await started(api, body), {"status": "payment_pending"})
    path = f"{WORKFLOWS}/{body['orderId']}"
    unmoved(await told(api, path, paid_with(), paid_with()), {"status": "paid"})


@PROBES.core
async def cron_schedule_contract(api: Api) -> None:
    """The daily schedule shows its cron expression and time zone."""
    schedule = {"id": "daily-reconciliation", "cron": "0 6 * * *", "timezone": "UTC"}
    has((await api.get(DAILY)).object(200), schedule, "schedule")


@PROBES.core
async def cron_trigger_enqueues_work(api: Api) -> None:
    """A trigger queues a reconcile-checkouts job that names its schedule, a new one each time."""
    asked = "2026-01-02T06:00:00Z"
    ids = set()
    for _ in range(2):
        answer = (await api.post(f"{DAILY}/trigger", {"requestedAt": asked})).object(202)
        same(part(answer, "schedule", "answer").get("id"), "daily-reconciliation", "schedule id")
        job = await emitted(api, answer, {"kind": "reconcile-checkouts", "source": "cron"})
        payload = {"scheduleId": "daily-reconciliation", "requestedAt": asked}
        has(part(job, "payload", "job"), payload, "payload")
        ids.add(job["id"])
    same(len(ids), 2, "number of jobs of two triggers")


@PROBES.core
async def typed_errors(api: Api) -> None:
    """Bad starts are refused with VALIDATION_ERROR, an unknown workflow with NOT_FOUND."""
    body = fresh_checkout()
    for broken in ({"orderId": ""}, {"totalCents": -1}, {"totalCents": 0}, {"customerId": " "}):
        (await api.post(WORKFLOWS, {**body, **broken})).invalid()
    (await api.get(f"{WORKFLOWS}/{storefront.unknown_id()}")).missing()


@PROBES.core
async def durable_across_restart(api: Api) -> None:
    """A workflow and its job are there after a restart."""
    body = fresh_checkout()
    job = part(await started(api, body), "emittedJob", "answer")
    await api.restart()
    (await api.get(f"{WORKFLOWS}/{body['orderId']}")).expect(200)
    (await api.get(f"{JOBS}/{job.get('id')}")).expect(200)


@PROBES.extra
async def out_of_order_noop(api: Api) -> None:
    """Events that do not fit the state change nothing, whatever fields they have."""
    path = await waiting(api)
    unmoved(await told(api, path, RESERVED), {"status": "payment_pending"})
    await told(api, path, paid_with())
    unmoved(await told(api, path, {"type": "PaymentFailed"}), {"status": "paid"})


@PROBES.extra
async def terminal_states_stay(api: Api) -> None:
    """A completed or cancelled workflow takes no event any more."""
    completed, cancelled = await waiting(api), await waiting(api)
    await told(api, completed, paid_with(), RESERVED)
    await told(api, cancelled, DECLINED)
    for path, status in ((completed, "completed"), (cancelled, "cancelled")):
        for event in (paid_with("tx-2"), DECLINED, RESERVED):
            unmoved(await told(api, path, event), {"status": status})
        same((await api.get(path)).object(200).get("status"), status, "status")


@PROBES.extra
async def event_validation(api: Api) -> None:
    """An event of no known type, or without the field it needs, is refused and moves nothing."""
    path = await waiting(api)
    broken: tuple[Json, ...] = (
        {"type": "PaymentLost"},
        {},
        {"type": "PaymentCompleted"},
        {"type": "PaymentCompleted", "transactionId": " "},
        {"type": "PaymentFailed", "reason": 5},
    )
    for event in broken:
        (await api.post(f"{path}/events", event)).invalid()
    same((await api.get(path)).object(200).get("status"), "payment_pending", "status")


@PROBES.extra
async def event_unknown_workflow(api: Api) -> None:
    """An event for an unknown workflow answers 404 with NOT_FOUND, a bad event too."""
    path = f"{WORKFLOWS}/{storefront.unknown_id()}/events"
    for event in (paid_with(), {"type": "PaymentLost"}):
        (await api.post(path, event)).missing()


@PROBES.extra
async def restart_keeps_status(api: Api) -> None:
    """A paid workflow is paid after a restart, and goes on from there."""
    path = await waiting(api)
    await told(api, path, paid_with("tx-9"))
    await api.restart()
    found = (await api.get(path)).object(200)
    has(found, {"status": "paid", "transactionId": "tx-9"}, "workflow")
    unmoved(await told(api, path, RESERVED), {"status": "completed"})


@PROBES.extra
async def conflicting_restart_start(api: Api) -> None:
    """A second start with other values shows the stored ones and queues nothing."""
    body = fresh_checkout()
    await started(api, body)
    other = {**body, "totalCents": body["totalCents"] + 1, "customerId": "somebody-else"}
    unmoved(await started(api, other), body)


@PROBES.extra
async def concurrent_starts(api: Api) -> None:
    """The same start many times at once makes exactly one job."""
    for _ in range(ROUNDS):
        body = fresh_checkout()
        answers = await asyncio.gather(*(started(api, body) for _ in range(PARALLEL)))
        same(_jobs(answers), 1, f"number of jobs of {PARALLEL} starts at the same time")


@PROBES.extra
async def concurrent_payments(api: Api) -> None:
    """The same payment many times at once makes exactly one job."""
    for _ in range(ROUNDS):
        path = await waiting(api)
        answers = await asyncio.gather(*(told(api, path, paid_with()) for _ in range(PARALLEL)))
        same(_jobs(answers), 1, f"number of jobs of {PARALLEL} payments at the same time")


@PROBES.extra
async def trigger_default_time(api: Api) -> None:
    """A trigger without a time asks for now, in ISO 8601."""
    job = part((await api.post(f"{DAILY}/trigger", {})).object(202), "emittedJob", "answer")
    asked = text(part(job, "payload", "job"), "requestedAt", "payload")
    try:
        datetime.fromisoformat(asked)
    except ValueError:
        raise Failed(f"requestedAt is {asked!r} instead of a time in ISO 8601") from None


@PROBES.extra
async def unknown_schedule(api: Api) -> None:
    """Another schedule or job answers 404 with NOT_FOUND."""
    (await api.get("/api/schedules/hourly")).missing()
    (await api.post("/api/schedules/hourly/trigger", {})).missing()
    (await api.get(f"{JOBS}/{storefront.unknown_id()}")).missing()


PROBES.extra(storefront.t1_contract_kept)


def _jobs(answers: list[Json]) -> int:
    return sum(answer.get("emittedJob") is not None for answer in answers)


SUITE = Suite("t2-saga-queue-cron", tuple(PROBES), (*storefront.SUITE.sources, __name__))
