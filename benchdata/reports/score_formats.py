"""Composite scores as Markdown, JSON or CSV: the same numbers, three ways to print them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from benchdata.comparisons.repricing import Repriced
from benchdata.contracts.usage import COST
from benchdata.errors import counted
from benchdata.numbers import display
from benchdata.reports.data import csv_text, interval_data, json_text, number_data
from benchdata.reports.leaderboard_tables import estimate
from benchdata.reports.notices import FOOTER, PROOF
from benchdata.reports.scores import ScoreLine, Scores
from benchdata.reports.tables import Column, markdown_text, of_columns
from benchdata.stats.results import CannotTell, Interval, ends, known

HEAD = (
    *("lane", "context", "preset", "runs", "composite", "low", "high", "rank_best", "rank_worst"),
    *("provisional", "component", "weight", "normalized", "clipped_runs", "runs_without_value"),
)
COSTS = (COST.name, f"{COST.name}_{COST.unit.lower()}")
"""What an axis may call the cost."""


def as_json(scores: Scores) -> str:
    """Return everything as indented JSON, in a fixed order."""
    return json_text({"schemaVersion": 1, **score_data(scores), "remark": FOOTER})


def score_data(scores: Scores) -> dict[str, Any]:
    """Return the lanes under the preset, and where shipped presets disagree, as plain values."""
    preset = scores.preset
    return {
        "contract": scores.contract,
        "preset": preset.name,
        "axes": [
            {"name": a.name, "weight": a.weight, "worst": a.worst, "best": a.best}
            for a in preset.axes
        ],
        "synthetic": scores.synthetic,
        "rowsLeftOut": scores.left_out,
        "prices": _prices(scores.repriced),
        "disagreements": list(scores.disagreements),
        "lanes": [_line(line) for line in scores.lines],
    }


def _prices(repriced: Repriced | None) -> dict[str, Any] | None:
    if repriced is None:
        return None
    return {
        "table": repriced.table,
        "days": {model: day.isoformat() for model, day in repriced.days.items()},
        "runsPricedAgain": len(repriced.costs),
        "modelsWithoutPrice": list(repriced.unpriced),
        "runsOfUnknownTokens": repriced.untold,
    }


def priced(scores: Scores) -> str:
    """Return which cost the composites are made of; "" when the preset weighs none."""
    weighed = any(axis.name in COSTS for axis in scores.preset.axes)
    found = scores.repriced
    if not weighed or found is None:
        return ""
    said = []
    if found.days:
        days = ", ".join(f"{model} of {day.isoformat()}" for model, day in found.days.items())
        said.append(
            f"Cost is that of each run's tokens by the list prices of {found.table}: {days}."
        )
    if found.unpriced:
        models = ", ".join(found.unpriced)
        said.append(
            f"{found.table} has no price of {models}: those runs count with their own cost."
        )
    if found.untold:
        runs = counted(found.untold, "run")
        said.append(f"Not all tokens of {runs} are known: they count with their own cost.")
    return " ".join(said) or "No run tells of its tokens: all count with their own cost."


def _line(line: ScoreLine) -> dict[str, Any]:
    scored = line.scored
    return {
        "lane": scored.arm.label,
        "context": scored.context,
        "runs": scored.runs,
        "runsWithoutScore": dict(scored.without),
        "tasks": len(scored.arm.tasks),
        "composite": number_data(line.summary.estimate),
        "interval": interval_data(line.summary.interval),
        "rank": [line.rank.best, line.rank.worst],
        "provisional": scored.provisional,
        "components": [
            {
                "name": part.name,
                "weight": part.weight,
                "normalized": part.normalized,
                "clippedRuns": part.clipped,
                "runsWithoutValue": part.lost,
            }
            for part in scored.components
        ],
        "otherPresets": {name: number_data(value) for name, value in line.beside.items()},
    }


def as_csv(scores: Scores) -> str:
    """Return the scores as CSV: one line a lane and component."""
    return csv_text(HEAD, _rows(scores))


def _rows(scores: Scores) -> Iterator[list[Any]]:
    for line in scores.lines:
        scored, value = line.scored, known(line.summary.estimate)
        bounds = ends(line.summary.interval)
        head = [scored.arm.label, scored.context, scores.preset.name, scored.runs, value, *bounds]
        rank = [line.rank.best, line.rank.worst, str(scored.provisional).lower()]
        for part in scored.components:
            tail = [part.name, part.weight, part.normalized, part.clipped, part.lost]
            yield [*head, *rank, *tail]


def as_markdown(scores: Scores) -> str:
    """Return the scores as a Markdown document with a final newline."""
    return "\n\n".join(_blocks(scores)) + "\n"


def _blocks(scores: Scores) -> Iterator[str]:
    yield f"# {scores.contract} composite under {markdown_text(scores.preset.name)}"
    if scores.synthetic:
        yield f"**{PROOF}**"
    if scores.disagreements:
        yield "\n".join(f"- {markdown_text(words)}" for words in scores.disagreements)
    yield "\n".join(f"- {markdown_text(_sentence(line))}" for line in scores.lines)
    yield "## Composites"
    yield of_columns("Composites", _columns(scores), scores.lines).markdown()
    yield _scale(scores)
    if scores.left_out:
        rows = counted(scores.left_out, "row")
        yield f"{rows} left out: of a kind that is no result, or of lanes without any score."
    if sentence := priced(scores):
        yield markdown_text(sentence)
    yield FOOTER


def _sentence(line: ScoreLine) -> str:
    """Return a lane's composite with n, interval and rank range, and what is amiss with it."""
    scored = line.scored
    where = f" ({scored.context})" if scored.context else ""
    tasks = counted(len(scored.arm.tasks), "task")
    said = [
        f"{scored.arm.label}{where}: {_with_interval(line)}",
        f"{counted(scored.runs, 'run')} of {tasks}",
        f"rank {line.rank}",
    ]
    if lost := [part for part in scored.components if part.lost]:
        each = ", ".join(f"{part.name} in {counted(part.lost, 'run')}" for part in lost)
        said.append(f"provisional, without {each}")
    if clipped := [part for part in scored.components if part.clipped]:
        each = ", ".join(f"{part.name} in {counted(part.clipped, 'run')}" for part in clipped)
        said.append(f"clipped: {each}")
    for reason, count in scored.without.items():
        said.append(f"{counted(count, 'run')} not scored: {reason}")
    return "; ".join(said)


