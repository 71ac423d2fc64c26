"""Published series against themselves: the guard forbids a verdict where rows are dependent."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import benchdata
from benchdata import verdicts
from benchdata.comparisons import claims, tables
from benchdata.comparisons.arms import Arm, Run
from benchdata.comparisons.findings import compare
from benchdata.stats.rationals import SIGNIFICANT
from benchdata.verdicts import Verdict
from tests.support.arms import FIXED_TIME
from tests.support.command import ROOT

pytestmark = pytest.mark.shared_data

HALF = 150
DISPATCH = str(ROOT / "docs" / "examples" / "dispatch.py") + ":DISPATCH"


@pytest.fixture(scope="module")
def judged(shared_data: Path) -> list[tuple[float, Verdict]]:
    """P and the verdict on the first half of each series against its second half."""
    raw = sorted((shared_data / "netscript-dispatch" / "raw").glob("*.jsonl"))
    return [_judged(*_halves(path)) for path in raw]


def _halves(path: Path) -> tuple[Arm, Arm]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    measured = [row for row in rows if row["kind"] == "exec" and not row["warmup"]]
    runs = [
        Run(
            "t",
            row["seq"],
            row["endToEndMs"],
            success=row["status"] == "completed",
            start=row["seq"],
        )
        for row in sorted(measured, key=lambda row: row["seq"])
    ]
    return Arm("first", runs[:HALF]), Arm("second", runs[HALF:])


def _judged(first: Arm, second: Arm) -> tuple[float, Verdict]:
    ((finding, verdict),) = verdicts.decided([compare(first, second, FIXED_TIME)])
    return float(finding.p), verdict


def _through_files(path: Path, folder: Path) -> Verdict:
    """Return the verdict that the halves get as two files of rows."""
    lines = path.read_text("utf-8").splitlines()
    meta = next(line for line in lines if json.loads(line)["kind"] == "meta")
    rows = [line for line in lines if json.loads(line)["kind"] == "exec"]
    measured = [line for line in rows if not json.loads(line)["warmup"]]
    measured.sort(key=lambda line: int(json.loads(line)["seq"]))
    halves = []
    for name, half in {"first": measured[:HALF], "second": measured[HALF:]}.items():
        file = folder / f"{path.stem}-{name}.ndjson"
        file.write_text("".join(f"{line}\n" for line in (meta, *half)))
        halves.append(benchdata.open(file, DISPATCH))
    first, second = halves
    claim = claims.of_contract(first.contract)
    ((_, verdict),) = verdicts.decided(tables.of_inputs(first, second, claim).findings)
    return verdict


@pytest.mark.slow
def test_no_series_gets_a_false_verdict_through_files(shared_data: Path, tmp_path: Path) -> None:
    raw = sorted((shared_data / "netscript-dispatch" / "raw").glob("*.jsonl"))
    words = Counter(_through_files(path, tmp_path).kind for path in raw)
    assert words.keys().isdisjoint({"better", "worse"})
    assert words["cannot tell"] >= 16


def test_half_of_the_series_would_be_called_different(
    judged: list[tuple[float, Verdict]],
) -> None:
    assert len(judged) == 32
    assert sum(p <= SIGNIFICANT for p, _ in judged) == 16


def test_no_series_gets_a_false_verdict_as_the_guard_speaks(
    judged: list[tuple[float, Verdict]],
) -> None:
    assert not [verdict for _, verdict in judged if verdict.kind in {"better", "worse"}]
    reasons = Counter(verdict.reason.partition(":")[0] for p, verdict in judged if p <= SIGNIFICANT)
    assert reasons == {"rows are not independent": 16}
