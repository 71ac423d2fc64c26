"""Text of a row stays text wherever it is shown: pages, sites, Markdown, XML, CI logs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from tests.support.browser import launched, visited
from tests.support.command import run
from tests.support.intake import lines

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CONTRACT = '''
from typing import Literal
from benchdata.contracts import Contract
from benchdata.contracts.fields import Count, Row
from benchdata.contracts.meaning import Metric, Outcome


class Said(Row):
    """A row whose group is any text."""

    name: Count
    said: str
    passed: bool
    ms: Count


SAID = Contract(
    name="said",
    models={1: Said},
    identity=("name",),
    group=("said",),
    metrics=(Metric("ms", "ms", "ms"),),
    outcome=Outcome(success="passed"),
)
'''
CORPUS = (
    "<script>window.pwned=1</script>",
    "</script><script>window.pwned=1</script>",
    "</title></style></textarea><script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "<svg onload=window.pwned=1>",
    "<svg><script>window.pwned=1</script></svg>",
    "<iframe srcdoc='<script>parent.pwned=1</script>'>",
    "<a href=javascript:window.pwned=1>click</a>",
    "[click](javascript:window.pwned=1)",
    "![x](http://127.0.0.1:9/pixel)",
    "<http://127.0.0.1:9/auto>",
    "&lt;script&gt;window.pwned=1&lt;/script&gt;",
    "&#60;script&#62;window.pwned=1",
    "<!--<script>",
    "--><script>window.pwned=1</script>",
    "]]><script>window.pwned=1</script>",
    '" onmouseover="window.pwned=1" x="',
    "' autofocus onfocus='window.pwned=1",
    "`${window.pwned=1}`",
    "{{constructor.constructor('window.pwned=1')()}}",
    "{% for x in y %}{{ config }}",
    "datum.x]; window.pwned=1; [",
    "<style>*{background:url(http://127.0.0.1:9/css)}</style>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
    "<base href=http://127.0.0.1:9/>",
    "| a | b |",
    "# heading",
    "::error file=x::owned",
    "%0A::set-output name=x::y",
    "=cmd|'/c calc'!A0",
    "\u202eevil\u202c",
    "\u2028window.pwned=1",
)
ACTIVE = re.compile(r"<(script|img|svg|iframe|style|meta|base|a)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("said")
    (folder / "said.py").write_text(CONTRACT, "utf-8")
    made = (
        {"name": 3 * n + k, "said": text, "passed": k > 0, "ms": 5 + k}
        for n, text in enumerate(CORPUS)
        for k in range(3)
    )
    (folder / "rows.ndjson").write_bytes(lines(made))
    return folder


def asked(rows: Path, *command: str) -> str:
    done = run(*command, rows / "rows.ndjson", "--contract", f"{rows / 'said.py'}:SAID")
    assert done.code in {0, 3}, done
    return done.out


def test_markdown_holds_no_tag_and_no_link(rows: Path) -> None:
    from markdown_it import MarkdownIt

    text = asked(rows, "summarize")
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert "onerror" in page  # the corpus is there, as text
    assert not ACTIVE.findall(page)
    tables = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    assert len({row.count("<t") for row in tables if "onerror" in row}) == 1


def test_xml_is_well_formed_and_names_the_groups(rows: Path, tmp_path: Path) -> None:
    file = tmp_path / "gate.xml"
    asked(rows, "gate", "--junit", str(file))
    tree = ElementTree.parse(file)
    assert list(tree.iter("testcase"))
    assert not list(tree.iter("script"))


def test_a_ci_log_gets_no_command_of_a_row(rows: Path) -> None:
    for line in asked(rows, "gate", "--format", "github").splitlines():
        if "owned" in line:
            assert not line.startswith("::error file=x::owned")
            assert line.count("::") == 2 or not line.startswith("::"), line


def test_a_terminal_gets_no_control_character(rows: Path) -> None:
    said = asked(rows, "gate") + asked(rows, "compare", "--by", "said")
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029]", said)


def test_json_holds_the_texts_as_they_are(rows: Path) -> None:
    found = json.dumps(json.loads(asked(rows, "summarize", "--format", "json")))
    assert json.dumps(CORPUS[0])[1:-1] in found


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with launched(chromium) as started:
        yield started


@pytest.mark.browser
@pytest.mark.slow
def test_pages_run_nothing_and_ask_for_nothing(
    rows: Path, tmp_path: Path, browser: Browser
) -> None:
    asked(rows, "report", "samples", "--out", str(tmp_path / "reports"))
    assert run("site", tmp_path / "reports", "--out", tmp_path / "site").code == 0
    (tmp_path / "summary.html").write_text(asked(rows, "summarize", "--format", "html"), "utf-8")
    pages = [
        *tmp_path.glob("reports/*/report.html"),
        *tmp_path.glob("site/**/*.html"),
        tmp_path / "summary.html",
    ]
    assert len(pages) >= 4
    for page in pages:
        with visited(browser, page.as_uri()) as visit:  # a request to elsewhere fails the visit
            assert visit.page.evaluate("typeof window.pwned") == "undefined", page
            assert visit.page.locator("body a[href^='javascript:']").count() == 0
            assert visit.page.locator("iframe, base, meta[http-equiv=refresh]").count() == 0
