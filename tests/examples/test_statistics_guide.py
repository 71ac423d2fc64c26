"""The page of statistics: what it quotes of calibration was measured, its verdicts are made."""

from __future__ import annotations

import re

from benchdata import verdicts
from tests.support import pages

GUIDE = pages.text("docs/statistics.md")


def test_every_line_of_calibration_that_is_quoted_is_measured() -> None:
    measured = pages.text("docs/calibration.md").splitlines()
    head = re.compile(r"\| (?:data|wrong rule) \|")
    quoted: list[str] = []
    for table in re.findall(r"^\|.*?(?=^$)", GUIDE, re.MULTILINE | re.DOTALL):
        if head.match(table):
            quoted += table.splitlines()
    assert len(quoted) > 12
    assert [line for line in quoted if line not in measured] == []


def test_the_number_of_data_sets_is_that_of_the_page() -> None:
    cells = [line.split("|") for line in pages.text("docs/calibration.md").splitlines()]
    counts = [line[3].strip().replace(",", "") for line in cells if len(line) > 4]
    total = sum(int(count) for count in counts if count.isdigit())
    assert f"{total / 1e6:.1f} million simulated data sets" in GUIDE


def test_the_verdicts_are_in_the_order_in_which_they_are_tried() -> None:
    lines = re.findall(r"^\| \d \| (.*?) \|", GUIDE, re.MULTILINE)
    told = [word.strip() for line in lines for word in re.findall(r"`([a-z ]+)", line)]
    assert told == [*dict.fromkeys(row.kind for row in verdicts.TABLE)]
