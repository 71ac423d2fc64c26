"""Making a report: run the notebook, draw the page, write the folder in one step or not at all."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from blake3 import blake3
from nbformat import NotebookNode
from traitlets.config import Config

from benchdata import __version__, dataset, queries
from benchdata.dataset import Dataset
from benchdata.errors import ReportError, shorten
from benchdata.reports import cells, formats, standing
from benchdata.reports.page import render
from benchdata.reports.report import Report
from benchdata.rows.writing import whole_file
from benchdata.shipped import folder

MANIFEST = "manifest.json"
SETTABLE_BY_US = ("inputs", "contract", "digest", "accept_rejects")
RUNTIME = "JUPYTER_RUNTIME_DIR"
NO_TIME = "1970-01-01"
UNFINISHED = ".unfinished-"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be reported: a template's notebook, the rows, and what the reader chose."""

    template: str
    notebook: Path
    dataset: Dataset
    contract: str | None
    as_of: str
    accept_rejects: int
    parameters: Mapping[str, Any]

    def manifest(self) -> dict[str, Any]:
        """Return everything that decides what the report says; base names and digests only."""
        inputs = sorted(self.dataset.provenance, key=lambda one: (one.name, one.digest))
        versions = {
            one.name: sorted(one.models)
            for one in sorted(self.dataset.contracts, key=lambda one: one.name)
        }
        return {
            "manifestVersion": 1,
            "benchdata": __version__,
            "template": self.template,
            "templateDigest": blake3(self.notebook.read_bytes()).hexdigest(),
            "asOf": self.as_of,
            "parameters": dict(sorted(self.parameters.items())),
            "contract": self.contract,
            "contracts": versions,
            "acceptRejects": self.accept_rejects,
            "seed": 0,
            "rows": self.dataset.rows,
            "inputs": [
                {
                    "name": one.name,
                    "digest": one.digest,
                    "contract": one.contract,
                    "rows": one.rows,
                    "setAside": one.set_aside,
                    "dropped": one.dropped,
                }
                for one in inputs
            ],
        }

    @property
    def name(self) -> str:
        """Return the name of the report's folder, `<date>-<template>-<digest8>`."""
        text = json.dumps(self.manifest(), sort_keys=True, ensure_ascii=False)
        return f"{self.as_of}-{self.template}-{blake3(text.encode()).hexdigest()[:8]}"


def order(
    template: str,
    inputs: Sequence[str | Path],
    *,
    contract: str | None = None,
    as_of: str | None = None,
    accept_rejects: int = 0,
    parameters: Mapping[str, Any] | None = None,
) -> Order:
    """Read the inputs and return the order of a report.

    `template` is the name of a shipped notebook (`-` and `_` alike) or the path of one. The date is
    `as_of`, else that of the latest time in the rows, else 1970-01-01; it labels and never filters.
    """
    name, notebook = find_template(template)
    chosen = dict(parameters or {})
    _refuse_unknown(notebook, chosen)
    rows = dataset.open(inputs, contract)
    date = as_of or _latest(rows)
    return Order(name, notebook, rows, contract, date, accept_rejects, chosen)


def find_template(template: str) -> tuple[str, Path]:
    """Return the name and file of a template, or raise ReportError naming those there are."""
    if template.endswith(".ipynb"):
        path = Path(template)
        if not path.is_file():
            raise ReportError(f"{template}: there is no such notebook")
        return path.stem.replace("_", "-"), path
    there = {file.stem.replace("_", "-"): file for file in sorted(folder("notebooks").glob("*.ipynb"))}
    name = template.replace("_", "-")
    if name not in there:
        hint = queries.did_you_mean(name, tuple(there)) or f"; there are {', '.join(there)}"
        raise ReportError(f"no report template is named {template}{hint}")
    return name, there[name]


def make(what: Order, out: Path, say: Callable[[str], None]) -> Path:
    """Return the folder of a report below `out`: made now, or there already and left as it is.

    A cell that fails, or a kill, leaves no half report: the folder gets its name when it is whole.
    """
    final = out / what.name
    if (final / MANIFEST).is_file():
        say("this report is there already; it is never rewritten")
        return final
    out.mkdir(parents=True, exist_ok=True)
    _sweep(out)
    work = Path(tempfile.mkdtemp(prefix=f"{UNFINISHED}{os.getpid()}-", dir=out))
    try:
        fill(what, work, say)
        work.chmod(0o755)
        with contextlib.suppress(OSError):  # another process was faster with the same report
            work.rename(final)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if not (final / MANIFEST).is_file():
        raise ReportError(f"{final}: a folder of this name is in the way and is no whole report")
    return final


def _sweep(out: Path) -> None:
    """Remove what killed processes left unfinished in `out`."""
    for folder_left in out.glob(f"{UNFINISHED}*-*"):
        owner = folder_left.name.removeprefix(UNFINISHED).partition("-")[0]
        if owner.isdecimal() and not Path(f"/proc/{owner}").exists() and Path("/proc").exists():
            shutil.rmtree(folder_left, ignore_errors=True)


