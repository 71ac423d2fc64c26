"""Checking a report: make it again from the same rows and say whether the numbers are the same."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchdata.errors import ReportError
from benchdata.reports import run, templates
from benchdata.rows import sources

NUMBERS = "summary.json"
PAGE = "report.html"
# What a table of the page sets to the right.
CELL = re.compile(rb'<td class="right">(.*?)</td>')
# What of the manifest says by which means a report was made, beside its rows.
MEANS = {
    "benchdata": "version of benchdata",
    "templateDigest": "template notebook",
    "contractDigest": "definition of the contract",
}
NEEDED = {"template", "inputs", "contract", "asOf", "acceptRejects", "parameters", *MEANS}


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs from the report: in its numbers, or in how they are shown."""

    numbers: tuple[str, ...]
    looks: tuple[str, ...]


def check(
    report: Path,
    files: Sequence[str],
    contract: str | None,
    say: Callable[[str], None],
    template: str | None = None,
) -> Difference:
    """Return how a report made again from `files` differs from the one in the folder `report`.

    Inputs are matched to those of the manifest by digest, whatever their names. `contract` and
    `template` say where a contract lies that is not registered, and a notebook that is not shipped.
    Raises ReportError when the folder is no report.
    """
    manifest = _manifest(report)
    inputs = sources.find(files)
    had = sorted(one["digest"] for one in manifest["inputs"])
    have = sorted(one.digest() for one in inputs)
    if had != have:
        missing = [one["name"] for one in manifest["inputs"] if one["digest"] not in have]
        extra = [one.label for one in inputs if one.digest() not in had]
        told = [f"{name}: no input has its digest" for name in missing]
        told += [f"{label}: was not read for this report" for label in extra]
        return Difference(tuple(told) or ("an input was read another number of times",), ())
    what = run.order(
        template or _shipped(manifest["template"]),
        [one.path for one in inputs],
        contract=contract or manifest["contract"],
        as_of=manifest["asOf"],
        accept_rejects=manifest["acceptRejects"],
        parameters=manifest["parameters"],
    )
    alike = _made_alike(manifest, what.manifest(), say)
    with tempfile.TemporaryDirectory(prefix="benchdata-") as folder:
        again = Path(folder)
        run.fill(what, again, say)
        return _compared(report, again, tables=alike)


def _manifest(report: Path) -> dict[str, Any]:
    try:
        found = json.loads((report / run.MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or found.get("manifestVersion") != run.MANIFEST_VERSION:
        raise ReportError(f"{report}: is no report folder, for it has no {run.MANIFEST} of ours")
    if missing := NEEDED - found.keys():
        raise ReportError(f"{report}: {run.MANIFEST} lacks {', '.join(sorted(missing))}")
    return found


def _shipped(template: str) -> str:
    """Return the name of a template that ships, or raise ReportError with what to do."""
    try:
        return templates.find(template).name
    except ReportError as error:
        raise ReportError(f"{error}; name its notebook before the FILEs") from None


def _made_alike(had: dict[str, Any], has: dict[str, Any], say: Callable[[str], None]) -> bool:
    """Tell whether the report was made by the same means; say which are others now."""
    others = [name for name in MEANS if had[name] != has[name]]
    for name in others:
        say(f"made with another {MEANS[name]}: {had[name]}, it is {has[name]} now")
    return not others


def _compared(report: Path, again: Path, *, tables: bool) -> Difference:
    """Return which files differ; the inputs' names may, and with them how the report looks.

    With `tables` the numbers in the tables of the page count as numbers.
    """
    names = {file.relative_to(again) for file in again.rglob("*") if file.is_file()}
    names |= {file.relative_to(report) for file in report.rglob("*") if file.is_file()}
    differing = [
        str(name) for name in sorted(names) if _bytes(report / name) != _bytes(again / name)
    ]
    numbers = {NUMBERS}
    if tables and _cells(report) != _cells(again):
        numbers.add(PAGE)
    return Difference(
        tuple(name for name in differing if name in numbers),
        tuple(name for name in differing if name not in {*numbers, run.MANIFEST}),
    )


def _cells(report: Path) -> list[bytes]:
    """Return the numbers in the tables of a report's page."""
    return CELL.findall(_bytes(report / PAGE) or b"")


def _bytes(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None