def _with_interval(line: ScoreLine) -> str:
    return f"{estimate(line.summary.estimate)} ({_interval(line.summary.interval)})"


def _scale(scores: Scores) -> str:
    anchors = ", ".join(
        f"{axis.name} {display(axis.worst)} to {display(axis.best)}" for axis in scores.preset.axes
    )
    return (
        "Every component is the mean over tasks of where a run lies from the worst anchor (0) to"
        f" the best (1), clipped to that: {anchors}. Weights are never rescaled. A composite is the"
        " mean over tasks; rank ranges come from all pairs of a context after Holm."
    )


Cell = Callable[[ScoreLine], str]


def _columns(scores: Scores) -> list[Column[ScoreLine]]:
    columns: list[Column[ScoreLine]] = []
    if any(line.scored.context for line in scores.lines):
        columns.append(("Context", "left", lambda line: line.scored.context))
    columns += [
        ("Lane", "left", lambda line: line.scored.arm.label),
        ("Runs", "right", lambda line: f"{line.scored.runs:,}"),
        ("Composite", "right", lambda line: estimate(line.summary.estimate)),
        ("Interval", "right", lambda line: _interval(line.summary.interval)),
        ("Rank", "right", lambda line: str(line.rank)),
    ]
    columns += [
        (f"{axis.name} × {display(axis.weight)}", "right", _component(place))
        for place, axis in enumerate(scores.preset.axes)
    ]
    others = dict.fromkeys(name for line in scores.lines for name in line.beside)
    columns += [(f"Under {name}", "right", _beside(name)) for name in others]
    columns.append(("Provisional", "left", lambda line: "yes" if line.scored.provisional else "no"))
    return columns


def _component(place: int) -> Cell:
    return lambda line: display(line.scored.components[place].normalized)


def _beside(name: str) -> Cell:
    return lambda line: estimate(line.beside[name])


def _interval(found: Interval | CannotTell) -> str:
    if isinstance(found, CannotTell):
        return f"no interval: {found.reason}"
    return f"{display(found.low)} to {display(found.high)}"


FORMATS: Mapping[str, Callable[[Scores], str]] = {
    "md": as_markdown,
    "json": as_json,
    "csv": as_csv,
}
