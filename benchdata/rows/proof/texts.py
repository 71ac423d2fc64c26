"""Text between two places of a block, and runs of members that are checked once a distinct text."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
from pydantic import BaseModel

from benchdata.contracts import Contract, privacy
from benchdata.contracts.base import VERSION_FIELD
from benchdata.contracts.checks import Field, Rule
from benchdata.contracts.columns import Column, column_name
from benchdata.errors import RowError
from benchdata.rows import frames
from benchdata.rows.expressions import column as over_columns
from benchdata.rows.proof.blocks import Block, Flags, Places, Words
from benchdata.rows.strict_json import decode

OLDEST = pl.CompatLevel.oldest()
"""Of Arrow's kinds of text the one whose texts follow one another."""
INLINE = 12
"""A string view holds so many bytes itself; of a longer text the first four, and where it lies."""
CHARACTERS = -64
"""The least byte, as a signed number, with which a character begins."""
KEPT = np.array(
    [[(1 << 8 * min(max(size - at, 0), 4)) - 1 for at in (0, 4, 8)] for size in range(INLINE + 1)],
    np.uint32,
)
"""By the size of a short text: which bits of its three words are its own."""


def strings(block: Block, start: Places, stop: Places, words: Words) -> list[pl.Series]:
    """Return the text between `start` and `stop`, row by row, without copying it.

    `words` are the bytes at `start`. The lines must be UTF-8. What begins or ends within a
    character is given as empty text.
    """
    within = np.minimum(words.astype(np.int8), block.signed[stop]) < CHARACTERS
    size = np.where(within, 0, stop - start)
    views = np.empty((*size.shape, 4), np.uint32)
    views[..., 0] = size
    views[..., 1] = words
    views[..., 2] = 0
    views[..., 3] = start
    short = size <= INLINE
    inline = block.windows(f"V{INLINE}")[start[short]].view(np.uint32).reshape(-1, 3)
    views[short, 1:] = inline & KEPT[size[short]]
    memory = pa.py_buffer(block.memory)
    return [
        of_arrow(
            pa.Array.from_buffers(pa.string_view(), len(row), [None, pa.py_buffer(row), memory])
        )
        for row in views
    ]


@dataclass(frozen=True, slots=True)
class _Exported:
    """An array as any library offers it."""

    array: pa.Array

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Return the schema and the values."""
        exported: tuple[object, object] = self.array.__arrow_c_array__(requested_schema)
        return exported


def of_arrow(array: pa.Array) -> pl.Series:
    """Return an array as a series; of one of pyarrow's own polars makes a slow import first."""
    return pl.Series(_Exported(array))


class Known(NamedTuple):
    """What is known of a run's texts: for each line a code, which is an index into the others.

    Text among the values is coded too.
    """

    codes: pl.Series
    values: pl.DataFrame
    valid: Flags


