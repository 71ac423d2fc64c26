"""Task t3-reactive-dashboard, its stream of changes: what comes, when, and in what order."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Coroutine, Sequence
from typing import Any

from collectors.build_bench.suites import dashboard, storefront
from collectors.build_bench.suites.api import Api, Failed, Json, has, part, same
from collectors.build_bench.suites.dashboard import moved, patched, state
from collectors.build_bench.suites.probes import Probes, Suite
from collectors.build_bench.suites.storefront import ORDERS, created, ordered
from collectors.build_bench.suites.streams import DELIVERY_S, Event, Feed, reading, unread

EVENTS = "/api/dashboard/events"
HEARTBEAT_S = 6.0
"""A sign of life is due every 5 s."""
SILENCE_S = 1.5
MUTATION_S = 1.0
BURST = 25
WINDOW = 100
"""So many last changes can be had again, at least."""
SLOW_CHANGES = 200
LONG = 32_000
"""Characters of a name: with the slow reader's changes, more than all buffers on the way hold."""
PROBES = Probes()


def document(event: Event, name: str) -> Json:
    """Return the data of an event of a name, whose id is the version in it.

    Raises:
        Failed: It is another event.
    """
    same(event.name, name, "event")
    try:
        data = json.loads(event.data)
    except ValueError:
        raise Failed(f"the data of event {event.id} is not JSON") from None
    if not isinstance(data, dict):
        raise Failed(f"the data of event {event.id} is not an object")
    same(event.id, str(data.get("version")), "event id")
    return data


async def begun(feed: Feed) -> int:
    """Take the snapshot that a stream begins with and return its version."""
    version: int = document(await feed.event(), "snapshot")["version"]
    return version


async def told(feed: Feed, version: int) -> Json:
    """Take the change that has a version."""
    change = document(await feed.event(), "order")
    same(change["version"], version, "version")
    return change


async def told_all(feed: Feed, after: int, orders: Sequence[Json]) -> list[Json]:
    """Take the next changes, which are those of some orders in their order."""
    changes = [await told(feed, after + 1 + place) for place in range(len(orders))]
    ids = [part(change, "order", "change").get("id") for change in changes]
    same(ids, [order["id"] for order in orders], "orders of the changes")
    return changes


async def promptly(change: Coroutine[Any, Any, Json]) -> Json:
    """Make a change and return what was changed.

    Raises:
        Failed: It takes too long.
    """
    began = time.monotonic()
    order = await change
    if (took := time.monotonic() - began) > MUTATION_S:
        raise Failed(f"a change took {took:.1f} s beside a slow reader")
    return order


@PROBES.extra
async def stream_snapshot(api: Api) -> None:
    """A stream is not cached and begins with the dashboard, its version as the id."""
    await ordered(api, await created(api))
    async with reading(api, EVENTS) as feed:
        cached = feed.response.headers.get("cache-control", "")
        if "no-store" not in cached and "no-cache" not in cached:
            raise Failed(f"cache-control of the stream is {cached!r}")
        snapshot = document(await feed.event(), "snapshot")
    now = await state(api)
    has(snapshot, {name: now.get(name) for name in ("version", "totals", "recent")}, "snapshot")


@PROBES.extra
async def stream_created(api: Api) -> None:
    """A new order is told of within 2 s, with the totals that it makes."""
    product = await dashboard.product_at(api, 300)
    async with reading(api, EVENTS) as feed:
        version = await begun(feed)
        order = await ordered(api, product, 2)
        change = await told(feed, version + 1)
    same(change.get("change"), "created", "change")
    shown = {"id": order["id"], "productName": product["name"], "status": "pending"}
    wanted = {**shown, "quantity": 2, "totalCents": 600}
    has(part(change, "order", "change"), wanted, "order of the change")
    same(change.get("totals"), (await state(api)).get("totals"), "totals of the change")


@PROBES.extra
async def stream_status(api: Api) -> None:
    """Each step of an order is told of within 2 s, with the totals that it makes."""
    order = await ordered(api, await created(api))
    async with reading(api, EVENTS) as feed:
        version = await begun(feed)
        for status in ("paid", "shipped"):
            await moved(api, order, status)
            version += 1
            change = await told(feed, version)
            same(change.get("change"), "status", "change")
            wanted = {"id": order["id"], "status": status}
            has(part(change, "order", "change"), wanted, "order of the change")
            same(change.get("totals"), (await state(api)).get("totals"), "totals of the change")


@PROBES.extra
async def stream_fan_out(api: Api) -> None:
    """Two readers are told the same."""
    product = await created(api)
    async with reading(api, EVENTS) as one, reading(api, EVENTS) as other:
        version = await begun(one)
        same(await begun(other), version, "version of the second reader")
        orders = [await ordered(api, product) for _ in range(3)]
        same(
            await told_all(one, version, orders), await told_all(other, version, orders), "changes"
        )


