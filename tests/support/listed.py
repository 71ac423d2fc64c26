"""Folders of reports as `benchdata report` makes them of real rows, but for the notebook's run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import benchdata
from benchdata.reports import formats, run
from benchdata.reports.cells import Text
from benchdata.reports.manifest import MANIFEST
from benchdata.reports.page import draw
from benchdata.reports.report import Report
from benchdata.reports.summary import summarize_each
from benchdata.reports.summary_page import as_html
from tests.support import drawn, probe
from tests.support.armed import skills
from tests.support.drawn import DEMO

ATTACK = "</script><script>window.pwned=1</script><img src=x onerror=window.pwned=2>"
LOOSE = f"{__file__}:ANY_SUBJECT"
ARMS = {"none": 0.2, "acme/skills@invoice-reader": 0.8}


class AnySubject(probe.Probe):
    """A run of any subject whatever."""

    subject: str


ANY_SUBJECT = replace(probe.PROBE, name="any-subject", models={1: AnySubject})


WORDS = ("demo", "early", "late", "hostile", "arms", "page")


class Listed(NamedTuple):
    """A folder of reports, each by one of the `WORDS`, and the site of them."""

    source: Path
    reports: dict[str, Path]
    site: Path


ReportOf = Callable[[str], Path]
"""Gives the report of one of the `WORDS`."""


def report(
    out: Path,
    rows: Path,
    template: str = "samples",
    *,
    title: str = "",
    as_of: str | None = None,
    contract: str | None = None,
) -> Path:
    """Make the folder of a report of `rows` in `out` and return it."""
    order = run.order(
        template,
        [rows],
        contract=contract,
        as_of=as_of,
        parameters={"title": title} if title else {},
    )
    made = Report(order.dataset, title=title)
    page = draw(
        [Text("The numbers.")], title=made.title, banners=made.banners, lead=made.first_lines()
    )
    files = {
        "report.html": page,
        "report.ipynb": "{}\n",
        "summary.md": formats.printed(made.summaries, "md"),
        "summary.json": formats.printed(made.summaries, "json"),
        MANIFEST: json.dumps(order.manifest(), indent=2, ensure_ascii=False) + "\n",
    }
    folder = out / order.name
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def summary_page(file: Path, rows: Path) -> Path:
    """Write what `benchdata summarize --format html` prints of `rows`, and return the file."""
    dataset = benchdata.open(rows)
    file.write_text(as_html(dataset, summarize_each(dataset)), "utf-8")
    return file


def ready_rows(folder: Path, seed: int) -> Path:
    """Return measured rows in two groups that may be published."""
    return drawn.write(folder / "rows.ndjson", drawn.drawn((10, 10), seed=seed))


def made(word: str, out: Path, work: Path) -> Path:
    """Make one report in `out`, or a page of a summary, of rows in `work`; return where it is.

    `demo` is synthetic and `hostile` has no gate and is full of markup; `early` and `late` are
    ready; `arms` has a leaderboard; `page` is that of the summary of the rows of `early`.
    """
    match word:
        case "demo":
            return report(out, DEMO, "jev-social")
        case "early":
            rows = ready_rows(work / word, 5)
            return report(out, rows, "jev-social", title="First run", as_of="2026-03-02")
        case "late":
            rows = ready_rows(work / word, 6)
            return report(out, rows, "jev-social", title="Second run", as_of="2026-04-02")
        case "hostile":
            probes = [probe.probe_row(seq, subject=("lamp", ATTACK)[seq % 2]) for seq in range(6)]
            rows = drawn.write(work / word / "rows.ndjson", probes)
            return report(out, rows, title=ATTACK, as_of="2026-04-01", contract=LOOSE)
        case "arms":
            rows = drawn.write(work / word / "rows.ndjson", skills(ARMS))
            return report(out, rows, "skill-leaderboard")
        case _:
            return summary_page(out / "page.html", ready_rows(work / word, 5))


def rewritten(file: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the object in a JSON file."""
    found = json.loads(file.read_text("utf-8"))
    change(found)
    file.write_text(json.dumps(found), "utf-8")
