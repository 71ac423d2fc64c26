"""What a plan would cost: by mode, prompt and judge, at list prices; unknown without a price."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchdata.stats import pricing
from collectors.skill_eval import tasks
from collectors.skill_eval.estimate import ASSUMED, CHARACTERS_A_TOKEN, estimate

MODEL = "claude-opus-5-5"
PRICES = pricing.load()
EXACT: dict[str, Any] = {"id": "one", "prompt": "1 + 1?", "grader": "exact", "expected": "2"}
JUDGED: dict[str, Any] = {"id": "two", "prompt": "1?", "grader": "llm-judge", "reference": "2"}
USD = {"input_tokens": 4.0, "output_tokens": 20.0} | {
    "cache_creation_tokens": 5.0,
    "cache_read_tokens": 0.2,
}


def assumed(kind: str) -> float:
    """Return what the assumed tokens cost in USD."""
    return sum(count * USD[name] for name, count in ASSUMED[kind].items()) / 1_000_000


def each(folder: Path, *lines: dict[str, Any]) -> float:
    found = estimate(tasks.inline(lines, folder), MODEL, PRICES)
    assert found
    return found.usd_each


@pytest.mark.parametrize("mode", ["document", "agent"])
def test_the_mode_decides(tmp_path: Path, mode: str) -> None:
    line = EXACT | {"mode": mode, "prompt": "?"}
    assert each(tmp_path, line) == pytest.approx(assumed(mode))


def test_a_judge_costs_too(tmp_path: Path) -> None:
    assert each(tmp_path, JUDGED) == pytest.approx(assumed("document") + assumed("judge"))


def test_it_is_the_mean_of_the_tasks(tmp_path: Path) -> None:
    agent = EXACT | {"id": "two", "mode": "agent"}
    both = (each(tmp_path, EXACT) + each(tmp_path, agent)) / 2
    assert each(tmp_path, EXACT, agent) == pytest.approx(both)


def test_a_long_prompt_costs_what_its_tokens_cost(tmp_path: Path) -> None:
    long = EXACT | {"prompt": "x" * (CHARACTERS_A_TOKEN * 100_000)}
    more = each(tmp_path, long) - each(tmp_path, EXACT | {"prompt": "?"})
    assert more == pytest.approx(100_000 * USD["input_tokens"] / 1_000_000)


def test_it_says_what_it_assumes(tmp_path: Path) -> None:
    found = estimate(tasks.inline([JUDGED], tmp_path), MODEL, PRICES)
    assert found
    assert found.assumes == (
        "a guess of tokens an execution (document: 14,800 tokens; judge: 3,200 tokens),"
        " prices of 2026-12-01"
    )


@pytest.mark.parametrize(("model", "prices"), [("no-such-model", PRICES), (MODEL, None)])
def test_without_a_price_it_is_unknown(
    tmp_path: Path, model: str, prices: pricing.Prices | None
) -> None:
    assert estimate(tasks.inline([EXACT], tmp_path), model, prices) is None
