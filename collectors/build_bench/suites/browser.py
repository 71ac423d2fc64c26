"""Checks of t3-reactive-dashboard in a browser: what somebody does on the page."""

from __future__ import annotations

import asyncio
from typing import Any

from collectors.build_bench.suites import following, storefront
from collectors.build_bench.suites.api import Failed, Json, part, same
from collectors.build_bench.suites.dashboard import STATUSES, moved, state
from collectors.build_bench.suites.following import SETTLE_S, follows
from collectors.build_bench.suites.pages import Stage, Visit, shown, staged
from collectors.build_bench.suites.probes import Probes, Suite
from collectors.build_bench.suites.storefront import created, ordered

NARROW = {"width": 360, "height": 640}
MOST_TABS = 40
WIDGETS = frozenset(
    {
        *("button", "checkbox", "combobox", "link", "listbox", "radio", "searchbox", "slider"),
        *("spinbutton", "switch", "textbox"),
    }
)
FOCUSED = """() => {
    const element = document.activeElement;
    if (!element.closest('[data-testid="order-form"]')) return element.dataset.testid ?? "";
    return element.matches('[type="submit"]') ? "button" : element.localName;
}"""
PROBES = Probes()


async def count(stage: Stage) -> int:
    """Return the number of orders."""
    number: int = part(await state(stage), "totals", "dashboard")["orders"]
    return number


async def entered(visit: Visit, product: Json, quantity: int) -> None:
    """Fill in the form by its labels."""
    form = visit.page.get_by_test_id("order-form")
    await form.get_by_label("Product").select_option(product["id"])
    await form.get_by_label("Quantity").fill(str(quantity))


async def one_more(stage: Stage, visit: Visit, before: int, product: Json) -> None:
    """Wait for the row of an order that the form has made, and check that it has made one."""

    async def newest() -> bool:
        rows = await visit.rows()
        return bool(rows) and product["name"] in rows[0]["text"]

    await shown("a row for the new order", newest, wanted=True)
    await asyncio.sleep(SETTLE_S)
    same(await count(stage), before + 1, "number of orders")


@PROBES.extra
async def form_create(stage: Stage) -> None:
    """The form makes an order, and a double click makes one."""
    product = await created(stage)
    async with stage.visit() as visit:
        before = await count(stage)
        await entered(visit, product, 3)
        await visit.page.get_by_test_id("order-form").get_by_role("button").dblclick()
        await one_more(stage, visit, before, product)
        newest = (await state(stage))["recent"][0]
        same((newest["productName"], newest["quantity"]), (product["name"], 3), "the order")


@PROBES.extra
async def form_errors(stage: Stage) -> None:
    """A quantity of 0 makes no order: the alert says why and the field has the focus."""
    product = await created(stage)
    async with stage.visit() as visit:
        before = await count(stage)
        same(await visit.text("form-error"), "", "form-error before anything was entered")
        await entered(visit, product, 0)
        form = visit.page.get_by_test_id("order-form")
        await form.get_by_role("button").click()

        async def refused() -> tuple[bool, bool]:
            field = form.get_by_label("Quantity")
            focused = await field.evaluate("field => field === document.activeElement")
            return bool(await visit.text("form-error")), focused

        await shown("an alert, and the focus on the field", refused, (True, True))
        await asyncio.sleep(SETTLE_S)
        same(await count(stage), before, "number of orders")


@PROBES.extra
async def filter(stage: Stage) -> None:  # noqa: A001 - the id of the check
    """The filter hides the orders of another status, those that change meanwhile too."""
    product = await created(stage)
    first, second = [await ordered(stage, product) for _ in range(2)]
    await moved(stage, first, "paid")
    async with stage.visit() as visit:
        status = visit.page.get_by_test_id("status-filter")

        async def ids() -> list[str]:
            return [row["id"] for row in await visit.rows()]

        async def of(status: str) -> list[str]:
            recent = (await state(stage))["recent"]
            return [each["id"] for each in recent if status in ("", each["status"])]

        for name in (*STATUSES, "paid"):
            await status.select_option(name)
            await shown(f"the rows that are {name}", ids, await of(name))
        await moved(stage, second, "paid")
        await ordered(stage, product)
        await asyncio.sleep(SETTLE_S)
        await shown("the rows that are paid", ids, await of("paid"))
        await status.select_option("")
        await shown("all rows", ids, await of(""))


