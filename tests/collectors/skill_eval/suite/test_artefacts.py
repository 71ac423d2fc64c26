"""What checks ask of an artefact: pages, drawings, papers, films and words, whole or broken."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from collectors.skill_eval.renderers.needs import lacking
from collectors.skill_eval.suite import artefacts
from tests.support.plain_answers import printed

SPACE = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def needs(kind: Any) -> None:
    if fault := lacking(kind):
        pytest.skip(fault)


def test_the_text_of_a_page_is_what_is_seen() -> None:
    page = artefacts.Page(
        "<title>no</title><style>p {}</style><h1>Two <em>words</em></h1>"
        "<script>'no'</script><p>&pound;4</p><template>no</template>"
    )
    assert page.text.split() == ["Two", "words", "£4"]
    assert page.tags["h1"] == 1


@pytest.mark.parametrize(
    ("source", "alone"),
    [
        ('<img src="a.png"><a href="https://a.example">A</a>', True),
        ('<img src="data:image/png;base64,AA==">', True),
        ("<style>a { background: url('a.png') }</style>", True),
        ('<img src="https://a.example/a.png">', False),
        ('<img src=" //a.example/a.png">', False),
        ('<img srcset="https://a.example/a.png 2x">', False),
        ('<link rel=stylesheet href="HTTPS://a.example/a.css">', False),
        ('<svg><use href="//a.example/a.svg#b"/></svg>', False),
        ("<style>@import 'https://a.example/a.css'</style>", False),
        ("<p style='background: URL( //a.example/a.png)'>", False),
    ],
)
def test_a_page_that_fetches_does_not_stand_alone(source: str, alone: bool) -> None:
    assert artefacts.Page(source).stands_alone() is alone


@pytest.mark.parametrize(
    "source",
    [
        "<div role=listbox>",
        "<script>list.setAttribute('role', 'listbox')</script>",
        '<script>list.role = "listbox"</script>',
    ],
)
def test_a_role_is_found_wherever_it_is_given(source: str) -> None:
    page = artefacts.Page(source)
    assert page.plays("listbox", "tablist")
    assert not page.plays("list", "tablist")


@pytest.mark.parametrize(
    ("body", "loads_nothing"),
    [
        ('<use href="#a"/>', True),
        ('<image href="data:image/png;base64,AA=="/>', True),
        ('<path fill="url(#gradient)"/>', True),
        ('<image href="a.png"/>', False),
        ('<image xlink:href="https://a.example/a.png"/>', False),
        ("<script>1</script>", False),
        ("<foreignObject/>", False),
        ('<path style="fill: url(https://a.example/a.svg#b)"/>', False),
        ("<style>@import '//a.example/a.css';</style>", False),
    ],
)
def test_a_drawing_that_loads(tmp_path: Path, body: str, loads_nothing: bool) -> None:
    (tmp_path / "a.svg").write_text(f"<svg {SPACE}>{body}</svg>")
    root = artefacts.drawing(tmp_path / "a.svg")
    assert root is not None
    assert artefacts.loads_nothing(root) is loads_nothing


def test_a_drawing_tells_its_words_and_box(tmp_path: Path) -> None:
    text = "<title>t</title><desc>d</desc><text>One <tspan>two</tspan></text>"
    (tmp_path / "a.svg").write_text(f'<svg {SPACE} viewBox="0,0 12 8.5">{text}</svg>')
    root = artefacts.drawing(tmp_path / "a.svg")
    assert root is not None
    assert artefacts.words_of(root).split() == ["One", "two"]
    assert artefacts.box_of(root) == (0.0, 0.0, 12.0, 8.5)
    assert artefacts.is_described(root)


@pytest.mark.parametrize(
    "content",
    [
        b"<svg",
        b"<svg></svg>",
        b"<html/>",
        b"\xff\xfe",
        f'<!DOCTYPE svg [<!ENTITY a "b">]><svg {SPACE}>&a;</svg>'.encode(),
    ],
)
def test_what_is_no_drawing_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.svg").write_bytes(content)
    assert artefacts.drawing(tmp_path / "a.svg") is None


@pytest.mark.parametrize(
    "read", [artefacts.page, artefacts.drawing, artefacts.paper, artefacts.film]
)
def test_what_is_not_there_or_too_large_is_none(
    tmp_path: Path, read: Callable[[Path], object]
) -> None:
    assert read(tmp_path / "missing") is None
    assert read(tmp_path) is None
    (tmp_path / "large").write_bytes(bytes(artefacts.LARGEST + 1))
    assert read(tmp_path / "large") is None


@pytest.mark.parametrize(("width", "fits"), [(595, True), (597, True), (612, False), (842, False)])
def test_a_paper_tells_its_words_and_its_size(tmp_path: Path, width: int, fits: bool) -> None:
    needs("pdf")
    (tmp_path / "a.pdf").write_bytes(printed(["Decided (twice)"], width))
    paper = artefacts.paper(tmp_path / "a.pdf")
    assert paper is not None
    assert "Decided (twice)" in paper.text
    assert paper.is_one_a4_page is fits


@pytest.mark.parametrize("content", [b"", b"x", b"%PDF-1.7\n"])
def test_what_is_no_paper_is_none(tmp_path: Path, content: bytes) -> None:
    needs("pdf")
    (tmp_path / "a.pdf").write_bytes(content)
    assert artefacts.paper(tmp_path / "a.pdf") is None


def test_a_film_tells_its_size_length_and_rate(tmp_path: Path) -> None:
    needs("video")
    picture = "testsrc=size=64x48:rate=25:duration=2"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", picture, tmp_path / "a.mp4"], check=True
    )
    assert artefacts.film(tmp_path / "a.mp4") == artefacts.Film((64, 48), 2.0, 25.0)


@pytest.mark.parametrize("content", [b"", b"x" * 1000, b"<svg/>"])
def test_what_is_no_film_is_none(tmp_path: Path, content: bytes) -> None:
    needs("video")
    (tmp_path / "a.mp4").write_bytes(content)
    assert artefacts.film(tmp_path / "a.mp4") is None


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("4 % of 1,840", True),
        ("MILL CROSS", True),
        ("08:15-09:00", True),
        ("it's", True),
        ('"here"', True),
        ("Mill Crossing", False),
        ("4 % of 1,841", False),
    ],
)
def test_says_apart_from_how_it_is_set(phrase: str, said: bool) -> None:
    text = (
        "4\N{NO-BREAK SPACE}% of\n1,840 at Mill\N{SOFT HYPHEN} Cross, 08:15–09:00, it’s "
        "\N{LEFT DOUBLE QUOTATION MARK}here\N{RIGHT DOUBLE QUOTATION MARK}"
    )
    assert artefacts.says(text, [phrase]) is said
