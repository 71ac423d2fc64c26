"""The journal beside a file of rows: a line, on disk, before each attempt begins.

What began and has no row was killed. Without the journal it would be forgotten, and the rows would
tell only of the attempts that lived to write one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from benchdata.contracts.fields import instant_text
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import BenchdataError, RowError
from benchdata.rows.strict_json import decode, encode
from benchdata.rows.writing import appending, lines_of, write_line
from collectors.jev_social import row

SUFFIX = ".journal"

Group = tuple[Any, ...]


class Begun(NamedTuple):
    """An attempt that began: the id its row has, when, and the group that its row belongs to."""

    run_id: str
    begun_at: str
    group: Group


def group_of(fields: Mapping[str, Any]) -> Group:
    """Return what must be the same for two attempts to be repeats of each other."""
    return tuple(fields.get(name) for name in JEV_SOCIAL.group)


@dataclass(frozen=True, slots=True)
class Journal:
    """A journal that is held open and locked."""

    file: int

    def begin(self, run_id: str, header: Mapping[str, Any]) -> Begun:
        """Write down that an attempt begins; raise OSError when that is not safely on disk."""
        begun = Begun(run_id, instant_text(datetime.now(UTC)), group_of(header))
        pins = dict(zip(JEV_SOCIAL.group, begun.group, strict=True))
        write_line(self.file, encode({"run_id": run_id, "begun_at": begun.begun_at} | pins))
        return begun

    def begun(self) -> list[Begun]:
        """Return every attempt that is written down, in order.

        Raises:
            BenchdataError: It cannot be read, or a line is no such thing.
        """
        try:
            lines = lines_of(self.file)
        except OSError as error:
            raise BenchdataError(
                f"--append: the journal beside the file cannot be read: {error.strerror}"
            ) from None
        return [_entry(number, line) for number, line in enumerate(lines, 1) if line]


@contextmanager
def opened(rows: Path) -> Iterator[Journal]:
    """Yield the journal of a file of rows; it is made when it is not there.

    Raises:
        BenchdataError: Another command holds it, or it cannot be opened.
    """
    with ExitStack() as held:
        try:
            file = held.enter_context(appending(rows.with_name(rows.name + SUFFIX), wait=False))
        except BlockingIOError:
            raise BenchdataError(
                "--append: another command collects into this file; wait for its end"
            ) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "no such name"
            raise BenchdataError(f"--append: no journal can be kept beside it: {reason}") from None
        yield Journal(file)


def _entry(number: int, line: bytes) -> Begun:
    try:
        entry = decode(line)
        begun_at = entry.pop("begun_at")
        # what its row would be if the attempt ended as it began
        begun = JEV_SOCIAL.validate(
            {**entry, "started_at": begun_at, "ended_at": begun_at, **row.nothing(0)}
        )
        return Begun(begun["run_id"], begun["started_at"], group_of(begun))
    except (RowError, LookupError, TypeError, AttributeError):
        raise BenchdataError(
            f"--append: line {number} of the journal beside the file is damaged; mend it, or give"
            " a new file"
        ) from None
