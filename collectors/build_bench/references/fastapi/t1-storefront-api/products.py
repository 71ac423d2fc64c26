"""Products: created, listed, read, changed and deleted."""

from typing import Annotated

from fastapi import APIRouter, Depends

from errors import not_found
from shapes import Cents, Shape, Text, new_id
from store import Collection, transaction

router = APIRouter(prefix="/api/products", tags=["products"])


class NewProduct(Shape):
    """What a client sends to create a product."""

    name: Text
    price_cents: Cents
    sku: Text


class Product(NewProduct):
    """A stored product."""

    id: str


class ProductChange(Shape):
    """What a client may change; the defaults only say that a field may be left out."""

    name: Text = ""
    price_cents: Cents = 0


class ProductList(Shape):
    """All products."""

    items: list[Product]


products = Collection("products", Product)


async def stored_product(product_id: str) -> Product:
    """Return the product of a path."""
    product = products.get(product_id)
    if product is None:
        raise not_found("product")
    return product


Stored = Annotated[Product, Depends(stored_product)]


@router.post("", status_code=201)
async def create(body: NewProduct) -> Product:
    """Store a new product under an id of its own."""
    product = Product(id=new_id(), **body.model_dump())
    with transaction():
        products.put(product.id, product)
    return product


@router.get("")
async def list_all() -> ProductList:
    """List every product."""
    return ProductList(items=products.all())


@router.get("/{product_id}")
async def read(product: Stored) -> Product:
    """Show one product."""
    return product


@router.patch("/{product_id}")
async def change(product: Stored, body: ProductChange) -> Product:
    """Change the fields that were sent."""
    changed = product.model_copy(update=body.model_dump(exclude_unset=True))
    with transaction():
        products.put(changed.id, changed)
    return changed


@router.delete("/{product_id}", status_code=204)
async def delete(product: Stored) -> None:
    """Forget a product; orders of it stay."""
    with transaction():
        products.delete(product.id)
