"""Pictures on a page: PNG bytes and words, and nothing else that a notebook may hold."""

from __future__ import annotations

import base64
from typing import Any

import nbformat
import pytest

from benchdata.errors import ReportError
from benchdata.reports.page import render
from benchdata.reports.pictures import PICTURES_TYPE, Pictures, Sheet, picture
from tests.support.judged_stage import png

v4: Any = nbformat.v4  # it carries no types
ATTACK = '"><script>window.pwned=1</script>'


def page_of(data: Any) -> str:
    output = v4.new_output("display_data", data={PICTURES_TYPE: data, "text/html": ATTACK})
    return render(v4.new_notebook(cells=[v4.new_code_cell("show()", outputs=[output])]), title="T")


def bundle(png: str = "", **changes: Any) -> dict[str, Any]:
    sheet = {"title": "none, repeat 1", "note": "Q 1.25", "pictures": [{"png": png, "alt": "one"}]}
    return {"caption": "task-1", "sheets": [sheet], **changes}


def test_pictures_stand_on_the_page_as_their_bytes() -> None:
    content = png(8, 6)
    shown = Pictures("task-1", (Sheet("none, repeat 1", "Q 1.25", (picture(content, "one"),)),))
    page = page_of(shown._repr_mimebundle_()[PICTURES_TYPE])
    text = base64.b64encode(content).decode()
    assert f'<img src="data:image/png;base64,{text}" width="8" height="6" alt="one">' in page
    assert "<p><b>none, repeat 1</b> <span>Q 1.25</span></p>" in page
    assert "img-src data:" in page
    assert f"data:image/png;base64,{text}" in shown._repr_html_(), "a notebook shows them too"


def test_words_are_text_and_html_of_a_cell_is_never_copied() -> None:
    text = base64.b64encode(png()).decode()
    page = page_of(bundle(text, caption=ATTACK))
    assert ATTACK not in page
    assert "&lt;script&gt;window.pwned=1" in page


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (bundle("no base64!"), "pictures in the notebook are not benchdata's"),
        (bundle(base64.b64encode(b"<svg onload=alert(1)>" * 9).decode()), "is no PNG"),
        (bundle(base64.b64encode(png()[:20]).decode()), "is no PNG"),
        (bundle(base64.b64encode(png(2401, 1)).decode()), "2,401 by 1 pixels; 2,400 a side fit"),
        ({"caption": "x"}, "are not benchdata's"),
        (bundle(sheets=[3]), "are not benchdata's"),
    ],
)
def test_anything_else_is_refused(data: Any, said: str) -> None:
    with pytest.raises(ReportError, match=said):
        page_of(data)
