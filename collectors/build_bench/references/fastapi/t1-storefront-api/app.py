"""The service: its routes, and one form for every error."""

from fastapi import FastAPI

import orders
import products
from errors import ERROR_HANDLERS

app = FastAPI(title="Storefront", exception_handlers=ERROR_HANDLERS)
app.include_router(products.router)
app.include_router(orders.router)


@app.get("/health")
async def health() -> dict[str, str]:
    """Say that the service is ready."""
    return {"status": "ok"}
