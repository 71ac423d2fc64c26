"""`benchdata import`: results of other tools as rows of contract `trial`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from benchdata.errors import InputError, counted, shorten

if TYPE_CHECKING:
    from benchdata.rows.importing.mapping import Format, Reading

SOME_FAILED = 2
STDOUT = Path("-")
MOST_LISTED, WIDEST = 200, 200
"""Lines about what has no field, and the characters of each: a document may hold any names."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_)


def import_(
    form: Annotated[
        str,
        typer.Argument(
            help="harbor, inspect, skill-validator, skill-creator, pytest-benchmark, transcripts.",
            metavar="FORMAT",
        ),
    ],
    sources: Annotated[
        list[Path], typer.Argument(help="Files or folders of that format.", metavar="SRC...")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help="The new file of rows, or - for standard output.",
            metavar="FILE",
        ),
    ],
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="What the source does not tell, the same in every row; may stand several times.",
            metavar="FIELD=VALUE",
        ),
    ] = None,
    score: Annotated[
        str | None,
        typer.Option(help="Which reward or scorer counts, of several.", metavar="NAME"),
    ] = None,
    names: Annotated[
        Path | None,
        typer.Option(
            help="A new JSON file of the tasks' names by id, where the id is a digest.",
            metavar="FILE",
        ),
    ] = None,
) -> int:
    """Make a row of each trial that another tool recorded; exit 2 when some could not be made."""
    from benchdata.rows.importing import formats, making
    from benchdata.rows.importing import settings as said
    from benchdata.rows.importing.mapping import Reading

    chosen = formats.named(form)
    _refuse_files(output, names)
    reading = Reading(said.given(chosen, settings or []), score)
    with _named(names, reading.task_names):
        try:
            _write(output, making.rows(chosen, sources, reading))
        finally:
            _tell(chosen, reading)
    if output != STDOUT:
        typer.echo(f"{counted(reading.rows, 'row')} written to {output}")
    return SOME_FAILED if reading.failed else 0


def _refuse_files(output: Path, names: Path | None) -> None:
    """Raise InputError where one of the two files is there, or where they are one."""
    for file in filter(None, (output, names)):
        if file != STDOUT and file.exists():
            raise InputError(f"{file}: is there already; name a new file, or remove this one")
    if names == STDOUT:
        raise InputError("--names -: names are written to a file only; name a new one")
    if names and output != STDOUT and names.resolve() == output.resolve():
        raise InputError(f"--names {names}: is the file of the rows; name another")


def _write(output: Path, rows: Iterator[dict[str, Any]]) -> None:
    from benchdata.rows.strict_json import encode
    from benchdata.rows.writing import whole_file

    if output == STDOUT:
        for row in rows:
            typer.echo(encode(row), nl=False)
        return
    with whole_file(output) as part, part.open("wb") as file:
        file.writelines(map(encode, rows))


@contextmanager
def _named(path: Path | None, names: dict[str, str]) -> Iterator[None]:
    """Write `names` once the rows are: whether they can be is seen before the first row."""
    from benchdata.rows.writing import whole_file

    if path is None:
        yield
        return
    with whole_file(path) as part:
        yield
        part.write_text(json.dumps(names, indent=2, sort_keys=True) + "\n", "utf-8")


def _tell(form: Format[Any], reading: Reading) -> None:
    """Say what could not be imported, and what no field of a row holds."""
    for failure in reading.failures:
        typer.echo(failure, err=True)
    if reading.failed:
        typer.echo(f"{counted(reading.failed, form.noun)} could not be imported", err=True)
    listed = sorted(reading.left_out.items())
    for what, count in listed[:MOST_LISTED]:
        typer.echo(f"not mapped: {shorten(what, WIDEST)} ({counted(count, 'time')})", err=True)
    if (more := len(listed) - MOST_LISTED) > 0:
        typer.echo(f"not mapped: {more:,} more", err=True)
