"""Tables across lanes and models: rank ranges, whether an order holds, answers for a lane."""

from __future__ import annotations

from collections.abc import Sequence

from benchdata.comparisons import medians
from benchdata.numbers import MISSING
from benchdata.reports.baselines import MODEL, ONE_MODEL, Baseline, Order, names
from benchdata.reports.lane_answers import Answer
from benchdata.reports.leaderboard_tables import ends, estimate
from benchdata.reports.report import Prose, Several
from benchdata.reports.scores import Scores
from benchdata.reports.tables import Align, Table, escaped

NO_LANE = "No lane was named: `-p lane=NAME` asks of one whether it is among the first."
ORDER = (
    "An order holds when every pair of lanes is shown better one way under both, each after Holm"
    " over all pairs of its baseline; it does not when a pair is shown one way here and the other"
    " way there. Kendall's tau describes and decides nothing."
)


def ranks(scores: Scores) -> Table:
    """Return the rank range of each lane under each baseline."""
    called = names([each.fields for each in scores.baselines])
    lines = {(line.scored.context, line.scored.arm.label): line for line in scores.lines}
    rows = []
    for baseline, name in zip(scores.baselines, called, strict=True):
        for lane, rank in zip(baseline.lanes, baseline.ranking.ranges, strict=True):
            summary = lines[lane.context, lane.arm.label].summary
            value, bounds = estimate(summary.estimate), ends(summary.interval)
            runs = f"{lane.runs:,}"
            rows.append((name, lane.arm.label, str(rank), value, bounds, runs))
    head = ("Baseline", "Lane", "Rank", "Composite", "Interval", "Runs")
    return Table(
        f"Rank ranges by baseline, composite under {scores.preset.name}",
        head,
        tuple(rows),
        ("left", "left", "right", "right", "right", "right"),
    )


def orders(baselines: Sequence[Baseline], found: Sequence[Order]) -> Several | Prose:
    """Return whether the order of lanes holds under each two models."""
    if len({each.fields[MODEL] for each in baselines}) < 2:
        return Prose(f"Does the order of lanes hold under another model: {ONE_MODEL}.")
    if not found:
        return Prose("No two models were run under the same pins, so no order is compared.")
    called = dict(zip(map(id, baselines), names([e.fields for e in baselines]), strict=True))
    rows = [
        (
            " and ".join(called[id(each)] for each in order.baselines),
            order.word,
            order.statistic,
            ", ".join(order.differing) or MISSING,
        )
        for order in found
    ]
    head = ("Baselines", "Order of lanes", "Statistic", "Differ besides the model in")
    return Several((_texts("Order of lanes across models", head, rows), Prose(ORDER)))


def answers(found: Sequence[Answer]) -> Several | Prose:
    """Return what is asked of the named lane, or how one is named."""
    if not found:
        return Prose(NO_LANE)
    rows = [(each.question, each.lane, each.baseline, each.word, each.numbers) for each in found]
    head = ("Question", "Lane", "Baseline", "Answer", "Numbers")
    table = _texts("Asked of the lane", head, rows)
    return Several((table, Prose(escaped(f"Of medians: {medians.METHOD}."))))


def _texts(caption: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Table:
    sides: list[Align] = ["left"] * len(head)
    return Table(caption, head, tuple(rows), tuple(sides))
