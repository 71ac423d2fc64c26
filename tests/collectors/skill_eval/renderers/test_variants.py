"""The artefacts that try the judge: what they keep, and what they have lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.skill_eval.renderers.failures import RenderFailed
from collectors.skill_eval.renderers.render import BOUNDS, Kind, Render
from collectors.skill_eval.renderers.variants import bare, blank, stripped
from tests.support.drawing import artefact


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        ("<p>One &amp; two&nbsp;&#8211; <br/>three", "<p>One &amp; two&nbsp;&#8211; <br/>three"),
        ("<style>p{color:red}</style><p>One", "<p>One"),
        ("<SCRIPT src=a.js></SCRIPT><P Class=a>One</P>", "<P Class=a>One</p>"),
        ("<script>if (a < b) '<p>'</script>One", "One"),
        ("<link rel='preload stylesheet' href=a><link rel=icon href=b>", "<link rel=icon href=b>"),
        ("<link rel=preload as=style href=a><link rel=modulepreload href=b>", ""),
        (
            '<p id=a style="color:red" title="a &quot;b&quot;">',
            '<p id="a" title="a &quot;b&quot;">',
        ),
        ("<body onload='go()' hidden>", "<body hidden>"),
        ("<a href=' javascript:go()'>One</a>", "<a>One</a>"),
        ("<img onerror=go() src=a.png />", '<img src="a.png"/>'),
        ("<svg><style>a{}</style><path d='M0 0'/></svg>", "<svg><path d='M0 0'/></svg>"),
        ("<!DOCTYPE html><!-- a --><p>", "<!DOCTYPE html><!-- a --><p>"),
        ("<style>never closed <p>One", ""),
    ],
)
def test_a_bare_page_keeps_all_but_styles_and_scripts(page: str, kept: str) -> None:
    assert bare(page) == kept


def test_a_stripped_artefact_is_a_copy_with_all_its_pages_bare(tmp_path: Path) -> None:
    page = b'<meta charset="latin-1"><style>a{}</style>caf\xe9'
    folder = artefact(
        tmp_path / "a", {"i.html": page, "x/b.HTM": page, "s.css": "p{}", "p.svg": ""}
    )
    wanted = Render(kind="stacked", entry="*.html", sections="main")
    found = stripped(folder, wanted, tmp_path / "b")
    assert found == wanted.model_copy(update={"entry": "i.html"})
    assert (tmp_path / "b" / "i.html").read_bytes() == b'<meta charset="latin-1">caf\xe9'
    assert (tmp_path / "b" / "x" / "b.HTM").read_bytes() == b'<meta charset="latin-1">caf\xe9'
    assert (tmp_path / "b" / "s.css").read_bytes() == b"p{}"
    assert (folder / "i.html").read_bytes() == page


def test_what_is_no_page_is_not_stripped(tmp_path: Path) -> None:
    folder = artefact(tmp_path / "a", {"a.svg": "<svg/>"})
    assert stripped(folder, Render(kind="svg", entry="a.svg"), tmp_path / "b") is None
    assert not (tmp_path / "b").exists()


def test_an_artefact_without_its_entry_cannot_be_stripped(tmp_path: Path) -> None:
    folder = artefact(tmp_path / "a", {"a.html": ""})
    with pytest.raises(RenderFailed):
        stripped(folder, Render(kind="svg", entry="b.html"), tmp_path / "b")


@pytest.mark.parametrize("kind", BOUNDS)
def test_there_is_a_blank_artefact_of_every_kind(kind: Kind, tmp_path: Path) -> None:
    wanted = blank(Render(kind=kind, entry="a", most=3), tmp_path / "blank")
    assert (wanted.kind, wanted.most) == (kind, 3)
    assert (tmp_path / "blank" / wanted.entry).stat().st_size > 0
