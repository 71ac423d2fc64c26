"""Running a report's notebook in a kernel of its own, and what of it may be published."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from traitlets.config import Config

from benchdata.errors import ReportError
from benchdata.reports import cells
from benchdata.reports.templates import Template
from benchdata.rows import scratch

INJECTED = "injected-parameters"
KERNEL = "python3"
KEPT = ("cell_type", "source", "outputs")
# Where Jupyter and IPython look for kernels, settings and histories, and keep a kernel's sockets.
FOLDERS = ("JUPYTER_PATH", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
# -P: a file json.py of the working directory is no module json. What a cell writes past Python
# goes to stderr: stdout carries the answer only.
START = "import os; os.dup2(2, 1); from ipykernel.kernelapp import launch_new_instance as go; go()"
ARGUMENTS = ("--log-level=CRITICAL", "-f", "{connection_file}")
LONGEST = 60  # characters of a folder for sockets: the name of one may have some hundred in all


def execute(template: Template, parameters: Mapping[str, Any]) -> NotebookNode:
    """Return the notebook, run with `parameters`; a failing cell raises ReportError naming it."""
    import papermill

    logging.getLogger("papermill").setLevel(logging.CRITICAL)
    with _kernel_files() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what libraries of the kernel's side say is not ours
        try:
            done: NotebookNode = papermill.execute_notebook(
                template.notebook,
                None,
                parameters=dict(parameters),
                kernel_name=KERNEL,  # whatever kernel and language the template was saved with
                language="python",
                progress_bar=os.isatty(2),
                log_output=False,
                cwd=str(Path.cwd()),
                config=Config({"KernelManager": {"transport": "ipc", "ip": str(folder / "k")}}),
            )
        except papermill.PapermillExecutionError as error:
            number = _number(template.notebook, error.cell_index)
            reason = cells.failure(error.ename, error.evalue)
            message = f"{template.file}: cell {number} failed: {reason}"
            raise ReportError(message) from None
        except RuntimeError as error:  # the kernel died or never came up
            reason = cells.failure("the kernel failed", str(error))
            raise ReportError(f"{template.file}: {reason}") from None
    return done


def _number(template: NotebookNode, index: int) -> int:
    """Return the number in the template of a cell of the run, which may have one more before it."""
    tags = [cell.metadata.get("tags", ()) for cell in template.cells]
    first = next(number for number, each in enumerate(tags) if "parameters" in each)
    added = all(INJECTED not in each for each in tags)  # else papermill put ours in its place
    return index + 1 - (added and index > first)


@contextlib.contextmanager
def _kernel_files() -> Iterator[Path]:
    """Let the kernel be this Python, unsettled by the user's settings, and talk through files.

    Only this user can open those. Whatever the kernel leaves goes with the folder.
    """
    temporary = Path(tempfile.gettempdir())
    if len(str(temporary)) > LONGEST:
        temporary = Path("/tmp")
    before = {name: os.environ.get(name) for name in FOLDERS}
    with scratch.folder(temporary, ".benchdata-kernel-") as folder:
        kernel = {
            "argv": [sys.executable, "-P", "-c", START, *ARGUMENTS],
            "env": {"TMPDIR": str(folder), "PYTHONSTARTUP": ""},
            "display_name": "Python 3",
            "language": "python",
        }
        file = folder / "kernels" / KERNEL / "kernel.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(kernel), encoding="utf-8")
        os.environ.update(dict.fromkeys(FOLDERS, str(folder)))
        try:
            yield folder
        finally:
            for name, value in before.items():
                os.environ.pop(name)
                if value is not None:
                    os.environ[name] = value


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
    copy.id = f"cell-{number:02}"  # a template without ids would get others each time
    if INJECTED in tags:
        copy.source = "\n".join(f"{name} = {value!r}" for name, value in sorted(parameters.items()))
    if copy.cell_type == "code":
        copy.execution_count = cell.execution_count
        copy.outputs = [output for output in copy.outputs if not _is_stderr(output)]
    return copy


def _is_stderr(output: NotebookNode) -> bool:
    """Tell what only warnings use, which name files of the machine."""
    return bool(output.output_type == "stream" and output.name == "stderr")
