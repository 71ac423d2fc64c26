"""`benchdata lab`: JupyterLab on the explore notebook, with the rows at hand."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from benchdata.cli.arguments import ContractName, Files
from benchdata.errors import BenchdataError

TEMPLATE = Path("explore.ipynb")
# JupyterLab would look for news, for releases of itself and for extensions.
OFFLINE = (
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(lab)


def lab(
    files: Files,
    contract: ContractName = None,
    notebook: Annotated[
        Path, typer.Option(help="The notebook to write; one that is there is opened as it is.")
    ] = TEMPLATE,
    browser: Annotated[bool, typer.Option(help="Open a browser window.")] = True,
    allow_root: Annotated[
        bool, typer.Option("--allow-root", help="Start as root, as in a container.")
    ] = False,
) -> None:
    """Open JupyterLab on a copy of the explore notebook that reads these files."""
    import benchdata
    from benchdata.lab import require
    from benchdata.rows import sources

    require()
    if notebook.suffix != TEMPLATE.suffix or notebook.is_dir():
        raise BenchdataError(
            f"--notebook: {notebook} is no notebook; name a file, such as {TEMPLATE}"
        )
    if "-" in files:
        raise BenchdataError("the lab reads its rows again and again: name files, not -")
    benchdata.open(files, contract)  # bad rows are told here; good ones are then in the cache
    inputs = [str(one.path.absolute()) for one in sources.find(files)]
    if notebook.exists():
        typer.echo(
            f"{notebook} is there already and opened as it is, not with these files", err=True
        )
    else:
        _write(notebook, inputs, contract)
        typer.echo(f"wrote {notebook}", err=True)
    # the kernel is this Python, whatever a user has registered under the name of the kernel
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    arguments = [sys.executable, "-P", "-m", "jupyterlab", str(notebook), *OFFLINE]
    arguments += [] if browser else ["--no-browser"]
    os.execv(sys.executable, [*arguments, "--allow-root"] if allow_root else arguments)


def _write(notebook: Path, inputs: list[str], contract: str | None) -> None:
    """Write the explore notebook with its parameters set, and without outputs of other rows."""
    import nbformat

    from benchdata.rows.writing import whole_file
    from benchdata.shipped import folder

    filled = nbformat.read(folder("notebooks") / TEMPLATE, as_version=4)
    for cell in filled.cells:
        if "parameters" in cell.metadata.get("tags", ()):
            cell.source = f"inputs = {inputs!r}\ncontract = {_placed(contract)!r}"
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with whole_file(notebook) as file:
        nbformat.write(filled, file)


def _placed(contract: str | None) -> str | None:
    """Return where the contract is for a notebook that runs in its own folder."""
    file, colon, name = (contract or "").rpartition(":")
    return f"{Path(file).absolute()}:{name}" if colon and file.endswith(".py") else contract