@PROBES.extra
async def stream_ids_gapless(api: Api) -> None:
    """Changes made at the same time are told once each, their ids without a gap."""
    product = await created(api)
    async with reading(api, EVENTS) as feed:
        version = await begun(feed)
        orders = await asyncio.gather(*(ordered(api, product) for _ in range(BURST)))
        changes = [await told(feed, version + 1 + place) for place in range(BURST)]
        ids = {part(change, "order", "change").get("id") for change in changes}
        same(ids, {order["id"] for order in orders}, "orders of the changes")
    same((await state(api)).get("version"), version + BURST, "version")


@PROBES.extra
async def stream_silent_on_noop(api: Api) -> None:
    """What is refused or changes no order is not told of."""
    product = await created(api)
    order = await moved(api, await ordered(api, product), "paid")
    async with reading(api, EVENTS) as feed:
        version = await begun(feed)
        await moved(api, order, "paid")
        (await patched(api, order, "pending")).expect(400, 409, 422)
        (await patched(api, order, "lost")).expect(400, 409, 422)
        (await api.post(ORDERS, {"productId": product["id"], "quantity": 0})).invalid()
        await created(api)
        await feed.quiet(SILENCE_S)
    same((await state(api)).get("version"), version, "version")


@PROBES.extra
async def stream_heartbeat(api: Api) -> None:
    """A stream on which nothing happens shows a sign of life."""
    async with reading(api, EVENTS) as feed:
        await begun(feed)
        await feed.item(HEARTBEAT_S)


@PROBES.extra
async def stream_resume(api: Api) -> None:
    """A reader that comes back is told what it has missed, as the others were, and goes on."""
    product = await created(api)
    async with reading(api, EVENTS) as feed:
        version = await begun(feed)
        orders = [await ordered(api, product) for _ in range(3)]
        live = await told_all(feed, version, orders)
    for missed in (3, 1, 0):
        async with reading(api, EVENTS, str(version + len(live) - missed)) as feed:
            since = version + len(live) - missed
            again = await told_all(feed, since, orders[len(orders) - missed :])
            same(again, live[len(live) - missed :], "the changes told again")
            orders.append(await ordered(api, product))
            live.append(await told(feed, since + missed + 1))
            same(part(live[-1], "order", "change").get("id"), orders[-1]["id"], "the next order")


@PROBES.extra
async def stream_resume_too_old(api: Api) -> None:
    """The last 100 changes are kept; a reader that cannot be told all it missed gets a snapshot."""
    product = await created(api)
    first = (await state(api)).get("version", 0)
    for _ in range(0, WINDOW, BURST):
        await asyncio.gather(*(ordered(api, product) for _ in range(BURST)))
    version = (await state(api)).get("version", 0)
    same(version, first + WINDOW, "version")
    async with reading(api, EVENTS, str(first)) as feed:
        for place in range(WINDOW):
            await told(feed, first + 1 + place)
    for unknown in (str(version + 1000), "no-such-id"):
        async with reading(api, EVENTS, unknown) as feed:
            same(await begun(feed), version, "version of the snapshot")
    async with reading(api, EVENTS, "0") as feed:
        if (event := await feed.event()).name == "snapshot":
            same(document(event, "snapshot")["version"], version, "version of the snapshot")
        else:
            same(document(event, "order")["version"], 1, "version")
            for wanted in range(2, version + 1):
                await told(feed, wanted)


@PROBES.extra
async def stream_slow_reader(api: Api) -> None:
    """A reader that takes nothing delays neither a change nor another reader."""
    body = storefront.fresh_product()
    product = await created(api, {**body, "name": f"{body['name']} {'x' * LONG}"})
    async with unread(api, EVENTS), reading(api, EVENTS) as feed:
        version = await begun(feed)
        for _ in range(SLOW_CHANGES // 2):
            order = await promptly(ordered(api, product))
            await told(feed, version + 1)
            await promptly(moved(api, order, "paid"))
            await told(feed, version + 2)
            version += 2
    small = await created(api)
    for _ in range(dashboard.RECENT):  # so that the long names are not in everybody's way
        await ordered(api, small)


@PROBES.extra
async def stream_across_restart(api: Api) -> None:
    """A reader is told after a restart what it missed before and after, once, with rising ids."""
    product = await created(api)
    async with reading(api, EVENTS) as feed:
        version = await begun(feed)
        await told_all(feed, version, [await ordered(api, product)])
    missed = [await ordered(api, product) for _ in range(2)]
    await api.restart()
    missed.append(await ordered(api, product))
    async with reading(api, EVENTS, str(version + 1)) as feed:
        await told_all(feed, version + 1, missed)
        await told_all(feed, version + 4, [await ordered(api, product)])
        await feed.quiet(DELIVERY_S / 4)
    same((await state(api)).get("version"), version + 5, "version")


SUITE = Suite(
    "t3-reactive-dashboard",
    (*dashboard.PROBES, *PROBES),
    tuple(
        f"{__package__}.{name}" for name in ("storefront", "dashboard", "live", "markup", "streams")
    ),
)
