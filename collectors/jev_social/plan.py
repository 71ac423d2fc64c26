"""What a series is to be: `--repeat`, `--append` and `--between`."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchdata.errors import BenchdataError

REPEATING = {
    "--repeat": "N attempts that have a row, counting those of the same group in the file",
    "--append": "FILE that gets the rows, .ndjson or .jsonl; run the same command again to go on",
    "--between": "COMMAND for the shell that restarts the browser session before each attempt",
}
"""The flags, all optional; the first two go together."""

MOST = 10_000
SUFFIXES = (".ndjson", ".jsonl")


@dataclass(frozen=True, slots=True)
class Plan:
    """How many rows there are to be, in which file, and what restarts the browser session."""

    count: int
    file: Path
    between: str | None


def plan_of(given: Mapping[str, str], condition: str) -> Plan:
    """Return what the flags ask for.

    Raises:
        BenchdataError: They do not go together, or one has no such value.
    """
    for flag, other in (("--repeat", "--append"), ("--append", "--repeat")):
        if flag not in given:
            raise BenchdataError(f"{flag}: is missing: {other} needs it")
    number, file, command = given["--repeat"], _file(given["--append"]), given.get("--between")
    if not re.fullmatch("[1-9][0-9]{0,4}", number) or int(number) > MOST:
        raise BenchdataError(f"--repeat: must be a whole number from 1 to {MOST:,}")
    if condition == "warm" and command is not None:
        raise BenchdataError("--between: restarts the session, which --condition warm rules out")
    if condition == "cold" and command is None and int(number) > 1:
        raise BenchdataError(
            "--repeat: only the first attempt of a session is cold; give --between a command that"
            " restarts the session, or collect warm attempts"
        )
    return Plan(int(number), file, command)


def _file(name: str) -> Path:
    """Return where a file is, and not a link to it: it has one journal, whatever its names.

    Raises:
        BenchdataError: It is no file of rows that can be read and written.
    """
    refused = BenchdataError("--append: must be a regular file with a name in .ndjson or .jsonl")
    if Path(name).suffix not in SUFFIXES:
        raise refused
    try:
        file = Path(name).resolve()
        with suppress(FileNotFoundError):  # then it is made
            if not stat.S_ISREG(file.stat().st_mode):
                raise refused
            if not os.access(file, os.R_OK | os.W_OK):
                raise BenchdataError("--append: the file may not be read or written")
    except (OSError, RuntimeError):  # a name too long, links that lead to each other
        raise refused from None
    return file
