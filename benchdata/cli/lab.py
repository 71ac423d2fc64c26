"""`benchdata lab`: JupyterLab on the explore notebook, with the rows at hand."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from benchdata.cli.arguments import ContractName, Files
from benchdata.errors import BenchdataError

TEMPLATE = "explore.ipynb"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(lab)


def lab(
    files: Files,
    contract: ContractName = None,
    notebook: Annotated[
        Path, typer.Option(help="The notebook to write; one that is there is opened as it is.")
    ] = Path(TEMPLATE),
    browser: Annotated[bool, typer.Option(help="Open a browser window.")] = True,
) -> None:
    """Open JupyterLab on a copy of the explore notebook that reads these files."""
    import nbformat
    from papermill.parameterize import parameterize_notebook

    from benchdata.rows import sources
    from benchdata.shipped import folder

    inputs = [str(one.path.resolve()) for one in sources.find(files)]
    if (
        shutil.which("jupyter", path=f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}")
        is None
    ):
        raise BenchdataError("JupyterLab is not installed here: pip install jupyter")
    if not notebook.exists():
        template = nbformat.read(folder("notebooks") / TEMPLATE, as_version=4)
        filled = parameterize_notebook(template, {"inputs": inputs, "contract": contract})
        nbformat.write(filled, notebook)
        typer.echo(f"wrote {notebook}", err=True)
    arguments = [sys.executable, "-m", "jupyterlab", str(notebook)]
    os.execv(sys.executable, arguments if browser else [*arguments, "--no-browser"])