class Texts:
    """The distinct texts of a run of members, each checked once by the contract itself."""

    def __init__(
        self,
        contract: Contract,
        version: int,
        model: type[BaseModel],
        names: tuple[str, ...],
        columns: dict[str, Column],
        rules: tuple[Rule, ...],
    ) -> None:
        """Know no text yet; `columns` are what the members fill, by name."""
        self.names, self.rules = names, rules
        self._contract, self._version, self._model = contract, version, model
        self._columns = columns
        self._open, self._close = "{", "}"
        self._before = self._after = ""
        self.tell({})

    @classmethod
    def of(
        cls,
        contract: Contract,
        version: int,
        model: type[BaseModel],
        prefix: str,
        names: tuple[str, ...],
        *,
        item: bool = False,
    ) -> Texts:
        """Return the texts of members of `model` below `prefix`; or of a list's plain items."""
        owner, inside, _ = prefix.rpartition("[].")
        pool = contract.columns
        if inside:
            pool = next(column.item for column in contract.columns if column.path == owner)
            prefix = ""
        columns = {
            column.name: replace(column, path=column.path.removeprefix(prefix))
            for column in pool
            if column.path.startswith(prefix)
            and column.path.removeprefix(prefix).split(".")[0] in names
        }
        if item:
            (listed,) = columns.values()
            columns = {"": listed.item[0]}
        have = set(columns)
        rules = tuple(
            check
            for check in contract.checks_of(version)
            if isinstance(check, Rule)
            and set(map(column_name, check.expression.paths)) <= have
            and not inside
        )
        made = cls(contract, version, model, names, columns, rules)
        if item:
            made._open, made._close = f'{{"{names[0]}":[', "]}"
        return made

    def within(self, before: bytes, after: bytes) -> Texts:
        """Return these, each text of which must stand between the same bytes."""
        self._before, self._after = before.decode(), after.decode()
        return self

    def __len__(self) -> int:
        return len(self._valid)

    @property
    def columns(self) -> Set[str]:
        """Return the names of the columns that the members fill."""
        return self._columns.keys()

    def tell(self, flags: Mapping[str, pl.Expr]) -> None:
        """Start anew with further columns, told from those that the members fill."""
        self._flags = flags
        self.forget()

    def forget(self) -> None:
        """Start anew: too many texts take too much memory."""
        self._type = pl.Categorical(pl.Categories.random())
        # the numbers of texts last as long as a column that uses them
        self._anchor = pl.Series([""], dtype=self._type)
        nothing = self._typed([{}])
        self._coded = pl.Schema(
            (name, pl.Categorical(pl.Categories.random()))
            for name, kind in nothing.schema.items()
            if kind == pl.String()
        )
        self._valid: Flags = np.zeros(1, bool)
        self._values = nothing.cast(self._coded)

    def know(self, texts: pl.Series) -> Known:
        """Return what is known of these texts, after checking the new ones."""
        coded = texts.cast(self._type)
        codes = coded.to_physical()
        if len(codes) and codes.to_numpy().max() >= len(self._valid):
            self._learn(coded)
        return Known(codes, self._values, self._valid)

    def _learn(self, coded: pl.Series) -> None:
        pairs = pl.DataFrame({"code": coded.to_physical(), "text": coded.cast(pl.String)})
        fresh = pairs.filter(pl.col("code") >= len(self._valid)).unique("code").sort("code")
        rows = [self._checked(text) for text in fresh["text"]]
        # what is not valid has the values of what is: where no value is null, all are taken faster
        filler = next(filter(None, rows), {})
        values = self._typed([row or filler for row in rows])
        holds = [over_columns(rule.expression) for rule in self.rules]
        valid = values.select(pl.all_horizontal(pl.lit(value=True), *holds).fill_null(value=False))
        known = np.array([row is not None for row in rows])
        self._valid = np.concatenate([self._valid, known & valid.to_series().to_numpy()])
        first = self._values if self._values.height > 1 else self._typed([filler]).cast(self._coded)
        self._values = first.vstack(values.cast(self._coded)).rechunk()

    def _typed(self, rows: list[dict[str, object]]) -> pl.DataFrame:
        typed = (frames.typed(rows, column) for column in self._columns.values())
        members = pl.DataFrame(dict(zip(self._columns, typed, strict=True)))
        return members.with_columns(**self._flags)

    def _checked(self, text: str) -> dict[str, object] | None:
        """Return the members in normal form when the contract takes them, else None."""
        normal: dict[str, object] = {}
        if not (text.startswith(self._before) and text.endswith(self._after)):
            return None
        members = text[len(self._before) : len(text) - len(self._after)]
        try:
            row = decode(f"{self._open}{members}{self._close}".encode())
            privacy.check(row)
            if row.keys() != set(self.names):
                return None
            if VERSION_FIELD in row and self._contract.version_of(row) != self._version:
                return None
            for name in self.names:
                Field(name).apply(self._model, row, normal)
        except RowError:
            return None
        if self._open == "{":
            return normal
        (items,) = normal.values()
        return {"": items[0]} if isinstance(items, list) and len(items) == 1 else None
