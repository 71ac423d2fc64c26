"""The service: its routes, and one form for every error."""

from fastapi import FastAPI

import jobs
import orders
import products
import schedules
import workflows
from errors import ERROR_HANDLERS
from worker import running

app = FastAPI(title="Storefront", exception_handlers=ERROR_HANDLERS, lifespan=running)
for module in (products, orders, workflows, jobs, schedules):
    app.include_router(module.router)


@app.get("/health")
async def health() -> dict[str, str]:
    """Say that the service is ready."""
    return {"status": "ok"}
