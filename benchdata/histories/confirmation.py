"""Whether fresh repeats of both releases agree that the later one is worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchdata import verdicts
from benchdata.comparisons import sides
from benchdata.comparisons.axes import Axis
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.findings import Finding, compare
from benchdata.comparisons.sides import Side
from benchdata.verdicts import Verdict

State = Literal["confirmed", "unconfirmed", "not confirmed"]


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What fresh repeats say of a release that was found worse.

    `confirmed`: they find it worse too. `unconfirmed`: there are none, or they show it no more than
    they exclude it; the alarm stands. `not confirmed`: they exclude a loss of M or more.
    """

    state: State
    reason: str
    finding: Finding | None = None


UNDECIDED = "fresh repeats do not show it and do not exclude it"
NONE = Confirmation("unconfirmed", "no fresh repeats of both releases were given")


def confirmed(
    base: Side, side: Side, fresh: Sequence[Side], claim: Claim, axis: Axis
) -> Confirmation:
    """Return what the fresh repeats among `fresh` say of `side`, which was worse than `base`."""
    again = [_twin(each, fresh) for each in (base, side)]
    first, second = again
    if first is None or second is None:
        missing = [
            each.arm.label for each, twin in zip((base, side), again, strict=True) if twin is None
        ]
        return Confirmation("unconfirmed", f"no fresh repeats of {' or '.join(missing)}")
    ((finding, verdict),) = verdicts.decided(
        [
            compare(
                first.arm,
                second.arm,
                claim,
                hidden=tuple(sides.hidden(first, second, axis)),
                pins=tuple(sides.pins(first, second, axis)),
            )
        ]
    )
    state = _state(finding, verdict)
    open_still = f"{UNDECIDED}; " if state == "unconfirmed" else ""
    return Confirmation(
        state, f"{open_still}fresh repeats: {verdict.word}: {verdict.reason}", finding
    )


def _state(finding: Finding, verdict: Verdict) -> State:
    if verdict.kind == "worse":
        return "confirmed"
    excluded = verdict.kind in {"within", "better"}
    excluded = excluded or verdicts.no_worse(finding, finding.claim.min_effect)
    return "not confirmed" if excluded else "unconfirmed"


def _twin(side: Side, fresh: Sequence[Side]) -> Side | None:
    """Return the fresh rows of the same release under the same fields."""
    for each in fresh:
        same = (each.value, each.kin) == (side.value, side.kin)
        if same and not sides.differ(each.context, side.context):
            return each
    return None
