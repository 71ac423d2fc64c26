"""Runs a resolved benchmark in a private folder, and says what came of it.

The folder has `stage/` with the plan, the order and the rows, `runs/` with what was recorded of
each execution, and the report. Only rows ever leave it.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.rows.writing import appended, whole_file
from collectors.harness import running, stage_file, stages
from collectors.harness.progress import Progress
from collectors.harness.signals import Stop
from collectors.harness.stages import ROWS, Account
from collectors.skill_eval.engine import GRADE, OUTPUT, RUNS, Engine
from collectors.skill_eval.resolved import Resolved

NAME = "skill-eval"
STAGE = "stage"
PRIVATE = 0o700
TRANSCRIPT = "raw/stdout.jsonl"
REPORT_JSON, REPORT_HTML, REPORT_TEXT = "report.json", "report.html", "report.md"


def new_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder of a new benchmark, which is not there yet."""
    base = environment.get("XDG_CONFIG_HOME") or Path(environment.get("HOME", "~"), ".config")
    return Path(base, "benchdata", "evals", str(uuid.uuid4()))


def rows_of(folder: Path) -> Path:
    """Return the file of a benchmark's rows."""
    return folder / STAGE / ROWS


def due(resolved: Resolved, folder: Path) -> int:
    """Return how many executions a benchmark in `folder` still wants: all, where there is none.

    Raises:
        BenchdataError: The folder is another benchmark's, or none of a benchmark.
    """
    if stage_file.read(folder / STAGE) is None:
        return resolved.plan().executions
    with stages.opened(folder / STAGE, SKILL_RUN, resolved.experiment, plan={}) as stage:
        return len(stage.due())


def execute(resolved: Resolved, folder: Path, *, stop: Stop, progress: Progress) -> Account:
    """Execute all that is due, write the report, and return what the benchmark has come to.

    Raises:
        BenchdataError: The folder cannot be used, or a row could not be written.
    """
    folder.mkdir(PRIVATE, parents=True, exist_ok=True)
    plan = asdict(resolved.plan())
    with stages.opened(folder / STAGE, SKILL_RUN, resolved.experiment, plan=plan) as stage:
        engine = Engine(resolved, stage.facts.stage_id, stage.facts.spec_digest, folder)
        with ThreadPoolExecutor(resolved.concurrency) as pool:
            running.run(
                stage,
                engine,
                executor=pool,
                concurrency=resolved.concurrency,
                stop=stop,
                progress=progress,
            )
        account = stage.account()
    if rows_of(folder).exists():
        _report(folder)
    return account


def summary(folder: Path) -> str:
    """Return what a benchmark's rows show, as `benchdata summarize` prints it."""
    return (folder / REPORT_TEXT).read_text("utf-8")


def _report(folder: Path) -> None:
    """Write the report of the rows so far, in the place of an earlier one of the same benchmark."""
    import benchdata
    from benchdata.reports import formats
    from benchdata.reports.summary import summarize_each
    from benchdata.reports.summary_page import as_html

    dataset = benchdata.open([rows_of(folder)])
    summaries = summarize_each(dataset)
    rows = [*appended(rows_of(folder), SKILL_RUN)]
    document = {
        "summary": json.loads(formats.printed(summaries, "json")),
        "executions": [_execution(folder, row) for row in rows],
    }
    texts = {
        REPORT_TEXT: formats.printed(summaries, "md"),
        REPORT_HTML: as_html(dataset, summaries),
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
