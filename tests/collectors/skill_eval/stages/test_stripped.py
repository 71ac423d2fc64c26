"""Pages without their styles and scripts: nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.harness import trees
from collectors.skill_eval.stages import stripped


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("<p>One &amp; two &#233;</p>", "<p>One &amp; two &#233;</p>"),
        ("<!doctype html><p>A</p>", "<!doctype html><p>A</p>"),
        ("<style>p { color: red }</style><p>A</p>", "<p>A</p>"),
        ("<script>if (a < b) { c('</p>') }</script><p>A</p>", "<p>A</p>"),
        ('<script src="a.js"></script>A', "A"),
        ('<p style="color: red" class=big onclick="go()">A</p>', '<p class="big">A</p>'),
        (
            '<link rel="stylesheet" href="a.css"><link rel=icon href=a.png>',
            '<link rel="icon" href="a.png">',
        ),
        ('<svg><path d="M0 0"/></svg>', '<svg><path d="M0 0"/></svg>'),
        ("<input disabled value='\"'>", '<input disabled value="&quot;">'),
        ("<style>p { color: red }", ""),
        ("A<!-- note -->B", "AB"),
    ],
)
def test_a_page_loses_its_styles_and_scripts(source: str, left: str) -> None:
    assert stripped.page(source) == left


def test_files_of_styles_and_scripts_go_and_the_rest_stays(tmp_path: Path) -> None:
    source, made = tmp_path / "source", tmp_path / "made"
    (source / "more").mkdir(parents=True)
    for name in ("index.html", "more/other.HTM"):
        (source / name).write_text("<style>a {}</style>A")
    for name in ("a.css", "more/b.js"):
        (source / name).write_text("x")
    (source / "picture.png").write_bytes(b"\x89PNG")
    before = trees.digest(source)
    stripped.make(source, made)
    assert trees.digest(source) == before
    left = {path.relative_to(made).as_posix(): path.read_bytes() for path in made.rglob("*.*")}
    assert left == {"index.html": b"A", "more/other.HTM": b"A", "picture.png": b"\x89PNG"}
