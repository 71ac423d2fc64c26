"""Answers without excluded skills: JSON, Markdown and lines, and all else as it was."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.skill_eval.router.exclusion import excluding
from collectors.skill_eval.router.sieve import Sieve

CHARTS = {"id": 4, "name": "chart-kit", "description": "Draws charts for a pdf."}
SLIDES = {"id": 17, "name": "Slide Maker", "description": "Makes slides."}


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=8) | st.sampled_from(["slide-maker", "chart-kit"]),
    lambda each: (
        st.lists(each, max_size=4)
        | st.dictionaries(st.sampled_from(["name", "id", "skills", "about", "x"]), each, max_size=4)
    ),
    max_leaves=20,
)


def sieve() -> Sieve:
    return Sieve(excluding(["slide-maker", "pdf"]))


def test_an_item_of_a_list_goes_whole() -> None:
    found = sieve()
    assert found.structure({"skills": [SLIDES, CHARTS]}) == {"skills": [CHARTS]}
    assert (found.withheld, found.shown) == (["Slide Maker"], ["chart-kit"])


@pytest.mark.parametrize(
    "item",
    [
        {"ref": "other/copy@slide-maker@2.0"},
        {"name": "x", "url": "https://skills.sh/acme/skills/slide_maker"},
        {"name": "x", "skill_id": "slide-maker"},
        {"title": "pdf"},
        {"id": 9, "displayName": "PDF"},
        {"name": "x", "summary": "the new slide-maker"},
        {"name": "x", "body": "---\nname: pdf\n---\ntext"},
        "acme/skills@slide-maker",
        {"skill": {"name": "slide-maker"}},
    ],
)
def test_it_is_known_by_any_label(item: Any) -> None:
    left = sieve().structure([item, CHARTS])
    assert left == ([{}, CHARTS] if item == {"skill": {"name": "slide-maker"}} else [CHARTS])


def test_texts_by_name_go_too_but_no_flags() -> None:
    told = {"slide-maker": "Makes slides.", "pdf": True, "chart-kit": "Draws."}
    assert sieve().structure(told) == {"pdf": True, "chart-kit": "Draws."}


def test_objects_by_name_and_single_objects_go_too() -> None:
    found = sieve()
    assert found.structure({"slide-maker": {"about": "x"}, "chart-kit": {"about": "y"}}) == {
        "chart-kit": {"about": "y"}
    }
    assert found.structure(SLIDES) is None
    assert found.structure({"best": SLIDES, "others": []}) == {"others": []}


def test_a_number_that_stood_for_it_is_remembered() -> None:
    found = sieve()
    assert not found.names_one({"skill": 17})
    found.structure([SLIDES])
    assert found.names_one({"skill": 17})
    assert found.names_one({"deep": [{"skill": "17"}]})
    assert not found.names_one({"skill": 4})


def test_its_repository_is_not_excluded_with_it() -> None:
    found = sieve()
    one = {"name": "slide-maker", "source": "acme/skills"}
    other = {"name": "chart-kit", "source": "acme/skills"}
    assert found.structure([one, other, other]) == [other, other]


def test_what_holds_nothing_excluded_is_the_same_text() -> None:
    for text in (json.dumps([CHARTS], indent=3), "Nothing.\n\n- a: b\n\tc", "", "[x] {y"):
        assert sieve().text(text) == text


def test_json_in_a_text_is_filtered_as_json() -> None:
    listed = json.dumps([SLIDES, CHARTS])
    for form in ("{}", "Found 2 skills:\n{}\nBye", "```json\n{}\n```"):
        assert sieve().text(form.format(listed)) == form.format(json.dumps([CHARTS]))
    lines = f"{json.dumps(SLIDES)}\n{json.dumps(CHARTS)}\n"
    assert json.loads(sieve().text(lines)) == CHARTS
    assert sieve().text(json.dumps(SLIDES)) == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "# Found\n\n1. **slide-maker** — slides\n   in every colour\n2. chart-kit: for a pdf\n",
            "# Found\n\n2. chart-kit: for a pdf\n",
        ),
        ("- pdf (9 installs)\n- chart-kit\n", "- chart-kit\n"),
        (
            "# Skills\n## slide-maker\nSlides.\n### Install\nnpx x\n## chart-kit\nCharts.",
            "# Skills\n## chart-kit\nCharts.",
        ),
        (
            "acme/skills@slide-maker 9 installs\n└ https://a/b\n\nacme/skills@chart-kit\n└ c\n",
            "\nacme/skills@chart-kit\n└ c\n",
        ),
        (
            "| name | about |\n| slide-maker | slides |\n| chart-kit | charts |",
            "| name | about |\n| chart-kit | charts |",
        ),
        ("name: slide-maker\n  about: slides\nname: chart-kit", "name: chart-kit"),
    ],
)
def test_lists_of_every_look(text: str, left: str) -> None:
    assert sieve().text(text) == left


def test_a_text_in_an_object_alone_is_filtered_as_text() -> None:
    text = "- slide-maker: slides\n- chart-kit: charts"
    assert sieve().structure({"result": text}) == {"result": "- chart-kit: charts"}


def test_a_skill_is_known_by_what_it_says_it_is() -> None:
    own = ("---\nname: slide-maker\n---\nDo.", "# Slide Maker\n\nDo.", json.dumps(SLIDES))
    assert all(map(sieve().is_of_one, own))
    others = ("---\nname: chart-kit\n---\nNot `pdf`, not slide-maker.", "# A PDF reader\n\nDo.", "")
    assert not any(map(sieve().is_of_one, others))


def test_a_skill_that_lists_others_is_not_one_of_them() -> None:
    loaded = {"name": "chart-kit", "body": "# Charts", "related": [SLIDES]}
    assert not sieve().is_one(loaded)
    assert sieve().is_one({"skill": SLIDES, "related": []})


@pytest.mark.parametrize(
    "text",
    [
        *(f"a{' ' * 200_000}b", "-1.1" * 50_000, "- a\n" * 20_000, "## a\n" * 20_000),
        *("name" + ":" * 200_000, "[x\n" * 20_000, "%25" * 100_000, "a-b " * 20_000, "|" * 200_000),
        json.dumps([{"name": "x" * 1_000, "about": " -" * 1_000}] * 200),
    ],
)
def test_no_form_takes_long(text: str) -> None:
    begun = time.process_time()
    assert sieve().text(text) == text
    assert not sieve().is_of_one(text)
    assert time.process_time() - begun < 5


@given(JSON)
def test_no_form_of_json_lets_a_name_through(value: Any) -> None:
    for wrapped in ([value], {"skills": value, "more": []}):
        left = sieve().structure(wrapped)
        assert "slide-maker" not in json.dumps(left)
        assert "slide-maker" not in sieve().text(json.dumps(wrapped))


@given(st.lists(st.sampled_from(["- slide-maker: x", "# A", "  more", "", "slide-maker", "b"])))
def test_no_form_of_text_lets_a_name_through(lines: list[str]) -> None:
    left = sieve().text("\n".join(lines))
    assert "slide-maker" not in left
    if not any("slide-maker" in line for line in lines):
        assert left == "\n".join(lines)
