"""What a benchmark would cost at list prices, by what its executions are assumed to use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from benchdata.contracts.usage import ModelUsage
from collectors.harness.plan import Estimate
from collectors.harness.pricing import Prices, PriceUnknown
from collectors.skill_eval.tasks import JUDGED, Task, TaskLine

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
}
"""Tokens of one execution by its mode, and of the model that grades it, besides those of the
prompt: a program's own instructions, the tools it describes, and of an agent some fifteen turns. A
guess: nothing is known yet."""


def estimate(tasks: Sequence[Task], model: str, prices: Prices | None) -> Estimate | None:
    """Return the mean cost of an execution; None where the model has no price."""
    if prices is None:
        return None
    used = [(kind, usage) for task in tasks for kind, usage in _usages(task.line, model)]
    try:
        total = prices.cost([usage for _, usage in used])
        as_of = prices.of(model).as_of
    except PriceUnknown:
        return None
    assert total is not None
    kinds = sorted({kind for kind, _ in used})
    tokens = "; ".join(f"{kind}: {sum(ASSUMED[kind].values()):,} tokens" for kind in kinds)
    return Estimate(
        total / len(tasks), f"a guess of tokens an execution ({tokens}), prices of {as_of}"
    )


def _usages(line: TaskLine, model: str) -> Iterator[tuple[str, ModelUsage]]:
    own = len(line.prompt) // CHARACTERS_A_TOKEN
    for kind in (line.mode, *(("judge",) if line.grader == JUDGED else ())):
        assumed = {**ASSUMED[kind]}
        assumed["input_tokens"] += own
        yield kind, ModelUsage(model=model, **assumed)
