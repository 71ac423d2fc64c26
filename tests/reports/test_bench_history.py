"""The history of a build bench: records that are never rewritten, the latest, and a summary."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from benchdata.errors import InputError, ReportError
from benchdata.reports import bench_history
from benchdata.reports.run import order
from tests.support.build_run import CONFORMANCE, NO_RUBRIC
from tests.support.command import refused, run
from tests.support.cross_lanes import MIDDLE, ONE, QUICK, SLOW, under
from tests.support.drawn import DEMO, Row, write
from tests.support.planned import lanes
from tests.support.rendered import files
from tests.support.sized import DATASETS

HEAD = "| Task | Lane | Rep | Pass | Turns→green | Cost | Wall | Composite | Stop |"


def silent(_: str) -> None:
    """Say nothing."""


def keep(folder: Path, rows: list[Row], name: str = "rows.ndjson", **chosen: str) -> Path:
    """Keep the record of a report of rows in the folder `kept`."""
    file = write(folder / name, rows)
    what = order("build-bench", [file], parameters=chosen)
    return bench_history.keep(what, folder / "kept", silent)


def record(folder: Path, rows: list[Row], **chosen: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(keep(folder, rows, **chosen).read_text("utf-8"))
    return found


@pytest.mark.slow
def test_a_report_with_a_history_leaves_a_record_latest_and_a_summary(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    command = ("report", "build_bench", DATASETS / "build-run-demo", "--out", tmp_path / "reports")
    done = run(*command, "--history", kept)
    assert done.code == 0, done
    report = Path(done.out.strip()).name
    date, digest = report[:10], report[-8:]
    assert sorted(files(kept)) == [f"history/{date}-{digest}.json", "latest.json", "summary.md"]
    assert files(kept)["latest.json"] == files(kept)[f"history/{date}-{digest}.json"]
    summary = (kept / "summary.md").read_text("utf-8")
    assert HEAD in summary
    assert "**SYNTHETIC: " in summary
    assert "**PROVISIONAL: " in summary
    manifest = json.loads((tmp_path / "reports" / report / "manifest.json").read_text("utf-8"))
    found = json.loads((kept / "latest.json").read_text("utf-8"))
    assert (found["report"], found["manifest"]) == (report, manifest)
    assert len(files(kept)["latest.json"]) < 110_000
    before = files(kept)
    again = run(*command, "--history", kept)
    assert "this record is there already; it is never rewritten" in again.err
    assert files(kept) == before


def test_a_cell_has_its_median_quartiles_and_variance(tmp_path: Path) -> None:
    turns: list[float | None] = [2, 4, 6, 8, 20, None]
    cells = record(tmp_path, lanes({"aster": {"t1": turns, "t2": [5, 6, 7, 8, 9, 9]}}))["cells"]
    (found,) = (cell for cell in cells if cell["task"] == "t1")
    assert (found["scored"], found["green"], len(found["runs"])) == (6, 5, 6)
    assert found["metrics"]["turns_to_green"] == {
        "n": 5,
        "null": 1,
        "median": median([2, 4, 6, 8, 20, 99]),
        "p25": 4.0,
        "p75": 8.0,
        "iqr": 4.0,
        "variance": "steady (p75/p25 2, max/min 10, 1 null)",
    }
    assert found["metrics"]["wall"]["variance"] == "steady (p75/p25 1.015)"
    assert found["metrics"]["test_pass_rate"]["variance"] is None
    (other,) = (cell for cell in cells if cell["task"] == "t2")
    assert other["metrics"]["turns_to_green"]["variance"] == "steady (p75/p25 1.5)"


@pytest.mark.slow
def test_two_repeats_have_no_variance_and_a_wide_middle_is_unstable(tmp_path: Path) -> None:
    values = {"aster": {"t1": [5, 6]}, "birch": {"t1": [3, 9, 12, 30]}}
    found = [
        cell["metrics"]["turns_to_green"]["variance"]
        for cell in record(tmp_path, lanes(values))["cells"]
    ]
    assert found == ["cannot tell: 2 of 3 values", "unstable (p75/p25 4, max/min 10)"]


@pytest.mark.slow
def test_every_run_is_a_line_whatever_came_of_it(tmp_path: Path) -> None:
    rows = under(ONE, {"aster": QUICK, "birch": MIDDLE}, 0)
    rows[0] |= {"total_cost_usd": None}
    rows[1] |= {"stop_cause": "infrastructure", "turns_to_green": None}
    rows[1] |= {"probes": [], "test_pass_rate": None}
    found = record(tmp_path, rows)
    runs = [run for cell in found["cells"] for run in cell["runs"]]
    assert len(runs) == len(rows)
    assert runs[0]["composite"] == {"cannotTell": "cost_usd has no value"}
    assert (runs[1]["composite"], runs[1]["scored"]) == ({"cannotTell": "not scored"}, False)
    summary = (tmp_path / "kept" / "summary.md").read_text("utf-8")
    lines = [line for line in summary.splitlines() if line.startswith("| t")]
    table = [line for line in lines if line.count("|") == HEAD.count("|")]
    assert len([line for line in table if line.endswith(("green |", "infrastructure |"))]) == 24
    assert "SYNTHETIC" not in summary
    assert "PROVISIONAL" not in summary


@pytest.mark.slow
def test_scripted_runs_are_kept_under_both_banners(tmp_path: Path) -> None:
    scripted = {"kind": "scripted", "agent": "scripted", "endpoint": "stand_in", **NO_RUBRIC}
    found = record(tmp_path, under(ONE, {"aster": [3, 3, 3]}, 0, **scripted))
    assert (found["synthetic"], found["provisional"]) == (True, True)
    assert found["scores"]["lanes"][0]["provisional"]


@pytest.mark.slow
def test_reference_runs_alone_have_no_history(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run of an agent"):
        keep(tmp_path, [{**row, **CONFORMANCE} for row in lanes({"aster": {"t1": [1]}})])


@pytest.mark.slow
def test_latest_is_the_report_whose_rows_started_last_in_whatever_order(tmp_path: Path) -> None:
    old = under(ONE, {"aster": SLOW}, 0)
    new = [
        row | {"started_at": "2026-06-01T08:00:00.000Z", "ended_at": "2026-06-01T08:09:00.000Z"}
        for row in under(ONE, {"aster": QUICK}, 1000)
    ]
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, parts in ((one, (old, new)), (two, (new, old))):
        folder.mkdir()
        for rows in parts:
            keep(folder, rows, f"{'old' if rows is old else 'new'}.ndjson")
    assert files(one / "kept") == files(two / "kept")
    latest = json.loads((one / "kept" / "latest.json").read_text("utf-8"))
    assert latest["asOf"] == "2026-06-01"
    summary = (one / "kept" / "summary.md").read_text("utf-8")
    assert [line[2:12] for line in summary.splitlines() if line.startswith("| 20")] == [
        "2026-06-01",
        "2026-03-09",
    ]


@pytest.mark.slow
def test_other_weights_are_another_report(tmp_path: Path) -> None:
    rows = under(ONE, {"aster": QUICK, "birch": SLOW}, 0)
    default = record(tmp_path, rows)
    parity = record(tmp_path, rows, preset="encore-parity")
    assert (default["scores"]["preset"], parity["scores"]["preset"]) == ("default", "encore-parity")
    assert len(list((tmp_path / "kept" / "history").glob("*.json"))) == 2


def test_a_file_that_is_no_record_is_named_and_nothing_is_lost(tmp_path: Path) -> None:
    rows = under(ONE, {"aster": QUICK}, 0)
    keep(tmp_path, rows)
    before = files(tmp_path / "kept")
    foreign = tmp_path / "kept" / "history" / "notes.json"
    for text in ("{", "[]", '{"kind": "other", "schemaVersion": 1}'):
        foreign.write_text(text, "utf-8")
        with pytest.raises(ReportError, match=r"notes\.json: is no record of a build bench"):
            keep(tmp_path, rows)
    foreign.unlink()
    assert files(tmp_path / "kept") == before


def test_other_reports_have_no_such_history(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    said = refused(run("report", "jev-social", DEMO, "--history", kept))
    assert "--history keeps records of build-bench reports, not of jev-social" in said
    assert not kept.exists()
    said = refused(run("report", "--check", tmp_path, DEMO, "--history", kept))
    assert "keeps no history" in said
