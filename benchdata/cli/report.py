"""`benchdata report`: a dated, offline report folder from rows, or a check of one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchdata.cli.arguments import AcceptRejects, AsOf, ContractName, MaybeFiles, NoCache, day
from benchdata.errors import ANSWER_IS_NO, BenchdataError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(report)


def report(
    template: Annotated[
        str | None, typer.Argument(help="A report's name, or the path of a notebook.")
    ] = None,
    files: MaybeFiles = None,
    demo: Annotated[bool, typer.Option("--demo", help="Use the shipped demo rows.")] = False,
    out: Annotated[Path, typer.Option(help="Make the report's folder in here.")] = Path("reports"),
    contract: ContractName = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "-p", "--parameter", help="A parameter of the notebook.", metavar="NAME=VALUE"
        ),
    ] = None,
    as_of: AsOf = None,
    accept_rejects: AcceptRejects = 0,
    check: Annotated[
        Path | None,
        typer.Option(
            help="Make this report again from the FILEs (its notebook first, if not shipped).",
            metavar="DIR",
        ),
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option(
            help="Keep a small record of a build-bench report in here as well.", metavar="DIR"
        ),
    ] = None,
    _: NoCache = False,
) -> int:
    """Make a report folder from rows and print its name; a whole one of that name is kept."""
    if check:
        if parameter or as_of or accept_rejects or history:
            raise BenchdataError(
                "--check takes parameters, date and rejects from the manifest, and keeps no history"
            )
        return _check(check, [*([template] if template else []), *(files or [])], contract)
    from benchdata.reports import bench_history, run

    if template is None:
        raise BenchdataError("name a report template, such as `benchdata report jev-social --demo`")
    what = run.order(
        template,
        _inputs(template, files or [], demo=demo),
        contract=contract,
        as_of=day(as_of),
        accept_rejects=accept_rejects,
        parameters=dict(map(_parameter, parameter or [])),
        say=_say,
    )
    if history:
        bench_history.refuse_other(what.template)
    typer.echo(run.make(what, out, _say))
    if history:
        _say(f"the record is {bench_history.keep(what, history, _say)}")
    return 0


def _inputs(template: str, files: list[str], *, demo: bool) -> list[str | Path]:
    """Return the files named, or the template's demo datasets."""
    if demo == bool(files):
        raise BenchdataError("name the FILEs to report on, or --demo, one of the two")
    if files:
        return list(files)
    from benchdata.reports import templates

    return [*templates.find(template).demo]


def _parameter(text: str) -> tuple[str, str]:
    """Return a name and its value as text; the template says what it is read as."""
    name, equals, value = text.partition("=")
    if not equals:
        raise BenchdataError(f"-p {text}: write it as NAME=VALUE")
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise BenchdataError(f"-p {name}: the value is no UTF-8 text")
    return name, value


def _check(folder: Path, files: list[str], contract: str | None) -> int:
    from benchdata.reports.check import check

    template = files.pop(0) if files and files[0].endswith(".ipynb") else None
    if not files:
        raise BenchdataError("--check DIR needs the FILEs that the report was made of")
    found = check(folder, files, contract, _say, template)
    for name in found.wrong:
        typer.echo(f"differs: {name}")
    for name in found.unsure:
        typer.echo(f"made by another version, so not compared: {name}")
    if found.wrong:
        typer.echo("the report differs")
        return ANSWER_IS_NO
    typer.echo("the numbers are the same" if found.unsure else "the report is the same")
    return 0


def _say(message: str) -> None:
    typer.echo(message, err=True)
