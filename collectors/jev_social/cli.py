"""The collector's two commands: `benchdata collect jev-social` and `jev-social-benchmark`."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from benchdata.errors import BenchdataError
from collectors.jev_social import flags
from collectors.jev_social.stages import Stages

if TYPE_CHECKING:
    from collectors.jev_social.settings import Settings

PROGRAM = "jev-social-benchmark"


def main(arguments: Sequence[str]) -> int:
    """Run `benchdata collect jev-social` and return the exit code.

    Raises:
        BenchdataError: No attempt was begun, or its row could not be written.
    """
    from collectors.jev_social.repeating import REPEATING, repeat

    given = _given("benchdata collect jev-social", arguments, REPEATING)
    if given is None:
        return 0
    settings = _settings(given)
    return repeat(settings, given) if given.keys() & REPEATING.keys() else _once(settings)


def benchmark() -> None:
    """Run `jev-social-benchmark`: one attempt, exit code 0 with its row or 1 without."""
    try:
        given = _given(PROGRAM, sys.argv[1:], {})
        code = 0 if given is None else _once(_settings(given))
    except BenchdataError as error:
        sys.stderr.write(f"{PROGRAM}: {error}\n")
        code = error.exit_code
    except KeyboardInterrupt:  # before the attempt, which hears signals itself
        code = 1
    sys.exit(code)


def _given(
    program: str, arguments: Sequence[str], optional: Mapping[str, str]
) -> Mapping[str, str] | None:
    """Return the flags; when help is asked for, give it and return None."""
    try:
        given = flags.parse(arguments, optional)
    except BenchdataError:
        Stages()("invalid_input")
        raise
    if given is None:
        sys.stdout.write(flags.usage(program, optional))
    return given


def _settings(given: Mapping[str, str]) -> Settings:
    from collectors.jev_social.settings import settings_of

    try:
        return settings_of(given, os.environ)
    except BenchdataError:
        Stages()("invalid_input")
        raise


def _once(settings: Settings) -> int:
    """Make one attempt and write its row; a signal while it is written does not lose it."""
    from benchdata.rows.strict_json import encode
    from collectors.jev_social.attempt import attempt
    from collectors.jev_social.signals import Stop

    if sys.stdout is None:
        raise BenchdataError("standard output: is closed, so no row could be written to it")
    with Stop() as stop:
        row = attempt(settings, run_id=str(uuid.uuid4()), stop=stop, say=Stages())
        try:
            sys.stdout.write(encode(row).decode())
            sys.stdout.flush()
        except OSError as error:
            raise BenchdataError(
                f"standard output: the row is not written: {error.strerror}"
            ) from None
    return 0
