"""Cases as JUnit XML, which CI systems read: a test suite a table, a test case a case.

Nothing is timed, so that every time is 0, and the same answer gives the same bytes.
Source: the schema of the Jenkins xUnit plugin (`junit-10.xsd`), which Ant's files follow too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from benchdata.reports.ci.cases import Case, Outcome

NAME = "benchdata"
ELEMENTS: Mapping[Outcome, str] = {"failed": "failure", "skipped": "skipped", "error": "error"}
"""What stands in a case that did not pass."""
COUNTED: Mapping[str, Outcome] = {"failures": "failed", "errors": "error", "skipped": "skipped"}
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML may hold, escaped or not."""


def as_junit(cases: Iterable[Case]) -> str:
    """Return the cases as one XML document with a final newline."""
    every = list(cases)
    root = Element("testsuites", {"name": NAME, **_counts(every)})
    del root.attrib["skipped"]  # which a suite has alone
    for suite, members in groupby(every, attrgetter("suite")):
        root.append(_suite(suite, list(members)))
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _suite(name: str, cases: Sequence[Case]) -> Element:
    suite = Element("testsuite", {"name": _text(name), **_counts(cases)})
    for case in cases:
        suite.append(_case(case))
    return suite


def _counts(cases: Sequence[Case]) -> dict[str, str]:
    outcomes = [case.outcome for case in cases]
    counts = {name: str(outcomes.count(outcome)) for name, outcome in COUNTED.items()}
    return {"tests": str(len(cases)), **counts, "time": "0"}


def _case(case: Case) -> Element:
    named = {"classname": _text(case.suite), "name": _text(case.name), "time": "0"}
    element = Element("testcase", named)
    told = _text("\n".join(case.lines))
    if case.outcome == "passed":
        SubElement(element, "system-out").text = "\n".join(filter(None, (_text(case.word), told)))
    elif case.outcome == "skipped":
        SubElement(element, "skipped", {"message": _text(case.word)}).text = told
    else:
        about = {"message": _text(case.word), "type": case.outcome}
        SubElement(element, ELEMENTS[case.outcome], about).text = told
    return element


def _text(text: str) -> str:
    return FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
