"""The arms: a baseline and one arm a skill, none of them twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from collectors.skill_eval import arms
from collectors.skill_eval.catalog import Catalog
from tests.collectors.skill_eval.conftest import skill


@pytest.fixture
def catalog(mirror: Path, tmp_path: Path) -> Catalog:
    return Catalog(tmp_path / "cache", mirror)


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["mine"], ["none", "local:mine"]),
        (["mine/SKILL.md", "none"], ["none", "local:mine"]),
        (["acme/skills@reader", "./mine"], ["none", "acme/skills@reader", "local:mine"]),
        (["edge:acme/skills@reader"], ["none", "acme/skills@reader"]),
    ],
)
def test_names_the_arms(
    tmp_path: Path, catalog: Catalog, given: list[str], names: list[str]
) -> None:
    skill(tmp_path / "mine")
    found = arms.resolved(given, tmp_path, catalog)
    assert [arm.name for arm in found] == names
    assert found[0].skill is None
    assert all(arm.skill for arm in found[1:])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "no skill is named"),
        (["none"], "no skill is named"),
        (["none", "none", "mine"], "two arms would be named none"),
        (["mine", "mine/SKILL.md"], "two arms would be named local:mine"),
        (["mine", "other/mine"], "two arms would be named local:mine"),
        (["acme/skills@reader", "edge:acme/skills@reader"], "named acme/skills@reader"),
        (["a", "b", "c", "d", "e", "f", "g"], "7 are given; at most 6"),
        (["missing"], "missing is neither none, a reference owner/repo@skill, nor the path"),
        (["acme/skills"], "acme/skills is neither none"),
        (["acme/..@reader"], "acme/..@reader is neither none"),
        (["acme/.@reader"], "acme/.@reader is neither none"),
        (["x" * 5_000], "x… is neither none"),
        (["empty"], "SKILL.md"),
    ],
)
def test_refuses(tmp_path: Path, catalog: Catalog, given: list[str], said: str) -> None:
    skill(tmp_path / "mine")
    skill(tmp_path / "other" / "mine")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BenchdataError, match=said):
        arms.resolved(given, tmp_path, catalog)
