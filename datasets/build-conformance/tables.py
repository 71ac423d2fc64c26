"""Writes the tables of `datasheet.md` anew from the rows beside it: those of their report."""

import re
from pathlib import Path

from benchdata.reports import open_conformance

FOLDER = Path(__file__).parent
SHEET = FOLDER / "datasheet.md"
MARK = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def written(sheet: str) -> str:
    """Return the datasheet's text with every table made from the rows."""
    report = open_conformance([str(FOLDER)])
    *_, boots = report.boots()
    *_, suites = report.suites()
    tables = {
        "attempts": report.attempts().markdown(),
        "boots": boots.markdown(),
        "suites": suites.markdown(),
        "probes": "\n\n".join(
            f"{one.caption}:\n\n{one.markdown()}" for one in report.probe_times()
        ),
    }
    return MARK.sub(lambda mark: f"{mark[1]}\n{tables[mark[2]]}\n\n{mark[3]}", sheet)


if __name__ == "__main__":
    SHEET.write_text(written(SHEET.read_text("utf-8")), "utf-8")
