"""Task t3-reactive-dashboard: orders with a status, their totals, and the page without scripts."""

from __future__ import annotations

import secrets

from collectors.build_bench.suites import storefront
from collectors.build_bench.suites.api import REFUSED, Answer, Api, Failed, Json, has, part, same
from collectors.build_bench.suites.markup import Markup
from collectors.build_bench.suites.probes import Probes
from collectors.build_bench.suites.storefront import ORDERS, PRODUCTS, created, ordered

DASHBOARD = "/api/dashboard"
RECENT = 20
STATUSES = ("pending", "paid", "shipped", "cancelled")
STEPS = (("paid",), ("cancelled",), ("paid", "shipped"), ("paid", "cancelled"))
"""All legal steps, each as the last of a walk from `pending`."""
PROBES = Probes()


async def state(api: Api) -> Json:
    """Return the dashboard."""
    return (await api.get(DASHBOARD)).object(200)


async def product_at(api: Api, cents: int) -> Json:
    """Create a product of a price."""
    return await created(api, {**storefront.fresh_product(), "priceCents": cents})


async def patched(api: Api, order: Json, status: object) -> Answer:
    """Ask for a status of an order."""
    return await api.patch(f"{ORDERS}/{order['id']}", {"status": status})


async def moved(api: Api, order: Json, *statuses: str) -> Json:
    """Lead an order through some statuses and return it as it is then."""
    for status in statuses:
        order = (await patched(api, order, status)).object(200)
        same(order.get("status"), status, "status")
    return order


async def page(api: Api) -> Markup:
    """Return the page."""
    answer = (await api.get("/")).expect(200)
    if answer.content_type.partition(";")[0].strip() != "text/html":
        raise Failed(f"{answer.request}: content type is not text/html")
    return Markup(answer.text)


def amount(cents: int) -> str:
    """Return an amount of money as the page shows it."""
    return f"{cents // 100}.{cents % 100:02}"


PROBES.extra(storefront.t1_contract_kept)


@PROBES.extra
async def page_html(api: Api) -> None:
    """The page is HTML and has every part that is asked for, with its role."""
    markup = await page(api)
    for name in ("total-orders", "revenue", "orders", "order-form", "status-filter"):
        markup.one(name)
    same(markup.one("connection-status").attributes.get("role"), "status", "role")
    same(markup.one("form-error").attributes.get("role"), "alert", "role")


@PROBES.extra
async def page_current_values(api: Api) -> None:
    """The markup has the totals and the recent orders of this moment, without any script."""
    product = await product_at(api, 1995)
    await moved(api, await ordered(api, product, 3), "paid")
    newest = await ordered(api, product, 1)
    shown, now = await page(api), await state(api)
    totals = part(now, "totals", "dashboard")
    same(shown.one("total-orders").text, str(totals.get("orders")), "total-orders")
    same(shown.one("revenue").text, amount(totals.get("revenueCents", -1)), "revenue")
    rows = [each.attributes for each in shown.all("order-row")]
    wanted = [(each["id"], each["status"]) for each in now.get("recent", ())]
    same([(row.get("data-order-id"), row.get("data-status")) for row in rows], wanted, "rows")
    same(wanted[0], (newest["id"], "pending"), "the newest order")
    text = shown.all("order-row")[0].text
    for value in (product["name"], amount(1995)):
        if value not in text:
            raise Failed(f"the row of an order says {text!r}, without {value!r}")


@PROBES.extra
async def page_escapes_names(api: Api) -> None:
    """Markup in the name of a product is text in the page, wherever it is shown."""
    tag = f"x{secrets.token_hex(6)}"
    name = f"<{tag}>&lt; \"'></select><{tag} a='b'>"
    await ordered(api, await created(api, {**storefront.fresh_product(), "name": name}))
    shown = await page(api)
    if any(tag in each.tag for each in shown.elements):
        raise Failed("the name of a product has become an element of the page")
    if name not in shown.all("order-row")[0].text:
        raise Failed("the row of an order does not show the product's name as it is")


@PROBES.extra
async def dashboard_totals(api: Api) -> None:
    """Totals count every order by its status, and money and units of the paid and shipped ones."""
    product = await product_at(api, 250)
    before = await state(api)
    walks = ((), ("paid",), ("paid", "shipped"), ("cancelled",), ("paid", "cancelled"))
    orders = [await ordered(api, product, 2 + place) for place in range(len(walks))]
    for order, walk in zip(orders, walks, strict=True):
        await moved(api, order, *walk)
    after = await state(api)
    more = dict(zip(STATUSES, (1, 1, 1, 2), strict=True))
    was, now = (part(each, "totals", "dashboard") for each in (before, after))
    for name, added in (("orders", 5), ("unitsSold", 3 + 4), ("revenueCents", 7 * 250)):
        same(now.get(name), was.get(name, 0) + added, name)
    counts, earlier = (part(each, "byStatus", "totals") for each in (now, was))
    has(counts, {name: earlier.get(name, 0) + added for name, added in more.items()}, "byStatus")
    same(after.get("version"), before.get("version", 0) + 5 + 6, "version after 11 changes")
    recent = after.get("recent", ())
    same([each["id"] for each in recent[:5]], [order["id"] for order in orders[::-1]], "recent")
    shown = {"productName": product["name"], "quantity": 6, "totalCents": 1500}
    has(recent[0], {**shown, "status": "cancelled"}, "the newest order")
    if len(recent) > RECENT:
        raise Failed(f"recent has {len(recent)} orders")


@PROBES.extra
async def status_steps(api: Api) -> None:
    """An order begins pending at the price of that moment, and takes every step there is."""
    product = await product_at(api, 1200)
    for walk in STEPS:
        order = await ordered(api, product, 2)
        has(order, {"status": "pending", "totalCents": 2400}, "order")
        await api.patch(f"{PRODUCTS}/{product['id']}", {"priceCents": 1})
        await moved(api, order, *walk, walk[-1])
        found = (await api.get(f"{ORDERS}/{order['id']}")).object(200)
        wanted = {"status": walk[-1], "totalCents": 2400, "quantity": 2}
        has(found, {**wanted, "productId": product["id"]}, "order")
        await api.patch(f"{PRODUCTS}/{product['id']}", {"priceCents": 1200})


@PROBES.extra
async def illegal_step_refused(api: Api) -> None:
    """Steps that there are not, and statuses that there are not, are refused and change nothing."""
    product = await created(api)
    legal = {("pending", *walk)[-2:] for walk in STEPS}
    for walk in ((), ("paid",), ("paid", "shipped"), ("cancelled",)):
        order = await moved(api, await ordered(api, product), *walk)
        status = walk[-1] if walk else "pending"
        refused = [to for to in STATUSES if to != status and (status, to) not in legal]
        for asked in (*refused, "lost", "", None, 1):
            (await patched(api, order, asked)).error("VALIDATION_ERROR", *REFUSED, 409)
        found = (await api.get(f"{ORDERS}/{order['id']}")).object(200)
        same(found.get("status"), status, "status after what was refused")
    (await patched(api, {"id": storefront.unknown_id()}, "paid")).missing()
