"""Validated rows as Parquet files that carry their contract, and what it takes to trust one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import BaseModel

from benchdata import contracts
from benchdata.contracts import Contract
from benchdata.contracts.base import VERSION_FIELD
from benchdata.contracts.columns import unwrap
from benchdata.contracts.fields import declared, instant_text
from benchdata.contracts.fingerprint import fingerprint
from benchdata.errors import InputError
from benchdata.rows.sources import Input, file_digest
from benchdata.rows.strict_json import encode
from benchdata.rows.tables import Table
from benchdata.rows.writing import whole_file

MAGIC = b"PAR1"
SIDECAR = ".manifest.json"
CONTRACT = "benchdata.contract"
BATCH = 10_000


@dataclass(frozen=True, slots=True)
class Note:
    """What the sidecar of a Parquet file says of it; `digest` is the BLAKE3 digest of its bytes."""

    contract: str
    fingerprint: str
    versions: tuple[int, ...]
    rows: int
    digest: str
    sources: tuple[Mapping[str, Any], ...]


def is_parquet(path: Path) -> bool:
    """Tell by its first bytes whether a file is Parquet; one that cannot be read is none."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def sidecar(path: Path) -> Path:
    """Return where a Parquet file's note lies."""
    return path.with_name(path.name + SIDECAR)


def write(frame: pl.LazyFrame, path: Path, contract: Contract, tables: Iterable[Table]) -> Note:
    """Write rows with the columns of `frames.schema` to `path`, and the note beside it.

    The note names the inputs of `tables`, which the rows are from.
    """
    with whole_file(path) as part:
        frame.sink_parquet(part, compression="zstd", metadata={CONTRACT: contract.name})
        stored = pl.scan_parquet(part, glob=False)
        versions = (
            stored.select(pl.col(VERSION_FIELD).unique().sort()).collect().to_series().to_list()
            if VERSION_FIELD in stored.collect_schema()
            else sorted(contract.models)
        )
        note = Note(
            contract.name,
            fingerprint(contract),
            tuple(versions),
            stored.select(pl.len()).collect().item(),
            file_digest(part),
            tuple(
                {"name": one.input.name, "digest": one.digest, "rows": one.rows} for one in tables
            ),
        )
        with whole_file(sidecar(path)) as beside:
            beside.write_text(json.dumps(asdict(note), indent=2) + "\n", encoding="utf-8")
    return note


def note_of(path: Path) -> Note | None:
    """Return the note beside a Parquet file, None when there is none that can be read."""
    try:
        found = json.loads(sidecar(path).read_text(encoding="utf-8"))
        return Note(**{**found, "versions": tuple(found["versions"])})
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def trusted(path: Path, digest: str, contract: Contract) -> Note | None:
    """Return the note of a file whose rows need no validation: it notes digest and contract."""
    note = note_of(path)
    if note is None or note.digest != digest or note.fingerprint != fingerprint(contract):
        return None
    return note


def recognised(source: Input) -> Contract:
    """Return the contract that a Parquet file says it follows, or raise InputError."""
    try:
        name = pl.read_parquet_metadata(source.path).get(CONTRACT)
    except (pl.exceptions.PolarsError, OSError):
        raise InputError(f"{source.label}: is damaged: it is no whole Parquet file") from None
    if name is None:
        raise InputError(f"{source.label}: says of no contract; name one with --contract")
    return contracts.get(name)


def written_out(source: Input, contract: Contract, file: Path) -> Input:
    """Return an input whose rows are lines; those of Parquet are written to `file` for that."""
    if not is_parquet(source.path):
        return source
    with file.open("wb") as lines:
        lines.writelines(_lines(source, contract))
    return Input(source.label, file)


def _lines(source: Input, contract: Contract) -> Iterator[bytes]:
    """Yield the rows of a Parquet file as lines of JSON, to be validated like any others."""
    try:
        yield from as_lines(pl.scan_parquet(source.path, glob=False), contract)
    except (pl.exceptions.PolarsError, OSError, ValueError, TypeError):
        raise InputError(f"{source.label}: is damaged, or holds what no row can") from None


def as_lines(rows: pl.LazyFrame, contract: Contract) -> Iterator[bytes]:
    """Yield rows of flat columns as lines of JSON in normal form, many at a time."""
    for batch in rows.collect_batches(chunk_size=BATCH, maintain_order=True):
        yield b"".join(encode(_nested(row, contract)) for row in batch.iter_rows(named=True))


def _nested(flat: Mapping[str, Any], contract: Contract) -> dict[str, Any]:
    """Return one row of flat columns as the nested object it came from."""
    return _object(contract.model_of(flat), flat, "")


def _object(model: type[BaseModel], flat: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        base, _, nullable = unwrap(declared(info))
        column = f"{prefix}{name}"
        if isinstance(base, type) and issubclass(base, BaseModel):
            inner = _object(base, flat, f"{column}_")
            empty = nullable and all(value is None for value in inner.values())
            found[name] = None if empty else inner
        elif column in flat:
            found[name] = _plain(flat[column])
    return found


def _plain(value: Any) -> Any:
    """Return a column's value as it stands in a row: times as text in normal form."""
    if isinstance(value, datetime):
        return instant_text(value)
    return value