def fill(what: Order, work: Path, say: Callable[[str], None]) -> None:
    """Write every file of a report into the empty folder `work`."""
    say(f"running the notebook {what.notebook.name}")
    report = Report(
        what.dataset,
        title=str(what.parameters.get("title", "")),
        accept_rejects=what.accept_rejects,
    )
    notebook = published(execute(what, work), what)
    figures = cells.figures(notebook)
    say(f"drawing the page with {len(figures)} charts")
    page = render(
        notebook,
        title=report.title,
        banners=report.banners,
        lead=standing.headline(report.summary),
        footer=[f"As of {what.as_of}. Made with benchdata {__version__}."],
    )
    files = {
        "report.html": page,
        "report.ipynb": nbformat.writes(notebook) + "\n",
        "summary.md": formats.as_markdown(report.summary),
        "summary.json": formats.as_json(report.summary),
        **{f"charts/{figure.name}.svg": figure.svg for figure in figures},
        MANIFEST: json.dumps(what.manifest(), indent=2, ensure_ascii=False) + "\n",
    }
    for name, text in files.items():
        with whole_file(work / name) as file:
            file.write_text(text, encoding="utf-8")


def execute(what: Order, work: Path) -> NotebookNode:
    """Return the template's notebook, run with the order's parameters in a kernel of its own."""
    import papermill

    logging.getLogger("papermill").setLevel(logging.ERROR)
    done = work / ".executed.ipynb"
    given = {
        **what.parameters,
        "inputs": [str(table.input.path.resolve()) for table in what.dataset.tables],
        "contract": what.contract,
        "digest": what.dataset.digest,
        "accept_rejects": what.accept_rejects,
    }
    try:
        with warnings.catch_warnings(), _kernel_files():
            warnings.simplefilter("ignore")
            notebook: NotebookNode = papermill.execute_notebook(
                str(what.notebook),
                str(done),
                parameters=given,
                kernel_name="python3",
                progress_bar=os.isatty(2),
                log_output=False,
                cwd=str(Path.cwd()),
                config=Config({"KernelManager": {"transport": "ipc"}}),
            )
    except papermill.PapermillExecutionError as error:
        reason = shorten(cells.ANSI.sub("", f"{error.ename}: {error.evalue}"))
        message = f"{what.notebook.name}: cell {error.cell_index + 1} failed: {reason}"
        raise ReportError(message) from None
    except RuntimeError as error:  # the kernel died or never came up
        raise ReportError(f"{what.notebook.name}: the kernel failed: {shorten(str(error))}") from None
    finally:
        done.unlink(missing_ok=True)
    return notebook


@contextlib.contextmanager
def _kernel_files() -> Iterator[None]:
    """Let the kernel be talked to through files that only this user can open, not through ports."""
    before = os.environ.get(RUNTIME)
    with tempfile.TemporaryDirectory(prefix="bd-") as folder_name:  # short: a socket's path is
        os.environ[RUNTIME] = folder_name
        try:
            yield
        finally:
            os.environ.pop(RUNTIME)
            if before is not None:
                os.environ[RUNTIME] = before


def published(notebook: NotebookNode, what: Order) -> NotebookNode:
    """Return the notebook as it may be published: no path, no clock, no machine."""
    clean = nbformat.v4.new_notebook()
    clean.metadata = NotebookNode(
        kernelspec={"display_name": "Python 3", "language": "python", "name": "python3"},
        language_info={"name": "python"},
    )
    names = sorted(table.input.name for table in what.dataset.tables)
    for number, cell in enumerate(notebook.cells, 1):
        copy = NotebookNode(
            {key: cell[key] for key in ("cell_type", "id", "source", "outputs") if key in cell}
        )
        tags = cell.metadata.get("tags", [])
        copy.metadata = NotebookNode({"tags": tags} if tags else {})
        if copy.cell_type == "code":
            copy.execution_count = None
            for output in copy.outputs:
                if "execution_count" in output:
                    output.execution_count = None
        if "injected-parameters" in tags:
            copy.id = "injected-parameters"
            copy.source = _injected(what, names)
        copy.setdefault("id", f"cell-{number}")
        clean.cells.append(copy)
    return clean


def _injected(what: Order, names: list[str]) -> str:
    """Return the parameters that were given, inputs by base name."""
    given = {
        **what.parameters,
        "inputs": names,
        "contract": what.contract,
        "digest": what.dataset.digest,
        "accept_rejects": what.accept_rejects,
    }
    return "\n".join(f"{name} = {value!r}" for name, value in sorted(given.items()))


def _refuse_unknown(notebook: Path, parameters: Mapping[str, Any]) -> None:
    """Refuse parameters that the template does not have: papermill would set them in vain."""
    try:
        node = nbformat.read(notebook, as_version=4)
    except (ValueError, nbformat.ValidationError):
        raise ReportError(f"{notebook.name}: is no Jupyter notebook") from None
    there = cells.parameters(node)
    if "inputs" not in there:
        message = "has no cell tagged `parameters` that sets `inputs`, so it is no report template"
        raise ReportError(f"{notebook.name}: {message}")
    for name in parameters:
        if name in SETTABLE_BY_US or name not in there:
            free = ", ".join(sorted(set(there) - set(SETTABLE_BY_US))) or "none"
            raise ReportError(f"{notebook.name}: takes no parameter {name}; it takes {free}")


def _latest(rows: Dataset) -> str:
    """Return the UTC date of the latest time in the rows."""
    latest = []
    for contract in rows.contracts:
        times = [column.name for column in contract.columns if column.kind == "time"]
        if times:
            frame = rows.frame(contract.name).select(times).max()
            latest += [time for time in frame.row(0) if time is not None]
    return max(latest).date().isoformat() if latest else NO_TIME


