"""`--repeat N --append FILE`: attempts until the file holds N rows of their group."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import BenchdataError, InputError, RowError, counted
from benchdata.rows.strict_json import encode
from benchdata.rows.writing import append, appended
from collectors.jev_social import between, journal, standard_output
from collectors.jev_social.attempt import attempt
from collectors.jev_social.journal import Begun, Group, Journal, group_of
from collectors.jev_social.plan import Plan, plan_of
from collectors.jev_social.settings import Settings
from collectors.jev_social.signals import Stop
from collectors.jev_social.stages import Stages

EVERY_ROW, NOTHING_BEGAN, ROWS_MISSING = 0, 1, 2


def repeat(settings: Settings, given: Mapping[str, str]) -> int:
    """Make attempts until the file has its rows, and return the exit code.

    A first signal to stop ends the attempt under way, whose row is written, and then the series.

    Raises:
        BenchdataError: The flags, the file or its journal are not in order; nothing was begun.
    """
    plan = plan_of(given, settings.header["condition"])
    with Stop() as stop, journal.opened(plan.file) as kept:
        series = Series(settings, plan, kept)
        series.tell()
        while series.wanting and series.prepare(stop) and series.attempt(stop):
            pass
        if series.began:
            series.tell()
        return series.code


class Series:
    """The attempts of one group: those that file and journal tell of, and the next."""

    def __init__(self, settings: Settings, plan: Plan, kept: Journal) -> None:
        self._settings = settings
        self._plan = plan
        self._journal = kept
        self._say = Stages()
        self._rows = _rows(plan.file)
        self._group = group_of(settings.header)
        self._begun = [one for one in kept.begun() if one.group == self._group]
        self._before = len(self._begun)

    @property
    def began(self) -> bool:
        """Whether an attempt was begun now, not only by an earlier command."""
        return len(self._begun) > self._before

    @property
    def code(self) -> int:
        """The exit code."""
        if self.wanting and not self.began:
            return NOTHING_BEGAN
        return ROWS_MISSING if self.wanting or self.lost() else EVERY_ROW

    @property
    def wanting(self) -> bool:
        """Whether rows of this group are yet to come."""
        return self._there() < self._plan.count

    def lost(self) -> list[Begun]:
        """Return the attempts that began and have no row."""
        return [one for one in self._begun if one.run_id not in self._rows]

    def tell(self) -> None:
        """Say how many rows there are and which attempts have none."""
        self._say(f"{self._there():,} of {counted(self._plan.count, 'row')} of this group")
        for one in self.lost():
            self._say(f"no row: the attempt {one.run_id} begun at {one.begun_at}")

    def prepare(self, stop: Stop) -> bool:
        """Restart the browser session where that is asked for; return whether all is ready."""
        command = self._plan.between
        if command is not None and not stop.requested and not between.restarted(command, stop):
            self._say("--between: the command failed or was stopped, so no attempt was begun")
            return False
        return not stop.requested

    def attempt(self, stop: Stop) -> bool:
        """Make an attempt and return whether its row is in the file, as its intent in the journal.

        A row that does not get into the file goes to standard output.
        """
        run_id = str(uuid.uuid4())
        try:
            self._begun.append(self._journal.begin(run_id, self._settings.header))
        except OSError as error:
            self._say(f"--append: the journal cannot be written: {error.strerror}")
            return False
        row = attempt(self._settings, run_id=run_id, stop=stop, say=self._say)
        try:
            append(self._plan.file, row, JEV_SOCIAL)
        except InputError:
            self._print(row)
            return False
        self._rows[run_id] = self._group
        self._say(f"row {self._there():,} of {self._plan.count:,}: {row['stop_reason']}")
        return True

    def _print(self, row: dict[str, Any]) -> None:
        """Put a row where it is not lost when its file does not take it."""
        try:
            standard_output.write(encode(row).decode())
        except BenchdataError:
            self._say("--append: the row cannot be written, nor to standard output: it is lost")
        else:
            self._say("--append: the row cannot be written and is on standard output instead")

    def _there(self) -> int:
        return sum(group == self._group for group in self._rows.values())


def _rows(file: Path) -> dict[str, Group]:
    """Return the group of each row that a file holds, by run id; a torn last line is none.

    Raises:
        BenchdataError: The file holds anything but valid rows.
    """
    try:
        return {row["run_id"]: group_of(row) for row in appended(file, JEV_SOCIAL)}
    except RowError as error:
        # not what is wrong: that may name a key of the file
        raise BenchdataError(
            f"--append: line {error.line} is no valid row; mend what `benchdata validate` says"
        ) from None
