"""A judge in words and tables: its label, its pairs, its order bias, its failures, its check."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from benchdata.comparisons import wording
from benchdata.errors import counted
from benchdata.leaderboards.boards import Board
from benchdata.leaderboards.judge_accounts import Asked
from benchdata.leaderboards.judged import Judge
from benchdata.leaderboards.order_bias import OrderBias
from benchdata.leaderboards.preferences import Pair, Preference
from benchdata.leaderboards.profiles import Dimension
from benchdata.numbers import MISSING, display, p_text
from benchdata.reports import leaderboard_tables
from benchdata.reports.comparison_formats import interval_cell, own_text
from benchdata.reports.model_names import model_name
from benchdata.reports.tables import Align, Column, Table, of_columns
from benchdata.stats.results import CannotTell, Interval


def first_lines(boards: Sequence[Board], judges: Sequence[Judge]) -> tuple[str, ...]:
    """Return what each arm adds, how it was scored, and what pairs say, a sentence each."""
    return (
        *(line for board in boards for line in leaderboard_tables.first_lines(board)),
        *(line for judge in judges for line in _judge_lines(judge)),
        *(line for board in boards for line in _preferred_lines(board)),
    )


def named_once(boards: Iterable[Board], judges: Sequence[Judge]) -> tuple[Board, ...]:
    """Return boards without the name of their judge where there is but one."""
    return tuple(replace(board, judge="") if len(judges) == 1 else board for board in boards)


def label(judge: Judge) -> str:
    """Return `Scored blind by an AI judge (Claude Opus 5), 0-3 rubric`."""
    low, high = judge.claim.bounds
    return f"Scored blind by an AI judge ({named(judge)}), {low:g}-{high:g} rubric"


def named(judge: Judge) -> str:
    """Return the name of a judge's model, whose id is the first pin of an instrument."""
    return model_name(str(next(iter(judge.pins.values()))))


def _judge_lines(judge: Judge) -> Iterator[str]:
    """Yield how a judge scored, and what has a score that it did not give."""
    yield f"{label(judge)}."
    if judge.unshown:
        these, low = counted(judge.unshown, "artefact"), judge.claim.bounds[0]
        count = "count" if judge.unshown > 1 else "counts"
        yield f"{these} could not be rendered and {count} as Q {low:g}."


def _preferred_lines(board: Board) -> Iterator[str]:
    """Yield what a judge prefers in both orders, a line for every two arms that it saw."""
    for each in board.preferences:
        yield (
            f"In pairs seen in both orders, {each.treatment} won {each.better:,}, lost"
            f" {each.worse:,} and tied {counted(each.tied, 'task')} against {each.baseline}"
            f" (sign test p {leaderboard_tables.sign_test(each)});"
            f" {_apart(each)}."
        )


def _apart(each: Preference) -> str:
    single = f", {counted(each.single, 'pair')} in one order only" if each.single else ""
    if not each.conflicts:
        return f"no orders in conflict{single}"
    return f"orders in conflict in {counted(each.conflicts, 'pair')}{single}"


def dimensions(found: Sequence[Dimension]) -> Table:
    """Return a line for each dimension and arm: both means and their difference, no verdict."""
    arms = {(one.treatment.label, one.baseline.label) for one in found}
    named: list[Column[Dimension]] = [
        ("Arm", "left", lambda one: one.treatment.label),
        ("Against", "left", lambda one: one.baseline.label),
    ]
    places: list[Column[Dimension]] = [("Context", "left", lambda one: one.context)]
    columns: list[Column[Dimension]] = [
        *(places if len({one.context for one in found}) > 1 else []),
        ("Dimension", "left", lambda one: one.name),
        *(named if len(arms) > 1 else []),
        ("Baseline", "right", lambda one: own_text(one.baseline)),
        ("With it", "right", lambda one: own_text(one.treatment)),
        ("Difference", "right", lambda one: wording.estimate(one.finding)),
        ("Interval", "right", lambda one: interval_cell(one.finding)),
        ("p, raw", "right", lambda one: p_text(one.finding.p)),
    ]
    about = "".join(f" of {arm} against {base}" for arm, base in arms) if len(arms) == 1 else ""
    return of_columns(f"Dimensions{about} (exploratory: no verdict)", columns, found)


