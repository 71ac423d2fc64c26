"""`benchdata score` gives each composite of the protocol's table of check cases, by its name."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchdata.stats.pricing import Price, Prices
from tests.support.cases import mostly_slow
from tests.support.command import run
from tests.support.drawn import Row, write
from tests.support.gated import tokens
from tests.support.planned import lanes

SIX_DECIMALS = 5.1e-7
CASES: dict[str, tuple[tuple[float | None, ...], float, float]] = {
    "all at their best": ((1, 5, 0.05, 60, 1), 1.0, 1.0),
    "best without a judged rubric": ((1, 5, 0.05, 60, None), 0.8, 1.0),
    "all at their worst, never green": ((0, None, 2.00, 900, None), 0, 0),
    "nine in ten, never green": ((0.9, None, 0.62, 310, 0.75), 0.696007, 0.661511),
    "green at turn 12": ((1, 12, 0.62, 310, 0.75), 0.877007, 0.892844),
    "three beyond their anchors": ((1, 3, 3.10, 30, 0.5), 0.8, 0.85),
}
"""Pass rate, turns to green, cost, wall and rubric; the composite under either preset."""

MIDDLES = {"turns_to_green": (42, 43), "wall_s": (480, 480), "cost_usd": (1.025, 1.025)}


def row(values: tuple[float | None, ...], base: Row) -> Row:
    """Return a run of these values, whose probes have that pass rate."""
    rate, turns, cost, wall, rubric = values
    verdicts = ["pass"] * round(10 * (rate or 0)) + ["fail"] * round(10 * (1 - (rate or 0)))
    judged: dict[str, Any] = {} if rubric is not None else {"rubric": None, "rubric_judge": None}
    green = {"turns": 80, "turns_to_green": turns}
    return base | {
        **green,
        "turn_pass_rates": [],
        "best_turn": None,
        "max_turns": 80,
        "max_wall_s": 900.0,
        "stop_cause": "green" if turns else "agent_ended",
        "probes": [
            {"id": f"probe-{place}", "set": "core", "verdict": verdict, "duration_ms": 1}
            for place, verdict in enumerate(verdicts)
        ],
        "test_pass_rate": rate,
        "total_cost_usd": cost,
        "wall_s": wall,
        "rubric_pass_rate": rubric,
        **judged,
    }


def lane_of(folder: Path, rows: list[Row], preset: str) -> dict[str, Any]:
    """Return the one lane of the rows as `benchdata score` prints it."""
    file = write(folder / "rows.ndjson", rows)
    done = run("score", file, "--preset", preset, "--format", "json")
    assert done.code == 0, done
    (lane,) = json.loads(done.out)["lanes"]
    found: dict[str, Any] = lane
    return found


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("preset", mostly_slow(["own.json", "default", "encore-parity"]))
def test_a_case_of_the_table(tmp_path: Path, case: str, preset: str) -> None:
    values, default, parity = CASES[case]
    own = tmp_path / "own.json"
    weights = {"test_pass_rate": 0.5, "turns_to_green": 0.2, "cost_usd": 0.15, "wall_s": 0.15}
    axes = {axis: {"weight": weight} for axis, weight in weights.items()}
    own.write_text(json.dumps({"name": "own", "axes": axes}), "utf-8")
    (base,) = lanes({"aster": {"t1": [5]}})
    chosen = str(own) if preset == own.name else preset
    lane = lane_of(tmp_path, [row(values, base)], chosen)
    expected = default if preset == "default" else parity
    assert lane["composite"] == pytest.approx(expected, abs=SIX_DECIMALS)
    assert lane["provisional"] == (preset == "default" and values[4] is None)
    clipped = [part["name"] for part in lane["components"] if part["clippedRuns"]]
    beyond = ["turns_to_green", "cost_usd", "wall_s"] if case.startswith("three beyond") else []
    assert clipped == beyond


@pytest.mark.parametrize("axis", MIDDLES)
def test_the_middle_of_the_anchors_scores_one_half(tmp_path: Path, axis: str) -> None:
    """A run has whole turns, so 42.5 is the mean of two."""
    values = dict(zip(("turns_to_green", "cost_usd", "wall_s"), (5, 0.05, 60.0), strict=True))
    bases = lanes({"aster": {"t1": [5, 5]}})
    rows = []
    for middle, base in zip(MIDDLES[axis], bases, strict=True):
        turns, cost, wall = (values | {axis: middle}).values()
        rows.append(row((1, turns, cost, wall, 1), base))
    lane = lane_of(tmp_path, rows, "default")
    (part,) = (part for part in lane["components"] if part["name"] == axis)
    assert part["normalized"] == pytest.approx(0.5)


def test_two_runs_of_a_thousand_tokens_in_and_five_hundred_out_cost_35_thousandths() -> None:
    """At 5 and 25 USD a million tokens; from the cache a tenth of that, into it a quarter more."""
    price = Price(
        input=5,
        output=25,
        cache_write=6.25,
        cache_read=0.5,
        as_of=date(2026, 1, 1),
        source="the protocol",
    )
    runs = [tokens(1000, 500, 0, 0, model="acme/builder")] * 2
    assert Prices({"acme/builder": price}).cost(runs) == pytest.approx(0.035)
