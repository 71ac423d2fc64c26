"""One check of a judge, recomputed: copies score alike, blank pages worst, bare ones lower."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchdata.contracts.gate import Judging
from benchdata.errors import counted

Line = Mapping[str, Any]


def check(lines: Sequence[Line], judging: Judging) -> tuple[str, ...]:
    """Return why the latest check among the rows of one instrument does not pass; nothing if so.

    `lines` are in order of time.
    """
    kinds = (judging.copy, judging.blank, judging.bare)
    checks: dict[str, list[Line]] = defaultdict(list)
    last = ""
    for line in lines:
        if line[judging.kind] in kinds:
            last = line[judging.check]
            checks[last].append(line)
    if not checks:
        return ("no instrument check of the same judge: " + ", ".join(judging.pins),)
    return tuple(f"instrument check: {fault}" for fault in _faults(checks[last], lines, judging))


def _faults(rows: Sequence[Line], lines: Sequence[Line], judging: Judging) -> Iterator[str]:
    originals = _originals(lines, judging)
    for kind, fault in (
        (judging.copy, _copy),
        (judging.blank, _blank),
        (judging.bare, _bare),
    ):
        members = [line for line in rows if line[judging.kind] == kind]
        if not members:
            yield f"no {kind} row"
        scored = [line for line in members if line[judging.score] is not None]
        about = {(line[judging.run], line[judging.artefact]) for line in members}
        about -= {(line[judging.run], line[judging.artefact]) for line in scored}
        if about:
            yield f"{counted(len(about), f'{kind} artefact')} never judged"
        found = [words for line in scored if (words := fault(line, originals, judging))]
        for words in dict.fromkeys(found):
            yield f"{counted(found.count(words), f'{kind} row')} {words}"


Originals = Mapping[str, Mapping[str, float]]
"""By run and digest of the artefact, the mean score of what was judged in earnest."""


def _originals(lines: Sequence[Line], judging: Judging) -> Originals:
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        if line[judging.kind] == judging.single and line[judging.score] is not None:
            scores[line[judging.run]][line[judging.artefact]].append(line[judging.score])
    return {
        run: {digest: sum(found) / len(found) for digest, found in by_digest.items()}
        for run, by_digest in scores.items()
    }


def _copy(line: Line, originals: Originals, judging: Judging) -> str:
    original = originals.get(line[judging.run], {}).get(line[judging.artefact])
    if original is None:
        return "of an artefact that was never judged, so no copy of one"
    if abs(line[judging.score] - original) > judging.tolerance:
        return f"more than {judging.tolerance:g} from the verdict on the same artefact"
    return ""


def _blank(line: Line, originals: Originals, judging: Judging) -> str:
    if line[judging.artefact] in originals.get(line[judging.run], {}):
        return "of the artefact itself, so of no blank page"
    return "" if line[judging.score] == judging.worst else f"not scored {judging.worst:g}"


def _bare(line: Line, originals: Originals, judging: Judging) -> str:
    judged = originals.get(line[judging.run], {})
    if line[judging.artefact] in judged:
        return "of the artefact itself, so of no stripped one"
    if not judged:
        return "of a run whose artefact was never judged"
    lower = line[judging.score] < min(judged.values())
    return "" if lower else "not scored below the artefact that they were stripped from"
