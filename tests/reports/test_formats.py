"""The summary as Markdown, JSON and CSV: the keys, columns and words that its readers know."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.contracts.meaning import Metric
from benchdata.reports import formats
from benchdata.reports.summary import Percentiles, Summary, summarize_each
from tests.support.drawn import DEMO_ROWS, Row, drawn, write
from tests.support.jev_social import failed_row, numbered_row, valid_row
from tests.support.probe import PROBE, probe_row

RESULTS = (
    *("Group", "Platform", "Condition", "Runs", "Success / partial / failed", "Failure rate"),
    *("Total ms (p50 / p95)", "Jev ms (p50 / p95)", "socai/browser ms (p50 / p95)"),
    *("Media-op ms (p50 / p95)", "Records (p50 / p95)", "Comments (p50 / p95)"),
    "Media count (p50 / p95)",
)
ENVIRONMENT = (
    *("Group", "Task ID", "Jev Social", "Jev model", "socai", "Profile", "Region"),
    *("Limit / steps", "Date window (UTC)", "Status"),
)
LEFT, RIGHT = "---", "---:"


def summary_of(folder: Path, rows: Sequence[Row]) -> Summary:
    return summarize_each(benchdata.open(write(folder / "rows.ndjson", rows)))[0]


def table(markdown: str, heading: str) -> list[list[str]]:
    """Return the cells of the table below a heading: head, rule, lines."""
    block = markdown.split(f"## {heading}\n\n")[1].split("\n\n", maxsplit=1)[0].strip()
    return [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in block.split("\n")]


@pytest.fixture(scope="module")
def demo() -> Summary:
    return summarize_each(benchdata.open(DEMO_ROWS))[0]


def test_blocks_stand_in_the_order_of_the_protocol(demo: Summary) -> None:
    text = formats.as_markdown(demo)
    assert text.endswith("|\n")
    assert "\n\n\n" not in text
    blocks = text.rstrip("\n").split("\n\n")
    starts = [block.split("\n")[0] for block in blocks]
    assert starts[0].startswith("# ")
    assert starts[1] == "Publication gate: INCOMPLETE"
    assert re.search(r"122 rows.*at least 10.*none is dropped", starts[2])
    assert re.search(r"nearest rank.*Media time overlaps browser time", starts[3])
    assert starts[4] == "## Results"
    assert starts[6].startswith("† ")
    assert [starts[7], starts[9]] == ["## Environment", "## Non-success outcomes"]
    assert len(blocks) == 11


def test_results_have_thirteen_columns(demo: Summary) -> None:
    head, rule, *lines = table(formats.as_markdown(demo), "Results")
    assert tuple(head) == RESULTS
    assert rule == [LEFT] * 3 + [RIGHT] * 10
    assert lines[0] == [
        *("G1", "instagram", "warm", "11", "9 / 0 / 2", "18.2% (5.1% to 47.7%)"),
        *(
            "51,500 / 83,243†",
            "5,170 / 7,439†",
            "41,401 / 73,481†",
            "0 / 0†",
            "3 / 4†",
            "9 / 23†",
            "0 / 0†",
        ),
    ]
    assert lines[1][3:7] == ["24", "22 / 2 / 0", "0.0% (0.0% to 13.8%)", "81,812 / 206,575"]
    assert [line[0] for line in lines] == [f"G{n}" for n in range(1, 11)]


def test_the_environment_has_ten_columns(demo: Summary) -> None:
    head, rule, *lines = table(formats.as_markdown(demo), "Environment")
    assert tuple(head) == ENVIRONMENT
    assert rule == [LEFT] * 7 + [RIGHT] + [LEFT] * 2
    assert lines[0] == [
        *("G1", "7cc11d47-05e7-4541-9b7d-d57deaebda1f", "legacy schema v1"),
        *("acme/picker-2.1-20260105", "0.6.0 @ 3149e534fbac", "existing", "synthetic-lab"),
        *("4 / 12", "2026-03-03T05:41:22.745Z – 2026-03-08T02:29:27.982Z"),
        "LEGACY SCHEMA (v1)",
    ]
    assert lines[1][2] == "0.4.0 @ 30f6136c22e1"
    assert lines[1][9] == "SYNTHETIC (24/10)"


def test_a_short_commit_is_shown_whole(tmp_path: Path) -> None:
    row = valid_row(jev_social_commit="abcdef0", socai_commit="0123456789abcdef")
    *_, line = table(formats.as_markdown(summary_of(tmp_path, [row])), "Environment")
    assert (line[2], line[4]) == ("0.4.0 @ abcdef0", "0.6.0 @ 0123456789ab")


def test_reasons_have_a_line_each(demo: Summary) -> None:
    head, rule, *lines = table(formats.as_markdown(demo), "Non-success outcomes")
    assert (head, rule) == (["Group", "Stop reason", "Count"], [LEFT, LEFT, RIGHT])
    assert lines[:3] == [
        ["G1", "cli_failed", "1"],
        ["G1", "empty_results", "1"],
        ["G2", "rate_limited", "1"],
    ]
    assert len(lines) == 22


def test_without_any_there_is_one_line_that_says_so(tmp_path: Path) -> None:
    *_, line = table(
        formats.as_markdown(summary_of(tmp_path, [valid_row()])), "Non-success outcomes"
    )
    assert line == ["—", "none", "0"]


def test_one_of_sixteen_is_6_3_percent(tmp_path: Path) -> None:
    rows = [failed_row(run_id=numbered_row(0)["run_id"]), *map(numbered_row, range(1, 16))]
    summary = summary_of(tmp_path, rows)
    *_, line = table(formats.as_markdown(summary), "Results")
    assert line[5] == "6.3% (1.1% to 28.3%)"
    assert formats.document(summary)["groups"][0]["failureRatePercent"] == 6.3


@pytest.mark.parametrize(("rows", "marked"), [(19, True), (20, False)])
def test_a_p95_that_is_the_maximum_is_marked_in_markdown_alone(
    tmp_path: Path, rows: int, marked: bool
) -> None:
    summary = summary_of(tmp_path, drawn([rows]))
    text = formats.as_markdown(summary)
    assert ("† The p95 of fewer than 20 values is their maximum." in text) is marked
    assert text.count("†") == (8 if marked else 0)
    assert "†" not in formats.as_json(summary) + formats.as_csv(summary)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Percentiles(0, None, None), "—"),
        (Percentiles(20, 1234567, 0), "1,234,567 / 0"),
        (Percentiles(20, 0.5, 1234.5678), "0.5 / 1,235"),
        (Percentiles(19, 1, 2), "1 / 2†"),
    ],
)
def test_a_pair_of_percentiles(value: Percentiles, text: str) -> None:
    assert formats.pair(value) == text


def test_a_ready_set_says_so(tmp_path: Path) -> None:
    summary = summary_of(tmp_path, drawn([10, 10]))
    assert "\n\nPublication gate: READY\n\n" in formats.as_markdown(summary)
    assert formats.document(summary)["publicationReady"] is True


def test_what_is_against_it_stands_before_the_tables(tmp_path: Path) -> None:
    rows = drawn([10])
    rows.append(rows[0] | {"run_id": valid_row()["run_id"]})
    dataset = benchdata.open(write(tmp_path / "rows.ndjson", rows))
    summary = summarize_each(dataset, accept_rejects=1)[0]
    remarks = formats.as_markdown(summary).split("\n\n")[4].split("\n")
    assert remarks[0].startswith("- 0 rows set aside, and 1 accepted")
    assert remarks[1].startswith("- G1: 1 of 11 rows equal another in all but run_id")


def test_the_object_form_has_the_keys_of_the_protocol(demo: Summary) -> None:
    document = json.loads(formats.as_json(demo))
    assert [key for key in document if key not in {"contract", "rowsSetAside", "reasons"}] == [
        *("schemaVersion", "minimumRuns", "rowCount", "publicationReady", "groups"),
    ]
    assert (document["schemaVersion"], document["minimumRuns"]) == (1, 10)
    assert (document["rowCount"], document["publicationReady"]) == (122, False)
    old, new = document["groups"][:2]
    rest = [
        *("runs", "publicationStatus", "publicationReasons", "startedAt", "endedAt", "outcomes"),
        *("unscored", "failureRatePercent", "stopReasons", "metrics"),
    ]
    assert list(new) == ["id", *JEV_SOCIAL.group, *rest]
    assert list(old) == [key for key in new if not key.startswith("jev_social_")]
    assert list(new["metrics"]) == [
        *("total", "jev", "socaiBrowser", "media", "records", "comments", "downloadedMedia"),
    ]
    assert new["metrics"]["total"] == {"n": 24, "p50": 81812, "p95": 206575}
    assert new["outcomes"] == {"success": 22, "partial": 2, "failed": 0}
    assert new["stopReasons"] == {"rate_limited": 1, "step_limit": 1}
    assert (new["id"], new["publicationStatus"]) == ("G2", "SYNTHETIC (24/10)")
    assert (new["startedAt"], new["endedAt"]) == (
        "2026-03-02T19:01:37.896Z",
        "2026-03-08T05:58:58.744Z",
    )
    assert old["failureRatePercent"] == 18.2


def test_the_object_form_is_json_that_every_reader_takes(demo: Summary) -> None:
    text = formats.as_json(demo)
    assert text.endswith("}\n")

    def refuse(word: str) -> Any:
        raise AssertionError(word)

    assert json.loads(text, parse_constant=refuse) == formats.document(demo)


def test_csv_has_a_line_a_group_and_metric(demo: Summary) -> None:
    lines = list(csv.DictReader(io.StringIO(formats.as_csv(demo))))
    assert len(lines) == 10 * len(JEV_SOCIAL.metrics)
    assert list(lines[0]) == [
        *("group", *JEV_SOCIAL.group, "status", "runs", "success", "partial", "failed"),
        *("unscored", "failure_rate_percent", "metric", "unit", "n", "p50", "p95"),
    ]
    first = lines[0]
    assert [first[name] for name in ("group", "metric", "unit", "n", "p50", "p95")] == [
        *("G1", "total", "ms", "11", "51500", "83243"),
    ]
    assert (first["jev_social_version"], first["failure_rate_percent"]) == ("", "18.2")


@pytest.mark.parametrize("start", "=+-@")
def test_a_spreadsheet_reads_no_formula_in_csv(tmp_path: Path, start: str) -> None:
    odd = replace(PROBE, metrics=(Metric(f"{start}cmd", "score", ""),), primary="")
    dataset = benchdata.open(write(tmp_path / "a.ndjson", [probe_row(1, score=-0.5)]), odd)
    (line,) = csv.DictReader(io.StringIO(formats.as_csv(summarize_each(dataset)[0])))
    assert line["metric"] == f"'{start}cmd"
    assert line["p50"] == "-0.5"


def test_a_contract_without_gate_pins_or_ends(tmp_path: Path) -> None:
    rows = [probe_row(1, why="late", passed=False), probe_row(2, skipped=True)]
    dataset = benchdata.open(write(tmp_path / "a.ndjson", rows), PROBE)
    text = formats.as_markdown(summarize_each(dataset)[0])
    assert "\n\nPublication gate: none is declared\n\n2 rows in 1 group. Every" in text
    assert "Media time" not in text
    head, _, line = table(text, "Results")
    assert head[:5] == ["Group", "Subject", "Lane", "Runs", "Not scored"]
    assert line == [
        "G1",
        "lamp",
        "inner",
        "2",
        "1",
        "0 / 0 / 1",
        "100.0% (20.7% to 100.0%)",
        "10.5 / 10.5†",
        "0.1 / 0.1†",
    ]
    assert table(text, "Environment")[0] == ["Group", "Fresh", "Date window (UTC)"]
    assert table(text, "Non-success outcomes")[0][1] == "Why"


def test_text_of_a_row_stays_in_its_cell(tmp_path: Path) -> None:
    odd = replace(PROBE, metrics=(Metric("a|b", "score", "*x*", title="<b>`|"),), primary="")
    dataset = benchdata.open(write(tmp_path / "a.ndjson", [probe_row(1)]), odd)
    head, rule, _ = table(formats.as_markdown(summarize_each(dataset)[0]), "Results")
    assert len(head) == len(rule)
    assert head[-1] == r"&lt;b>\`\| \*x\* (p50 / p95)"


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (datetime(2026, 3, 2, 8, tzinfo=UTC), "2026-03-02T08:00:00.000Z"),
        (datetime(1, 1, 1, 0, 0, 0, 7000, tzinfo=UTC), "0001-01-01T00:00:00.007Z"),
        (None, None),
    ],
)
def test_times_are_in_the_normal_form_of_rows(time: datetime | None, text: str | None) -> None:
    assert formats.instant(time) == text
