"""The evidence of an instrument check: its artefacts by their digests, a blank one of every kind.

What the judge said of them is computed from its rows, as every gate does. No flag in a file counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchdata.contracts.gate import Judging
from benchdata.contracts.judgment import RENDERS
from benchdata.errors import BenchdataError, counted, shorten
from benchdata.leaderboards.judged import Judge
from collectors.harness import trees
from collectors.harness.documents import content
from collectors.skill_eval.stages.checking import BARE, BLANK, COPY, MADE, REPORT
from collectors.skill_eval.stages.judgments import JUDGMENTS
from collectors.skill_eval.stages.renders import FACTS


def folder_of(given: Path) -> Path:
    """Return the folder of the check that an instrument-check.json, or its folder, is given of.

    Raises:
        BenchdataError: There is no such file, a check did not write it, or no judgments lie beside
            it.
    """
    file = given / REPORT if given.is_dir() else given
    try:
        told = json.loads(content(file))
    except ValueError:
        told = None
    if not (isinstance(told, dict) and isinstance(told.get("check_id"), str)) or not isinstance(
        told.get("conditions"), list
    ):
        raise BenchdataError(f"{file}: is no instrument-check.json; name the one that check wrote")
    if not (file.parent / JUDGMENTS).is_file():
        raise BenchdataError(f"{file}: no {JUDGMENTS} lies beside it, so nothing can be computed")
    return file.parent


def faults(judge: Judge, judging: Judging, run: Path, check: Path) -> Iterator[str]:
    """Yield what the folder `check` lacks to bear out a check of the judge of the stage in `run`.

    Raises:
        BenchdataError: An artefact of the check cannot be read.
    """
    made = _made(check)
    lost = {one.artefact for one in judge.check} - made.keys()
    if lost:
        example = min(lost)[:12]
        yield f"{counted(len(lost), 'artefact')} of its rows not in its folder (such as {example})"
    blank = {made.get(one.artefact, "") for one in judge.check if one.kind == judging.blank}
    kinds = _kinds(judge, run)
    for kind in sorted(kinds - {name.removeprefix(BLANK) for name in blank}):
        yield f"no blank artefact of kind {kind}, which the stage has"
    if not kinds:
        yield f"no {RENDERS} of the stage tells which kinds of artefact it has"


def _made(check: Path) -> Mapping[str, str]:
    """Return the names of the folders of what was made for a check, by digest."""
    return {
        trees.digest(place): place.name
        for pattern in (f"{BLANK}*", f"*/{COPY}", f"*/{BARE}")
        for place in sorted((check / MADE).glob(pattern))
        if place.is_dir()
    }


def _kinds(judge: Judge, run: Path) -> frozenset[str]:
    """Return the kinds of rendering of the artefacts that the judge scored."""
    scored = {judge.artefacts[one] for one in judge.scores}
    rendered = map(_rendered, sorted((run / RENDERS).glob(f"*/{FACTS}")))
    return frozenset(kind for artefact, kind in rendered if artefact in scored)


def _rendered(file: Path) -> tuple[str, str]:
    """Return the digest of an artefact that was rendered, and as which kind."""
    try:
        told = json.loads(content(file))
        return str(told["artefact_digest"]), str(told["render"]["kind"])
    except (ValueError, KeyError, TypeError):
        place = shorten(f"{file.parent.name}/{file.name}", 120)
        raise BenchdataError(f"{place}: is damaged; remove its folder and judge again") from None
