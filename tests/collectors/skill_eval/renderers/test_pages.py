"""Kinds that a browser draws: how many pictures, which, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.drawing import (
    BLUE,
    GREEN,
    RED,
    WHITE,
    Files,
    colours,
    drawn,
    grounds,
    page,
    size,
)

pytestmark = pytest.mark.browser

COLOURS = ("red", "green", "blue")
PANES = "".join(f'<section style="background:{each};height:100vh"></section>' for each in COLOURS)
DECK = """
const slides = [...document.querySelectorAll("section")];
let fragments = true;
window.Reveal = {
    configure: (options) => { fragments = options.fragments; },
    getSlides: () => slides,
    getIndices: (slide) => ({h: slides.indexOf(slide)}),
    slide: (h) => setTimeout(() => {
        slides.forEach((each, place) => { each.style.display = place === h ? "block" : "none"; });
        document.querySelector("b").style.display = fragments ? "none" : "block";
    }, 300),
};
slides.forEach((each, place) => { if (place) each.style.display = "none"; });
"""
WIDGET = """
let chosen = 0;
document.querySelector("button").addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && chosen < 2) chosen += 1;
    document.body.style.background = ["red", "green", "blue"][chosen];
});
document.body.style.background = "red";
"""


@pytest.mark.slow
def test_reveal_gives_one_picture_a_slide_with_its_fragments(tmp_path: Path) -> None:
    mark = '<b style="position:fixed;top:0;background:#ff0;width:9em;height:9em">'
    made = drawn(tmp_path, "reveal", {"a.html": page(PANES + mark, script=DECK)})
    assert grounds(made) == [RED, GREEN, BLUE]
    assert all((255, 255, 0) in colours(path) for path in made.images)
    assert not made.blank


def test_keyboard_gives_a_picture_a_key_until_one_was_there_before(tmp_path: Path) -> None:
    files: Files = {"a.html": page("<button>Choose</button>", script=WIDGET)}
    made = drawn(tmp_path, "keyboard", files, key="ArrowDown", tabs=1)
    assert grounds(made) == [RED, GREEN, BLUE]


@pytest.mark.slow
def test_stacked_gives_one_picture_a_section_and_tells_of_those_left_out(tmp_path: Path) -> None:
    inner = '<div class=part style="background:blue;height:50px">'
    parts = (
        f'<div class=part style="background:red;height:300px">{inner}</div></div>'
        '<div class=part style="background:green;height:5000px;width:600px"></div>'
        '<div class=part style="display:none">hidden</div><div class=part>last</div>'
    )
    settings = {"sections": ".part", "most": 2}
    made = drawn(tmp_path, "stacked", {"a.html": page(parts)}, **settings)
    assert grounds(made) == [RED, GREEN]
    assert [size(path) for path in made.images] == [(1280, 300), (600, 1800)]
    assert "2 of 3 sections are shown" in made.evidence


@pytest.mark.slow
def test_scroll_frame_gives_windows_from_the_top_to_the_end(tmp_path: Path) -> None:
    """Also of a page that scrolls within itself, and in its own time after each jump."""
    script = """const pane = document.querySelector("main");
        pane.addEventListener("scroll", () => setTimeout(() => {
            document.querySelector("p").style.background = pane.scrollTop ? "lime" : "black";
        }, 100));"""
    style = "main{height:100vh;overflow:auto} p{position:fixed;top:0;width:50px;height:50px}"
    files: Files = {"a.html": page(f"<main>{PANES}</main><p>", style, script)}
    made = drawn(tmp_path, "scroll-frame", files, height=600)
    assert grounds(made) == [RED, GREEN, BLUE]
    assert [size(path) for path in made.images] == [(1280, 600)] * 3
    assert [(0, 255, 0) in colours(path) for path in made.images] == [False, True, True]


def test_page_tile_cuts_the_whole_page_and_finds_its_files(tmp_path: Path) -> None:
    """From the root and beside it; what is elsewhere is refused, what waits to be seen appears."""
    body = """<div id=a></div><img src="img/b.png"><div id=late></div>
        <img src="https://example.org/c.png"><img src="../../../etc/passwd">"""
    script = """new IntersectionObserver(([seen]) => {
        if (seen.isIntersecting) seen.target.style.background = "blue";
    }).observe(document.querySelector("#late"));"""
    files: Files = {
        "pages/a.html": page(body, script=script).replace(
            "<style>", "<link rel=stylesheet href=/s.css><style>"
        ),
        "s.css": "#a{background:red;height:1800px} #late{height:1500px} img{display:block}",
        "pages/img/b.png": (Path(__file__).parent / "none").name.encode(),
    }
    made = drawn(tmp_path, "page-tile", files)
    assert grounds(made) == [RED, BLUE]
    assert [size(path)[0] for path in made.images] == [1280, 1280]
    assert size(made.images[0])[1] == 1800
    assert "refused: https://example.org/c.png" in made.evidence
    assert "not in the artefact: /etc/passwd" in made.evidence


@pytest.mark.slow
def test_svg_gives_the_whole_drawing(tmp_path: Path) -> None:
    """In its size, made smaller when that is too large; refused is what it refers to elsewhere."""
    drawing = """<svg xmlns="http://www.w3.org/2000/svg" width="3600" height="1200">
        <rect width="3600" height="1200" fill="red"/><rect x="3500" width="100" height="1200"/>
        <rect width="1" height="1200" fill="lime"><animate attributeName="width" from="1"
        to="1000" dur="1s" fill="freeze"/></rect>
        <image href="http://example.org/a.png" width="9" height="9"/></svg>"""
    made = drawn(tmp_path, "svg", {"a.svg": drawing})
    assert [size(path) for path in made.images] == [(1800, 600)]
    assert {RED, (0, 0, 0), (0, 255, 0)} <= colours(made.images[0])
    assert "refused: http://example.org/a.png" in made.evidence


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["reveal", "stacked", "svg"])
def test_a_page_without_what_its_kind_shows_is_shown_as_it_opens(tmp_path: Path, kind: str) -> None:
    made = drawn(tmp_path, kind, {"a.html": page("<h1>Slides</h1>")})
    assert [size(path) for path in made.images] == [(1280, 800)]
    assert WHITE in colours(made.images[0])
    assert any("as it opens" in line for line in made.evidence)
