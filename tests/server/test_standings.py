"""What many installations say together, against cases that were worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pytest

from benchdata.server.standings import MANY_SKILLS, Board, Context, Standing, Tally, boards
from benchdata.stats.results import CannotTell, Interval
from tests.support.shared_result import numbered_row

SKILL = "acme/skills@invoice-reader"
OTHER = "acme/skills@other"


def result(number: int, *skills: tuple[str, float, int], **fields: Any) -> dict[str, Any]:
    """Return what an installation shares of some skills."""
    said = [{"skill": skill, "score": score, "runs": runs} for skill, score, runs in skills]
    return numbered_row(number, skills=said, **fields)


def of(rows: Iterable[dict[str, Any]]) -> tuple[Board, ...]:
    tally = Tally()
    for row in rows:
        tally.add(row)
    return boards(tally.latests())


def only(rows: Iterable[dict[str, Any]]) -> tuple[Standing, ...]:
    (board,) = of(rows)
    return board.standings


def test_an_installation_counts_once_with_its_latest_result() -> None:
    rows = [
        result(1, (SKILL, 0.1, 50)),
        result(2, (SKILL, 0.5, 10)),
        result(1, (SKILL, 0.9, 20)),
        result(3, (SKILL, 0.7, 30)),
    ]
    (found,) = only(rows)
    assert (found.installations, found.runs) == (3, 60)
    assert found.mean == pytest.approx(0.7)
    # scores 0.9, 0.5, 0.7: s = 0.2, t(2, .975) = 4.302653; 0.7 - 0.4968 and, at most, 1
    assert isinstance(found.interval, Interval)
    assert found.interval.low == pytest.approx(0.7 - 4.302652729911275 * 0.2 / math.sqrt(3))
    assert (found.interval.high, found.interval.level, found.interval.method) == (1.0, 0.95, "t")


def test_the_latest_result_is_that_of_the_skill() -> None:
    rows = [result(1, (SKILL, 0.4, 5), (OTHER, 0.6, 6)), result(1, (OTHER, 0.8, 8))]
    assert [(each.skill, each.mean, each.runs) for each in only(rows)] == [
        (OTHER, 0.8, 8),
        (SKILL, 0.4, 5),
    ]


def test_one_installation_has_a_mean_and_no_interval() -> None:
    (found,) = only([result(1, (SKILL, 0.4, 5))])
    assert found.mean == 0.4
    assert found.interval == CannotTell("fewer than 2 installations")


def test_equal_scores_do_not_tell_their_spread() -> None:
    (found,) = only(result(number, (SKILL, 1.0, 5)) for number in range(4))
    assert found.mean == 1.0
    assert isinstance(found.interval, CannotTell)


def test_the_best_mean_stands_first_and_local_skills_are_counted_and_not_ranked() -> None:
    rows = [
        result(1, ("local", 1.0, 3), (SKILL, 0.2, 1), ("local", 0.0, 4)),
        result(2, ("local", 1.0, 5), (OTHER, 0.3, 1)),
    ]
    found = only(rows)
    assert [each.skill for each in found] == [OTHER, SKILL, "local"]
    assert [each.ranked for each in found] == [True, True, False]
    local = found[2]
    assert (local.installations, local.runs) == (2, 12)
    assert (local.mean, local.interval) == (MANY_SKILLS, MANY_SKILLS)


def test_a_skill_named_twice_in_one_result_is_what_is_said_last() -> None:
    (found,) = only([result(1, (SKILL, 0.2, 3), (SKILL, 0.6, 4))])
    assert (found.mean, found.runs, found.installations) == (0.6, 4, 1)


def test_contexts_are_boards_of_their_own_and_those_of_others_come_first() -> None:
    rows = [
        result(1, (SKILL, 0.1, 1), internal=True),
        result(1, (SKILL, 0.9, 1)),
        result(2, (SKILL, 0.3, 1), internal=True),
        result(1, (SKILL, 0.5, 1), category="other"),
        result(1, (SKILL, 0.6, 1), agent="codex"),
        result(1, (SKILL, 0.7, 1), model="acme/other-1"),
        result(1, (SKILL, 0.8, 1), agent="scripted"),
    ]
    found = of(rows)
    kind, model = "invoice-extraction", "acme/worker-2.1-20260105"
    assert [board.context for board in found] == [
        Context(kind, "claude", "acme/other-1", False),
        Context(kind, "claude", model, False),
        Context(kind, "codex", model, False),
        Context("other", "claude", model, False),
        Context(kind, "scripted", model, False),
        Context(kind, "claude", model, True),
    ]
    assert [board.proof for board in found] == [False, False, False, False, True, False]
    assert [board.standings[0].installations for board in found] == [1, 1, 1, 1, 1, 2]
    assert found[-1].standings[0].mean == pytest.approx(0.2)


def test_what_was_returned_stays_when_more_is_added() -> None:
    tally = Tally()
    tally.add(result(1, (SKILL, 0.2, 3)))
    before = tally.latests()
    tally.add(result(2, (SKILL, 0.4, 3)))
    assert [each.installations for each in boards(before)[0].standings] == [1]
    assert tally.results == 2
