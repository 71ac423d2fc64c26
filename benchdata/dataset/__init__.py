"""A dataset: validated rows with where they came from, as polars frames and as SQL views."""

from __future__ import annotations

import contextlib
import weakref
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from benchdata import contracts
from benchdata.contracts import Contract
from benchdata.dataset import grouping, views
from benchdata.dataset.datasheets import Datasheet, Review, datasheet, digest_of, review
from benchdata.engine import engines
from benchdata.engine.connection import View
from benchdata.engine.engines import DuckDB, Engine
from benchdata.errors import ContractError, InputError, QueryRefused
from benchdata.rows import frames, reading, rejects, scratch, sources
from benchdata.rows.tables import Table

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

__all__ = ["Dataset", "Provenance", "open"]


@dataclass(frozen=True, slots=True)
class Provenance:
    """One input as a published file may speak of it: no path, only its base name and digest."""

    name: str
    digest: str
    contract: str
    rows: int
    set_aside: int
    dropped: dict[str, int]


def open(  # noqa: A001 - read as benchdata.open
    paths: str | Path | Iterable[str | Path],
    contract: str | Contract | None = None,
    *,
    engine: str = "duckdb",
) -> Dataset:
    """Read and validate files, directories, globs or `-`, and return them as one dataset.

    `contract` is a name, `module:object` or a Contract; when None it is recognised from the first
    row of each input. `engine` answers the queries: `duckdb`, or for frozen rows `spark`, with or
    without the `://HOST:PORT` of a master. Raises RowsInvalid with every bad row's place,
    InputError, ContractError, or EngineUnavailable.
    """
    asked = engines.named(engine)
    arguments = [paths] if isinstance(paths, str | Path) else list(paths)
    chosen = contracts.get(contract) if isinstance(contract, str) else contract
    with contextlib.ExitStack() as failed:
        spool = failed.enter_context(scratch.spool())
        tables = reading.read(sources.find(arguments), chosen, spool)
        if asked.frozen_only:
            _refuse_loose(tables, engine)
        rows = Dataset(tables, spool, asked)
        weakref.finalize(rows, failed.pop_all().close)
    return rows


def _refuse_loose(tables: Iterable[Table], engine: str) -> None:
    """Raise InputError for rows that lie in no Parquet which vouches for them."""
    if loose := [table.input.label for table in tables if not table.trusted]:
        raise InputError(
            f"{loose[0]}: is not frozen, and {engine} reads frozen rows alone:"
            " `benchdata freeze FILE... --into LAKE`, then name LAKE"
        )


