"""What a command tells a CI system besides its answer: annotations on stdout, a JUnit file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchdata.errors import BenchdataError

if TYPE_CHECKING:
    from benchdata.reports.ci.cases import Case

GITHUB = "github"
"""The format that is annotations."""

JUnit = Annotated[
    Path | None,
    typer.Option(
        "--junit", help="Write a JUnit XML file as well.", metavar="FILE", show_default=False
    ),
]


@contextmanager
def told(command: str, files: Sequence[str], form: str, junit: Path | None) -> Iterator[list[Case]]:
    """Yield the list that a command puts its cases in; in the end CI is told of them.

    A command that fails has its error among them, which goes on its way. No file but an XML file is
    replaced, and none of the inputs: it could hold rows.
    """
    if junit and junit.suffix.lower() != ".xml":
        raise BenchdataError(f"--junit {junit}: name the file with .xml")
    if junit and junit.exists() and _is_input(junit, files):
        raise BenchdataError(f"--junit {junit}: is one of the inputs; name another file")
    cases: list[Case] = []
    try:
        yield cases
    except BenchdataError as error:
        if form == GITHUB or junit:
            from benchdata.reports.ci.cases import of_error

            _tell([*cases, *of_error(command, error)], form, junit)
        raise
    _tell(cases, form, junit)


def _is_input(junit: Path, files: Sequence[str]) -> bool:
    from benchdata.rows import sources

    try:
        found = sources.find([file for file in files if file != sources.STDIN])
    except BenchdataError:  # which the command tells of when it reads them
        return False
    return any(one.path.samefile(junit) for one in found)


def _tell(cases: list[Case], form: str, junit: Path | None) -> None:
    if form == GITHUB:
        from benchdata.reports.ci.annotations import as_annotations

        typer.echo(as_annotations(cases), nl=False)
    if junit:
        from benchdata.reports.ci.junit import as_junit
        from benchdata.rows.writing import whole_file

        with whole_file(junit) as part:
            part.write_text(as_junit(cases), encoding="utf-8")
