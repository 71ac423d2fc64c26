"""Cases as annotations of GitHub Actions: workflow commands, one a line.

The runner reads them from what a step prints, and shows them beside the lines of a pull request.
Source: "Workflow commands for GitHub Actions", GitHub documentation; the escapes are those of
the toolkit's `@actions/core`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from benchdata.errors import shorten
from benchdata.reports.ci.cases import Case, Outcome

LEVELS: Mapping[Outcome, str] = {
    "passed": "notice",
    "skipped": "warning",
    "failed": "error",
    "error": "error",
}
ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
"""Of a message; the ends of lines would end the command."""
ESCAPES_IN_PROPERTIES = ESCAPES | {":": "%3A", ",": "%2C"}
MESSAGE, PROPERTY = map(str.maketrans, (ESCAPES, ESCAPES_IN_PROPERTIES))


def as_annotations(cases: Iterable[Case]) -> str:
    """Return one line a case: an error where it failed, a warning where it was skipped."""
    return "".join(f"{_annotation(case)}\n" for case in cases)


def _annotation(case: Case) -> str:
    properties = {"title": shorten(f"{case.suite}: {case.name}")}
    if case.file:
        properties = {"file": case.file, "line": str(case.line or 1)} | properties
    written = ",".join(f"{name}={text.translate(PROPERTY)}" for name, text in properties.items())
    message = "\n".join(shorten(line) for line in (case.word, *case.lines))
    return f"::{LEVELS[case.outcome]} {written}::{message.translate(MESSAGE)}"
