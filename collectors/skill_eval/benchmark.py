"""Runs a resolved benchmark in a private folder, and says what came of it.

The folder has `stage/` with the plan, the order and the rows, `.runs/` with what was recorded of
each execution, and the report. Only rows ever leave it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.dataset import Dataset
from benchdata.rows.writing import appended, whole_file
from collectors.harness.batches import RUNS, Batch, rows_of
from collectors.harness.progress import Progress
from collectors.harness.signals import Stop
from collectors.harness.stages import Account
from collectors.skill_eval.engine import Engine
from collectors.skill_eval.execution import GRADE, OUTPUT
from collectors.skill_eval.resolved import Resolved

NAME = "skill-eval"
KIND = "evals"
UNGRADED = "grading_error"
TRANSCRIPT = "raw/stdout.jsonl"
REPORT_JSON, REPORT_HTML, REPORT_TEXT = "report.json", "report.html", "report.md"


def dataset(folder: Path) -> Dataset:
    """Return a benchmark's rows, checked."""
    import benchdata

    return benchdata.open([rows_of(folder)])


def first_ungraded(folder: Path) -> str | None:
    """Say why the first grading failed that did, and where that is written; None when none did."""
    for row in appended(rows_of(folder), SKILL_RUN):
        if row["outcome"] == UNGRADED:
            file = folder / RUNS / row["run_id"] / GRADE
            try:
                reason = json.loads(file.read_bytes())["failed"]
            except (OSError, ValueError, KeyError):  # a full disk may have lost it
                reason = "what was said of it is lost"
            return f"Grading of {row['task_id']} failed: {reason}; see {file}"
    return None


def batch(resolved: Resolved, folder: Path) -> Batch:
    """Return the batch of a benchmark, which must lie in nothing that it reads."""
    return Batch(
        folder,
        SKILL_RUN,
        resolved.experiment,
        plan=asdict(resolved.plan()) | {"notes": [*resolved.notes]},
        made=lambda facts: Engine(resolved, facts.stage_id, facts.spec_digest, folder),
        concurrency=resolved.concurrency,
        read=resolved.sources,
        cluster=resolved.cluster,
    )


def execute(resolved: Resolved, folder: Path, *, stop: Stop, progress: Progress) -> Account:
    """Execute all that is due, write the report, and return what the benchmark has come to.

    Raises:
        BenchdataError: The folder cannot be used, or a row could not be written.
    """
    account = batch(resolved, folder).execute(stop=stop, progress=progress)
    if rows_of(folder).exists():
        _report(folder)
    return account


def summary(folder: Path) -> str:
    """Return what a benchmark's rows show, as `benchdata summarize` prints it."""
    return (folder / REPORT_TEXT).read_text("utf-8")


def _report(folder: Path) -> None:
    """Write the report of the rows so far, in the place of an earlier one of the same benchmark."""
    from benchdata.reports import formats
    from benchdata.reports.summary import summarize_each
    from benchdata.reports.summary_page import as_html

    found = dataset(folder)
    summaries = summarize_each(found)
    rows = [*appended(rows_of(folder), SKILL_RUN)]
    document = {
        "summary": json.loads(formats.printed(summaries, "json")),
        "executions": [_execution(folder, row) for row in rows],
    }
    texts = {
        REPORT_TEXT: formats.printed(summaries, "md"),
        REPORT_HTML: as_html(found, summaries),
        REPORT_JSON: json.dumps(document, indent=2, ensure_ascii=False) + "\n",
    }
    for name, text in texts.items():
        with whole_file(folder / name) as part:
            part.write_text(text, "utf-8")


def _execution(folder: Path, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return one execution: its row's outcome, and where its output, grade and transcript lie."""
    told = ("run_id", "arm", "task_id", "repeat", "outcome", "failure_reason", "passed", "score")
    place = Path(RUNS, row["run_id"])
    kept = {"output": OUTPUT, "grade": GRADE, "transcript": TRANSCRIPT}
    return {name: row[name] for name in told} | {
        name: (place / path).as_posix()
        for name, path in kept.items()
        if (folder / place / path).exists()
    }
