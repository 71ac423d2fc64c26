"""Published rows: a lift with infrastructure rows out, and series whose halves differ by drift."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchdata.stats.families import holm
from benchdata.stats.independence import Independence, independence
from benchdata.stats.paired import Lift, lift, sign_test
from benchdata.stats.ranks import MannWhitney, mann_whitney
from benchdata.stats.results import Interval

pytestmark = pytest.mark.shared_data

Cells = tuple[list[list[int]], list[list[int]]]


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def trials(shared_data: Path) -> list[dict[str, Any]]:
    return read(shared_data / "edge-skillsbench" / "trials.jsonl")


def cells(rows: list[dict[str, Any]]) -> Cells:
    tasks = sorted({row["task"] for row in rows})
    baseline, treatment = (
        [[row["reward"] for row in rows if (row["arm"], row["task"]) == (arm, t)] for t in tasks]
        for arm in "AC"
    )
    return baseline, treatment


def lifted(arms: Cells) -> Lift:
    found = lift(*arms)
    assert isinstance(found, Lift)
    return found


def test_the_lift_of_scored_rows(trials: list[dict[str, Any]]) -> None:
    found = lifted(cells([row for row in trials if not row["infra"]]))
    assert (found.n, found.exact_mean, found.exact_p) == (32, Fraction(23, 96), Fraction(1, 512))
    assert (found.better, found.worse, found.tied) == (13, 2, 17)
    assert found.set_aside == 3
    assert isinstance(found.interval, Interval)
    assert found.interval.low == pytest.approx(0.096456, abs=5e-7)
    assert found.interval.high == pytest.approx(0.382710, abs=5e-7)
    assert sign_test(found.better, found.worse).exact_p == Fraction(242, 32_768)


def test_the_lift_survives_the_unfilled_cells(trials: list[dict[str, Any]]) -> None:
    before, after = cells([row for row in trials if not row["infra"]])
    filled = [c + [1] * (3 - len(c)) for c in before], [c + [0] * (3 - len(c)) for c in after]
    assert sum(len(cell) for arm in filled for cell in arm) == 192
    found = lifted(filled)
    assert (found.exact_mean, found.exact_p) == (Fraction(7, 32), Fraction(3, 512))


def test_the_wrong_readings_give_the_wrong_figures(trials: list[dict[str, Any]]) -> None:
    every = lifted(cells(trials))
    assert (round(every.mean, 6), round(every.p, 6)) == (0.177381, 0.006226)
    scored = [row for row in trials if not row["infra"]]
    in_time = lifted(cells([r for r in scored if r["exception"] != "AgentTimeoutError"]))
    assert (in_time.n, round(in_time.mean, 6), in_time.exact_p) == (31, 0.220430, Fraction(3, 512))


class Halves(NamedTuple):
    """What the two halves of one series say of each other."""

    test: MannWhitney
    guards: list[Independence]


@pytest.fixture(scope="module")
def halves(shared_data: Path) -> list[Halves]:
    def compared() -> Iterator[Halves]:
        for path in sorted((shared_data / "netscript-dispatch" / "raw").glob("*.jsonl")):
            rows = [row for row in read(path) if row["kind"] == "exec" and not row["warmup"]]
            rows.sort(key=lambda row: row["seq"])
            values = [row["endToEndMs"] for row in rows]
            assert len(values) == 300
            test = mann_whitney(values[:150], values[150:])
            assert isinstance(test, MannWhitney)
            guards = [independence(values[:150]), independence(values[150:])]
            yield Halves(test, [guard for guard in guards if isinstance(guard, Independence)])

    return [*compared()]


def test_an_uncritical_test_finds_differences_where_there_are_none(halves: list[Halves]) -> None:
    ps = [half.test.p for half in halves]
    assert len(ps) == 32
    assert [sum(p <= level for p in ps) for level in (0.05, 0.01, 0.001)] == [16, 14, 10]
    assert min(ps) == pytest.approx(3.3e-9, rel=0.02)
    assert sum(p <= 0.05 for p in holm(ps)) == 12


def test_the_guard_speaks_wherever_the_test_is_wrong(halves: list[Halves]) -> None:
    wrong = [half for half in halves if half.test.significant]
    assert len(wrong) == 16
    assert all(any(guard.dependent for guard in half.guards) for half in wrong)
    beyond = [any(g.autocorrelation > 0.182 for g in half.guards) for half in wrong]
    assert all(beyond)
