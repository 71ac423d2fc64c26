"""What the rows of a contract need before they may be published, and the bars they may be held to.

Every part is optional: a contract names those that apply, and `benchdata.gates` has the one
definition of each rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchdata.contracts.meaning import Design, Metric
from benchdata.errors import ContractError

READY: Final = "READY"
NO_RESULT: Final = "NO RESULT"
"""What a gate calls groups that may be published, and those that never are and keep none waiting.

They stand here and not in `benchdata.gates`, for who reads them in a summary needs no gate.
"""


@dataclass(frozen=True, slots=True)
class ArmNeeds:
    """What every arm of a group needs; the contract's `design` says which they are.

    At least `tasks` tasks with a scored row and `repeats` repeats of each; the arms ran the same
    tasks. Of the planned cells at most the share `unfilled` lacks a scored row, in no arm more than
    in another by Fisher's test, and each that does has a row lost to the infrastructure. `alike`
    are fields with one value in all arms, `by_task` fields with one value in all rows of a task.
    """

    tasks: int
    repeats: int
    unfilled: float = 0.1
    alike: tuple[str, ...] = ()
    by_task: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """The rows for which the expression `rows` holds have their score in rows of contract `by`."""

    by: str
    rows: str


@dataclass(frozen=True, slots=True)
class Judging:
    """How the rows of a judge are read: whose artefact, in which order, and what checks the judge.

    `run` and `artefact` say which execution of contract `of` was judged, and the digest of what it
    left; `other_run` and `other_artefact` the second of a pair, of which the value `first` of
    `order` shows `run` first; of the values of `winner`, `wins` names `run` and `loses` the other,
    any other value is a tie. `kind` tells verdicts of one artefact (`single`) and of two (`pair`)
    from the instrument check: byte-identical `copy`, `blank` page, page stripped `bare`. `pins`
    name the instrument, `check` one check of it. It passes when every copy scores within
    `tolerance` of its original, every blank page `worst`, every bare page less than its original.
    A single artefact whose last row has the `outcome` `unshown` did not load: that is its own
    fault, so it counts as `worst` without a judge.
    """

    of: str
    pins: tuple[str, ...]
    score: str
    tolerance: float
    worst: float = 0.0
    unshown: str | None = None
    outcome: str = "outcome"
    run: str = "run_id"
    other_run: str = "other_run_id"
    artefact: str = "artefact_digest"
    other_artefact: str = "other_artefact_digest"
    order: str = "order"
    first: str = "ab"
    winner: str = "winner"
    wins: str = "a"
    loses: str = "b"
    check: str = "check_id"
    kind: str = "kind"
    single: str = "pointwise"
    pair: str = "pairwise"
    copy: str = "repeat"
    blank: str = "blank"
    bare: str = "stripped"

    def fields(self) -> tuple[str, ...]:
        """Return every field that is named."""
        pair = (self.other_run, self.other_artefact, self.order, self.winner)
        one = (self.score, self.outcome, self.run, self.artefact)
        return (*self.pins, *one, *pair, self.check, self.kind)

    def not_shown(self, row: Mapping[str, Any]) -> bool:
        """Tell whether a row says that a single artefact could not be shown."""
        failed = self.unshown is not None and row[self.outcome] == self.unshown
        return failed and row[self.kind] == self.single


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of its own beside publication, for each arm over fixed `tasks`.

    Each task needs `repeats` scored rows and a median of the metric `metric` of `at_least`; each
    metric of `steady` a nearest-rank p75/p25 of at most 2. `only` are the values that group fields
    must have; other rows are left out. `also` are other ids that rows may have for a task.
    """

    name: str
    tasks: tuple[str, ...]
    repeats: int
    metric: str
    at_least: float
    steady: tuple[str, ...] = ()
    only: Mapping[str, str] = field(default_factory=dict)
    also: Mapping[str, str] = field(default_factory=dict)

    def ids(self, task: str) -> frozenset[str]:
        """Return the ids that rows of a task may have."""
        return frozenset({task, *(other for other, of in self.also.items() if of == task)})


@dataclass(frozen=True, slots=True)
class Gate:
    """What every group needs before it may be published; synthetic rows never pass.

    `rows` scored rows that differ in more than identity, of one of the `versions`. `only` are the
    values that group fields must have. `caps` are group fields that must be equal in groups that
    differ only in what is compared. `arms`, `judged` and `judging` ask more of what they are about.
    """

    rows: int = 1
    versions: frozenset[int] = frozenset({1})
    only: Mapping[str, str] = field(default_factory=dict)
    caps: tuple[str, ...] = ()
    arms: ArmNeeds | None = None
    judged: Judged | None = None
    judging: Judging | None = None
    bars: tuple[Bar, ...] = ()

    def fields(self) -> Iterator[str]:
        """Yield every field that is named outside expressions."""
        yield from (*self.only, *self.caps)
        if self.arms:
            yield from (*self.arms.alike, *self.arms.by_task)
        if self.judging:
            yield from self.judging.fields()
        for bar in self.bars:
            yield from bar.only

    def in_group(self) -> Iterator[str]:
        """Yield the fields that only make sense where a group shares them."""
        yield from (*self.only, *self.caps)
        if self.judging:
            yield from (*self.judging.pins, self.judging.kind)
        for bar in self.bars:
            yield from bar.only

    def metrics(self) -> Iterator[str]:
        """Yield every metric that is named."""
        for bar in self.bars:
            yield from (bar.metric, *bar.steady)


def refuse_gate(
    gate: Gate, group: Sequence[str], metrics: Sequence[Metric], design: Design
) -> None:
    """Raise ContractError for a gate that lets anything through or asks what no row can answer."""
    if gate.rows < 1:
        raise ContractError("a gate of no rows would let anything through: rows must be 1 up")
    if apart := [path for path in gate.in_group() if path not in group]:
        raise ContractError(f"gate names `{apart[0]}`, which is not in group")
    have = {metric.name for metric in metrics}
    if unknown := [name for name in gate.metrics() if name not in have]:
        raise ContractError(f"gate names `{unknown[0]}`, which is no metric")
    if gate.arms and not (design.compared and design.task):
        raise ContractError(
            "a gate of arms needs a design that names what is compared and the task"
        )
