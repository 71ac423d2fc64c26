"""What SQL sees: the rows, each list at length, groups and measurements, all in typed columns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from uuid import UUID

import polars as pl
import pytest

import benchdata
from benchdata import queries
from benchdata.contracts.columns import RESERVED_IN_GROUPS, RESERVED_VIEWS
from benchdata.contracts.meaning import Metric, Throughput
from benchdata.dataset import Dataset, grouping, views
from benchdata.errors import ContractError, QueryRefused
from tests.support.drawn import DEMO_ROWS, Row, demo_rows, write
from tests.support.jev_social import V2_KEYS, numbered_row, valid_row
from tests.support.probe import PROBE, probe_row
from tests.support.skill_run import valid_row as valid_run

MILLISECONDS = pl.Datetime("ms", "UTC")
ROW_TYPES = {
    "schema_version": pl.Int64,
    **dict.fromkeys(("run_id", "task_id"), pl.String),
    **dict.fromkeys(("started_at", "ended_at"), MILLISECONDS),
    **dict.fromkeys(("platform", "outcome", "jev_model"), pl.String),
    **dict.fromkeys(("socai_version", "socai_commit"), pl.String),
    **dict.fromkeys(("result_limit", "max_steps"), pl.Int64),
    **dict.fromkeys(("profile_mode", "region", "condition"), pl.String),
    **dict.fromkeys(("jev_social_version", "jev_social_commit"), pl.String),
    "jev_step_latency_ms": pl.List(pl.Int64),
    **{f"timing_ms_{part}": pl.Int64 for part in ("jev_total", "socai_browser", "media", "total")},
    **{f"evidence_{part}": pl.Int64 for part in ("records", "comments")},
    **{f"evidence_downloaded_media_{part}": pl.Int64 for part in ("count", "bytes")},
    **dict.fromkeys(("stop_reason", "failure_category", "row_result"), pl.String),
    "row_synthetic": pl.Boolean,
}
GROUPED = (
    *("group_id", "group_order", "group_label", "row_id", "row_start", "row_end", "row_reason"),
    *("row_span_start", "row_span_end", "row_likeness", "row_content", "row_place", "row_task"),
    *(
        "row_repeat",
        "row_batch",
        "row_planned_tasks",
        "row_planned_repeats",
        "row_followed",
        "row_arm",
    ),
    "row_control",
)


@pytest.fixture(scope="module")
def demo() -> Dataset:
    return benchdata.open(DEMO_ROWS)


def opened(folder: Path, *rows: Row) -> Dataset:
    return benchdata.open(write(folder / "rows.ndjson", rows), PROBE)


def test_the_columns_are_typed_flat_and_in_the_order_of_the_row(demo: Dataset) -> None:
    assert dict(demo.frame().schema) == ROW_TYPES
    flat = [name for name in ROW_TYPES if not name.startswith("row_")]
    tops = dict.fromkeys(key for name in flat for key in V2_KEYS if name.startswith(key))
    assert list(tops) == list(V2_KEYS)


@pytest.mark.parametrize("view", ["rows", "jev_social"])
def test_the_view_of_rows_holds_each_value(demo: Dataset, view: str) -> None:
    found = demo.sql(f"select * from {view}")
    assert found.columns == list(ROW_TYPES)
    assert found.select(pl.col(pl.String)).equals(demo.frame().select(pl.col(pl.String)))
    for row, source in zip(found.iter_rows(named=True), demo_rows(), strict=True):
        for name, value in row.items():
            if name.startswith(("timing_ms_", "evidence_")):
                top = "timing_ms" if name.startswith("timing") else "evidence"
                assert value == source[top][name.removeprefix(f"{top}_")]
            elif name.endswith("_at"):
                assert f"{value:%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z" == source[name]
            elif not name.startswith("row_"):
                assert value == source.get(name)


def test_what_a_row_is_called_is_that_of_its_contract(demo: Dataset) -> None:
    rows = demo.sql("select outcome, row_result, row_synthetic from rows")
    assert rows["row_result"].equals(rows["outcome"].alias("row_result"))
    assert rows["row_synthetic"].all()


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ({}, "success"),
        ({"passed": False}, "failed"),
        ({"skipped": True}, "unscored"),
        ({"skipped": True, "passed": False}, "unscored"),
    ],
)
def test_each_row_has_one_result(tmp_path: Path, changes: Row, result: str) -> None:
    dataset = opened(tmp_path, probe_row(1, **changes))
    assert dataset.sql("select row_result from rows").item() == result


def test_a_list_of_numbers_has_a_long_view(demo: Dataset) -> None:
    found = demo.sql("select * from steps order by run_id, position")
    assert dict(found.schema) == {"run_id": pl.String, "position": pl.Int64, "value": pl.Int64}
    expected = [
        (row["run_id"], place, value)
        for row in sorted(demo_rows(), key=lambda row: str(row["run_id"]))
        for place, value in enumerate(row["jev_step_latency_ms"], 1)
    ]
    assert found.rows() == expected


def test_a_list_of_objects_has_a_long_view_with_its_fields(tmp_path: Path) -> None:
    one, two = probe_row(1), probe_row(2, parts=[])
    found = opened(tmp_path, one, two).sql("select * from parts order by series, seq, position")
    assert found.columns == ["series", "seq", "position", "name", "ms"]
    assert found.rows() == [("one", 1, 1, "warm", 1.5), ("one", 1, 2, "run", None)]


def test_grouped_rows_have_one_name_for_what_every_contract_has(demo: Dataset) -> None:
    found = demo.sql("select * from grouped order by row_start, row_id")
    assert found.columns == [*ROW_TYPES, *GROUPED]
    assert found.height == 122
    rows = demo_rows()
    assert found["row_id"].to_list() == [row["run_id"] for row in rows]
    assert found["row_reason"].to_list() == [row["stop_reason"] for row in rows]
    assert found.select(pl.col("row_start").eq(pl.col("started_at")).all()).item()
    assert found.select(pl.col("row_end").eq(pl.col("ended_at")).all()).item()
    assert found["row_span_start"].null_count() == 122


def test_an_identity_of_two_fields_is_one_text(tmp_path: Path) -> None:
    dataset = opened(tmp_path, probe_row(7))
    assert dataset.sql("select row_id from grouped").item() == "one:7"


def test_a_contract_without_times_has_null_ones(tmp_path: Path) -> None:
    file = write(tmp_path / "rows.ndjson", [probe_row(1)])
    timeless = replace(PROBE, order=None, until=None)
    found = benchdata.open(file, timeless).sql("select row_start, row_end from grouped")
    assert found.row(0) == (None, None)
    assert found.dtypes == [pl.Datetime("us", "UTC")] * 2


def test_a_throughput_has_the_span_of_each_row(tmp_path: Path) -> None:
    file = write(tmp_path / "rows.ndjson", [probe_row(4)])
    timed = replace(PROBE, throughput=Throughput("rate", "seq", "wall_ms"))
    found = benchdata.open(file, timed).sql("select row_span_start, row_span_end from grouped")
    assert found.row(0) == (4.0, 42.0)


def test_measurements_are_one_line_a_row_and_metric(demo: Dataset) -> None:
    found = demo.sql("select * from measurements order by row_start, row_id, metric_order")
    assert found.columns == [
        *("row_id", "row_result", "row_synthetic", "row_start", "row_place", "row_task"),
        *(
            "row_repeat",
            "row_batch",
            "row_planned_tasks",
            "row_planned_repeats",
            "row_arm",
            "row_control",
        ),
        *("row_followed", "group_id", "group_order", "group_label"),
        *("metric", "metric_order", "unit", "better", "is_primary", "value"),
    ]
    assert found.height == 122 * len(demo.contract.metrics)
    for number, metric in enumerate(demo.contract.metrics, 1):
        one = found.filter(metric=metric.name)
        assert one.select("metric_order", "unit", "better", "is_primary").unique().rows() == [
            (number, metric.unit, metric.better, metric.name == "total")
        ]
        top, _, leaf = metric.path.partition(".")
        assert one["value"].to_list() == [row[top][leaf] for row in demo_rows()]
    assert found["value"].dtype == pl.Float64


def test_a_measurement_keeps_null_and_the_words_of_its_metric(tmp_path: Path) -> None:
    file = write(tmp_path / "rows.ndjson", [probe_row(1, wall_ms=None)])
    odd = replace(PROBE, metrics=(Metric("it's", "wall_ms", "m's"),), primary="it's")
    found = benchdata.open(file, odd).sql("select metric, unit, value from measurements")
    assert found.rows() == [("it's", "m's", None)]


def test_a_flag_is_measured_as_0_or_1(tmp_path: Path) -> None:
    rows = [probe_row(seq, passed=seq != 2) for seq in (1, 2, 3)]
    flagged = replace(PROBE, metrics=(Metric("passed", "passed", "", "higher"),), primary="")
    found = benchdata.open(write(tmp_path / "rows.ndjson", rows), flagged)
    values = found.sql("select value from measurements order by row_id")
    assert values["value"].to_list() == [1.0, 0.0, 1.0]
    assert found.sql(queries.text("percentiles")).row(0, named=True)["n"] == 3


@pytest.mark.parametrize(
    ("parts", "total"),
    [
        ([], None),
        ([{"name": "a", "ms": 1.5}, {"name": "b", "ms": 2}], 3.5),
        ([{"name": "a", "ms": 1.5}, {"name": "b", "ms": None}], None),
        ([{"name": "a", "ms": None}], None),
    ],
)
def test_a_metric_over_a_list_is_the_total_of_its_items(
    tmp_path: Path, parts: list[Row], total: float | None
) -> None:
    file = write(tmp_path / "rows.ndjson", [probe_row(1, parts=parts)])
    totalled = replace(PROBE, metrics=(Metric("all", "parts", "ms", items=("ms",)),), primary="")
    found = benchdata.open(file, totalled).sql("select value from measurements")
    assert found["value"].to_list() == [total]


def test_several_fields_of_an_item_are_added_and_one_that_is_null_makes_the_total_null(
    tmp_path: Path,
) -> None:
    whole, torn = valid_run(), valid_run(run_id=str(UUID(int=1, version=4)), repeat=1)
    torn["usage"][1]["cache_read_tokens"] = None
    dataset = benchdata.open(write(tmp_path / "rows.ndjson", [whole, torn]))
    found = dataset.sql(
        "select row_id, value from measurements where metric = 'tokens' order by value"
    )
    tokens = 1200 + 340 + 5000 + 21000 + 90 + 12
    assert found.rows() == [(whole["run_id"], tokens), (torn["run_id"], None)]
    assert dataset.sql("select sum(input_tokens) as n from skill_usage").item() == 2 * 1290


def test_the_list_of_groups_has_one_line_a_group(demo: Dataset) -> None:
    found = demo.sql("select * from group_list order by group_order")
    group = [path.replace(".", "_") for path in demo.contract.group]
    assert found.columns == [*group, "group_id", "group_order", "group_label"]
    assert found.height == 10


def test_old_and_new_rows_share_their_columns(tmp_path: Path) -> None:
    old = write(tmp_path / "old.ndjson", [valid_row(1)])
    new = write(tmp_path / "new.ndjson", [numbered_row(1)])
    dataset = benchdata.open([old, new])
    assert list(dataset.frame().schema) == list(ROW_TYPES)
    versions = dataset.sql("select jev_social_version as v from rows order by schema_version")
    assert versions["v"].to_list() == [None, "0.4.0"]


@pytest.mark.parametrize(
    "changes",
    [
        *({"views": {"parts": name}} for name in ("rows", "grouped", "measurements", "ROWS")),
        *({"views": {"parts": name}} for name in ("group_list", "probe_run", "_probe_run")),
        {"name": "rows"},
        {"name": "parts"},
    ],
    ids=str,
)
def test_a_view_that_would_take_the_name_of_another_is_refused(changes: Row) -> None:
    with pytest.raises(ContractError, match=r"the view (name .* is taken|of parts needs a name)"):
        replace(PROBE, **changes)


def test_the_names_of_all_views_and_queries_are_reserved(demo: Dataset) -> None:
    own = {"jev_social", "steps"}
    assert {view.name for view in queries.views_of(demo) if not view.hidden} - own == RESERVED_VIEWS


def test_what_is_told_of_a_group_is_reserved(demo: Dataset) -> None:
    told = set(demo.sql(queries.text("groups")).columns)
    fields = {*grouping.columns(demo.contract), *views.GROUP_COLUMNS}
    assert told - fields == RESERVED_IN_GROUPS


@pytest.mark.parametrize("query", ["drop view rows", "select 1; select 2", "select nope from rows"])
def test_anything_but_one_answerable_select_is_refused(demo: Dataset, query: str) -> None:
    with pytest.raises(QueryRefused):
        demo.sql(query)


def test_stored_rows_are_not_offered(demo: Dataset) -> None:
    with pytest.raises(QueryRefused) as raised:
        demo.sql("select _lin from jev_social")
    assert "_line" not in str(raised.value)
    with pytest.raises(QueryRefused) as raised:
        demo.sql("select 1 from _jev_socia")
    assert "`_jev_social`" not in str(raised.value)


@pytest.mark.parametrize(
    "value", ["interval 1 day", "[interval 1 day]", "{'a': union_value(b := 1)}"]
)
def test_a_value_that_no_frame_holds_is_refused(demo: Dataset, value: str) -> None:
    with pytest.raises(QueryRefused, match="cast to varchar"):
        demo.sql(f"select {value} as x")
    assert demo.sql(f"select cast({value} as varchar) as x").height == 1
