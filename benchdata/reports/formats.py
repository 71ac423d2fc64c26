"""A summary as Markdown, JSON or CSV: the same numbers, three ways to print them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from benchdata.comparisons.definitions import FAILURE_RATE, NEAREST_RANK
from benchdata.contracts import Contract
from benchdata.contracts.columns import Kind, column_name
from benchdata.contracts.fields import instant_text
from benchdata.contracts.meaning import Metric, Pin
from benchdata.errors import ContractError, counted
from benchdata.leaderboards.boards import Board
from benchdata.numbers import MISSING, display
from benchdata.reports import leaderboard_data
from benchdata.reports.data import csv_text, json_text
from benchdata.reports.leaderboard_data import board_data
from benchdata.reports.leaderboard_tables import board_tables, explanations, first_lines
from benchdata.reports.notices import FOOTER, PROOF
from benchdata.reports.summary import Group, Percentiles, Summary
from benchdata.reports.tables import Align, Column, Table, escaped, markdown_text, of_columns
from benchdata.stats.results import CannotTell

MAXIMUM = "†"


def as_json(summary: Summary) -> str:
    """Return the summary as indented JSON; the keys are those that existing readers know."""
    return json_text(document(summary))


def document(summary: Summary) -> dict[str, Any]:
    """Return the object form of a summary."""
    boards = {"leaderboards": [board_data(board) for board in summary.boards]}
    return {
        "schemaVersion": 1,
        "contract": summary.contract.name,
        "minimumRuns": summary.gate.minimum,
        "rowCount": summary.rows,
        "rowsSetAside": summary.set_aside,
        "publicationReady": summary.gate.ready,
        "reasons": list(summary.gate.reasons),
        "groups": [_group(group) for group in summary.groups],
        **(boards if summary.boards else {}),
    }


def _group(group: Group) -> dict[str, Any]:
    return {
        "id": group.id,
        **group.fields,
        "runs": group.runs,
        "publicationStatus": group.gate.status,
        "publicationReasons": [*group.gate.reasons, *group.gate.notes],
        "startedAt": instant(group.started),
        "endedAt": instant(group.ended),
        "outcomes": dict(group.outcomes),
        "unscored": group.unscored,
        "failureRatePercent": group.failure_rate_percent,
        "stopReasons": dict(group.reasons),
        "metrics": {
            camel(name): {"n": metric.n, "p50": metric.p50, "p95": metric.p95}
            for name, metric in group.metrics.items()
        },
    }


def as_csv(summary: Summary) -> str:
    """Return the summary as CSV: one line an arm on a leaderboard, else one a group and metric."""
    if summary.boards:
        return leaderboard_data.as_csv(summary.boards)
    fields = [column_name(path) for path in summary.contract.group]
    outcomes = [*("success", "partial", "failed"), "unscored", "failure_rate_percent"]
    head = ["group", *fields, "status", "runs", *outcomes, "metric", "unit", "n", "p50", "p95"]
    return csv_text(head, _rows(summary))


def _rows(summary: Summary) -> Iterator[list[Any]]:
    for group in summary.groups:
        head = [group.id, *(group.fields.get(path) for path in summary.contract.group)]
        ends = [*group.outcomes.values(), group.unscored, group.failure_rate_percent]
        for metric in summary.contract.metrics:
            value = group.metrics[metric.name]
            tail = [metric.name, metric.unit, value.n, value.p50, value.p95]
            yield [*head, group.gate.status, group.runs, *ends, *tail]


def as_markdown(summary: Summary) -> str:
    """Return the summary as a Markdown document with a final newline."""
    return "\n\n".join(_blocks(summary)) + "\n"


def _blocks(summary: Summary) -> Iterator[str]:
    contract, gate = summary.contract, summary.gate
    yield f"# {contract.name} summary"
    yield from _boards(summary.boards)
    yield f"Publication gate: {gate.verdict if contract.gate else 'none is declared'}"
    size = f"{counted(summary.rows, 'row')} in {counted(len(summary.groups), 'group')}"
    needs = f"; publication needs at least {counted(gate.minimum, 'distinct row')} a group"
    yield f"{size}{needs if contract.gate else ''}. Every outcome is counted; none is dropped."
    yield explained(contract)
    if remarks := [*gate.reasons, *gate.notes, *_notes(summary)]:
        yield "\n".join(f"- {remark}" for remark in remarks)
    yield "## Results"
    yield results(summary).markdown()
    if any(value.p95_is_maximum for group in summary.groups for value in group.metrics.values()):
        yield f"{MAXIMUM} The p95 of fewer than 20 values is their maximum."
    yield "## Environment"
    yield environment(summary).markdown()
    yield "## Non-success outcomes"
    yield reasons(summary).markdown()
    if summary.boards:
        yield FOOTER


def explained(contract: Contract) -> str:
    """Return what a reader must know of the numbers of groups."""
    return " ".join(filter(None, (NEAREST_RANK, FAILURE_RATE, contract.remark)))


def _boards(boards: Sequence[Board]) -> Iterator[str]:
    """Yield the leaderboards, each with its tasks and exclusions; nothing without arms."""
    if not boards:
        return
    if any(board.synthetic for board in boards):
        yield f"**{PROOF}**"
    yield "\n".join(f"- {escaped(line)}" for b in boards for line in first_lines(b))
    yield from map(escaped, explanations(boards))
    for board in boards:
        for table in board_tables(board):
            yield f"## {markdown_text(table.caption)}"
            yield table.markdown()


def _notes(summary: Summary) -> Iterator[str]:
    for group in summary.groups:
        yield from (f"{group.id}: {markdown_text(note)}" for note in group.gate.notes)


Cell = Callable[[Group], str]
Columns = list[Column[Group]]


def results(summary: Summary) -> Table:
    """Return a line a group: which it is, how its rows ended, each metric."""
    columns: Columns = [("Group", "left", lambda group: group.id)]
    columns += _fields(summary.contract, summary.contract.shown)
    columns.append(("Runs", "right", lambda group: str(group.runs)))
    if any(group.unscored for group in summary.groups):
        columns.append(("Not scored", "right", lambda group: str(group.unscored)))
    columns += [
        (
            "Success / partial / failed",
            "right",
            lambda g: " / ".join(map(str, g.outcomes.values())),
        ),
        (
            "Failure rate",
            "right",
            failure_rate,
        ),
    ]
    columns += [
        (f"{metric.heading} (p50 / p95)", "right", _pair(metric))
        for metric in summary.contract.metrics
    ]
    return of_columns("Results", columns, summary.groups)


def environment(summary: Summary) -> Table:
    """Return a line a group: its pins, its dates, its state."""
    contract = summary.contract
    rest = [path for path in contract.group if path not in contract.shown]
    columns: Columns = [("Group", "left", lambda group: group.id)]
    if contract.pins:
        columns += [
            (pin.title, "right" if pin.right else "left", _pin(pin)) for pin in contract.pins
        ]
    else:
        columns += _fields(contract, rest)
    if any(group.started or group.ended for group in summary.groups):
        columns.append(("Date window (UTC)", "left", _window))
    if contract.gate:
        columns.append(("Status", "left", lambda group: group.gate.status))
    return of_columns("Environment", columns, summary.groups)


def gate_reasons(summary: Summary) -> Table:
    """Return a line a group: its state, and each reason why it may not be published."""
    contract = summary.contract
    columns: Columns = [
        ("Group", "left", lambda group: group.id),
        *_fields(contract, contract.shown),
        ("Status", "left", lambda group: group.gate.status),
        ("Why not", "left", lambda group: "; ".join(group.gate.reasons) or MISSING),
    ]
    return of_columns(f"Gate: {contract.name}", columns, summary.groups)


def _window(group: Group) -> str:
    """Return the earliest start and the latest end, one alone where rows tell only that."""
    return " – ".join(filter(None, (instant(group.started), instant(group.ended)))) or MISSING


def reasons(summary: Summary) -> Table:
    """Return a line a group and reason of the rows that are no success."""
    rows = tuple(
        (group.id, reason, str(count))
        for group in summary.groups
        for reason, count in group.reasons.items()
    )
    head = ("Group", title(summary.contract.outcome.reason or "reason"), "Count")
    return Table(
        "Non-success outcomes", head, rows or ((MISSING, "none", "0"),), ("left", "left", "right")
    )


def _fields(contract: Contract, paths: Sequence[str]) -> Columns:
    """Return the columns of group fields, numbers to the right."""
    return [(title(path), _side(contract.kinds[path]), _field(path)) for path in paths]


def _side(kind: Kind) -> Align:
    return "right" if kind in {"integer", "number"} else "left"


def _field(path: str) -> Cell:
    return lambda group: MISSING if (value := group.fields.get(path)) is None else str(value)


def _pin(pin: Pin) -> Cell:
    return lambda group: pin.of(group.fields)


def _pair(metric: Metric) -> Cell:
    return lambda group: pair(group.metrics[metric.name])


def failure_rate(group: Group) -> str:
    """Return the failure rate with its interval, a dash without scored rows."""
    rate = f"{group.failure_rate_percent:.1f}%"
    return f"{rate} ({failure_range(group)})" if group.scored else MISSING


def failure_range(group: Group) -> str:
    """Return the interval of the failure rate in percent, or why there is none."""
    found = group.failure_interval
    if isinstance(found, CannotTell):
        return found.reason
    return f"{100 * (found.low or 0):.1f}% to {100 * (found.high or 0):.1f}%"


def pair(value: Percentiles) -> str:
    """Return `p50 / p95`, marked where the p95 is the maximum."""
    if not value.n:
        return MISSING
    mark = MAXIMUM if value.p95_is_maximum else ""
    return f"{display(value.p50)} / {display(value.p95)}{mark}"


def instant(time: datetime | None) -> str | None:
    """Return a time in the normal form of rows."""
    return instant_text(time) if time else None


def camel(name: str) -> str:
    """Return `socaiBrowser` for `socai_browser`."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def title(path: str) -> str:
    """Return a field's path as a heading."""
    return path.replace(".", " ").replace("_", " ").capitalize()


FORMATS: Mapping[str, Callable[[Summary], str]] = {
    "md": as_markdown,
    "json": as_json,
    "csv": as_csv,
}


def printed(summaries: Sequence[Summary], form: str) -> str:
    """Return the summaries of a dataset, one a contract, in one of the `FORMATS`.

    Raises:
        ContractError: CSV is one table, and there are several.
    """
    return FORMATS[form](summaries[0]) if len(summaries) == 1 else SEVERAL[form](summaries)


def _json_array(summaries: Sequence[Summary]) -> str:
    return json_text([document(summary) for summary in summaries])


def _only_csv(summaries: Sequence[Summary]) -> str:
    """Return the one table there is: that of the arms, when a judge's rows are beside them."""
    tables = [summary for summary in summaries if summary.boards]
    if len(tables) != 1:
        names = " and ".join(summary.contract.name for summary in summaries)
        raise ContractError(f"CSV is one table, and there are rows of {names}: open one at a time")
    return as_csv(tables[0])


SEVERAL: Mapping[str, Callable[[Sequence[Summary]], str]] = {
    "md": lambda summaries: "\n".join(map(as_markdown, summaries)),
    "json": _json_array,
    "csv": _only_csv,
}
