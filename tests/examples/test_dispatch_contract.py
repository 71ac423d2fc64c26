"""The worked example of a user's own contract, on made-up lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata import contracts, queries
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.errors import RowsInvalid
from benchdata.reports import formats
from benchdata.reports.summary import summarize_each

EXAMPLE = "docs/examples/dispatch.py"
MOST_LINES = 39
Line = dict[str, Any]

META: Line = {
    "kind": "meta",
    "seriesId": "made-up_c2",
    "subject": "made-up",
    "workload": "short",
    "mode": "queue",
    "concurrency": 2,
    "warmup": 1,
    "measure": 4,
    "iterations": 1000,
    "seed": 7,
    "kvPath": "/tmp/made-up-4711/kv.sqlite",
    "startedAt": "2026-01-02T03:04:05.678Z",
}


def execution(seq: int, start: float, took: float, **other: Any) -> Line:
    """Return one `exec` line that took `took` ms, with `other` fields changed."""
    fields: Line = {
        "kind": "exec",
        "seq": seq,
        "warmup": False,
        "enqueuedAtMs": start,
        "completedAtMs": start + took,
        "endToEndMs": took,
        "executorWallMs": took - 0.5,
        "adapterDurationMs": int(took),
        "exitCode": 0,
        "status": "completed",
        "acc": 12,
        "vmHwmKb": None,
    }
    return fields | other


LOST: Line = dict.fromkeys(
    ("completedAtMs", "endToEndMs", "executorWallMs", "adapterDurationMs", "exitCode", "acc")
)
LINES: tuple[Line, ...] = (
    META,
    {"kind": "hostRss", "tMs": 12.5, "vmRssKb": 1000, "vmHwmKb": 1000},
    execution(0, 0.0, 900.25, warmup=True),
    execution(1, 1000.0, 30.25),
    execution(2, 1100.0, 10.25),
    execution(3, 1200.0, 0.0, status="timeout", **LOST),
    execution(4, 1300.0, 200.0),
    {"kind": "summary", "seriesId": "made-up_c2", "total": 5, "failures": 1, "finishedAt": "later"},
)
FIRST_EXEC = 3  # the line's number in the file


@pytest.fixture(scope="module")
def dispatch(root: Path) -> Contract:
    return contracts.get(f"{root / EXAMPLE}:DISPATCH")


@pytest.fixture
def opened(tmp_path: Path, dispatch: Contract) -> Callable[..., Dataset]:
    """Return a function that writes lines to `rows.jsonl` and opens it."""

    def of(lines: tuple[Any, ...]) -> Dataset:
        file = tmp_path / "rows.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return benchdata.open(file, dispatch)

    return of


def faults(error: RowsInvalid) -> list[str]:
    """Return the errors without the folder of the file."""
    return [re.sub(r"^.*?(?=[^/]+\.jsonl:)", "", str(one)) for one in error.errors]


def told(dataset: Dataset) -> str:
    """Return everything that is kept or printed of a dataset, as one text."""
    summary = summarize_each(dataset)[0]
    printed = [form(summary) for form in formats.FORMATS.values()]
    return "\n".join([dataset.frame().write_ndjson(), str(dataset.views), *printed])


def test_the_example_stays_small(root: Path) -> None:
    assert len((root / EXAMPLE).read_text("utf-8").splitlines()) <= MOST_LINES


def test_the_meta_line_joins_every_execution(opened: Callable[..., Dataset]) -> None:
    frame = opened(LINES).frame()
    assert frame["seq"].to_list() == [0, 1, 2, 3, 4]
    assert frame["subject"].unique().to_list() == ["made-up"]
    assert frame["warmup_rows"].unique().to_list() == [1]
    assert frame["warmup"].to_list() == [True, False, False, False, False]
    assert frame["end_to_end_ms"].to_list() == [900.25, 30.25, 10.25, None, 200.0]


def test_a_later_meta_line_holds_for_what_comes_after_it(opened: Callable[..., Dataset]) -> None:
    other = META | {"seriesId": "made-up_c4", "concurrency": 4}
    frame = opened((*LINES, other, execution(0, 0.0, 5.0))).frame()
    assert frame["concurrency"].to_list() == [2, 2, 2, 2, 2, 4]


def test_warm_up_counts_as_a_row_and_in_no_number(opened: Callable[..., Dataset]) -> None:
    dataset = opened(LINES)
    outcomes = dataset.sql(queries.text("outcomes"))
    assert dict(outcomes.select("outcome", "n").iter_rows()) == {
        "success": 3,
        "failed": 1,
        "unscored": 1,
    }
    percentiles = {
        row["metric"]: row for row in dataset.sql(queries.text("percentiles")).to_dicts()
    }
    assert percentiles.keys() == {"end_to_end", "executor_wall", "adapter_duration"}
    end_to_end = percentiles["end_to_end"]
    assert [end_to_end[name] for name in ("n", "p50", "p95", "maximum")] == [3, 30.25, 200, 200]
    (speed,) = dataset.sql(queries.text("throughput")).to_dicts()
    assert (speed["completed"], speed["span_ms"], speed["per_second"]) == (3, 500.0, 6.0)


def test_the_status_says_why_a_row_failed(opened: Callable[..., Dataset]) -> None:
    (group,) = summarize_each(opened(LINES))[0].groups
    assert (group.reasons, group.outcomes["failed"], group.unscored) == ({"timeout": 1}, 1, 1)
    assert group.failure_rate_percent == 25.0


def test_what_is_left_out_is_listed_and_the_path_is_nowhere(opened: Callable[..., Dataset]) -> None:
    dataset = opened(LINES)
    (provenance,) = dataset.provenance
    assert provenance.dropped == {
        "field kvPath": 1,
        "lines of kind hostRss": 1,
        "lines of kind summary": 1,
    }
    assert "made-up_c2" in told(dataset)
    assert not re.search("kv.?path|sqlite|4711", told(dataset), re.IGNORECASE)


def test_a_generic_summary_is_about_this_contract(opened: Callable[..., Dataset]) -> None:
    text = formats.as_markdown(summarize_each(opened(LINES))[0])
    assert "Publication gate: none is declared\n" in text
    assert "| Mode | Subject | Workload | Concurrency | Runs | Not scored |" in text
    assert (
        "| G1 | queue | made-up | short | 2 | 5 | 1 | 3 / 0 / 1 | 25.0% (4.6% to 69.9%) |" in text
    )
    assert "| Group | Status | Count |\n| --- | --- | ---: |\n| G1 | timeout | 1 |\n" in text
    assert "| Date window (UTC) |\n" in text
    assert "| 2026-01-02T03:04:05.678Z |\n" in text


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"endToEndMs": "12"}, "endToEndMs: must be a number"),
        ({"seq": 1.0}, "seq: must be a"),
        ({"status": "/tmp/made-up"}, "status: looks like a"),
        ({"warmUp": False}, "warmUp: is not a field of this contract"),
        ({"apiKey": "x"}, "row.api_key: this field name is refused"),
        ({"subject": "B"}, "meta.subject: stands in the exec line too: the contract must"),
        ({"end_to_end_ms": 1.0}, "end_to_end_ms: is renamed to end_to_end_ms, which is there"),
    ],
)
def test_a_broken_row_is_named_by_the_words_of_the_file(
    opened: Callable[..., Dataset], change: Line, fault: str
) -> None:
    broken = [dict(line) for line in LINES]
    broken[FIRST_EXEC - 1] |= change
    with pytest.raises(RowsInvalid) as raised:
        opened(tuple(broken))
    (told_of,) = faults(raised.value)
    assert told_of.startswith(f"rows.jsonl:{FIRST_EXEC}: {fault}")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (None, "row: the line must hold one JSON object"),
        ([1], "row: the line must hold one JSON object"),
        ({"seq": 1}, "kind: is no kind of line"),
        ({"kind": ["exec"]}, "kind: is no kind of line"),
        ({"kind": "exe"}, "kind: is no kind of line that the contract knows (exec, meta, hostRss,"),
    ],
)
def test_a_line_of_no_known_kind_is_not_left_out(
    opened: Callable[..., Dataset], line: Any, fault: str
) -> None:
    with pytest.raises(RowsInvalid) as raised:
        opened((*LINES, line))
    (told_of,) = faults(raised.value)
    assert told_of.startswith(f"rows.jsonl:{len(LINES) + 1}: {fault}")


def test_a_missing_field_is_named(opened: Callable[..., Dataset]) -> None:
    short = {name: value for name, value in LINES[2].items() if name != "exitCode"}
    with pytest.raises(RowsInvalid) as raised:
        opened((META, short))
    assert faults(raised.value) == ["rows.jsonl:2: exit_code: is missing"]


def test_a_fault_of_the_meta_line_is_called_one(opened: Callable[..., Dataset]) -> None:
    with pytest.raises(RowsInvalid) as raised:
        opened((META | {"concurrency": "two"}, *LINES[2:4]))
    assert [one.rpartition(":")[0] for one in faults(raised.value)] == [
        "rows.jsonl:2: meta.concurrency",
        "rows.jsonl:3: meta.concurrency",
    ]


def test_rows_without_a_meta_line_are_refused(opened: Callable[..., Dataset]) -> None:
    with pytest.raises(RowsInvalid) as raised:
        opened(LINES[2:4])
    assert faults(raised.value) == [
        f"rows.jsonl:{number}: kind: no readable meta line comes before this exec line"
        for number in (1, 2)
    ]
