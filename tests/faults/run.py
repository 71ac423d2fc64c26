"""`make reliability`: runs every test of faults and writes what held into docs/reliability.md.

A test says what it has shown through the fixture `proven`; nothing on the page is typed by hand.
Arguments go to pytest: of tests that they leave out, the lines of the page stay.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from benchdata.reports.tables import markdown_table

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reliability.md"
MARK = re.compile(r"(<!-- proven -->\n).*?(<!-- end -->)", re.DOTALL)
HEAD = ("Fault", "Times", "What held", "Test")


@dataclass(frozen=True, order=True)
class Proof:
    """What one test has shown: under which fault, how often, what held."""

    fault: str
    times: int
    held: str
    test: str


def main() -> int:
    """Run the tests and write the page; return what pytest returned."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.xml"
        asked = ("-m", "faults", "-rs", f"--junit-xml={found}", "-o", "junit_family=xunit1")
        command = [sys.executable, "-m", "pytest", *asked, *sys.argv[1:]]
        done = subprocess.run(command, cwd=ROOT, check=False)
        if done.returncode == 0:
            PAGE.write_text(written(PAGE.read_text("utf-8"), proofs(found)), "utf-8")
    return done.returncode


def proofs(found: Path) -> list[Proof]:
    """Return what the tests of a JUnit file have shown, in order."""
    times: Counter[tuple[str, str, str]] = Counter()
    for one in _proofs(found):  # the cases of one test are a line
        times[one.fault, one.held, one.test] += one.times
    return sorted(Proof(fault, n, held, test) for (fault, held, test), n in times.items())


def _proofs(found: Path) -> Iterator[Proof]:
    for case in ElementTree.parse(found).iter("testcase"):
        for shown in case.iter("property"):
            if shown.get("name") == "proven":
                fault, times, held = json.loads(shown.attrib["value"])
                file = case.attrib["classname"].replace(".", "/") + ".py"
                yield Proof(fault, times, held, file)


def on(page: str) -> Iterator[Proof]:
    """Yield what the table of a page says."""
    for line in page.splitlines():
        if line.startswith("| ") and line.endswith(".py |"):
            fault, times, held, test = (cell.strip() for cell in line.strip("|").split("|"))
            yield Proof(fault, int(times.replace(",", "")), held, test)


def written(page: str, shown: list[Proof]) -> str:
    """Return the page with its table made of what was shown, now or before."""
    now = {(one.fault, one.test) for one in shown}
    before = [one for one in on(page) if (one.fault, one.test) not in now]
    rows = [(one.fault, f"{one.times:,}", one.held, one.test) for one in sorted(before + shown)]
    table = markdown_table(HEAD, rows, ("left", "right", "left", "left"))
    return MARK.sub(lambda mark: f"{mark[1]}\n{table}\n\n{mark[2]}", page)


if __name__ == "__main__":
    sys.exit(main())
