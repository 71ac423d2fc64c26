"""What a report's notebook calls: the tables and charts of one dataset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import altair as alt
import pytest

import benchdata
from benchdata.charts import compact_spec
from benchdata.contracts.meaning import Throughput
from benchdata.errors import ContractError, ReportError
from benchdata.reports import (
    open_build_bench,
    open_compare,
    open_history,
    open_report,
    open_skill_leaderboard,
)
from benchdata.reports.report import Prose, Report
from benchdata.reports.subjects.rows import RowsReport
from benchdata.reports.tables import Table
from tests.support.drawn import DEMO, DEMO_ROWS, Row, write
from tests.support.probe import PROBE, probe_row

TIMED = replace(PROBE, throughput=Throughput("rate", "seq", "wall_ms"))


def probed(folder: Path, rows: list[Row]) -> RowsReport:
    return RowsReport(benchdata.open(write(folder / "rows.ndjson", rows), TIMED))


def shown(table: object) -> list[list[str]]:
    """Return the cells of a table below its head."""
    assert isinstance(table, Table)
    return [list(row) for row in table.rows]


def test_percentiles_have_one_decimal_halves_away_from_zero(tmp_path: Path) -> None:
    times = [0.25, 0.35, 30.25, 1e300, None]
    rows = [probe_row(seq, wall_ms=ms, passed=seq > 0) for seq, ms in enumerate(times)]
    wall, score = shown(probed(tmp_path, rows).tail())
    # 0.35 is a little less in binary
    assert wall[1:6] == ["Wall ms", "4", "1", "0.3", "1e300†"]
    assert score[1:6] == ["Score", "5", "1", "0.2", "0.4†"]


def test_a_percentile_is_marked_where_it_is_the_maximum(tmp_path: Path) -> None:
    rows = [probe_row(seq, wall_ms=float(seq)) for seq in range(1, 21)]
    wall, _ = shown(probed(tmp_path, rows).tail())
    assert wall[2:] == ["20", "0", "10.0", "19.0", "20.0†", "20.0†", "20.0"]


def test_throughput_counts_successes_over_the_span(tmp_path: Path) -> None:
    rows = [probe_row(seq, wall_ms=500.0 + seq, passed=seq < 2) for seq in range(3)]
    ((_, completed, speed),) = shown(probed(tmp_path, rows).throughput())
    assert (completed, speed) == ("2", "4.0")


def test_a_contract_without_throughput_says_so(tmp_path: Path) -> None:
    report = RowsReport(benchdata.open(write(tmp_path / "rows.ndjson", [probe_row(1)]), PROBE))
    said = report.throughput()
    assert isinstance(said, Prose)
    assert said.text == "The contract declares no throughput."


def test_inputs_are_named_with_all_that_was_left_out() -> None:
    report = RowsReport(benchdata.open(DEMO_ROWS))
    assert shown(report.inputs()) == [
        ["rows.ndjson", "jev-social", "122", "0", "nothing", report.dataset.digest]
    ]


def test_the_title_is_what_is_given_else_that_of_the_datasheet(tmp_path: Path) -> None:
    assert RowsReport(benchdata.open(DEMO_ROWS)).title == "Synthetic Jev Social runs"
    assert RowsReport(benchdata.open(DEMO_ROWS), title="T").title == "T"
    assert probed(tmp_path, [probe_row(1)]).title == "probe-run rows"


@pytest.mark.parametrize(
    ("opened", "demo", "title"),
    [
        (open_compare, "skill-run-demo", "Comparison: Synthetic runs with and without a skill"),
        (open_skill_leaderboard, "skill-run-demo", "Skill leaderboard: Synthetic runs with and"),
        (open_history, "build-run-demo", "History: Synthetic build runs of three invented"),
        (open_build_bench, "build-run-demo", "Build bench: Synthetic build runs of three"),
    ],
)
def test_the_title_says_which_report_it_is_and_of_what(
    tmp_path: Path, opened: Callable[..., Report], demo: str, title: str
) -> None:
    rows = DEMO.parent / demo / "rows.ndjson"
    assert opened([str(rows.parent)]).title.startswith(title)
    alone = tmp_path / "rows.ndjson"
    alone.write_bytes(rows.read_bytes())
    contract = demo.removesuffix("-demo")
    assert opened([str(alone)]).title == f"{title.partition(':')[0]}: {contract} rows"
    assert opened([str(alone)], title="Mine").title == "Mine"


def test_only_successes_have_no_reasons_to_draw(tmp_path: Path) -> None:
    said = probed(tmp_path, [probe_row(1)]).stop_reasons()
    assert isinstance(said, Prose)
    assert said.text == "Every row is a success."


@pytest.mark.parametrize("draw", ["values", "timeline", "outcomes", "stop_reasons"])
def test_a_chart_is_drawn_of_rows_that_lack_much(tmp_path: Path, draw: str) -> None:
    rows = [
        probe_row(1, wall_ms=None, started_at=None, passed=False, why=None),
        probe_row(2, wall_ms=None, skipped=True),
    ]
    chart = getattr(probed(tmp_path, rows), draw)()
    assert isinstance(chart, alt.TopLevelMixin)
    assert compact_spec(chart)["name"]


@pytest.mark.parametrize("draw", ["values", "components"])
def test_a_metric_that_is_not_there_is_named(draw: str) -> None:
    report = RowsReport(benchdata.open(DEMO_ROWS))
    with pytest.raises(
        ContractError, match="contract jev-social has no metric speed; it has total"
    ):
        getattr(report, draw)("speed")


def test_rows_that_changed_since_the_order_make_no_report() -> None:
    digest = benchdata.open(DEMO).digest
    assert open_report([str(DEMO)], digest=digest).dataset.rows == 122
    with pytest.raises(ReportError, match="the rows are not those that this report was made of"):
        open_report([str(DEMO)], digest="0" * 64)
