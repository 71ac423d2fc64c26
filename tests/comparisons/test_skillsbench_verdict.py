"""The published trials of a curated skill, judged: the honest figures, and a verdict that holds."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import benchdata
from benchdata import verdicts
from benchdata.comparisons import claims, details, summaries, tables
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.results import Moved
from benchdata.stats.results import Interval

pytestmark = pytest.mark.shared_data


@pytest.fixture(scope="module")
def finding(root: Path, shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Finding:
    example = root / "docs" / "examples" / "skillsbench.py"
    source = shared_data / "edge-skillsbench" / "trials.jsonl"
    file = tmp_path_factory.mktemp("skillsbench") / "trials.ndjson"
    done = subprocess.run([sys.executable, example, source], capture_output=True, check=True)
    file.write_bytes(done.stdout)
    dataset = benchdata.open(file)
    (one,) = tables.by_field(dataset, claims.of_contract(dataset.contract), "arm").findings
    return one


def ends(interval: object) -> tuple[float | None, float | None]:
    assert isinstance(interval, Interval)
    return interval.low, interval.high


def test_the_skill_is_better_and_the_unfilled_cells_cannot_undo_it(finding: Finding) -> None:
    assert (finding.baseline.label, finding.treatment.label) == ("none", "curated")
    assert (finding.interim, finding.missing) == ("", (1, 2))
    assert finding.p == Fraction(1, 512)
    assert finding.result.moved == Moved(13, 2, 17)
    assert verdicts.decide(finding).kind == "better"
    assert finding.placed.rescored_p[0] <= Fraction(1, 20)


def test_the_lift_and_its_honest_interval(finding: Finding) -> None:
    assert finding.result.estimate == pytest.approx(0.2396, abs=5e-5)
    assert ends(finding.result.interval) == pytest.approx((0.096456, 0.382710), abs=5e-7)


def test_the_rates_are_those_of_tasks_not_of_pooled_trials(finding: Finding) -> None:
    a, b = (
        summaries.summarize(arm, finding.claim) for arm in (finding.baseline, finding.treatment)
    )
    assert ends(a.interval) == pytest.approx((0.176883, 0.465758), abs=5e-7)
    assert ends(b.interval) == pytest.approx((0.387986, 0.687809), abs=5e-7)
    assert (a.scored, a.succeeded, b.scored, b.succeeded) == (95, 29, 94, 51)


def test_lost_rows_are_counted_and_never_scored(finding: Finding) -> None:
    assert {"33 rows of none not scored", "36 rows of curated not scored"} <= set(finding.notes)


def test_the_bootstrap_interval_is_the_published_one_within_its_error(finding: Finding) -> None:
    # One step of the grid that differences of thirds and halves in 32 tasks make is 1/192.
    assert ends(details.descriptive(finding)) == pytest.approx((0.1094, 0.3802), abs=0.011)
