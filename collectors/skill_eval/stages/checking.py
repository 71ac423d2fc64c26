"""The instrument check: what a judge says of copies, of blank pages and of pages made worse.

Its folder holds the artefacts that were made for it, its judgments, and `instrument-check.json`,
which says what came of it. Whoever uses it computes that anew from the judgments.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchdata.contracts.judgment import JUDGING
from benchdata.errors import BenchdataError
from benchdata.gates import checks
from benchdata.gates.checks import Checked
from benchdata.rows.writing import whole_file
from collectors.harness import trees
from collectors.harness.batches import private
from collectors.skill_eval.stages import blanks, stripped
from collectors.skill_eval.stages.attempts_given import UUID4, Given, drawn
from collectors.skill_eval.stages.judgments import (
    JUDGMENTS,
    LOCK,
    Artefact,
    Judgments,
    Kind,
    Wanted,
)
from collectors.skill_eval.suite.suite import Suite

REPORT = "instrument-check.json"
MADE = ".made"
"""Hidden, as what runs leave is."""
COPY, BARE = "copy", "bare"
"""The folders of what was made of a run's artefact, in one with the run's id."""
BLANK = "blank-"
"""How the folder of a blank artefact begins; its kind follows."""


def wanted(suite: Suite, attempts: Sequence[Given], folder: Path, check_id: str) -> list[Wanted]:
    """Make what the judge is to see, and return the verdicts that are wanted, in a drawn order.

    The originals are judged here as well, so that a check says something without the stage that
    they are of.

    Raises:
        BenchdataError: An artefact cannot be copied, or a blank one not be made.
    """
    found: list[tuple[Kind, Artefact]] = []
    for one in attempts:
        found.append(("pointwise", _artefact(one, one.folder)))
        found += [(kind, _artefact(one, made)) for kind, made in _variants(one, folder / MADE)]
    found += [("blank", _artefact(one, one.folder)) for one in _blanks(suite, attempts, folder)]
    draw = random.Random(uuid.UUID(check_id).int).random
    return sorted(
        (Wanted(kind, "check", artefact, check_id=check_id) for kind, artefact in found),
        key=lambda _: draw(),
    )


def check_id_of(kept: Judgments) -> str:
    """Return the id of the check that was begun in a folder, or a new one.

    Raises:
        BenchdataError: The rows there are not of one check with this instrument.
    """
    ids = {row["check_id"] for row in kept.rows}
    if len(ids) > 1 or None in ids or (kept.file.exists() and not ids and kept.file.stat().st_size):
        raise BenchdataError(
            f"{kept.file}: holds judgments of something else than this check; give a new folder"
        )
    return str(ids.pop()) if ids else str(uuid.uuid4())


def refuse_other(kept: Judgments, attempts: Sequence[Given], folder: Path) -> None:
    """Refuse to go on with a check by other attempts than it was begun with.

    Raises:
        BenchdataError: Naming one that is new, or is missing.
    """
    tasks = {row["run_id"]: row["task_id"] for row in kept.rows}
    begun = {one.name for one in (folder / MADE).glob("*") if re.fullmatch(UUID4, one.name)}
    if not tasks:
        return
    for one in attempts:
        if one.run_id not in begun:
            raise BenchdataError(
                f"attempt: {one.task.id}={one.folder}: is none of those that the check in {folder}"
                " was begun with; begin a new --out"
            )
    for run_id in sorted(begun - {one.run_id for one in attempts}):
        task = f" on task {tasks[run_id]}" if run_id in tasks else ""
        raise BenchdataError(
            f"attempt: the check in {folder} was begun with the run {run_id}{task} too; give it as"
            " well, or begin a new --out"
        )


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that a judge has to hold, and what it said about it."""

    kind: str
    verdicts: tuple[Checked, ...]
    faults: tuple[str, ...]


def conditions(rows: Sequence[Mapping[str, Any]]) -> tuple[Condition, ...]:
    """Return what the judge holds and what not, by the one definition that gates use.

    `rows` are those of one instrument, in order of time.
    """
    lines = [{**row, "row_task": row["task_id"]} for row in rows]
    found = checks.verdicts(lines, JUDGING)
    return tuple(
        Condition(kind, tuple(one for one in found if one.kind == kind), faults)
        for kind, faults in checks.faults(found, JUDGING).items()
    )


def write(folder: Path, check_id: str, kept: Judgments, found: Sequence[Condition]) -> Path:
    """Write what came of a check, in the place of an earlier part of it, and return the file."""
    document = {
        "check_id": check_id,
        **kept.pins.of_row,
        "passed": not any(condition.faults for condition in found),
        "conditions": [
            {
                "kind": condition.kind,
                "passed": not condition.faults,
                "faults": list(condition.faults),
                "values": [_value(each) for each in condition.verdicts],
            }
            for condition in found
        ],
    }
    with whole_file(folder / REPORT) as part:
        part.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
    return folder / REPORT


def ready(folder: Path) -> None:
    """Make a check's folder, or take one in which a check was begun.

    Raises:
        BenchdataError: It holds something else.
    """
    begun = (JUDGMENTS, LOCK)
    if folder.exists() and (
        not folder.is_dir()
        or (
            any(
                not path.name.startswith(".") and path.name not in begun
                for path in folder.iterdir()
            )
            and not (folder / JUDGMENTS).exists()
        )
    ):
        raise BenchdataError(f"{folder}: holds files and no check; give a new folder")
    private(folder)


def _value(checked: Checked) -> dict[str, Any]:
    return {
        "task_id": checked.task,
        "run_id": checked.run,
        "artefact_digest": checked.artefact,
        "quality": checked.score,
        "original": checked.original,
    }


def _variants(one: Given, made: Path) -> Iterator[tuple[Kind, Path]]:
    """Yield a byte-identical copy of an artefact and, of a page, what it is without its styles."""
    yield "repeat", _once(made / one.run_id / COPY, partial(trees.copy, one.folder))
    if stripped.is_page(one.folder, one.task.file.render):
        yield "stripped", _once(made / one.run_id / BARE, partial(stripped.make, one.folder))


def _blanks(suite: Suite, attempts: Sequence[Given], folder: Path) -> Iterator[Given]:
    """Yield a blank artefact for every kind of rendering in a suite.

    It stands for a run that was given on a task of this kind; without one it has a run of its own.
    """
    runs = {one.task.file.render.kind: one for one in reversed(attempts)}
    tasks = {task.file.render.kind: task for task in reversed(suite.tasks)}
    for kind in sorted(tasks):
        task = runs[kind].task if kind in runs else tasks[kind]
        place = folder / MADE / f"{BLANK}{kind}"
        _once(place, partial(blanks.make, task.file.render))
        yield Given(task, runs[kind].run_id if kind in runs else drawn(place.name), place)


def _once(place: Path, make: Callable[[Path], object]) -> Path:
    """Make a folder where it is not there, in one step, so that no part is taken for the whole."""
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".", dir=place.parent) as beside:
            part = Path(beside, "part")
            part.mkdir()
            make(part)
            part.rename(place)
    return place


def _artefact(one: Given, folder: Path) -> Artefact:
    return Artefact(one.run_id, one.task, folder, trees.digest(folder))
