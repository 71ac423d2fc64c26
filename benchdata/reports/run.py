"""Making a report: run the notebook, draw the page, write the folder in one step or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import nbformat
from blake3 import blake3

from benchdata import __version__, dataset
from benchdata.contracts import Contract
from benchdata.contracts.fingerprint import definition
from benchdata.dataset import Dataset
from benchdata.errors import ReportError
from benchdata.leaderboards import judged
from benchdata.reports import cells, execution, formats, notices, standing, templates
from benchdata.reports.manifest import (
    MANIFEST,
    MANIFEST_VERSION,
    NOTEBOOK,
    PAGE,
    SUMMARY,
    SUMMARY_TEXT,
    folder_name,
)
from benchdata.reports.page import render
from benchdata.reports.report import Report
from benchdata.reports.templates import Template
from benchdata.rows import scratch
from benchdata.rows.writing import whole_file

UNFINISHED = ".benchdata-unfinished-"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be reported: a template, the rows, and what the reader chose.

    `subject` are the rows that the report is about; the others of the dataset judge them.
    """

    template: Template
    dataset: Dataset
    subject: Dataset
    contract: str | None
    as_of: str
    accept_rejects: int
    chosen: Mapping[str, Any]

    def manifest(self) -> dict[str, Any]:
        """Return everything that decides what the report says; base names and digests only."""
        inputs = sorted(self.dataset.provenance, key=lambda one: (one.name, one.digest))
        contract, review = self.subject.contract, self.dataset.review
        return {
            "manifestVersion": MANIFEST_VERSION,
            "benchdata": __version__,
            "template": self.template.name,
            "templateDigest": self.template.digest,
            "asOf": self.as_of,
            "parameters": dict(sorted(self.chosen.items())),
            "contract": self.contract_name,
            "contractVersions": sorted(contract.models),
            "contractDigest": _definition(self.dataset.contracts),
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
            "datasheets": [
                asdict(sheet)
                for sheet in sorted(self.dataset.datasheets, key=lambda one: one.title)
                if sheet.title or sheet.regions
            ],
            "review": asdict(review) if review else None,
        }

    @property
    def contract_name(self) -> str:
        """Return the contract's name; of one that is not registered, its file's and object's."""
        named = self.contract or ""
        return Path(named).name if ":" in named else self.subject.contract.name

    def parameters(self, *, public: bool) -> dict[str, Any]:
        """Return the notebook's parameters: those it runs with, or those it is published with."""
        tables = sorted(self.dataset.tables, key=lambda one: (one.input.name, one.digest))
        inputs = [table.input for table in tables]
        several = len(self.dataset.contracts) > 1  # each is recognised from its rows
        return {
            **self.chosen,
            # a link keeps its name: it decides what lies beside the rows
            "inputs": [one.name if public else str(one.path.absolute()) for one in inputs],
            "contract": self.contract_name if public and not several else self.contract,
            "digest": self.dataset.digest,
            "accept_rejects": self.accept_rejects,
        }

    @property
    def name(self) -> str:
        """Return the name of the report's folder."""
        return folder_name(self.manifest())


def order(
    template: str,
    inputs: Sequence[str | Path],
    *,
    contract: str | None = None,
    as_of: str | None = None,
    accept_rejects: int = 0,
    parameters: Mapping[str, Any] | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Order:
    """Read the inputs and return the order of a report.

    `template` is the name of a shipped notebook (`-` and `_` alike) or the path of one. The date is
    `as_of`, else that of the latest time in the rows, else 1970-01-01; it labels and never filters.
    """
    found = templates.find(template)
    chosen = found.settled(parameters or {})
    say("reading the rows")
    rows = dataset.open(inputs, contract)
    rows.digest  # noqa: B018 -- of the bytes that were read, before anybody can touch them
    date = as_of or standing.as_of(rows)
    return Order(found, rows, judged.subject(rows), contract, date, accept_rejects, chosen)


def make(what: Order, out: Path, say: Callable[[str], None]) -> Path:
    """Return the folder of a report below `out`: made now, or there already and left as it is.

    A cell that fails, or a kill, leaves no half report: the folder gets its name when it is whole.
    """
    final = out / what.name
    if (final / MANIFEST).is_file():
        say("this report is there already; it is never rewritten")
        return final
    if final.exists():
        raise ReportError(f"{final}: is in the way and no whole report; move it or remove it")
    out.mkdir(parents=True, exist_ok=True)
    with scratch.folder(out, UNFINISHED) as work:
        fill(what, work, say)
        work.chmod(0o755)
        try:
            work.rename(final)
        except OSError:  # another process was faster with the same report
            if not (final / MANIFEST).is_file():
                raise
    return final


def fill(what: Order, work: Path, say: Callable[[str], None]) -> None:
    """Write every file of a report into the empty folder `work`."""
    say(f"running the notebook {what.template.file}")
    report = Report(
        what.dataset,
        title=str(what.chosen.get("title", "")),
        accept_rejects=what.accept_rejects,
    )
    executed = execution.execute(what.template, what.parameters(public=False))
    notebook = execution.published(executed, what.parameters(public=True))
    figures = cells.figures(notebook)
    title, lead = cells.headline(notebook)
    say(f"drawing the page with {len(figures)} charts")
    page = render(
        notebook,
        title=title or report.title,
        banners=report.banners,
        lead=lead or report.first_lines(),
        footer=[notices.FOOTER, f"As of {what.as_of}. Made with benchdata {__version__}."],
    )
    files = {
        PAGE: page,
        NOTEBOOK: nbformat.writes(notebook) + "\n",
        SUMMARY_TEXT: formats.printed(report.summaries, "md"),
        SUMMARY: formats.printed(report.summaries, "json"),
        **{f"charts/{figure.name}.svg": figure.svg for figure in figures},
        MANIFEST: json.dumps(what.manifest(), indent=2, ensure_ascii=False) + "\n",
    }
    for name, text in files.items():
        with whole_file(work / name) as file:
            file.write_text(text, encoding="utf-8")


def _definition(contracts: Sequence[Contract]) -> str:
    """Return the digest in hex of all of a contract, or of several in whatever order."""
    digests = sorted(map(definition, contracts))
    return digests[0] if len(digests) == 1 else blake3("".join(digests).encode()).hexdigest()
