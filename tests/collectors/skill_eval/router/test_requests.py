"""Which one skill an agent asks for, and what cannot be told from its spelling."""

from __future__ import annotations

import shlex

import pytest

from collectors.skill_eval.router.requests import reference_of


@pytest.mark.parametrize(
    "words",
    [
        "acme/skills@chart-kit",
        "acme/skills@chart-kit -g -y --copy",
        "-y -a claude-code codex -g acme/skills@Chart-Kit",
        "acme/skills --skill chart-kit",
        "acme/skills -s chart-kit -y",
        "acme/skills --skill=chart-kit -a=codex",
        "https://github.com/acme/skills --skill chart-kit",
        "https://github.com/acme/skills.git --skill chart-kit",
        "https://skills.sh/acme/skills/chart-kit",
    ],
)
def test_one_skill_is_told(words: str) -> None:
    assert reference_of(shlex.split(words)) == "acme/skills@chart-kit"


@pytest.mark.parametrize(
    "words",
    [
        "",
        "acme/skills",
        "acme/skills --all",
        "acme/skills --skill '*'",
        "acme/skills --list",
        "acme/skills --skill a b",
        "acme/skills@a acme/skills@b",
        "acme/skills@a --skill b",
        "acme/skills#main@a",
        "acme/skills/sub@a",
        "acme/skills@a@b",
        "acme/skills@",
        "github:acme/skills@a",
        "https://gitlab.com/acme/skills --skill a",
        "https://github.com/acme/skills/tree/main/a",
        "git@github.com:acme/skills.git --skill a",
        "./local",
        "/etc --skill a",
        "../skills@a",
        "acme/skills@a --unknown",
        "acme/..@a",
    ],
)
def test_all_else_is_not_fetched(words: str) -> None:
    assert reference_of(shlex.split(words)) is None