class Dataset:
    """Validated rows of one or several contracts. Made by `open`; its rows never change.

    The rows lie in Parquet files of a temporary folder, which goes when the dataset does.
    """

    def __init__(self, tables: Iterable[Table], spool: Path, engine: Engine | None = None) -> None:
        self.tables = tuple(tables)
        self._spool = spool
        self._engine = engine or DuckDB()

    @cached_property
    def contracts(self) -> tuple[Contract, ...]:
        """Return the contracts of the rows, in the order of the inputs."""
        return tuple({table.contract.name: table.contract for table in self.tables}.values())

    @property
    def contract(self) -> Contract:
        """Return the one contract of all rows; raise ContractError when there are several."""
        if len(self.contracts) > 1:
            names = ", ".join(contract.name for contract in self.contracts)
            raise ContractError(f"the rows follow several contracts ({names}); open one at a time")
        return self.contracts[0]

    def of(self, contract: Contract) -> Dataset:
        """Return the rows of one of its contracts as a dataset, which ends when this one does."""
        if [one.name for one in self.contracts] == [contract.name]:
            return self
        tables = (table for table in self.tables if table.contract.name == contract.name)
        return Dataset(tables, self._spool, self._engine)

    @cached_property
    def digest(self) -> str:
        """Return one BLAKE3 digest of all inputs, whatever their order."""
        return digest_of(table.digest for table in self.tables)

    @cached_property
    def provenance(self) -> tuple[Provenance, ...]:
        """Return what may be published of each input."""
        return tuple(
            Provenance(
                table.input.name,
                table.digest,
                table.contract.name,
                table.rows,
                rejects.set_aside(table.input.path),
                dict(table.dropped),
            )
            for table in self.tables
        )

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return sum(table.rows for table in self.tables)

    @property
    def set_aside(self) -> int:
        """Return how many rows were set aside when the inputs were made."""
        return sum(one.set_aside for one in self.provenance)

    @cached_property
    def datasheets(self) -> tuple[Datasheet, ...]:
        """Return the datasheets that lie beside the inputs."""
        return tuple(datasheet(folder) for folder in sorted(self._folders))

    @cached_property
    def review(self) -> Review | None:
        """Return the latest review when each input's folder has one of exactly these rows."""
        found = []
        for folder, tables in self._folders.items():
            note = review(folder)
            if not note or note.digest != digest_of(one.digest for one in tables):
                return None
            found.append(note)
        return max(found, key=lambda note: note.date, default=None)

    @cached_property
    def _folders(self) -> dict[Path, list[Table]]:
        found: dict[Path, list[Table]] = defaultdict(list)
        for table in self.tables:
            found[table.input.path.parent.resolve()].append(table)
        return found

    def frame(self, contract: str | None = None) -> pl.DataFrame:
        """Return the rows of a contract (the only one, when None) as a polars frame."""
        import polars as pl

        files = self._files(contract or self.contract.name)
        return pl.read_parquet(files, glob=False).drop(frames.LINE)

    def sql(self, query: str) -> pl.DataFrame:
        """Return the answer to one SELECT over the views; raise QueryRefused for anything else."""
        import polars as pl

        grouped = len(self.contracts) > 1 or any(name in query.lower() for name in views.BY_GROUP)
        table = self._engine.answer(self.views if grouped else self._views_of_rows, query)
        if any(map(_has_no_column, table.schema.types)):
            raise QueryRefused("a frame has no column for intervals and unions: cast to varchar")
        return pl.DataFrame(table)

    @cached_property
    def views(self) -> tuple[View, ...]:
        """Return the views that `sql` sees; raise ContractError when two have one name."""
        return self._views(grouped=True)

    @cached_property
    def _views_of_rows(self) -> tuple[View, ...]:
        """Return the same without a group in them, for a query that reads none: they cost time."""
        return self._views(grouped=False)

    def _views(self, *, grouped: bool) -> tuple[View, ...]:
        dialect = self._engine.dialect
        found = [
            view
            for contract in self.contracts
            for view in views.of_contract(contract, self._files(contract.name), dialect)
        ]
        if len(self.contracts) == 1:
            found += views.of_single(self.contract, *self._group_file(grouped=grouped), dialect)
        taken = Counter(view.name.lower() for view in found)
        if twice := [name for name, count in taken.items() if count > 1]:
            raise ContractError(
                f"two views are named {twice[0]}: rename the contract, or a list in its `views`"
            )
        return tuple(found)

    def _group_file(self, *, grouped: bool) -> tuple[Path, str]:
        """Return the Parquet file of the groups, with none unless `grouped`, and what bars its use.

        Of too many groups it holds the first alone.
        """
        import polars as pl

        columns = list(grouping.columns(self.contract))
        file = self._spool / f"{'groups' if grouped else 'no-groups'}-{self.contract.name}.parquet"
        rows = frames.empty(self.contract).lazy()
        if grouped:
            rows = pl.scan_parquet(self._files(self.contract.name), glob=False)
        distinct = rows.select(columns).unique().collect(engine="streaming")
        fault = grouping.fault(distinct)
        grouping.table(distinct.head(1) if fault else distinct, self.contract).write_parquet(file)
        return file, fault

    def _files(self, contract: str) -> list[Path]:
        name = contract.replace("_", "-")
        tables = [one for one in self.tables if one.contract.name.replace("_", "-") == name]
        files = [part.file for table in tables for part in table.parts]
        if not files:
            raise ContractError(f"no rows of contract {contract} were opened")
        return files


def _has_no_column(kind: pa.DataType) -> bool:
    """Tell whether polars lacks a kind of value, or one inside it: it would panic."""
    import pyarrow as pa

    inside = (kind.field(number).type for number in range(kind.num_fields))
    return pa.types.is_interval(kind) or pa.types.is_union(kind) or any(map(_has_no_column, inside))
