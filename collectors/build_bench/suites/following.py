"""Checks of t3-reactive-dashboard in a browser: an open page follows the service."""

from __future__ import annotations

import asyncio
import secrets

from collectors.build_bench.suites.api import Failed, Json, part, same
from collectors.build_bench.suites.dashboard import amount, moved, state
from collectors.build_bench.suites.pages import LIVE_S, SHOWN_S, Stage, Visit, shown
from collectors.build_bench.suites.probes import Probes
from collectors.build_bench.suites.storefront import created, ordered

SETTLE_S = 0.5
"""How long is waited for what must not come."""
MARK = "window.mark"
"""A page that was loaded again has lost it."""
PROBES = Probes()


async def marked(visit: Visit) -> str:
    """Leave a mark in the page."""
    mark = secrets.token_hex(6)
    await visit.page.evaluate(f"{MARK} = '{mark}'")
    return mark


async def still(visit: Visit, mark: str) -> None:
    """Check that the page was not loaded again."""
    same(await visit.page.evaluate(MARK), mark, "the mark in a page that was not to be left")


async def follows(stage: Stage, visit: Visit, seconds: float = SHOWN_S) -> Json:
    """Wait until the page shows the dashboard as it is now, and return that."""
    now = await state(stage)
    totals = part(now, "totals", "dashboard")
    wanted = [(each["id"], each["status"]) for each in now["recent"]]

    async def rows() -> list[tuple[str, str]]:
        return [(row["id"], row["status"]) for row in await visit.rows()]

    await shown("the order rows", rows, wanted, seconds)
    await visit.says("total-orders", str(totals["orders"]), seconds)
    await visit.says("revenue", amount(totals["revenueCents"]), seconds)
    return now


@PROBES.extra
async def loads_clean(stage: Stage) -> None:
    """The page loads and follows without an error, a failed request or one to elsewhere."""
    await ordered(stage, await created(stage))
    async with stage.visit() as visit:
        await ordered(stage, await created(stage))
        await asyncio.sleep(SETTLE_S)
        if visit.faults:
            raise Failed("; ".join(visit.faults))


@PROBES.extra
async def initial_state(stage: Stage) -> None:
    """The page shows the totals and the recent orders."""
    product = await created(stage)
    await moved(stage, await ordered(stage, product, 3), "paid")
    await ordered(stage, product)
    async with stage.visit() as visit:
        await follows(stage, visit)


@PROBES.extra
async def live_create(stage: Stage) -> None:
    """A new order shows within 2 s, with its totals, in the page that is open."""
    product = await created(stage)
    async with stage.visit() as visit:
        mark = await marked(visit)
        order = await ordered(stage, product)
        same((await follows(stage, visit))["recent"][0]["id"], order["id"], "the newest order")
        await still(visit, mark)


@PROBES.extra
async def live_status(stage: Stage) -> None:
    """A step of an order shows within 2 s, with its totals, in the page that is open."""
    order = await ordered(stage, await created(stage))
    async with stage.visit() as visit:
        mark = await marked(visit)
        for status in ("paid", "shipped"):
            await moved(stage, order, status)
            await follows(stage, visit)
        await still(visit, mark)


@PROBES.extra
async def two_tabs(stage: Stage) -> None:
    """Two open pages of one visitor follow."""
    product = await created(stage)
    async with stage.visitor() as visitor:
        tabs = [await stage.opened(visitor) for _ in range(2)]
        await ordered(stage, product)
        for tab in tabs:
            await follows(stage, tab)


@PROBES.extra
async def reconnects(stage: Stage) -> None:
    """The page says that the service is gone, and is live within 10 s after it is there again."""
    product = await created(stage)
    async with stage.visit() as visit:
        mark = await marked(visit)
        stage.front.cut()
        await visit.says("connection-status", "reconnecting")
        await stage.restart()
        stage.front.mend()
        await visit.live()
        await ordered(stage, product)
        await follows(stage, visit)
        await still(visit, mark)


@PROBES.extra
async def catches_up(stage: Stage) -> None:
    """Changes made while the page was offline show afterwards, each order once."""
    product = await created(stage)
    async with stage.visit() as visit:
        mark = await marked(visit)
        stage.front.cut()
        await visit.says("connection-status", "reconnecting")
        orders = [await ordered(stage, product) for _ in range(3)]
        await moved(stage, orders[0], "paid")
        stage.front.mend()
        await follows(stage, visit, LIVE_S)
        await still(visit, mark)
