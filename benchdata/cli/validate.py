"""`benchdata validate`: every row against its contract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchdata.cli.arguments import CheckFormat, ContractName, MaybeFiles, NoCache
from benchdata.cli.ci import JUnit, told
from benchdata.errors import BenchdataError, counted

if TYPE_CHECKING:
    from benchdata.reports.ci.cases import Case


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(validate)


def validate(
    files: MaybeFiles = None,
    contract: ContractName = None,
    schema: Annotated[
        str | None,
        typer.Option(help="Print a contract's JSON Schema and stop.", metavar="NAME"),
    ] = None,
    keep_valid: Annotated[
        Path | None, typer.Option(help="Write the good lines of one input here.", metavar="FILE")
    ] = None,
    rejects: Annotated[
        Path | None,
        typer.Option(help="Write the other lines here, each explained.", metavar="FILE"),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        CheckFormat, typer.Option(help="How to print it.")
    ] = CheckFormat.text,
    junit: JUnit = None,
    _: NoCache = False,
) -> None:
    """Check every row; print what is there, or each error as FILE:LINE: PATH: message."""
    if (schema or keep_valid or rejects) and (junit or format is CheckFormat.github):
        raise BenchdataError(
            "--format and --junit are of a check alone, not of --schema or a split"
        )
    if schema:
        _print_schema(schema)
    elif not files:
        raise BenchdataError("name at least one FILE, or --schema NAME")
    elif keep_valid and rejects:
        _split(files, contract, keep_valid, rejects)
    elif keep_valid or rejects:
        raise BenchdataError("--keep-valid and --rejects go together: no row may be lost")
    else:
        with told("validate", files, format, junit) as cases:
            _check(files, contract, cases, quiet=format is CheckFormat.github)


def _print_schema(name: str) -> None:
    from benchdata import contracts
    from benchdata.contracts.schema import json_schema

    typer.echo(json.dumps(json_schema(contracts.get(name)), indent=2, ensure_ascii=False))


def _check(files: list[str], contract: str | None, cases: list[Case], *, quiet: bool) -> None:
    import benchdata
    from benchdata.reports.ci.cases import of_inputs

    dataset = benchdata.open(files, contract)
    cases.extend(of_inputs(dataset))
    if not quiet:
        valid = [line for case in cases for line in case.lines]
        typer.echo("\n".join([*valid, f"digest {dataset.digest}"]))
    for one in dataset.provenance:
        if one.set_aside:
            typer.echo(f"{one.name}: {counted(one.set_aside, 'row')} set aside before", err=True)
        for what, count in one.dropped.items():
            typer.echo(f"{one.name}: left out {what} ({counted(count, 'time')})", err=True)


def _split(files: list[str], contract: str | None, keep: Path, rejects: Path) -> None:
    from benchdata import contracts
    from benchdata.rows import reading, sources
    from benchdata.rows.rejects import split

    inputs = sources.find(files)
    if len(inputs) != 1:
        raise BenchdataError(f"--keep-valid splits one input at a time; {len(inputs)} are named")
    chosen = contracts.get(contract) if contract else reading.recognised(inputs[0])
    done = split(inputs[0], chosen, keep, rejects)
    kept = counted(done.kept, "line")
    typer.echo(f"{kept} kept in {keep}, {done.rejected:,} explained in {rejects}")
