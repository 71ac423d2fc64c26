"""What came of all that a judge was asked: verdicts and failures by kind, and what they cost."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchdata.contracts import Contract
from benchdata.contracts.gate import Judging
from benchdata.contracts.usage import COST

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of one kind.

    `rows` are all, each attempt one, `ended` how many by outcome; none is dropped. `things` are the
    artefacts, or pairs in one order, that the questions were about, `unjudged` those that no
    attempt gave a verdict on; an artefact that could not be shown needs none. `cost_usd` is the sum
    over the `priced` rows, those that tell it.
    """

    kind: str
    rows: int
    ended: Mapping[str, int]
    things: int
    unjudged: int
    cost_usd: float
    priced: int


def asked_fields(judge: Contract) -> tuple[str, ...]:
    """Return the fields beside those of the judging that `asked` reads."""
    return tuple(filter(None, (judge.outcome.reason, _cost(judge))))


def asked(lines: Sequence[Line], judging: Judging, judge: Contract) -> tuple[Asked, ...]:
    """Return the questions that made the rows of one instrument, by kind, those of runs first.

    What a check asks of an original is a kind of its own, for it says nothing of a run.
    """
    by_kind: dict[str, list[Line]] = defaultdict(list)
    original = f"{judging.single} (check)"
    for line in lines:
        kind = line[judging.kind]
        again = kind == judging.single and line[judging.check] is not None
        by_kind[original if again else kind].append(line)
    kinds = (judging.single, judging.pair, original, judging.copy, judging.blank, judging.bare)
    return tuple(_asked(kind, by_kind[kind], judging, judge) for kind in kinds if by_kind[kind])


def _asked(kind: str, lines: Sequence[Line], judging: Judging, judge: Contract) -> Asked:
    cost, reason = _cost(judge), judge.outcome.reason or "row_result"
    costs = [line[cost] for line in lines if cost and line[cost] is not None]
    judged = {_thing(line, judging) for line in lines if line["row_result"] == "success"}
    last = {_thing(line, judging): line for line in lines}
    judged |= {thing for thing, line in last.items() if judging.not_shown(line)}
    ended = Counter(str(line[reason]) for line in lines)
    return Asked(
        kind=kind,
        rows=len(lines),
        ended={outcome: ended[outcome] for outcome in sorted(ended)},
        things=len(last),
        unjudged=len(last.keys() - judged),
        cost_usd=math.fsum(costs),
        priced=len(costs),
    )


def _thing(line: Line, judging: Judging) -> tuple[str | None, ...]:
    """Return what a question was about; a pair in its other order is another question."""
    one, two = line[judging.run], line[judging.other_run]
    if two is None:
        return (one, line[judging.artefact])
    return (one, two) if line[judging.order] == judging.first else (two, one)


def _cost(judge: Contract) -> str | None:
    return next((metric.path for metric in judge.metrics if metric.name == COST.name), None)
