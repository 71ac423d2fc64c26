"""The records of a build bench as one Markdown page: the latest in full, the others a line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchdata.contracts.build_run import BUILD_RUN
from benchdata.gates.bars import bar_of
from benchdata.numbers import MISSING, display
from benchdata.reports.lane_answers import BAR
from benchdata.reports.notices import FOOTER, PROOF
from benchdata.reports.tables import Align, Column, Table, escaped, markdown_text, of_columns

PROVISIONAL = (
    "PROVISIONAL: a run has no judged rubric, so the weight of that axis is lost and its composite"
    " cannot reach 1."
)
CELL_METRICS = ("test_pass_rate", *bar_of(BUILD_RUN, BAR).steady)

Data = Mapping[str, Any]


def as_markdown(records: Sequence[Data]) -> str:
    """Return the page of records in order, the latest last, with a final newline."""
    return "\n\n".join(_blocks(records)) + "\n"


def _blocks(records: Sequence[Data]) -> Iterator[str]:
    latest = records[-1]
    yield f"# Build bench, {latest['asOf']}"
    if latest["synthetic"]:
        yield f"**{PROOF}**"
    if latest["provisional"]:
        yield f"**{PROVISIONAL}**"
    yield (
        f"Report {markdown_text(latest['report'])}, made with benchdata {latest['benchdata']},"
        f" composite under {markdown_text(latest['scores']['preset'])}."
    )
    yield from _said(latest)
    yield "## Runs"
    runs = [{**cell, **run} for cell in latest["cells"] for run in cell["runs"]]
    yield of_columns("Runs", _run_columns(latest), runs).markdown()
    yield "## Cells"
    yield _cells(latest).markdown()
    yield (
        "A median is the midpoint of two middle values, a run that never got green the worst;"
        " quartiles are nearest rank, of the values that are there. A spread is unstable when"
        " p75/p25 is above 2."
    )
    yield "## Records"
    yield _course(records).markdown()
    yield FOOTER


def _said(latest: Data) -> Iterator[str]:
    """Yield why there is no composite, where presets disagree, whether the order of lanes holds."""
    if reason := latest["scores"].get("cannotTell"):
        yield f"No composite: {escaped(reason)}."
    orders = [
        f"Order of lanes under {' and '.join(each['baselines'])}: {each['order']}"
        f" ({each['statistic']})."
        for each in latest["orders"]
    ]
    if lines := [*latest["scores"].get("disagreements", ()), *orders]:
        yield "\n".join(f"- {escaped(line)}" for line in lines)


def _run_columns(latest: Data) -> list[Column[Data]]:
    columns: list[Column[Data]] = [
        ("Task", "left", lambda run: run["task"]),
        ("Lane", "left", _lane),
        ("Rep", "right", lambda run: display(run["repeat"])),
        ("Pass", "right", lambda run: display(run["passRate"])),
        ("Turns→green", "right", lambda run: display(run["turnsToGreen"])),
        ("Cost", "right", lambda run: display(run["costUsd"])),
        ("Wall", "right", lambda run: display(run["wallS"])),
        ("Composite", "right", _composite),
        ("Stop", "left", lambda run: run["stopCause"]),
    ]
    if len({cell["baseline"] for cell in latest["cells"]}) > 1:
        columns.insert(2, ("Baseline", "left", lambda run: run["baseline"]))
    return columns


def _lane(where: Data) -> str:
    return f"{where['lane']} {where['frameworkVersion']}"


def _composite(run: Data) -> str:
    value = run["composite"]
    words = MISSING if isinstance(value, Mapping) else display(value)
    return f"{words} (provisional)" if run["provisional"] else words


def _cells(latest: Data) -> Table:
    head = ("Task", "Lane", "Baseline", "Green", "Metric", "Median", "IQR", "Variance")
    sides: tuple[Align, ...] = (*("left",) * 3, "right", "left", *("right",) * 2, "left")
    return Table("Cells", head, tuple(_cell_rows(latest)), sides)


def _cell_rows(latest: Data) -> Iterator[tuple[str, ...]]:
    for cell in latest["cells"]:
        green = f"{cell['green']:,} of {cell['scored']:,}"
        for name in CELL_METRICS:
            found = cell["metrics"][name]
            yield (
                *(
                    cell["task"],
                    _lane(cell),
                    cell["baseline"],
                    green,
                    name,
                    _number(found["median"]),
                ),
                *(display(found["iqr"]), found["variance"] or MISSING),
            )


def _number(value: Any) -> str:
    return str(value["cannotTell"]) if isinstance(value, Mapping) else display(value)


def _course(records: Sequence[Data]) -> Table:
    """Return the composites of each record, the latest first."""
    head = ("Report", "Lane", "Preset", "Composite", "Interval", "Rank", "Runs")
    sides: tuple[Align, ...] = (*("left",) * 3, *("right",) * 4)
    rows = (row for each in reversed(records) for row in _course_rows(each))
    return Table("Records", head, tuple(rows), sides)


def _course_rows(kept: Data) -> Iterator[tuple[str, ...]]:
    preset = kept["scores"]["preset"]
    lanes = kept["scores"].get("lanes", ())
    if not lanes:
        yield kept["report"], MISSING, preset, MISSING, MISSING, MISSING, MISSING
    for lane in lanes:
        name = ", ".join(filter(None, (lane["lane"], lane["context"])))
        found, rank = lane["interval"], lane["rank"]
        between = found.get("cannotTell") or f"{display(found['low'])} to {display(found['high'])}"
        places = f"{rank[0]}" if rank[0] == rank[1] else f"{rank[0]} to {rank[1]}"
        value, runs = _number(lane["composite"]), f"{lane['runs']:,}"
        yield kept["report"], name, preset, value, between, places, runs
