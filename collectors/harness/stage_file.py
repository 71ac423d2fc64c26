"""`stage.json`: what a stage compares and in which order, fixed before its first attempt."""

from __future__ import annotations

import hashlib
import json
import secrets
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

import benchdata
from benchdata.contracts.fields import instant_text
from benchdata.errors import BenchdataError, shorten
from benchdata.rows.writing import whole_file
from collectors.harness.documents import fault
from collectors.harness.schedule import SEED_BITS, Attempt, Cell, interleaved

NAME = "stage.json"
RESTORE = "restore the file, or give a new folder"
"""What to do about a damaged file of a stage."""
LISTED = 5
"""How many differences a refusal names."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is compared, how often. `spec` holds, in JSON, all that makes two results comparable.

    That is skills, tasks and graders by their digests, limits, agent, its version, the model: not
    the number of repeats, and no dates.
    """

    arms: tuple[str, ...]
    tasks: tuple[str, ...]
    repeats: int
    spec: dict[str, Any]

    @property
    def cells(self) -> int:
        """How many attempts it wants when none is lost."""
        return len(self.arms) * len(self.tasks) * self.repeats


@dataclass(frozen=True, slots=True)
class StageFile:
    """The content of `stage.json`; `plan` is what was shown before anything ran."""

    stage_id: str
    made_at: str
    contract: str
    harness_version: str
    spec_digest: str
    seed: int
    experiment: Experiment
    plan: dict[str, Any]
    order: tuple[Cell, ...]
    lost: tuple[Attempt, ...] = ()


_FILE = TypeAdapter(StageFile)


def digest(spec: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a spec in hex: of its JSON with sorted keys and no spaces."""
    text = json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def found_or_made(
    folder: Path,
    contract: str,
    experiment: Experiment,
    plan: Mapping[str, Any],
    seed: int | None,
) -> StageFile:
    """Return the content of a stage's file, written now when it is not there.

    Without a seed that of the file is meant, or a new one is drawn.

    Raises:
        BenchdataError: The experiment has no cells, or names one twice; the stage compares
            something else; or its file is damaged or cannot be read or written.
    """
    there = read(folder)
    wanted = _new(contract, experiment, plan, there.seed if there and seed is None else seed)
    if there is None:
        write(folder, wanted)
        return wanted
    _refuse_other(folder, there, wanted)
    return there


def read(folder: Path) -> StageFile | None:
    """Return the content of a stage's file, None when there is no such file.

    Raises:
        BenchdataError: It cannot be read or is damaged.
    """
    try:
        return _FILE.validate_json((folder / NAME).read_bytes(), strict=True)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BenchdataError(f"{folder / NAME}: cannot be read: {error.strerror}") from None
    except ValidationError as error:
        raise BenchdataError(f"{folder / NAME}: {fault(error)}; {RESTORE}") from None


def write(folder: Path, content: StageFile) -> None:
    """Put the file in its place in one step.

    Raises:
        BenchdataError: It cannot be written; what was there is as it was.
    """
    try:
        with whole_file(folder / NAME) as part:
            part.write_bytes(_FILE.dump_json(content, indent=2) + b"\n")
    except OSError as error:
        raise BenchdataError(f"{folder / NAME}: cannot be written: {error.strerror}") from None


def _new(
    contract: str, experiment: Experiment, plan: Mapping[str, Any], seed: int | None
) -> StageFile:
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    return StageFile(
        stage_id=str(uuid.uuid4()),
        made_at=instant_text(datetime.now(UTC)),
        contract=contract,
        harness_version=benchdata.__version__,
        spec_digest=digest(experiment.spec),
        seed=seed,
        experiment=experiment,
        plan=dict(plan),
        order=interleaved(experiment.arms, experiment.tasks, experiment.repeats, seed),
    )


def _refuse_other(folder: Path, there: StageFile, wanted: StageFile) -> None:
    """Refuse to go on with a stage that compares something else, and name what differs."""
    if found := list(_differences("", _pinned(there), _pinned(wanted))):
        more = f" and {len(found) - LISTED} more" if len(found) > LISTED else ""
        raise BenchdataError(
            f"{folder}: this stage compares something else: {'; '.join(found[:LISTED])}{more};"
            " go on as it was begun, or give a new folder"
        )
    for name in ("order", "spec_digest"):
        if getattr(there, name) != getattr(wanted, name):
            raise BenchdataError(
                f"{folder / NAME}: {name}: does not follow from the rest; {RESTORE}"
            )


def _pinned(content: StageFile) -> dict[str, Any]:
    """Return what must not change while a stage runs: its rows could not be pooled."""
    experiment = asdict(content.experiment)
    spec = json.loads(json.dumps(experiment.pop("spec")))
    names = {name: sorted(experiment.pop(name)) for name in ("arms", "tasks")}
    same = {name: getattr(content, name) for name in ("contract", "harness_version", "seed")}
    return same | experiment | names | {"spec": spec}


def _differences(path: str, there: Any, wanted: Any) -> Iterator[str]:
    """Yield each leaf of two JSON trees that differs, with both values."""
    if isinstance(there, dict) and isinstance(wanted, dict):
        for key in sorted(there.keys() | wanted.keys()):
            place = f"{path}.{key}" if path else str(key)
            yield from _differences(place, there.get(key), wanted.get(key))
    elif there != wanted:
        was, now = (shorten(json.dumps(value), 80) for value in (there, wanted))
        yield f"{path} was {was} and is {now}"
