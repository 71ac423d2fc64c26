"""Task t1-storefront-api: products and orders over HTTP."""

from __future__ import annotations

import asyncio
import secrets

from collectors.build_bench.suites.api import REFUSED, Api, Failed, Json, has, same, text
from collectors.build_bench.suites.probes import Probes, Suite

PRODUCTS, ORDERS = "/api/products", "/api/orders"
BURST = 20
PROBES = Probes()


def fresh_product() -> Json:
    """Return the body of a product that no other probe has made."""
    tag = secrets.token_hex(6)
    price = secrets.randbelow(100_000)
    return {"name": f"Lamp {tag}", "priceCents": price, "sku": f"sku-{tag}"}


def unknown_id() -> str:
    """Return an id that no service has given out."""
    return secrets.token_hex(16)


async def created(api: Api, body: Json | None = None) -> Json:
    """Create a product and return it."""
    product = (await api.post(PRODUCTS, body or fresh_product())).object(201)
    text(product, "id", "product")
    return product


async def ordered(api: Api, product: Json, quantity: int = 2) -> Json:
    """Order a product and return the order."""
    body = {"productId": product["id"], "quantity": quantity}
    order = (await api.post(ORDERS, body)).object(201)
    text(order, "id", "order")
    return order


@PROBES.core
async def create_product(api: Api) -> None:
    """Creating answers 201 with an id and the name and price that were sent."""
    body = fresh_product()
    product = await created(api, body)
    has(product, {"name": body["name"], "priceCents": body["priceCents"]}, "product")


@PROBES.core
async def get_product(api: Api) -> None:
    """A created product is found by its id."""
    product = await created(api)
    found = (await api.get(f"{PRODUCTS}/{product['id']}")).object(200)
    same(found.get("id"), product["id"], "id")


@PROBES.core
async def list_products(api: Api) -> None:
    """The list holds a created product."""
    product = await created(api)
    items = (await api.get(PRODUCTS)).items()
    if not any(item.get("id") == product["id"] for item in items):
        raise Failed("the list lacks a created product")


@PROBES.core
async def update_product(api: Api) -> None:
    """Patching the price answers 200 with the new price."""
    body = fresh_product()
    product = await created(api, body)
    price = body["priceCents"] + 1
    patched = await api.patch(f"{PRODUCTS}/{product['id']}", {"priceCents": price})
    same(patched.object(200).get("priceCents"), price, "priceCents")


@PROBES.core
async def delete_product(api: Api) -> None:
    """Deleting answers 200 or 204, and the product is not found afterwards."""
    path = f"{PRODUCTS}/{(await created(api))['id']}"
    (await api.delete(path)).expect(200, 204)
    (await api.get(path)).expect(404)


@PROBES.core
async def validation_error(api: Api) -> None:
    """An empty name, a negative price and a missing sku are refused with VALIDATION_ERROR."""
    body = fresh_product()
    without = {name: value for name, value in body.items() if name != "sku"}
    for broken in ({**body, "name": ""}, {**body, "priceCents": -1}, without):
        (await api.post(PRODUCTS, broken)).invalid()


@PROBES.core
async def not_found_error(api: Api) -> None:
    """An unknown product answers 404 with NOT_FOUND."""
    (await api.get(f"{PRODUCTS}/{unknown_id()}")).missing()


@PROBES.core
async def referential_integrity(api: Api) -> None:
    """An order names a stored product; one for an unknown product is refused with a code."""
    product = await created(api)
    same((await ordered(api, product)).get("productId"), product["id"], "productId")
    refused = await api.post(ORDERS, {"productId": unknown_id(), "quantity": 1})
    text(refused.object(404, 422), "code", refused.request)


@PROBES.core
async def persistence_across_restart(api: Api) -> None:
    """A created product is there after a restart."""
    product = await created(api)
    await api.restart()
    (await api.get(f"{PRODUCTS}/{product['id']}")).expect(200)


@PROBES.core
async def typed_contract_roundtrip(api: Api) -> None:
    """Id, name and sku are strings and the price is a number when a product is read back."""
    product = await created(api)
    found = (await api.get(f"{PRODUCTS}/{product['id']}")).object(200)
    for name in ("id", "name", "sku"):
        text(found, name, "product")
    price = found.get("priceCents")
    if not isinstance(price, int | float) or isinstance(price, bool):
        raise Failed(f"priceCents is {price!r} instead of a number")


@PROBES.extra
async def order_roundtrip(api: Api) -> None:
    """An order is read back as it was made; an unknown one answers 404 with NOT_FOUND."""
    product = await created(api)
    order = await ordered(api, product, quantity=3)
    found = (await api.get(f"{ORDERS}/{order['id']}")).object(200)
    has(found, {"id": order["id"], "productId": product["id"], "quantity": 3}, "order")
    (await api.get(f"{ORDERS}/{unknown_id()}")).missing()


