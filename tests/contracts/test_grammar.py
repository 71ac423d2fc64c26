"""The strings of shipped contracts: what each kind takes, its normal form, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from benchdata.contracts import grammar
from benchdata.contracts.fields import ModelId

KINDS = {
    "slug": grammar.Slug,
    "digest": grammar.Sha256,
    "version": grammar.Version,
    "digested version": grammar.DigestedVersion,
    "arm": grammar.Arm,
    "shared skill": grammar.SharedSkill,
    "model": ModelId,
}
HEX = "0a1b2c3d" * 8

TAKEN: dict[str, dict[str, str]] = {
    "slug": {"a": "a", "7": "7", "a-b": "a-b", " a--b\n": "a--b", "x" * 64: "x" * 64},
    "digest": {HEX: HEX, HEX.upper(): HEX, f" {HEX} ": HEX},
    "version": {
        "2.1.4": "2.1.4",
        "v2.1.4": "2.1.4",
        "vv1": "vv1",
        "vanilla": "vanilla",
        "1.0.0-rc.1+build.7": "1.0.0-rc.1+build.7",
        "x" * 64: "x" * 64,
    },
    "digested version": {
        "1-0a1b2c3d4e5f": "1-0a1b2c3d4e5f",
        "v3.1-0a1b2c3d4e5f": "3.1-0a1b2c3d4e5f",
    },
    "arm": {
        **{arm: arm for arm in ("none", "base", "find-skills", "edge", "local:my-skill")},
        "Acme/Skills.v2@web-design": "Acme/Skills.v2@web-design",
        "edge:acme/skills@web-design": "acme/skills@web-design",
        "my-catalog:acme/skills@web-design": "acme/skills@web-design",
        f"{'o' * 39}/{'r' * 100}@{'s' * 64}": f"{'o' * 39}/{'r' * 100}@{'s' * 64}",
    },
    "shared skill": {"local": "local", "edge:acme/skills@a": "acme/skills@a"},
    "model": {
        "acme/worker-2.1-20260105": "acme/worker-2.1-20260105",
        "a/b/c/d:eu": "a/b/c/d:eu",
        "latestish": "latestish",
    },
}
REFUSED: dict[str, tuple[str, ...]] = {
    "slug": ("", " ", "-a", "a-", "A", "a_b", "a.b", "ä", "x" * 65, "a b", "a\nb"),
    "digest": (HEX[1:], HEX + "0", "g" + HEX[1:], ""),
    "version": ("", "1_0", "1/2", "x" * 65, "1 0", "1\u0660", "~1"),
    "digested version": ("1-0A1B2C3D4E5F", "0a1b2c3d4e5f", "-0a1b2c3d4e5f", "1-0a1b2c3d4e5"),
    "arm": (
        *("", "None", "acme/skills", "acme@skill", "a/b/c@d", "acme/skills@Web", "-a/b@c"),
        *("local:", "local:a/b@c@d", "local:My", "edge:", "edge:none", "x:y:acme/skills@a"),
        *(f"{'o' * 40}/r@s", "acme/skills@a@b", "acme /skills@a", "https://acme/skills@a"),
    ),
    "shared skill": ("none", "local:mine", "mine", "base"),
    "model": (
        *("latest", "acme/latest", "acme/worker:latest", "worker-latest", "acme/LATEST/x"),
        *("~acme/worker", "a/b/c/d/e", "a//b", "/a", "a b", "x" * 129, ""),
    ),
}


def normal(kind: str, text: str) -> Any:
    return TypeAdapter(KINDS[kind]).validate_python(text, strict=True)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_taken_has_one_normal_form_that_stays(kind: str) -> None:
    for text, wanted in TAKEN[kind].items():
        assert normal(kind, text) == wanted
        assert normal(kind, wanted) == wanted


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in REFUSED.items() for text in texts]
)
def test_what_is_refused(kind: str, text: str) -> None:
    with pytest.raises(ValidationError):
        normal(kind, text)


@pytest.mark.parametrize("kind", KINDS)
def test_only_texts_are_taken(kind: str) -> None:
    values: tuple[Any, ...] = (None, 5, True, ["a"], {})
    for value in values:
        with pytest.raises(ValidationError):
            normal(kind, value)


@pytest.mark.parametrize("value", [0, 0.25, 1e12])
def test_an_amount_is_no_more_than_anything_ever_took(value: float) -> None:
    assert TypeAdapter(grammar.Amount).validate_python(value) == value


@pytest.mark.parametrize("value", [-0.01, 1.0000001e12, 1e308])
def test_an_amount_whose_sums_could_overflow_is_refused(value: float) -> None:
    with pytest.raises(ValidationError, match="must be from 0 to 1e\\+12"):
        TypeAdapter(grammar.Amount).validate_python(value)
