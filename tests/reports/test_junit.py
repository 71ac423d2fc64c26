"""JUnit XML: the shape that CI systems know, true counts, and no text that breaks it."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from benchdata.reports.ci.cases import Case
from benchdata.reports.ci.junit import as_junit

CASES = (
    Case("gate trial", "all rows", "failed", "INCOMPLETE", ("first reason", "second")),
    Case("gate trial", "G1", "passed", "READY", ("what it shows",)),
    Case("compare trial", "b against none", "skipped", "cannot tell", ("too few",)),
    Case("compare trial", "c against none", "failed", "worse"),
    Case("compare", "compare", "error", "no such file"),
)
RESULT = {"type", "message"}
ATTRIBUTES: Mapping[str, tuple[set[str], set[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}),
    "testsuite": ({"name", "tests", "failures", "errors"}, {"skipped", "time"}),
    "testcase": ({"name"}, {"classname", "time"}),
    "failure": (set(), RESULT),
    "error": (set(), RESULT),
    "skipped": (set(), RESULT),
    "system-out": (set(), set()),
}
"""What the schema of Jenkins' xUnit plugin demands, and what else it takes of what is used."""
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped", "system-out"},
}


def parsed(*cases: Case) -> Element:
    """Return the document as any reader of XML has it."""
    return ElementTree.fromstring(as_junit(cases).encode("utf-8"))


def test_every_element_is_what_the_schema_takes() -> None:
    for element in parsed(*CASES).iter():
        required, more = ATTRIBUTES[element.tag]
        assert required <= element.attrib.keys() <= required | more
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())


def test_the_counts_are_those_of_the_cases() -> None:
    root = parsed(*CASES)
    assert root.attrib | {"name": ""} == {
        "name": "",
        "tests": "5",
        "failures": "2",
        "errors": "1",
        "time": "0",
    }
    for suite in root:
        found = list(suite)
        assert suite.get("tests") == str(len(found))
        for counted, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert suite.get(counted) == str(len(suite.findall(f"testcase/{tag}")))
    assert [suite.get("name") for suite in root] == ["gate trial", "compare trial", "compare"]


def test_a_case_says_its_answer_in_short_and_in_full() -> None:
    root = parsed(*CASES)
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert (failure.get("message"), failure.text) == ("INCOMPLETE", "first reason\nsecond")
    assert root.findtext("testsuite/testcase/system-out") == "READY\nwhat it shows"
    skipped = root.find("testsuite/testcase/skipped")
    assert skipped is not None
    assert (skipped.get("message"), skipped.text) == ("cannot tell", "too few")


@pytest.mark.parametrize(
    "text",
    [
        "]]><failure/>",
        '<a b="c">&amp;&lt;',
        "\x00\x08\x0b\x1b[31m\ufffe\uffff",
        "lone \ud800 half",
        "line\nbreak\ttab",
        "é — ü 😀",
    ],
    ids=ascii,
)
@pytest.mark.parametrize("outcome", ["passed", "failed", "skipped", "error"])
def test_no_text_breaks_the_document(text: str, outcome: str) -> None:
    root = parsed(Case(text, text, outcome, text, (text,)))  # type: ignore[arg-type]
    kept = "".join(char for char in text if char in "\t\n" or char.isprintable())
    (case,) = root.iter("testcase")
    for said in (case.get("name"), case.get("classname"), "".join(case.itertext())):
        assert said is not None
        assert kept in said.replace("\N{REPLACEMENT CHARACTER}", "")


def test_the_same_cases_give_the_same_bytes_and_no_time_of_day() -> None:
    assert as_junit(CASES) == as_junit(CASES)
    assert "timestamp" not in as_junit(CASES)
