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


def check(lines: Sequence[Line], judging: Judging) -> tuple[str, ...]:
    """Return why the latest check among the rows of one instrument does not pass; nothing if so.

    `lines` are in order of time.
    """
    if not _latest(lines, judging):
        return ("no instrument check of the same judge: " + ", ".join(judging.pins),)
    by_kind = faults(verdicts(lines, judging), judging)
    return tuple(f"instrument check: {fault}" for found in by_kind.values() for fault in found)


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
    originals = _originals(lines, judging)
    rows = _latest(lines, judging)
    return tuple(
        _checked(line, originals.get(line[judging.run], {}), judging)
        for kind in _kinds(judging)
        for line in rows
        if line[judging.kind] == kind
    )


def _kinds(judging: Judging) -> tuple[str, ...]:
    return judging.copy, judging.blank, judging.bare


def _latest(lines: Sequence[Line], judging: Judging) -> list[Line]:
    checks: dict[str, list[Line]] = defaultdict(list)
    last = ""
    for line in lines:
        if line[judging.kind] in _kinds(judging):
            last = line[judging.check]
            checks[last].append(line)
    return checks[last]


def _faults(kind: str, members: Sequence[Checked]) -> Iterator[str]:
    if not members:
        yield f"no {kind} row"
    about = {(one.run, one.artefact) for one in members}
    about -= {(one.run, one.artefact) for one in members if one.score is not None}
    if about:
        yield f"{counted(len(about), f'{kind} artefact')} never judged"
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
