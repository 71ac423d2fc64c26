"""The files that whoever started the server named: agents reach these rows and no others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

import benchdata
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError, InputError, did_you_mean, shorten
from benchdata.rows import sources


class Data:
    """Row files, directories and globs under the names that they were given by."""

    def __init__(self, names: Sequence[str], contract: str | None) -> None:
        self.names = tuple(dict.fromkeys(names))
        self._contract = contract

    @classmethod
    def given(cls, names: Sequence[str], contract: str | None) -> Self:
        """Return the data of these names, each of which is there and can be read again.

        Raises:
            InputError: A name matches nothing, or can be read but once.
        """
        for name in names:
            path = Path(name)
            if name == sources.STDIN or (path.exists() and not (path.is_file() or path.is_dir())):
                raise InputError(f"{name}: can be read but once; give a file, directory or glob")
        if names:
            sources.find(names)
        return cls(names, contract)

    def open(self, chosen: Iterable[str] | None) -> Dataset:
        """Return the rows of the chosen names, of all when None, as they are now.

        Raises:
            BenchdataError: A name is not one of those given, or its rows cannot be read.
        """
        names = self.names if chosen is None else tuple(chosen)
        for name in names:
            if name not in self.names:
                hint = did_you_mean(name, self.names) or f"; there are {', '.join(self.names)}"
                raise BenchdataError(f"files: no data is named {shorten(name, 120)}{hint}")
        return benchdata.open(names, self._contract)
