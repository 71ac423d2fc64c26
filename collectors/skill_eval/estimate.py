"""What a benchmark would cost at list prices, by what its executions are assumed to use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchdata.contracts.usage import ModelUsage
from benchdata.stats.pricing import Prices
from collectors.harness.plan import Estimate
from collectors.skill_eval.tasks import JUDGED, Task

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
    "judge": {
        "input_tokens": 2_000,
        "output_tokens": 200,
        "cache_creation_tokens": 1_000,
        "cache_read_tokens": 0,
    },
    "look": {
        "input_tokens": 16_000,
        "output_tokens": 400,
        "cache_creation_tokens": 3_000,
        "cache_read_tokens": 0,
    },
}
"""Tokens of one execution by its mode, of the model that grades it, and of a judge that looks at
some six pictures, besides those of the prompt: a program's own instructions, the tools it
describes, and of an agent some fifteen turns. A guess: nothing is known yet."""


def estimate(tasks: Sequence[Task], model: str, prices: Prices | None) -> Estimate | None:
    """Return the mean cost of an execution; None where the model has no price."""
    calls = [
        (kind, task.line.prompt)
        for task in tasks
        for kind in (task.line.mode, *(("judge",) if task.line.grader == JUDGED else ()))
    ]
    return mean(calls, len(tasks), model, prices)


def mean(
    calls: Sequence[tuple[str, str]], among: int, model: str, prices: Prices | None
) -> Estimate | None:
    """Return what calls, each with its kind and prompt, cost by so many; None without a price."""
    kinds = sorted({kind for kind, _ in calls})
    tokens = "; ".join(f"{kind}: {sum(ASSUMED[kind].values()):,} tokens" for kind in kinds)
    return Estimate.of(
        [_usage(kind, prompt, model) for kind, prompt in calls],
        prices,
        f"a guess of tokens an execution ({tokens})",
        among=among,
    )


def _usage(kind: str, prompt: str, model: str) -> ModelUsage:
    assumed = {**ASSUMED[kind]}
    assumed["input_tokens"] += len(prompt) // CHARACTERS_A_TOKEN
    return ModelUsage(model=model, **assumed)
