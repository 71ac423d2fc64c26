"""The collector's two commands: `benchdata collect jev-social` and `jev-social-benchmark`."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchdata.errors import BenchdataError
from collectors.jev_social import flags, standard_output
from collectors.jev_social.stages import Stages

if TYPE_CHECKING:
    from collectors.jev_social.settings import Settings

PROGRAM = "jev-social-benchmark"


def main(arguments: Sequence[str]) -> int:
    """Run `benchdata collect jev-social` and return the exit code.

    Raises:
        BenchdataError: No attempt was begun, or its row could not be written.
    """
    from collectors.jev_social.plan import REPEATING

    return _collect("benchdata collect jev-social", arguments, REPEATING)


def benchmark() -> None:
    """Run `jev-social-benchmark`: one attempt, exit code 0 with its row or 1 without."""
    try:
        code = _collect(PROGRAM, sys.argv[1:], {})
    except BenchdataError as error:
        sys.stderr.write(f"{PROGRAM}: {error}\n")
        code = error.exit_code
    except KeyboardInterrupt:  # before the attempt, which hears signals itself
        code = 1
    sys.exit(code)


def _collect(program: str, arguments: Sequence[str], optional: Mapping[str, str]) -> int:
    """Do what the flags ask for, of which some are `optional`, and return the exit code."""
    with _refusing():
        given = flags.parse(arguments, optional)
        if given is None:
            standard_output.write(flags.usage(program, optional))
            return 0

        from collectors.jev_social.repeating import repeat
        from collectors.jev_social.settings import settings_of

        settings = settings_of(given, os.environ)
        if given.keys() & optional.keys():
            return repeat(settings, given)
    return _once(settings)


@contextmanager
def _refusing() -> Iterator[None]:
    """Let the stage go before the message when nothing is begun."""
    try:
        yield
    except BenchdataError:
        Stages()("invalid_input")
        raise


def _once(settings: Settings) -> int:
    """Make one attempt and write its row; a signal while it is written does not lose it."""
    from benchdata.rows.strict_json import encode
    from collectors.jev_social.attempt import attempt
    from collectors.jev_social.signals import Stop

    if standard_output.is_closed():
        raise BenchdataError("standard output: is closed, so no row could be written to it")
    with Stop() as stop:
        row = attempt(settings, run_id=str(uuid.uuid4()), stop=stop, say=Stages())
        standard_output.write(encode(row).decode())
    return 0
