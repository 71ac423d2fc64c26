"""What the command lines of collectors have alike."""

from __future__ import annotations

import argparse
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NoReturn
from urllib.parse import urlsplit

from benchdata.errors import BenchdataError
from collectors.harness.schedule import SEED_BITS

NEEDED = ("uvicorn",)
"""What the harness imports besides what benchdata itself needs."""
DECLINED = 1
"""The exit code where somebody does not agree to the plan."""
MOST_CONCURRENCY = 64
MOST_SEED = 2**SEED_BITS - 1
SCHEMES = ("tcp", "tls")
"""Of the addresses of a Dask scheduler."""


def require_harness() -> None:
    """See that agents can be run here.

    Raises:
        BenchdataError: Something that comes with the extra `agents` is not installed.
    """
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise BenchdataError(f"{missing[0]} is not installed: pip install 'benchdata[agents]'")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are those of every other command.

    It takes options by their whole names: what is short for one today may be so for two tomorrow.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """Raise what `benchdata` prints; BenchdataError."""
        raise BenchdataError(f"{message}; {self.prog} --help lists the options")


@dataclass(frozen=True, slots=True)
class Whole:
    """Reads a whole number within bounds."""

    least: int
    most: int

    def __call__(self, text: str) -> int:
        """Return the number that an argument holds."""
        short = len(text) <= len(str(self.most))  # Python refuses numbers of thousands of digits
        if short and text.isascii() and text.isdigit() and self.least <= int(text) <= self.most:
            return int(text)
        raise argparse.ArgumentTypeError(
            f"must be a whole number from {self.least:,} to {self.most:,}"
        )


def address(text: str) -> str:
    """Return the address of a Dask scheduler that an argument holds."""
    with suppress(ValueError):
        url = urlsplit(text)
        whole = text == f"{url.scheme}://{url.netloc}" and "@" not in text
        if whole and url.scheme in SCHEMES and url.hostname and url.port:
            return text
    raise argparse.ArgumentTypeError("must be tcp://HOST:PORT or tls://HOST:PORT")


def add_executor(parser: argparse.ArgumentParser) -> None:
    """Add where attempts are made."""
    parser.add_argument(
        "--executor",
        metavar="ADDRESS",
        type=address,
        help="run on the workers of this Dask scheduler, tcp:// or tls:// (default: here)",
    )
