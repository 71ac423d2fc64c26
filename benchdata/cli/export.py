"""`benchdata export`: validated rows as a file of another format, or as Every Eval Ever."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from benchdata.cli.arguments import (
    AcceptRejects,
    AsOf,
    ContractName,
    Files,
    NoCache,
    day,
    refuse_input,
    refuse_rejects,
)
from benchdata.errors import BenchdataError, counted

if TYPE_CHECKING:
    from benchdata.dataset import Dataset


class Format(StrEnum):
    """What is written."""

    parquet = "parquet"
    csv = "csv"
    ndjson = "ndjson"
    every_eval_ever = "every-eval-ever"


ENDINGS = {
    ".parquet": Format.parquet,
    ".csv": Format.csv,
    ".ndjson": Format.ndjson,
    ".jsonl": Format.ndjson,
}


class Relationship(StrEnum):
    """What the publisher is to the makers of the models."""

    first_party = "first_party"
    third_party = "third_party"
    collaborative = "collaborative"
    other = "other"


class Record(NamedTuple):
    """What is said of a record of Every Eval Ever, as far as it was given."""

    organization: str | None
    relationship: Relationship | None
    developer: str | None
    as_of: str | None


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(export)


def export(
    files: Files,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help="The file to write: .parquet, .csv or .ndjson; the folder of every-eval-ever.",
            metavar="FILE",
        ),
    ],
    format: Annotated[  # noqa: A002 - the option's name
        Format | None, typer.Option(help="What to write; else by the ending of --output.")
    ] = None,
    organization: Annotated[
        str | None,
        typer.Option(help="Who publishes (every-eval-ever).", metavar="NAME", show_default=False),
    ] = None,
    relationship: Annotated[
        Relationship | None,
        typer.Option(
            help="What they are to the makers of the models (every-eval-ever).", show_default=False
        ),
    ] = None,
    developer: Annotated[
        str | None,
        typer.Option(
            help="Who makes the models whose id does not say it (every-eval-ever).",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    as_of: AsOf = None,
    contract: ContractName = None,
    accept_rejects: AcceptRejects = 0,
    _: NoCache = False,
) -> None:
    """Write validated rows of one contract to a file, or their scores as Every Eval Ever has them.

    Parquet has a note beside it that vouches for it. CSV has lists as JSON.
    """
    wanted = format or _by_ending(output)
    record = Record(organization, relationship, developer, as_of)
    if wanted is not Format.every_eval_ever and any(record):
        raise BenchdataError(
            "--organization, --relationship, --developer and --as-of are for"
            " --format every-eval-ever"
        )
    import benchdata

    dataset = benchdata.open(files, contract)
    refuse_rejects(dataset, accept_rejects)
    refuse_input(dataset, output)
    if wanted is Format.every_eval_ever:
        _every_eval_ever(dataset, output, record, accept_rejects)
    else:
        rows = WRITERS[wanted](dataset, output)
        typer.echo(f"{rows:,} rows written to {output}")


def _by_ending(output: Path) -> Format:
    """Return the format that a file's name asks for."""
    if output.suffix.lower() not in ENDINGS:
        raise BenchdataError(
            f"{output}: cannot tell the format; name the file with {', '.join(ENDINGS)},"
            f" or add --format {', '.join(Format)}"
        )
    return ENDINGS[output.suffix.lower()]


def _parquet(dataset: Dataset, output: Path) -> int:
    from benchdata.rows import parquet
    from benchdata.rows.tables import scan_all

    rows = scan_all(dataset.tables)
    return parquet.write(rows, output, dataset.contract, dataset.tables).rows


def _csv(dataset: Dataset, output: Path) -> int:
    from benchdata.rows import exports

    written = exports.write_csv(dataset.tables, output, dataset.contract)
    for column, count in written.formulas.items():
        typer.echo(
            f"note: {counted(count, 'value')} of {column} would be run as a formula by a"
            " spreadsheet; import that column as text",
            err=True,
        )
    return written.rows


def _ndjson(dataset: Dataset, output: Path) -> int:
    from benchdata.rows import exports

    return exports.write_lines(dataset.tables, output, dataset.contract)


WRITERS: Mapping[Format, Callable[[Dataset, Path], int]] = {
    Format.parquet: _parquet,
    Format.csv: _csv,
    Format.ndjson: _ndjson,
}
"""Each writes the rows to a file and returns how many."""


def _every_eval_ever(dataset: Dataset, folder: Path, record: Record, accepted: int) -> None:
    from benchdata.reports import every_eval_ever, standing

    if not record.organization or not record.relationship:
        raise BenchdataError(
            "no row says who publishes: add --organization NAME, and --relationship"
            f" {', '.join(Relationship)} to the makers of the models"
        )
    date = day(record.as_of) or standing.as_of(dataset)
    if date == standing.NO_TIME:
        raise BenchdataError("no row says when it ran: add --as-of YYYY-MM-DD")
    publisher = every_eval_ever.Publisher(
        record.organization, record.relationship.value, record.developer or "", date
    )
    done = every_eval_ever.write(dataset, publisher, folder, accepted)
    for why, count in sorted(done.left_out.items()):
        if count:
            typer.echo(f"note: left out {counted(count, 'row')}: {why}", err=True)
    for document in done.documents:
        typer.echo(document)
