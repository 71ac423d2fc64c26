"""What shows nothing is known as blank; what shows little is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.skill_eval.renderers.render import Kind
from tests.support.drawing import Files, docx, drawn, page, plain

OFFICE_LINE = docx("Not found")
LITTLE: dict[Kind, Files] = {
    "reveal": {"a.html": page("<p>Not found")},
    "keyboard": {"a.html": page("<p>Not found")},
    "stacked": {"a.html": page("<section><p>Not found</section>")},
    "scroll-frame": {"a.html": page("<p>Not found<p style=height:3000px>")},
    "page-tile": {"a.html": page("<p>Not found")},
    "svg": {
        "a.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 500">'
        '<text x="10" y="30">Not found</text></svg>'
    },
    "office": {"a.docx": OFFICE_LINE},
}


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("kind", LITTLE)
def test_one_line_of_text_is_not_blank(kind: Kind, tmp_path: Path) -> None:
    assert not drawn(tmp_path, kind, LITTLE[kind]).blank


@pytest.mark.slow
@pytest.mark.browser
def test_a_page_that_never_shows_its_content_is_blank(tmp_path: Path) -> None:
    """Its script fails, which is kept as evidence."""
    files: Files = {
        "a.html": page("<h1 hidden>A title</h1>", script="start()"),
        "b.png": plain("red"),
    }
    made = drawn(tmp_path, "page-tile", files)
    assert made.blank
    assert "uncaught: start is not defined" in made.evidence
