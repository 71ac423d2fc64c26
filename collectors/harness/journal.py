"""The journal of a stage: a line for each attempt, on disk before that begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from benchdata.errors import BenchdataError
from benchdata.rows.strict_json import encode
from benchdata.rows.writing import lines_of, write_line
from collectors.harness.schedule import Attempt
from collectors.harness.stage_file import RESTORE

_ATTEMPT = TypeAdapter(Attempt)


@dataclass(frozen=True, slots=True)
class Journal:
    """A journal that is held open and locked; `path` names it in errors."""

    path: Path
    file: int

    def write(self, attempt: Attempt) -> None:
        """Write down that an attempt begins.

        Raises:
            BenchdataError: That is not safely on disk, so it must not begin.
        """
        try:
            write_line(self.file, encode(asdict(attempt)))
        except OSError as error:
            raise BenchdataError(
                f"{self.path}: cannot be written: {error.strerror}; see that its folder has room,"
                " then run the same command again"
            ) from None

    def attempts(self, cells: int) -> Iterator[Attempt]:
        """Yield the attempts that are written down, in order, of a stage of so many cells.

        Raises:
            BenchdataError: It cannot be read, or a line is none of them.
        """
        try:
            lines = lines_of(self.file)
        except OSError as error:
            raise BenchdataError(f"{self.path}: cannot be read: {error.strerror}") from None
        for number, line in enumerate(lines, 1):
            attempt = _attempt(line)
            if attempt is None or not 0 <= attempt.position < cells:
                raise BenchdataError(
                    f"{self.path}:{number}: is no attempt of this stage; {RESTORE}"
                )
            yield attempt


def _attempt(line: bytes) -> Attempt | None:
    try:
        return _ATTEMPT.validate_json(line, strict=True)
    except ValidationError:
        return None
