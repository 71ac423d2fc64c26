"""Making a report: run the notebook, draw the page, write the folder in one step or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from blake3 import blake3

from benchdata import __version__, dataset
from benchdata.dataset import Dataset
from benchdata.errors import ReportError, did_you_mean
from benchdata.reports import cells, execution, formats, standing
from benchdata.reports.page import render
from benchdata.reports.report import Report
from benchdata.rows.writing import whole_file
from benchdata.shipped import folder

MANIFEST = "manifest.json"
MANIFEST_VERSION = 1
# The parameters of every template that the order sets and a user does not.
OURS = ("inputs", "contract", "digest", "accept_rejects")
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
    chosen: Mapping[str, Any]

    def manifest(self) -> dict[str, Any]:
        """Return everything that decides what the report says; base names and digests only."""
        inputs = sorted(self.dataset.provenance, key=lambda one: (one.name, one.digest))
        versions = {
            one.name: sorted(one.models)
            for one in sorted(self.dataset.contracts, key=lambda one: one.name)
        }
        return {
            "manifestVersion": MANIFEST_VERSION,
            "benchdata": __version__,
            "template": self.template,
            "templateDigest": blake3(self.notebook.read_bytes()).hexdigest(),
            "asOf": self.as_of,
            "parameters": dict(sorted(self.chosen.items())),
            "contract": self.contract_name,
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
    def contract_name(self) -> str | None:
        """Return the contract as the user named it, without the folder of a contract in a file."""
        return Path(self.contract).name if self.contract else None

    def parameters(self, *, public: bool) -> dict[str, Any]:
        """Return the notebook's parameters: those it runs with, or those it is published with."""
        paths = sorted(table.input.path for table in self.dataset.tables)
        return {
            **self.chosen,
            "inputs": [path.name if public else str(path.resolve()) for path in paths],
            "contract": self.contract_name if public else self.contract,
            "digest": self.dataset.digest,
            "accept_rejects": self.accept_rejects,
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
    there = {
        file.stem.replace("_", "-"): file for file in sorted(folder("notebooks").glob("*.ipynb"))
    }
    name = template.replace("_", "-")
    if name not in there:
        hint = did_you_mean(name, tuple(there)) or f"; there are {', '.join(there)}"
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
        title=str(what.chosen.get("title", "")),
        accept_rejects=what.accept_rejects,
    )
    executed = execution.execute(what.notebook, what.parameters(public=False))
    notebook = execution.published(executed, what.parameters(public=True))
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
        if name in OURS or name not in there:
            free = ", ".join(sorted(set(there) - set(OURS))) or "none"
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