@PROBES.extra
async def no_injection(stage: Stage) -> None:
    """Markup in a product's name is shown as text and does nothing, live or loaded."""
    name = "<img src=x onerror='window.ran=1'><b>x</b><script>window.ran=1</script>"
    product = await created(stage, {**storefront.fresh_product(), "name": name})
    await ordered(stage, product)
    async with stage.visit() as visit:
        for _ in range(2):
            await follows(stage, visit)
            text = (await visit.rows())[0]["text"]
            if name not in text:
                raise Failed(f"the row says {text!r} instead of the product's name")
            await asyncio.sleep(SETTLE_S)
            same(await visit.page.evaluate("typeof window.ran"), "undefined", "what the name ran")
            await ordered(stage, product)


@PROBES.extra
async def narrow(stage: Stage) -> None:
    """At 360 × 640 nothing makes the page scroll sideways, a long name neither."""
    body = storefront.fresh_product()
    product = await created(stage, {**body, "name": body["name"] + "x" * 80})
    await ordered(stage, product)
    async with stage.visit(NARROW) as visit:
        await ordered(stage, product)
        await follows(stage, visit)
        width = await visit.page.evaluate("document.scrollingElement.scrollWidth")
        if width > NARROW["width"]:
            raise Failed(f"the page is {width} pixels wide")


@PROBES.extra
async def keyboard(stage: Stage) -> None:
    """The Tab key reaches the form and the filter, and Enter in the quantity makes an order."""
    product = await created(stage)
    async with stage.visit() as visit:
        reached = set()
        for _ in range(MOST_TABS):
            await visit.page.keyboard.press("Tab")
            reached.add(await visit.page.evaluate(FOCUSED))
        if unreached := {"select", "input", "button", "status-filter"} - reached:
            raise Failed(f"the Tab key does not reach {', '.join(sorted(unreached))}")
        before = await count(stage)
        await entered(visit, product, 1)
        await visit.page.keyboard.press("Enter")
        await one_more(stage, visit, before, product)


@PROBES.extra
async def names(stage: Stage) -> None:
    """The page has a language, a title and one h1, and every control has an accessible name."""
    async with stage.visit() as visit:
        page = visit.page
        if not await page.evaluate("document.documentElement.lang"):
            raise Failed("the page has no language")
        if not await page.title():
            raise Failed("the page has no title")
        same(await page.locator("h1").count(), 1, "number of h1")
        controls = await _controls(visit)
        if nameless := [role for role, name in controls if not name]:
            raise Failed(f"controls without a name: {', '.join(nameless)}")
        if lost := {"Product", "Quantity", "Status"} - {name for _, name in controls}:
            raise Failed(f"no control is named {', '.join(sorted(lost))}")


async def _controls(visit: Visit) -> list[tuple[str, str]]:
    """Return role and accessible name of every control, as the browser computes them."""
    session = await visit.page.context.new_cdp_session(visit.page)
    tree = await session.send("Accessibility.getFullAXTree")

    def value(node: dict[str, Any], key: str) -> str:
        return str(node.get(key, {}).get("value", "")).strip()

    nodes = [node for node in tree["nodes"] if not node.get("ignored")]
    named = [(value(node, "role").lower(), value(node, "name")) for node in nodes]
    return [(role, name) for role, name in named if role in WIDGETS]


SUITE = Suite(
    "t3-reactive-dashboard",
    (*following.PROBES, *PROBES),
    tuple(
        f"{__package__}.{name}"
        for name in (
            "storefront",
            "dashboard",
            "markup",
            "chromium",
            "pages",
            "following",
            "browser",
        )
    ),
    staged,
)