def pairs(judged: Iterable[Pair]) -> Table:
    """Return a line a task: its pairs, and those whose orders agree, do not, or are not both."""
    tasks: dict[str, list[Pair]] = defaultdict(list)
    for pair in judged:
        tasks[pair.task].append(pair)
    rows = tuple(
        (
            task,
            f"{len(held):,}",
            f"{sum(not (pair.conflict or pair.single) for pair in held):,}",
            f"{sum(pair.conflict for pair in held):,}",
            f"{sum(pair.single for pair in held):,}",
        )
        for task, held in sorted(tasks.items())
    )
    head = ("Task", "Pairs", "Orders agree", "In conflict", "In one order")
    return Table("Pairs by task", head, rows, ("left", *("right",) * 4))


def bias_line(bias: OrderBias) -> str:
    """Return what the order did, in one sentence."""
    if isinstance(bias.share, CannotTell):
        return "No pair was judged in both orders, so no order bias can be told."
    share = f"{bias.first:,} of {bias.decided:,} decided verdicts ({display(100 * bias.share)}%)"
    if not bias.turned:
        return f"What was shown first won {share}; the order turned none of {bias.pairs:,} pairs."
    return (
        f"What was shown first won {share}. The order turned"
        f" {bias.turned:,} of {counted(bias.pairs, 'pair')}, {bias.to_first:,} of them to what was"
        f" shown first ({_exact(bias)}; sign test p {p_text(bias.test.exact_p)}, raw)."
    )


def _exact(bias: OrderBias) -> str:
    found = bias.interval
    if not isinstance(found, Interval):
        return found.reason
    return f"{display(100 * bias.to_first / bias.turned)}%, exact interval {_percent(found)}"


def _percent(found: Interval) -> str:
    low, high = (display(100 * (end or 0.0)) for end in (found.low, found.high))
    return f"{low}% to {high}%"


def asked(found: Sequence[Asked]) -> Table:
    """Return a line for each kind of question: how they ended, what was never judged, the cost."""
    outcomes = sorted(
        {name for one in found for name in one.ended}, key=lambda n: (n != "judged", n)
    )
    columns: list[Column[Asked]] = [
        ("Kind", "left", lambda one: one.kind),
        ("Questions", "right", lambda one: f"{one.rows:,}"),
        *((name.replace("_", " ").capitalize(), "right", _ended(name)) for name in outcomes),
        ("Asked about", "right", lambda one: f"{one.things:,}"),
        ("Never judged", "right", lambda one: f"{one.unjudged:,}"),
        ("Cost USD", "right", _cost),
    ]
    return of_columns("What the judge was asked", columns, found)


def _ended(name: str) -> Callable[[Asked], str]:
    return lambda one: f"{one.ended.get(name, 0):,}"


def _cost(one: Asked) -> str:
    if not one.priced:
        return MISSING
    rest = one.rows - one.priced
    return f"{display(one.cost_usd)}{f' and {rest:,} unknown' if rest else ''}"


def check(judge: Judge) -> Table:
    """Return a line for each verdict of the latest check: the score, its original's, what holds."""
    rows = tuple(
        (
            one.kind,
            one.task,
            "no verdict" if one.score is None else display(one.score),
            MISSING if one.original is None else display(one.original),
            one.artefact[:12],
            one.fault or (MISSING if one.score is None else "holds"),
        )
        for one in judge.check
    )
    head = ("Kind", "Task", "Score", "Original", "Artefact", "Holds")
    sides: tuple[Align, ...] = ("left", "left", "right", "right", "left", "left")
    caption = f"Instrument check, recomputed ({judge.tally})" if judge.check else "Instrument check"
    return Table(caption, head, rows or ((MISSING,) * 6,), sides)
