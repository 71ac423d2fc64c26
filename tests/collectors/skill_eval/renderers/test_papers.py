"""Documents on paper: PDF, and what an office writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.skill_eval.renderers.rendering import RenderFailed
from tests.support.drawing import BLUE, GREEN, RED, WHITE, docx, drawn, grounds, packed, pdf, size


def test_pdf_gives_one_picture_a_page_and_tells_of_those_left_out(tmp_path: Path) -> None:
    made = drawn(tmp_path, "pdf", {"a.pdf": pdf(RED, BLUE, GREEN)}, most=2)
    assert grounds(made) == [RED, BLUE]
    assert [max(size(path)) for path in made.images] == [1600, 1600]
    assert made.evidence == ("2 of 3 pages are shown",)


@pytest.mark.parametrize("content", [b"", pdf(RED)[:80]])
def test_what_is_no_pdf_is_a_failure(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(RenderFailed, match="the PDF cannot be read, or has no page"):
        drawn(tmp_path, "pdf", {"a.pdf": content})


def test_office_gives_one_picture_a_page(tmp_path: Path) -> None:
    made = drawn(tmp_path, "office", {"a.docx": docx("One", "Two")})
    assert grounds(made) == [WHITE, WHITE]
    assert not made.blank


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.docx", b"plain text", "holds no word/document.xml"),
        ("a.pptx", docx("One"), "holds no ppt/presentation.xml"),
        ("a.txt", b"plain text", "and not `.txt`"),
    ],
)
def test_what_is_no_office_document_is_a_failure(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    with pytest.raises(RenderFailed, match=words):
        drawn(tmp_path, "office", {name: content})


@pytest.mark.slow
def test_a_document_that_unpacks_to_too_much_is_a_failure(tmp_path: Path) -> None:
    bomb = packed({"word/document.xml": bytes(257 * 1024**2)})
    with pytest.raises(RenderFailed, match="too large when it is unpacked"):
        drawn(tmp_path, "office", {"a.docx": bomb})


@pytest.mark.slow
def test_a_document_that_libreoffice_cannot_read_is_a_failure(tmp_path: Path) -> None:
    broken = packed({"word/document.xml": "<w:document>", "[Content_Types].xml": "x"})
    with pytest.raises(RenderFailed):
        drawn(tmp_path, "office", {"a.docx": broken})


@pytest.mark.slow
def test_a_pdf_of_ten_thousand_pages_and_one_of_miles_end_in_time(tmp_path: Path) -> None:
    made = drawn(tmp_path / "long", "pdf", {"a.pdf": pdf(*[RED] * 10_000)})
    assert grounds(made) == [RED] * 12
    huge = pdf(RED).replace(b"200 300", b"200 9000000")
    assert max(size(drawn(tmp_path / "huge", "pdf", {"a.pdf": huge}).images[0])) <= 1800
