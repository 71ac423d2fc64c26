"""What the site lists: a dated report, or the page of a summary, each under an address for good."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from blake3 import blake3

from benchdata.contracts.gate import READY
from benchdata.reports.notices import INCOMPLETE, NO_GATE, SYNTHETIC
from benchdata.site.headers import Header
from benchdata.site.numbers import Numbers

BENCHMARKS = "benchmarks"
ADDRESS_WORD = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One page of the site that was made elsewhere.

    `date` is its as-of date in ISO form, `folder` where its `files` lie in the site, the page
    first. `numbers` are those of a report; the page of a summary shows none here.
    """

    date: str
    contract: str
    template: str
    folder: str
    files: tuple[str, ...]
    header: Header
    rows: int
    digests: tuple[str, ...]
    words: tuple[str, ...]
    numbers: Numbers | None

    @property
    def title(self) -> str:
        """Return its heading."""
        return self.header.title

    @property
    def gate(self) -> str:
        """Return whether its rows may be published, as the warnings above it tell."""
        names = {label.name for label in self.header.labels}
        return next((word for word in (NO_GATE, INCOMPLETE) if word in names), READY)

    @property
    def ready(self) -> bool:
        """Tell whether its rows may be published."""
        return self.gate == READY

    @property
    def synthetic(self) -> bool:
        """Tell whether some of its rows are synthetic."""
        return SYNTHETIC in {label.name for label in self.header.labels}

    @property
    def kind(self) -> str:
        """Return what its rows are, in a word."""
        return "synthetic" if self.synthetic else "measured"

    @property
    def address(self) -> str:
        """Return the address of its page, relative to the top of the site."""
        return self.address_of(self.files[0])

    def address_of(self, file: str) -> str:
        """Return the address of one of its files."""
        return quote(f"{self.folder}/{file}")

    @property
    def benchmark(self) -> str:
        """Return the address of the page of its benchmark."""
        return f"{BENCHMARKS}/{address_word(self.contract)}.html"


def address_word(name: str) -> str:
    """Return a name as one part of an address: itself where it can be, else with a digest."""
    if ADDRESS_WORD.fullmatch(name):
        return name
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
    return f"{plain or 'contract'}-{digest(name.encode(), 16)}"


def digest(content: bytes, length: int) -> str:
    """Return the first hexadecimal digits of the BLAKE3 digest of bytes."""
    return blake3(content).hexdigest()[:length]
