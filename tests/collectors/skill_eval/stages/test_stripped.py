"""Pages without their styles and scripts: nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.harness import trees
from collectors.skill_eval.renderers.render import Kind, Render
from collectors.skill_eval.stages import stripped


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("<p>One &amp; two&nbsp;&#8211; <br/>three", "<p>One &amp; two&nbsp;&#8211; <br/>three"),
        ("<!DOCTYPE html><!-- a --><p>A</p>", "<!DOCTYPE html><!-- a --><p>A</p>"),
        ("A\r\n<style>\n</style>\nx < y & z", "A\r\n\nx < y & z"),
        ("<style>p { color: red }</style><p>A</p>", "<p>A</p>"),
        ("<SCRIPT src=a.js></SCRIPT><P Class=a>A</P>", "<P Class=a>A</P>"),
        ("<script>if (a < b) { c('</p>') }</script><p>A</p>", "<p>A</p>"),
        ("<style>never closed <p>A", ""),
        ("A</style>B", "AB"),
        ('<p style="color: red" class=big onclick="go()">A</p>', '<p class="big">A</p>'),
        ("<body onload='go()' hidden>", "<body hidden>"),
        ('<b id="a &quot;b&quot;" style="">', '<b id="a &quot;b&quot;">'),
        ("<a href=' JavaScript:go()'>A</a>", "<a>A</a>"),
        ("<img onerror=go() src=a.png />", '<img src="a.png"/>'),
        ("<link rel='preload stylesheet' href=a><link rel=icon href=b>", "<link rel=icon href=b>"),
        ("<link rel=preload as=style href=a><link rel=modulepreload href=b>", ""),
        ("<svg><style>a{}</style><path d='M0 0'/></svg>", "<svg><path d='M0 0'/></svg>"),
        (
            "<?xml version='1.0'?><?xml-stylesheet href='a.css'?><p viewBox='0 0'><aB/></p>",
            "<?xml version='1.0'?><p viewBox='0 0'><aB/></p>",
        ),
        ("", ""),
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


def test_a_page_in_another_coding_stays_as_it_is_byte_for_byte(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source/a.html").write_bytes(b'<meta charset="latin-1"><style>a{}</style>caf\xe9\r')
    stripped.make(tmp_path / "source", tmp_path / "made")
    assert (tmp_path / "made/a.html").read_bytes() == b'<meta charset="latin-1">caf\xe9\r'


@pytest.mark.parametrize(
    ("kind", "entry", "page"),
    [
        ("stacked", "*.HTM", True),
        ("stacked", "*.svg", False),
        ("stacked", "none.html", False),
        ("video", "a.HTM", False),
    ],
)
def test_only_what_is_shown_as_a_page_can_be_stripped(
    tmp_path: Path, kind: Kind, entry: str, page: bool
) -> None:
    for name in ("a.HTM", "b.svg"):
        (tmp_path / name).write_text("")
    assert stripped.is_page(tmp_path, Render(kind=kind, entry=entry)) == page
