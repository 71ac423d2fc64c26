"""What many installations say together: each counts once for a skill, with its latest result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchdata.contracts.rules import Expression
from benchdata.contracts.shared_result import SHARED_RESULT
from benchdata.stats import intervals, samples
from benchdata.stats.results import CannotTell, Interval, interval

LOCAL = "local"
MANY_SKILLS = CannotTell("`local` is the word of many different skills")


class Latest(NamedTuple):
    """What an installation said last of a skill."""

    score: float
    runs: int


class Context(NamedTuple):
    """What results must share to stand beside each other: the contract's group."""

    category: str
    agent: str
    model: str
    internal: bool


Latests = Mapping[Context, Mapping[str, Sequence[Latest]]]
"""By context and skill, one result of every installation."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One skill: `mean` is that of its installations' scores, from 0 to 1, each counted once.

    `runs` are those behind it. A skill that is not `ranked` is counted and nothing more.
    """

    skill: str
    ranked: bool
    installations: int
    runs: int
    mean: float | CannotTell
    interval: Interval | CannotTell


@dataclass(frozen=True, slots=True)
class Board:
    """The skills of one context, the best mean first; `proof` says that no model ran."""

    context: Context
    proof: bool
    standings: tuple[Standing, ...]


class Tally:
    """Every accepted row so far, as what each installation said last; `results` counts the rows."""

    def __init__(self) -> None:
        self.results = 0
        self._latest: dict[Context, dict[str, dict[str, Latest]]] = defaultdict(
            lambda: defaultdict(dict)
        )

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row, which is later than all that were added before."""
        self.results += 1
        context = Context(*(row[name] for name in SHARED_RESULT.group))
        for skill, latest in _skills(row).items():
            self._latest[context][skill][row["install_id"]] = latest

    def latests(self) -> Latests:
        """Return all that was said last, as it is now: later rows do not change it."""
        return {
            context: {skill: tuple(said.values()) for skill, said in skills.items()}
            for context, skills in self._latest.items()
        }


def _skills(row: Mapping[str, Any]) -> dict[str, Latest]:
    """Return what a row says of each skill: of one named twice the last, of `local` all runs."""
    found: dict[str, Latest] = {}
    for each in row["skills"]:
        skill = each["skill"]
        before = found[skill].runs if skill == LOCAL and skill in found else 0
        found[skill] = Latest(each["score"], each["runs"] + before)
    return found


def boards(latests: Latests) -> tuple[Board, ...]:
    """Return the boards by context; those of pipeline proofs, then the internal ones, come last."""
    found = (_board(context, skills) for context, skills in latests.items())
    return tuple(sorted(found, key=lambda one: (one.context.internal, one.proof, one.context)))


def _board(context: Context, skills: Mapping[str, Sequence[Latest]]) -> Board:
    standings = (_standing(skill, said) for skill, said in skills.items())
    proof = Expression(SHARED_RESULT.synthetic).of(context._asdict())
    return Board(context, bool(proof), tuple(sorted(standings, key=_order)))


def _standing(skill: str, said: Sequence[Latest]) -> Standing:
    scores = [each.score for each in said]
    ranked = skill != LOCAL
    return Standing(
        skill=skill,
        ranked=ranked,
        installations=len(said),
        runs=sum(each.runs for each in said),
        mean=samples.mean(samples.sample(scores)) if ranked else MANY_SKILLS,
        interval=_interval(scores) if ranked else MANY_SKILLS,
    )


def _interval(scores: Sequence[float]) -> Interval | CannotTell:
    """Return Student's interval over installations, within what a score can be."""
    if len(scores) < 2:
        return CannotTell("fewer than 2 installations")
    found = intervals.t(scores)
    if isinstance(found, CannotTell) or found.low is None or found.high is None:
        return found
    return interval(max(found.low, 0.0), min(found.high, 1.0), found.level, found.method)


def _order(standing: Standing) -> tuple[bool, float, str]:
    mean = standing.mean
    return not standing.ranked, 0.0 if isinstance(mean, CannotTell) else -mean, standing.skill
