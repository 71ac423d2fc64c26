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

    `confirmed`: they find it worse too. `unconfirmed`: there are none, or they cannot tell; the
    alarm stands. `not confirmed`: they could have told and do not.
    """

    state: State
    reason: str
    finding: Finding | None = None


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
    return Confirmation(
        _state(verdict), f"fresh repeats: {verdict.word}: {verdict.reason}", finding
    )


def _state(verdict: Verdict) -> State:
    if verdict.kind == "worse":
        return "confirmed"
    return "unconfirmed" if verdict.kind in {"cannot tell", "none"} else "not confirmed"


def _twin(side: Side, fresh: Sequence[Side]) -> Side | None:
    """Return the fresh rows of the same release under the same fields."""
    for each in fresh:
        same = (each.value, each.kin) == (side.value, side.kin)
        if same and not sides.differ(each.context, side.context):
            return each
    return None
