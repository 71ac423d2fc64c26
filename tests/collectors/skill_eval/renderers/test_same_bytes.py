"""The same artefact gives the same bytes, whatever the time and wherever it lies."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from tests.support.drawing import RED, Files, Image, artefact, colours, docx, draw, page, pdf

pytestmark = [pytest.mark.slow, pytest.mark.browser]

RESTLESS = """
    const say = (...words) => document.querySelector("p").append(words.join(" "), " | ");
    say(new Date().toISOString(), Date.now(), performance.now(), Math.random());
    say(crypto.randomUUID(), crypto.getRandomValues(new Uint32Array(2)), location.href);
    setInterval(() => say(performance.now()), 70);
    const pen = document.querySelector("canvas").getContext("2d");
    const step = (now) => {
        pen.fillRect(Math.random() * 300, now % 150, 4, 4);
        requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    fetch("data.json").then((answer) => answer.json()).then((told) => say(told.word, Date.now()));
"""
CORNERS = """
    const tell = (text) => document.querySelector("p").append(text, " | ");
    tell(document.lastModified);
    tell(new Date().constructor.now());
    addEventListener("message", (told) => tell(told.data));
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.srcdoc = "<script>parent.postMessage(Math.random() + Date.now(), '*')</" + "script>";
    document.body.append(frame);
    const worker = new Blob(["postMessage(Math.random())"]);
    new Worker(URL.createObjectURL(worker)).onmessage = (told) => tell(told.data);
    document.querySelector("div").attachShadow({mode: "closed"}).innerHTML = `<style>
        i{display:block;width:20px;height:20px;background:red;animation:go 1.3s infinite alternate}
        @keyframes go{to{margin-left:400px}}</style><i></i>`;
"""
"""Where the time of day, chance and movement come in by other ways."""
MOVING = """<style>
    i{display:block;width:50px;height:50px;background:red}
    .a{animation:go 3s} .b{animation:go .3s infinite alternate} .c{transition:all 2s}
    @keyframes go{to{margin-left:400px;background:blue}}</style>
    <p></p><canvas></canvas><i class=a></i><i class=b></i><i class=c></i><img src=a.gif>
    <svg width=300 height=50><rect width=9 height=50><animate attributeName=x from=0 to=200
    dur=.7s repeatCount=indefinite /></rect></svg>
    <details open><summary>More</summary><input autofocus value=text></details>"""


def gif() -> bytes:
    """Return a picture that turns from red to blue, again and again."""
    file = io.BytesIO()
    first, second = (Image.new("RGB", (40, 40), each) for each in ("red", "blue"))
    first.save(file, "GIF", save_all=True, append_images=[second], duration=30, loop=0)
    return file.getvalue()


PAGE: Files = {
    "a.html": page(MOVING, script=RESTLESS),
    "a.gif": gif(),
    "data.json": '{"word": "loaded"}',
}
HIDDEN: Files = {
    "a.html": page(
        "<p></p><div></div><progress></progress><hr>",
        style="hr{width:random(100px,900px)}",
        script=CORNERS,
    )
}
CASES: list[tuple[Any, Files]] = [
    ("page-tile", PAGE),
    ("scroll-frame", PAGE),
    ("video", PAGE),
    ("page-tile", HIDDEN),
    ("video", HIDDEN),
    ("pdf", {"a.pdf": pdf(RED)}),
    ("office", {"a.docx": docx("A title", "A second page")}),
    ("video", {"b.gif": gif()}),
]


@pytest.mark.parametrize(("kind", "files"), CASES)
def test_twice_and_from_two_places(tmp_path: Path, kind: Any, files: Files) -> None:
    entry = next(iter(files))
    first, second = (
        draw(artefact(tmp_path / place / "artefact", files), tmp_path / place / "out", kind, entry)
        for place in ("base", "a-much-longer-name")
    )
    assert first.evidence == second.evidence
    assert [each.read_bytes() for each in first.images] == [
        each.read_bytes() for each in second.images
    ]


def test_a_moving_picture_is_seen_as_it_begins(tmp_path: Path) -> None:
    files: Files = {"a.html": page('<img src=a.gif style="width:100vw">'), "a.gif": gif()}
    folder = artefact(tmp_path / "artefact", files)
    made = draw(folder, tmp_path / "out", "page-tile", "a.html")
    assert RED in colours(made.images[0])
