"""Annotations: one line a case that GitHub reads back as it was meant, whatever stands in it."""

from __future__ import annotations

import re

import pytest

from benchdata.reports.ci.annotations import as_annotations
from benchdata.reports.ci.cases import Case, Outcome

COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")
HOSTILE = (
    "100% of 3, 4: ok",
    "a::error file=x,line=1::b",
    "%0A%25",
    "first\rsecond\nthird\r\n::stop-commands::end",
    "\x1b[31m\x00\x07",
    "\u2028\x85\v",
    "é — ü 😀",
)


def read(line: str) -> tuple[str, dict[str, str], str]:
    """Return level, properties and message as the runner reads them."""
    found = COMMAND.fullmatch(line)
    assert found, line
    pairs = (pair.split("=", 1) for pair in found[2].split(","))
    return found[1], {name: plain(value, ":,") for name, value in pairs}, plain(found[3])


def plain(text: str, more: str = "") -> str:
    for char in f"\r\n{more}%":  # the sign of escapes last
        text = text.replace(f"%{ord(char):02X}", char)
    return text


@pytest.mark.parametrize(
    ("outcome", "level"),
    [("passed", "notice"), ("skipped", "warning"), ("failed", "error"), ("error", "error")],
)
def test_the_outcome_is_the_level(outcome: Outcome, level: str) -> None:
    case = Case("gate trial", "all rows", outcome, "READY", ("why", "and why"), "a/b.ndjson", 7)
    assert as_annotations([case]) == (
        f"::{level} file=a/b.ndjson,line=7,title=gate trial%3A all rows::READY%0Awhy%0Aand why\n"
    )


def test_a_case_without_a_place_has_a_title_alone() -> None:
    case = Case("gate trial", "all rows", "passed", "READY")
    assert as_annotations([case]) == "::notice title=gate trial%3A all rows::READY\n"


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_no_text_ends_a_command_or_begins_another(text: str) -> None:
    case = Case("compare", text, "failed", text, (text,), text.replace("\x00", ""), 1)
    written = as_annotations([case])
    assert (written.count("\n"), written.count("\r"), written[-1]) == (1, 0, "\n")
    level, properties, message = read(written[:-1])
    assert level == "error"
    assert properties.keys() == {"file", "line", "title"}
    assert properties["file"] == case.file
    said = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    assert properties["title"] == f"compare: {said}"
    assert message == f"{said}\n{said}"


def test_a_long_text_is_cut() -> None:
    (line,) = as_annotations([Case("s", "n", "failed", "x" * 10_000)]).splitlines()
    assert len(line) < 400
