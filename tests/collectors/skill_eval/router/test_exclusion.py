"""Excluded skills: known by their name, however it is spelt, and by nothing that only looks so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdata.errors import InputError
from collectors.skill_eval.router.exclusion import Exclusion, excluding

TWO = excluding(["acme/skills@slide-maker", "PDF"])


def test_a_reference_stands_for_its_skill() -> None:
    given_so = ("Slide_Maker", "edge:acme/skills@slide-maker", "slide maker", "slide.maker")
    for text in given_so:
        assert excluding([text]) == Exclusion(("slide-maker",))
    assert excluding(["b", "A", "a"]).names == ("a", "b")
    assert excluding([]).names == ()


@pytest.mark.parametrize("text", ["", " ", "-", "acme/skills", "a/b/c", "sk?ll", "x" * 65])
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"exclude: .*must be a skill's name"):
        excluding([text])


@pytest.mark.parametrize(
    "text",
    [
        "slide-maker",
        "Slide_Maker",
        "SLIDE MAKER",
        " `slide-maker` ",
        "slidemaker",
        "slideMaker",
        "slide-maker@1.2.0",
        "slide-maker@latest",
        "slide-maker:2",
        "slide-maker-v2",
        "slide-maker_1.2.0",
        "slide-maker@^1.2",
        "slide-maker-main.zip",
        "slide-maker-v2.tar.gz",
        "slide&#45;maker",
        "acme/skills@slide-maker",
        "edge:Acme/Skills@Slide-Maker@v2",
        "another/copy@slide-maker",
        "acme/skills#main@slide-maker",
        "@acme/slide-maker",
        "https://skills.sh/acme/skills/slide-maker",
        "https://skills.sh/acme/skills/slide-maker/?from=x",
        "https://example.org/get?skill=slide-maker&x=1",
        "https://github.com/acme/skills/tree/main/skills/slide-maker/SKILL.md",
        "git@github.com:acme/slide-maker.git",
        "slide%2Dmaker",
        "slide%252Dmaker",
        "sli\N{ZERO WIDTH SPACE}de-maker",
        "ｓｌｉｄｅ－ｍａｋｅｒ",  # noqa: RUF001 -- another spelling
        "pdf",
        "acme/skills/pdf/SKILL.md",
        "pdf.zip",
    ],
)
def test_no_spelling_evades(text: str) -> None:
    assert TWO.names_one(text)


@pytest.mark.parametrize(
    "text",
    [
        "slide",
        "slide-makers",
        "pdf-forms",
        "acme/pdf@forms",
        "slide-maker/skills@forms",
        "reads a pdf",
        "pdf tools",
        "",
        "latest",
    ],
)
def test_another_skill_is_none_of_them(text: str) -> None:
    assert not TWO.names_one(text)


def test_without_exclusions_nothing_is_one() -> None:
    assert not Exclusion().names_one("")
    assert not Exclusion().mentions_one("slide-maker")


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("goes well with slide-maker.", True),
        ("see acme/skills@pdf", True),
        ("call `pdf` first", True),
        ("**pdf**: reads", True),
        ("reads a pdf file", False),
        ("makes slides", False),
    ],
)
def test_a_word_of_one_part_is_a_mention_only_when_marked(text: str, mentions: bool) -> None:
    assert TWO.mentions_one(text) is mentions


@given(
    st.lists(st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True), min_size=1, max_size=4),
    st.sampled_from(["-", "_", " ", "--", "."]),
    st.sampled_from([str.upper, str.title, str.lower]),
    st.sampled_from(["{}", "acme/skills@{}", "https://skills.sh/acme/skills/{}", "x:{}"]),
)
def test_case_and_separators_never_matter(parts, mark, cased, form) -> None:  # type: ignore[no-untyped-def]
    exclusion = excluding(["-".join(parts)])
    assert exclusion.names_one(form.format(cased(mark.join(parts))))
