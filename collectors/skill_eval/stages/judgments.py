"""The verdicts on what runs left: which are wanted, which are there, each on disk as it comes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from benchdata.contracts.grammar import Stage
from benchdata.contracts.judgment import JUDGING, JUDGMENT
from benchdata.errors import BenchdataError
from benchdata.rows.writing import append, appended, appending
from collectors.skill_eval.judge.judge import Order
from collectors.skill_eval.stages.pins import Pins
from collectors.skill_eval.suite.suite import SuiteTask

JUDGMENTS = "judgments.ndjson"
LOCK = f"{JUDGMENTS}.lock"
UNTRIED = ("error", "timeout")
"""The outcomes that say nothing of the judge: the same command asks again. All others stand."""

Kind = Literal["pointwise", "pairwise", "repeat", "blank", "stripped"]
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Artefact:
    """What one run left on a task, known by the digest of its files."""

    run_id: str
    task: SuiteTask
    folder: Path
    digest: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """One verdict that is wanted: on an artefact, or on two in an `order`."""

    kind: Kind
    stage: Stage
    one: Artefact
    other: Artefact | None = None
    order: Order | None = None
    check_id: str | None = None
    attempt: int = 1

    @property
    def key(self) -> Key:
        """What it is about, as its row says it too."""
        return _key(self.of_row)

    @property
    def of_row(self) -> dict[str, Any]:
        """The fields of its row that are known before the judge is asked."""
        return {
            "schema_version": 1,
            "run_id": self.one.run_id,
            "other_run_id": self.other and self.other.run_id,
            "check_id": self.check_id,
            "stage": self.stage,
            "task_id": self.one.task.id,
            "task_digest": self.one.task.digest,
            "kind": self.kind,
            "attempt": self.attempt,
            "artefact_digest": self.one.digest,
            "other_artefact_digest": self.other and self.other.digest,
            "order": self.order,
        }


SAME = (
    *("kind", "check_id", "order"),
    *("run_id", "artefact_digest", "other_run_id", "other_artefact_digest"),
)
"""The fields that two verdicts on the same have alike."""


class Judgments:
    """The judgments in a folder that one instrument made, and the place for more of them."""

    def __init__(self, folder: Path, pins: Pins) -> None:
        """Read what is there; BenchdataError where that is damaged or cannot be read."""
        self.file = folder / JUDGMENTS
        self.pins = pins
        self.rows: list[Mapping[str, Any]] = []
        self._by_key: dict[Key, list[Mapping[str, Any]]] = defaultdict(list)
        try:
            for row in appended(self.file, JUDGMENT):
                self._keep(row)
        except OSError as error:
            raise BenchdataError(f"{self.file}: cannot be read: {error.strerror}") from None

    def due(self, wanted: Sequence[Wanted], *, force: bool = False) -> list[Wanted]:
        """Return the verdicts that are not there yet, each with the number of its attempt.

        With `force` all are wanted anew.
        """
        return [
            replace(each, attempt=len(self._rows_of(each)) + 1)
            for each in wanted
            if force or not self.stands(each)
        ]

    def stands(self, wanted: Wanted) -> bool:
        """Tell whether there is a verdict, or a failure that says something of the judge."""
        rows = self._rows_of(wanted)
        return bool(rows) and rows[-1]["outcome"] not in UNTRIED

    def without(self, wanted: Sequence[Wanted]) -> list[Wanted]:
        """Return which of these have no score: what could not be shown has the worst."""
        return [each for each in wanted if not self._scored(self._rows_of(each))]

    def add(self, row: Mapping[str, Any]) -> None:
        """Append a row, on disk before this returns.

        Raises:
            BenchdataError: It breaks its contract, or could not be written.
        """
        normal = JUDGMENT.validate(row)
        append(self.file, normal, JUDGMENT)
        self._keep(normal)

    @staticmethod
    def _scored(rows: Sequence[Mapping[str, Any]]) -> bool:
        judged = any(row["outcome"] == "judged" for row in rows)
        return judged or (bool(rows) and JUDGING.not_shown(rows[-1]))

    def _keep(self, row: Mapping[str, Any]) -> None:
        pins = self.pins.of_row
        if {name: row[name] for name in pins} == pins:
            self.rows.append(row)
            self._by_key[_key(row)].append(row)

    def _rows_of(self, wanted: Wanted) -> list[Mapping[str, Any]]:
        return self._by_key.get(wanted.key, [])


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Let nobody else judge into a folder meanwhile.

    Raises:
        BenchdataError: Another process does, or the folder cannot be used.
    """
    lock = ExitStack()
    try:
        lock.enter_context(appending(folder / LOCK, wait=False))
    except BlockingIOError:
        raise BenchdataError(f"{folder}: another process judges here; wait for its end") from None
    except OSError as error:
        raise BenchdataError(f"{folder}: cannot be used: {error.strerror}") from None
    with lock:
        yield


def _key(fields: Mapping[str, Any]) -> Key:
    return tuple(fields[name] for name in SAME)
