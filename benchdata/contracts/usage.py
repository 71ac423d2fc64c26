"""What an execution used of each model, told alike in every contract that has agents."""

from __future__ import annotations

from benchdata.contracts.fields import Count, ModelId, Row
from benchdata.contracts.meaning import Metric


class ModelUsage(Row):
    """Tokens of one model, null when unknown; input excludes what was read or put in a cache."""

    model: ModelId
    input_tokens: Count | None
    output_tokens: Count | None
    cache_creation_tokens: Count | None
    cache_read_tokens: Count | None


TOKEN_FIELDS = ("input_tokens", "output_tokens", "cache_creation_tokens", "cache_read_tokens")

TOKENS = Metric("tokens", "usage", "", min_effect=0.05, items=TOKEN_FIELDS, title="Tokens")
COST = Metric("cost", "total_cost_usd", "USD", min_effect=0.05, title="Cost")
