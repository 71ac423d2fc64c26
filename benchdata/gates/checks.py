"""One check of a judge, recomputed: copies score alike, blank pages worst, bare ones lower."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchdata.contracts.gate import Judging
from benchdata.errors import counted

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Checked:
    """One verdict of a check. `original` is what it is held against: a copy's mean, a bare one's.

    `score` is None where the judge gave none; `fault` says why it does not hold, or nothing.
    """

    kind: str
    task: str
    run: str
    artefact: str
    score: float | None
    original: float | None
    fault: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How many checks one instrument had, and how many `failed`: a verdict of theirs is amiss.

    `attempts` is how many runs the latest rests on. A check that was never finished has not failed.
    """

    checks: int
    failed: int
    attempts: int

    def __str__(self) -> str:
        """Return `2 checks, 1 failed; the latest on n = 1 attempt`."""
        failed = f"{self.failed:,} failed" if self.failed else "none failed"
        on = f"n = {counted(self.attempts, 'attempt')}"
        if self.checks == 1:
            return f"1 check, {failed}, on {on}"
        return f"{counted(self.checks, 'check')}, {failed}; the latest on {on}"


def check(lines: Sequence[Line], judging: Judging) -> tuple[str, ...]:
    """Return why the checks among the rows of one instrument do not pass; nothing where they do.

    The latest has to hold whole, and none before it may have failed: of enough checks of a judge
    that draws lots, one passes. `lines` are in order of time.
    """
    said = list(_each(lines, judging))
    if not said:
        return ("no instrument check of the same judge: " + ", ".join(judging.pins),)
    *earlier, latest = said
    by_kind = faults(latest, judging)
    failed = sum(map(_failed, earlier))
    found = [fault for held in by_kind.values() for fault in held]
    if failed:
        found.append(f"{failed} of {counted(len(earlier), 'earlier check')} of this judge failed")
    return tuple(f"instrument check: {fault}" for fault in found)


def tally(lines: Sequence[Line], judging: Judging) -> Tally:
    """Return how many checks lie among the rows of one instrument, in order of time."""
    found = list(_each(lines, judging))
    *_, latest = (), *found
    return Tally(
        checks=len(found),
        failed=sum(map(_failed, found)),
        attempts=len({one.run for one in latest if one.kind == judging.copy}),
    )


def faults(found: Sequence[Checked], judging: Judging) -> Mapping[str, tuple[str, ...]]:
    """Return by kind of row why its condition does not hold; nothing where it does."""
    return {
        kind: tuple(_faults(kind, [one for one in found if one.kind == kind]))
        for kind in _kinds(judging)
    }


def verdicts(lines: Sequence[Line], judging: Judging) -> tuple[Checked, ...]:
    """Return what the latest check among the rows of one instrument said, kind by kind.

    `lines` are in order of time.
    """
    *_, latest = (), *_each(lines, judging)
    return latest


def _each(lines: Sequence[Line], judging: Judging) -> Iterator[tuple[Checked, ...]]:
    """Yield what every check said, in the order of their last rows, kind by kind."""
    originals = _originals(lines, judging)
    for rows in _by_check(lines, judging).values():
        yield tuple(
            _checked(line, originals.get(line[judging.run], {}), judging)
            for kind in _kinds(judging)
            for line in rows
            if line[judging.kind] == kind
        )


def _failed(said: Sequence[Checked]) -> bool:
    return any(one.fault for one in said)


def _kinds(judging: Judging) -> tuple[str, ...]:
    return judging.copy, judging.blank, judging.bare


def _by_check(lines: Sequence[Line], judging: Judging) -> Mapping[str, list[Line]]:
    """Return the rows of every check by its id, the check with the last row last."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        if line[judging.kind] in _kinds(judging):
            rows = found.pop(line[judging.check], [])
            rows.append(line)
            found[line[judging.check]] = rows
    return found


def _faults(kind: str, members: Sequence[Checked]) -> Iterator[str]:
    if not members:
        yield f"no {kind} row"
    about = {(one.run, one.artefact): one.task for one in members}
    for judged in (one for one in members if one.score is not None):
        about.pop((judged.run, judged.artefact), None)
    if about:
        tasks = ", ".join(sorted({task for task in about.values() if task}))
        yield (
            f"{counted(len(about), f'{kind} artefact')} never judged"
            + (f" (of {tasks})" if tasks else "")
        )
    words = [one.fault for one in members if one.fault]
    for fault in dict.fromkeys(words):
        yield f"{counted(words.count(fault), f'{kind} row')} {fault}"


Originals = Mapping[str, float]
"""By digest of a run's artefact, the mean score of what was judged in earnest."""


def _originals(lines: Sequence[Line], judging: Judging) -> Mapping[str, Originals]:
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        if line[judging.kind] == judging.single and line[judging.score] is not None:
            scores[line[judging.run]][line[judging.artefact]].append(line[judging.score])
    return {
        run: {digest: sum(found) / len(found) for digest, found in by_digest.items()}
        for run, by_digest in scores.items()
    }


def _checked(line: Line, judged: Originals, judging: Judging) -> Checked:
    kind, score = line[judging.kind], line[judging.score]
    held = {
        judging.copy: judged.get(line[judging.artefact]),
        judging.bare: min(judged.values(), default=None),
    }
    fault = {judging.copy: _copy, judging.blank: _blank, judging.bare: _bare}[kind]
    return Checked(
        kind=kind,
        task=line["row_task"] or "",
        run=line[judging.run],
        artefact=line[judging.artefact],
        score=score,
        original=held.get(kind),
        fault="" if score is None else fault(line, judged, judging),
    )


def _copy(line: Line, judged: Originals, judging: Judging) -> str:
    original = judged.get(line[judging.artefact])
    if original is None:
        return "of an artefact that was never judged, so no copy of one"
    if abs(line[judging.score] - original) > judging.tolerance:
        return f"more than {judging.tolerance:g} from the verdict on the same artefact"
    return ""


def _blank(line: Line, judged: Originals, judging: Judging) -> str:
    if line[judging.artefact] in judged:
        return "of the artefact itself, so of no blank page"
    return "" if line[judging.score] == judging.worst else f"not scored {judging.worst:g}"


def _bare(line: Line, judged: Originals, judging: Judging) -> str:
    if line[judging.artefact] in judged:
        return "of the artefact itself, so of no stripped one"
    if not judged:
        return "of a run whose artefact was never judged"
    lower = line[judging.score] < min(judged.values())
    return "" if lower else "not scored below the artefact that they were stripped from"
