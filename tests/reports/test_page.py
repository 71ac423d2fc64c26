"""The page of an executed notebook: what is in it, what never gets in, that it stays the same."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import polars as pl
import pytest

from benchdata import charts
from benchdata.errors import ReportError
from benchdata.reports.cells import figures, parameters
from benchdata.reports.document import script_json
from benchdata.reports.page import Banner, render
from benchdata.reports.tables import TABLE_TYPE, html_table

ATTACK = "</script><script>window.pwned=1</script><!--<script> & \u2028 ' \" </style>"
v4: Any = nbformat.v4  # it carries no types
EVENTS = re.compile(r"^on[a-z]+$")


class Elements(HTMLParser):
    """Every element of a page with its attributes, and the text of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[dict[str, str | None], str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag in {"script", "style"}:
            self.raw.append((dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] in {"script", "style"}:
            attrs, text = self.raw[-1]
            self.raw[-1] = (attrs, text + data)

    def handle_endtag(self, tag: str) -> None:
        self.found.append((f"/{tag}", {}))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.found if name == tag]


def chart_output(group: str = "G1", name: str = "components") -> Any:
    table = pl.DataFrame({"group": [group], "component": [group], "p50": [5]})
    spec = charts.compact_spec(charts.components(table, name=name))
    bundle = {charts.SVG_TYPE: charts.static_svg(spec), charts.CHART_TYPE: spec}
    return v4.new_output("display_data", data=bundle)


def shown(source: str, *outputs: Any, **metadata: Any) -> Any:
    return v4.new_code_cell(source, outputs=list(outputs), metadata=metadata, execution_count=1)


def table_output(frame: pl.DataFrame, caption: str = "Groups") -> Any:
    table = html_table(frame, caption=caption)
    data = table._repr_mimebundle_() | {"text/html": table._repr_html_()}
    return v4.new_output("execute_result", data=data, execution_count=1)


def page_of(*cells: Any, title: str = "Title", **options: Any) -> str:
    return render(v4.new_notebook(cells=list(cells)), title=title, **options)


def policy(page: str) -> str:
    metas = Elements(page).named("meta")
    return next(
        str(meta["content"])
        for meta in metas
        if meta.get("http-equiv") == "Content-Security-Policy"
    )


def test_text_of_a_row_never_becomes_markup() -> None:
    page = page_of(
        v4.new_markdown_cell(f"## Heading {ATTACK}\n\n<img src=x onerror=alert(1)> {ATTACK}"),
        shown(ATTACK, chart_output(ATTACK), table_output(pl.DataFrame({ATTACK: [ATTACK]}), ATTACK)),
        shown("x", v4.new_output("stream", text=ATTACK)),
        shown("y", v4.new_output("display_data", data={"text/markdown": ATTACK})),
        shown(f"name = {ATTACK!r}", tags=["parameters"]),
        title=ATTACK,
        banners=[Banner(ATTACK, ATTACK)],
        footer=[ATTACK],
    )
    elements = Elements(page)
    scripts = [attrs.get("type") for attrs in elements.named("script")]
    assert scripts == ["application/json", "application/json", None, None]
    assert len(elements.named("style")) == len(elements.named("/style")) == 1
    assert [
        attrs["src"] for attrs in elements.named("img") if "data:" not in str(attrs["src"])
    ] == []
    assert not [a for _, attrs in elements.found for a in attrs if EVENTS.match(a) or a == "style"]
    assert page.count(html.escape("<script>window.pwned=1</script>", quote=False)) >= 9


def test_a_spec_arrives_unchanged() -> None:
    output = chart_output(ATTACK)
    (spec, dark) = [
        json.loads(text)
        for attrs, text in Elements(page_of(shown("chart", output))).raw
        if attrs.get("type") == "application/json"
    ]
    assert spec == output.data[charts.CHART_TYPE]
    assert dark["style"]["head"]["color"] != spec["config"]["style"]["head"]["color"]


def test_json_in_a_script_cannot_end_it() -> None:
    text = script_json({"a": ATTACK})
    assert not re.search("[<>&\u2028\u2029]", text)
    assert json.loads(text) == {"a": ATTACK}
    with pytest.raises(ValueError, match="not JSON compliant"):
        script_json(float("nan"))


def test_the_policy_names_each_script_and_style_by_its_digest() -> None:
    page = page_of(shown("chart", chart_output()), banners=[Banner("SYNTHETIC", "generated")])
    allowed = policy(page)
    assert allowed.startswith("default-src 'none'; ")
    assert "unsafe" not in allowed
    run = [text for attrs, text in Elements(page).raw if attrs.get("type") != "application/json"]
    assert len(run) == 3
    for text in run:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in allowed


def test_nothing_on_the_page_has_an_address() -> None:
    page = page_of(
        v4.new_markdown_cell("![i](http://a.example/i.png) <http://b.example>"),
        shown("c", chart_output()),
    )
    elements = Elements(page)
    assert [
        a["src"] for _, a in elements.found if "src" in a and not str(a["src"]).startswith("data:")
    ] == []
    assert {str(link["href"]) for link in elements.named("link")} == {"data:,"}
    links = [str(link["href"]) for link in elements.named("a")]
    assert [link for link in links if not link.startswith("#")] == [
        "http://a.example/i.png",
        "http://b.example",
    ]


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_a_link_that_would_run_stays_text(address: str) -> None:
    page = page_of(v4.new_markdown_cell(f"[click]({address})"))
    assert [link["href"] for link in Elements(page).named("a")] == ["#content"]


def test_a_page_without_charts_carries_no_script() -> None:
    page = page_of(v4.new_markdown_cell("text"))
    assert "script-src 'none'" in policy(page)
    assert len(page) < 30_000


def test_each_chart_is_an_image_first_and_its_name_is_unique() -> None:
    notebook = v4.new_notebook(
        cells=[shown("a", chart_output(), chart_output(name="other")), shown("b", chart_output())]
    )
    assert [figure.name for figure in figures(notebook)] == ["components", "other", "components_2"]
    images = Elements(render(notebook, title="T")).named("img")
    assert len(images) == 3
    encoded = str(images[0]["src"]).removeprefix("data:image/svg+xml;base64,")
    assert base64.b64decode(encoded).decode() == figures(notebook)[0].svg
    assert str(images[0]["alt"]).startswith("Component times by group: p50 of each (ms). ")
    assert [f["id"] for f in Elements(render(notebook, title="T")).named("figure")] == [
        "chart-components",
        "chart-other",
        "chart-components_2",
    ]


def test_headings_keep_order_and_make_the_contents() -> None:
    source = "# Title\n\n#### Deep\n\n## One `x` *y*\n\n#### Two\n\n# Other\n\n## One x y"
    elements = Elements(page_of(v4.new_markdown_cell(source)))
    levels = [tag for tag, _ in elements.found if re.fullmatch("h[1-6]", tag)]
    assert levels == ["h1", "h2", "h2", "h3", "h2", "h2"]
    links = [str(link["href"]) for link in elements.named("a")]
    assert links == ["#content", "#s-deep", "#s-one-x-y", "#s-other", "#s-one-x-y-2"]
    identifiers = {attrs["id"] for _, attrs in elements.found if attrs.get("id")}
    assert {link[1:] for link in links} <= identifiers


def test_code_is_folded_and_parameters_stand_at_the_end() -> None:
    page = page_of(
        shown("as_of = '1970-01-01'\ntop: int = 3", tags=["parameters"]),
        shown("# Parameters\nas_of = '2026-03-01'", tags=["injected-parameters"]),
        shown(
            "1 + 1", v4.new_output("execute_result", data={"text/plain": "2"}, execution_count=1)
        ),
    )
    assert page.count("<summary>Show the code</summary>") == 1
    assert "1 + 1" in page
    assert "1970-01-01" not in page
    assert page.index("<dt>as_of</dt><dd><code>&#39;2026-03-01&#39;</code>") > page.index("1 + 1")
    assert "<dt>top</dt><dd><code>3</code></dd>" in page


def test_parameters_are_those_in_force() -> None:
    cells = [
        shown("a = 1\nb = 'x'", tags=["parameters"]),
        shown("a = 2", tags=["injected-parameters"]),
    ]
    assert parameters(v4.new_notebook(cells=cells)) == {"a": "2", "b": "'x'"}


def test_a_failed_cell_makes_no_page() -> None:
    error = v4.new_output(
        "error", ename="ValueError", evalue="\x1b[31mbad\x1b[0m value", traceback=["/x"]
    )
    with pytest.raises(
        ReportError, match=r"^cell 2 of the notebook failed: ValueError: bad value$"
    ):
        page_of(v4.new_markdown_cell("x"), shown("fail()", error))


def test_html_of_a_cell_is_not_copied() -> None:
    data = {"text/html": "<b onclick=x>bold</b>", "text/plain": "shape: (1, 1)\x1b[0m\x07"}
    page = page_of(shown("frame", v4.new_output("execute_result", data=data, execution_count=1)))
    assert "<b onclick" not in page
    assert "shape: (1, 1)\N{REPLACEMENT CHARACTER}</pre>" in page


def test_a_chart_of_remote_data_is_refused() -> None:
    output = chart_output()
    output.data[charts.CHART_TYPE]["layer"][0]["data"] = {"url": "http://a.example/rows.json"}
    with pytest.raises(ReportError, match="cell 1 reads its data from an address"):
        page_of(shown("chart", output))


def test_a_table_that_is_not_ours_is_refused() -> None:
    for data in ({"caption": "x"}, {"caption": "x", "headers": ["a"], "rows": [], "align": ["up"]}):
        output = v4.new_output("display_data", data={TABLE_TYPE: data})
        with pytest.raises(ReportError, match="a table in the notebook"):
            page_of(shown("table", output))


def test_banners_stand_on_top_and_on_every_printed_page() -> None:
    page = page_of(
        v4.new_markdown_cell("x"),
        banners=[Banner("INCOMPLETE", "3 of 4"), Banner("SYNTHETIC", "all")],
    )
    assert page.index('role="note"><strong>INCOMPLETE</strong> 3 of 4') < page.index("<main")
    (rule,) = re.findall(r'@top-left \{ content: "([^"]*)"', page)
    words = "".join(chr(int(code, 16)) for code in re.findall(r"\\([0-9a-f]+) ", rule))
    assert words == "INCOMPLETE \N{MIDDLE DOT} SYNTHETIC"


@pytest.mark.slow
def test_the_same_notebook_gives_the_same_bytes_in_another_process(
    root: Path, tmp_path: Path
) -> None:
    notebook = v4.new_notebook(
        cells=[
            v4.new_markdown_cell("## A"),
            shown("c", chart_output()),
            shown("t", table_output(pl.DataFrame({"a": [1]}))),
        ]
    )
    (tmp_path / "n.ipynb").write_text(json.dumps(notebook), "utf-8")
    program = (
        "import hashlib, sys, nbformat; from benchdata.reports.page import Banner, render;"
        "notebook = nbformat.read(sys.argv[1], as_version=4);"
        "page = render(notebook, title='T', banners=[Banner('A', 'b')], footer=['f']);"
        "print(hashlib.sha256(page.encode()).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(tmp_path / "n.ipynb")],
        cwd=root,
        env={"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"},
        check=True,
        capture_output=True,
        text=True,
    )
    page = render(notebook, title="T", banners=[Banner("A", "b")], footer=["f"])
    assert done.stdout.strip() == hashlib.sha256(page.encode()).hexdigest()
