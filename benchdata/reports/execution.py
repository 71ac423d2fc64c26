"""Running a report's notebook in a kernel of its own, and what of it may be published."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from traitlets.config import Config

from benchdata.errors import ReportError, shorten
from benchdata.reports import cells

RUNTIME = "JUPYTER_RUNTIME_DIR"
INJECTED = "injected-parameters"
KERNEL = "python3"
KEPT = ("cell_type", "id", "source", "outputs")


def execute(notebook: Path, parameters: Mapping[str, Any]) -> NotebookNode:
    """Return the notebook, run with `parameters`; a failing cell raises ReportError naming it."""
    import papermill

    logging.getLogger("papermill").setLevel(logging.ERROR)
    with _kernel_files() as scratch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what libraries of the kernel's side say is not ours
        try:
            done: NotebookNode = papermill.execute_notebook(
                str(notebook),
                str(scratch / "executed.ipynb"),
                parameters=dict(parameters),
                kernel_name=KERNEL,  # whatever kernel the template was saved with elsewhere
                progress_bar=os.isatty(2),
                log_output=False,
                cwd=str(Path.cwd()),
                config=Config({"KernelManager": {"transport": "ipc", "ip": str(scratch / "k")}}),
            )
        except papermill.PapermillExecutionError as error:
            reason = shorten(cells.ANSI.sub("", f"{error.ename}: {error.evalue}"))
            message = f"{notebook.name}: cell {error.cell_index + 1} failed: {reason}"
            raise ReportError(message) from None
        except RuntimeError as error:  # the kernel died or never came up
            message = f"{notebook.name}: the kernel failed: {shorten(str(error))}"
            raise ReportError(message) from None
    return done


@contextlib.contextmanager
def _kernel_files() -> Iterator[Path]:
    """Let the kernel be talked to through files that only this user can open, not through ports."""
    before = os.environ.get(RUNTIME)
    with tempfile.TemporaryDirectory(prefix="bd-") as folder:  # short, as a socket's path must be
        os.environ[RUNTIME] = folder
        try:
            yield Path(folder)
        finally:
            os.environ.pop(RUNTIME)
            if before is not None:
                os.environ[RUNTIME] = before


def published(notebook: NotebookNode, parameters: Mapping[str, Any]) -> NotebookNode:
    """Return an executed notebook as it may be published: no path, no clock, no machine.

    `parameters` stand in the place of those that were injected.
    """
    clean: NotebookNode = nbformat.v4.new_notebook()
    clean.metadata = NotebookNode(
        kernelspec={"display_name": "Python 3", "language": "python", "name": KERNEL},
        language_info={"name": "python"},
    )
    clean.cells = [_cell(cell, number, parameters) for number, cell in enumerate(notebook.cells)]
    return clean


def _cell(cell: NotebookNode, number: int, parameters: Mapping[str, Any]) -> NotebookNode:
    copy = NotebookNode({key: cell[key] for key in KEPT if key in cell})
    tags = cell.metadata.get("tags", [])
    copy.metadata = NotebookNode({"tags": tags} if tags else {})
    copy.setdefault("id", f"cell-{number}")
    if INJECTED in tags:
        copy.id = INJECTED
        copy.source = "\n".join(f"{name} = {value!r}" for name, value in sorted(parameters.items()))
    if copy.cell_type == "code":
        copy.execution_count = cell.execution_count
        copy.outputs = [output for output in copy.outputs if not _is_stderr(output)]
    return copy


def _is_stderr(output: NotebookNode) -> bool:
    """Tell what only warnings use, which name files of the machine."""
    return bool(output.output_type == "stream" and output.name == "stderr")
