"""The history of a build bench in a folder: a record a report, the latest, and a summary."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchdata.errors import ReportError
from benchdata.reports.bench_records import KIND, SCHEMA_VERSION, record
from benchdata.reports.bench_summary import as_markdown
from benchdata.reports.data import json_text
from benchdata.reports.run import Order
from benchdata.reports.templates import Template
from benchdata.rows.scratch import locked
from benchdata.rows.writing import whole_file
from benchdata.stats import scoring

TEMPLATE = "build-bench"
RECORDS = "history"
LATEST = "latest.json"
SUMMARY = "summary.md"


def refuse_other(template: Template) -> None:
    """Raise ReportError for a report of which no history is kept."""
    if template.name != TEMPLATE:
        raise ReportError(f"--history keeps records of {TEMPLATE} reports, not of {template.name}")


def keep(what: Order, folder: Path, say: Callable[[str], None]) -> Path:
    """Return the record of a report in `folder`, written now unless it is there already.

    `latest.json` becomes the record whose rows started last, `summary.md` tells of it and of all
    others: both are made of the records alone. Each file gets its name when it is whole.

    Raises:
        ReportError: The report is of another kind, or a file among the records is none.
        InputError: No row is a run of an agent.
    """
    refuse_other(what.template)
    *_, digest = what.name.split("-")
    file = folder / RECORDS / f"{what.as_of}-{digest}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    with locked(folder, fcntl.LOCK_EX):
        if file.exists():
            say("this record is there already; it is never rewritten")
        else:
            preset = scoring.preset(str(what.chosen.get("preset") or "default"))
            made = record(what.name, what.subject, preset, what.manifest())
            _write(file, json_text(made))
        records = _records(file.parent)
        _write(folder / LATEST, json_text(records[-1]))
        _write(folder / SUMMARY, as_markdown(records))
    return file


def _records(folder: Path) -> Sequence[Mapping[str, Any]]:
    """Return all records, that whose rows started last at the end."""
    found = [_read(file) for file in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda each: (each["lastStart"], each["asOf"], each["report"]))


def _read(file: Path) -> Mapping[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
        if (found["kind"], found["schemaVersion"]) == (KIND, SCHEMA_VERSION):
            return found
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise ReportError(
        f"{file}: is no record of a build bench, version {SCHEMA_VERSION}; move it elsewhere"
    )


def _write(file: Path, text: str) -> None:
    with whole_file(file) as part:
        part.write_text(text, encoding="utf-8")
