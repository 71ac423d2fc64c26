"""Flags: all are required, once each, with a value apart that does not begin with two dashes."""

from __future__ import annotations

import pytest

from benchdata.errors import BenchdataError
from collectors.jev_social.flags import FLAGS, parse, usage

ALL = [text for flag in FLAGS for text in (flag, f"value-of{flag}")]
CANARY = "canary-9f8e7d"


def test_each_flag_gets_its_value() -> None:
    assert parse(ALL) == {flag: f"value-of{flag}" for flag in FLAGS}


def test_the_flags_are_those_of_the_protocol() -> None:
    assert list(FLAGS) == [
        *("--task", "--jev-social-version", "--jev-social-commit", "--jev-model"),
        *("--socai-version", "--socai-commit", "--profile-mode", "--region", "--condition"),
    ]


def without(flag: str) -> list[str]:
    place = ALL.index(flag)
    return ALL[:place] + ALL[place + 2 :]


@pytest.mark.parametrize("flag", FLAGS)
def test_a_missing_flag_is_named(flag: str) -> None:
    with pytest.raises(BenchdataError, match=f"^{flag}: is missing"):
        parse(without(flag))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*ALL, "--region", CANARY], "--region: must be given once"),
        ([*without("--region"), "--region"], "--region: needs a value"),
        ([*without("--region"), "--region", f"--{CANARY}"], "--region: needs a value"),
        ([*without("--region"), f"--region={CANARY}"], "--region: put a space and not ="),
        ([*ALL, f"--{CANARY}", "x"], "an argument is none of the flags"),
        ([*ALL, CANARY], "an argument is none of the flags"),
        ([*ALL, "--repeat", "3"], "an argument is none of the flags"),
        ([*ALL, "--regoin", "x"], "did you mean `--region`?"),
        ([*ALL, "--task-file", CANARY], "an argument is none of the flags"),
    ],
)
def test_what_is_no_invocation_is_refused_without_its_values(
    arguments: list[str], words: str
) -> None:
    with pytest.raises(BenchdataError) as refused:
        parse(arguments)
    assert words in str(refused.value)
    assert CANARY not in str(refused.value)


def test_an_optional_flag_may_be_given_or_not() -> None:
    assert parse([*ALL, "--repeat", "3"], ["--repeat"]) == {**(parse(ALL) or {}), "--repeat": "3"}
    assert parse(ALL, ["--repeat"]) == parse(ALL)


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--region", "x", "-h", "y"]])
def test_help_comes_before_any_check(arguments: list[str]) -> None:
    assert parse(arguments) is None


def test_the_usage_names_every_flag() -> None:
    text = usage("program", {"--more": "WORDS"})
    assert all(f"  {flag} " in text for flag in [*FLAGS, "--more"])
    assert "--repeat" not in usage("program", {})
