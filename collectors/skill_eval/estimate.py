"""What a benchmark would cost at list prices, by what its executions are assumed to use."""

from __future__ import annotations

from collections.abc import Mapping

from benchdata.contracts.usage import ModelUsage
from collectors.harness.plan import Estimate
from collectors.harness.pricing import PriceUnknown
from collectors.skill_eval.resolved import Resolved

CHARACTERS_A_TOKEN = 4
ASSUMED: Mapping[str, Mapping[str, int]] = {
    "document": {
        "input_tokens": 2_000,
        "output_tokens": 800,
        "cache_creation_tokens": 6_000,
        "cache_read_tokens": 6_000,
    },
    "agent": {
        "input_tokens": 5_000,
        "output_tokens": 6_000,
        "cache_creation_tokens": 30_000,
        "cache_read_tokens": 250_000,
    },
}
"""Tokens of one execution by its mode, besides those of its prompt: a program's own instructions,
the tools it describes, and of an agent some fifteen turns. A guess: nothing is known yet."""


def estimate(resolved: Resolved) -> Estimate | None:
    """Return the mean cost of an execution; None where the model has no price."""
    prices = resolved.setting.prices
    if prices is None:
        return None
    usages = [_usage(task.line.mode, task.line.prompt, resolved.model) for task in resolved.tasks]
    try:
        total = prices.cost(usages)
        as_of = prices.of(resolved.model).as_of
    except PriceUnknown:
        return None
    assert total is not None
    modes = sorted({task.line.mode for task in resolved.tasks})
    tokens = "; ".join(f"{mode}: {sum(ASSUMED[mode].values()):,} tokens" for mode in modes)
    return Estimate(
        total / len(usages), f"a guess of tokens an execution ({tokens}), prices of {as_of}"
    )


def _usage(mode: str, prompt: str, model: str) -> ModelUsage:
    assumed = ASSUMED[mode]
    own = len(prompt) // CHARACTERS_A_TOKEN
    return ModelUsage(model=model, **{**assumed, "input_tokens": assumed["input_tokens"] + own})
