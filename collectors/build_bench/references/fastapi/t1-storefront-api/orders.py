"""Orders: each names a product that was there when it was made."""

from fastapi import APIRouter

from errors import invalid, not_found
from products import products
from shapes import Count, Shape, Text, new_id
from store import Collection, transaction

router = APIRouter(prefix="/api/orders", tags=["orders"])


class NewOrder(Shape):
    """What a client sends to order a product."""

    product_id: Text
    quantity: Count


class Order(NewOrder):
    """A stored order."""

    id: str


orders = Collection("orders", Order)


@router.post("", status_code=201)
async def create(body: NewOrder) -> Order:
    """Store an order of a product that is there."""
    if products.get(body.product_id) is None:
        raise invalid("productId: there is no such product")
    order = Order(id=new_id(), **body.model_dump())
    with transaction():
        orders.put(order.id, order)
    return order


@router.get("/{order_id}")
async def read(order_id: str) -> Order:
    """Show one order."""
    order = orders.get(order_id)
    if order is None:
        raise not_found("order")
    return order
