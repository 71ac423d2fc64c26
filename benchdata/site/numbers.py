"""The headline numbers of a report, from the summary beside its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from benchdata.contracts.gate import NO_RESULT, READY
from benchdata.errors import ReportError
from benchdata.reports.notices import SYNTHETIC

Count = Annotated[int, Field(ge=0)]


class _Read(BaseModel):
    """What is read of a summary; the rest of it is somebody else's."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, strict=True, extra="allow"
    )


class _Outcomes(_Read):
    success: Count
    partial: Count
    failed: Count


class _Group(_Read):
    """One group; what is not named here are the fields that tell it from others."""

    id: str
    started_at: str | None
    ended_at: str | None
    runs: Count
    outcomes: _Outcomes
    publication_status: str


class _Entry(_Read):
    arm: str
    best_rank: Count


class _Board(_Read):
    entries: list[_Entry]


class _Summary(_Read):
    contract: str
    row_count: Count
    publication_ready: bool
    groups: list[_Group]
    leaderboards: list[_Board] = []


SUMMARIES = TypeAdapter(list[_Summary])


@dataclass(frozen=True, slots=True)
class Numbers:
    """How the rows that a report is about ended, and how many of its groups may be published.

    They are of `contract`. `rows` are all, those of a judge too; some are known to be `synthetic`.
    `leaders` are the arms that may be the best, a board each. `words` are what its groups and arms
    are called, for a search.
    """

    contract: str
    rows: int
    publishable: bool
    synthetic: bool
    success: int
    partial: int
    failed: int
    ready: int
    groups: int
    leaders: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]

    @property
    def scored(self) -> int:
        """Return the number of scored rows."""
        return self.success + self.partial + self.failed


def numbers(document: Any) -> Numbers:
    """Return the headline numbers of a summary's JSON, or raise ReportError.

    Of several contracts the first is the one that the report is about.
    """
    several = document if isinstance(document, list) else [document]
    try:
        summaries = SUMMARIES.validate_python(several)
    except ValidationError as error:
        raise ReportError(first_fault(error, start=1)) from None
    if not summaries:
        raise ReportError("holds no summary")
    groups = summaries[0].groups
    results = [group for group in groups if group.publication_status != NO_RESULT]
    return Numbers(
        contract=summaries[0].contract,
        rows=sum(each.row_count for each in summaries),
        publishable=all(each.publication_ready for each in summaries),
        synthetic=any(
            group.publication_status.startswith(SYNTHETIC)
            for each in summaries
            for group in each.groups
        ),
        success=sum(group.outcomes.success for group in groups),
        partial=sum(group.outcomes.partial for group in groups),
        failed=sum(group.outcomes.failed for group in groups),
        ready=sum(group.publication_status == READY for group in results),
        groups=len(results),
        leaders=tuple(_leaders(board) for each in summaries for board in each.leaderboards),
        words=tuple(sorted({word for each in summaries for word in _words(each)})),
    )


def first_fault(error: ValidationError, start: int = 0) -> str:
    """Return the first thing that is wrong with a value and where: `rowCount: field required`.

    The names of the place begin with the one at `start`.
    """
    first = error.errors(include_input=False, include_url=False)[0]
    place = ".".join(map(str, first["loc"][start:]))
    return ": ".join(filter(None, (place, first["msg"].lower())))


def _leaders(board: _Board) -> tuple[str, ...]:
    return tuple(entry.arm for entry in board.entries if entry.best_rank == 1)


def _words(summary: _Summary) -> Iterator[str]:
    """Yield the values that tell groups apart, such as models and platforms, and all arms."""
    for group in summary.groups:
        yield from (str(value) for value in (group.model_extra or {}).values() if _is_word(value))
    for board in summary.leaderboards:
        yield from (entry.arm for entry in board.entries)


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value)