@PROBES.extra
async def order_persists(api: Api) -> None:
    """An order is there after a restart, and after its product was deleted."""
    product = await created(api)
    order = await ordered(api, product)
    (await api.delete(f"{PRODUCTS}/{product['id']}")).expect(200, 204)
    await api.restart()
    found = (await api.get(f"{ORDERS}/{order['id']}")).object(200)
    has(found, {"productId": product["id"], "quantity": 2}, "order")


@PROBES.extra
async def delete_persists(api: Api) -> None:
    """A deleted product is not there after a restart."""
    path = f"{PRODUCTS}/{(await created(api))['id']}"
    (await api.delete(path)).expect(200, 204)
    await api.restart()
    (await api.get(path)).missing()


@PROBES.extra
async def patch_keeps_rest(api: Api) -> None:
    """A patch changes what it names and nothing else, for the next reader too."""
    body = fresh_product()
    path = f"{PRODUCTS}/{(await created(api, body))['id']}"
    wanted = {**body, "name": f"{body['name']} II"}
    for patch in ({"name": wanted["name"]}, {}, {"sku": "other", "colour": "red"}):
        has((await api.patch(path, patch)).object(200), wanted, f"PATCH {patch}")
    has((await api.get(path)).object(200), wanted, "GET")


@PROBES.extra
async def patch_not_found(api: Api) -> None:
    """Patching or deleting an unknown product answers 404 with NOT_FOUND."""
    path = f"{PRODUCTS}/{unknown_id()}"
    (await api.patch(path, {"priceCents": 1})).missing()
    (await api.delete(path)).missing()


@PROBES.extra
async def patch_validation(api: Api) -> None:
    """A patch with a bad value is refused and changes nothing."""
    body = fresh_product()
    path = f"{PRODUCTS}/{(await created(api, body))['id']}"
    for broken in ({"name": ""}, {"name": None}, {"priceCents": -1}, {"priceCents": "5"}):
        (await api.patch(path, {"priceCents": 7, **broken})).invalid()
    has((await api.get(path)).object(200), body, "product")


@PROBES.extra
async def quantity_rules(api: Api) -> None:
    """A quantity is a whole number of at least 1, and a number in JSON."""
    product = await created(api)
    for quantity in (0, -1, 1.5, "2", True, None):
        (await api.post(ORDERS, {"productId": product["id"], "quantity": quantity})).invalid()


@PROBES.extra
async def blank_strings(api: Api) -> None:
    """Blank names and skus are refused; others are stored without the space around them."""
    body = fresh_product()
    for broken in ({**body, "name": " \t "}, {**body, "sku": "  "}):
        (await api.post(PRODUCTS, broken)).invalid()
    padded = {**body, "name": f"  {body['name']} ", "sku": f" {body['sku']}  "}
    has(await created(api, padded), body, "product")


@PROBES.extra
async def malformed_json(api: Api) -> None:
    """Broken JSON, an empty body, wrong types and no object at all are refused as invalid."""
    for broken in ("{", "", "[]", "null", '{"name": 5, "priceCents": 1, "sku": "a"}'):
        (await api.post_text(PRODUCTS, broken)).invalid()
    for price in ("100", 1.5, True):
        (await api.post(PRODUCTS, {**fresh_product(), "priceCents": price})).invalid()


@PROBES.extra
async def order_after_delete_refused(api: Api) -> None:
    """A deleted product cannot be ordered."""
    product = await created(api)
    (await api.delete(f"{PRODUCTS}/{product['id']}")).expect(200, 204)
    (await api.post(ORDERS, {"productId": product["id"], "quantity": 1})).expect(404, *REFUSED)


@PROBES.extra
async def create_burst(api: Api) -> None:
    """Products created at the same time get different ids and are all listed."""
    made = await asyncio.gather(*(created(api) for _ in range(BURST)))
    ids = {text(product, "id", "product") for product in made}
    same(len(ids), BURST, "number of ids")
    listed = {item.get("id") for item in (await api.get(PRODUCTS)).items()}
    if lost := len(ids - listed):
        raise Failed(f"the list lacks {lost} of {BURST} products created at the same time")


async def t1_contract_kept(api: Api) -> None:
    """The service still passes the core probes of the storefront it was built upon."""
    for probe in PROBES:
        if probe.set == "core":
            try:
                await probe.check(api)
            except Failed as failed:
                raise Failed(f"{probe.id}: {failed}") from None


SUITE = Suite("t1-storefront-api", tuple(PROBES), (__name__,))
