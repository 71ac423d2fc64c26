"""Which judge a name is, who pays for it, and what is refused before anything is asked."""

from __future__ import annotations

from typing import Any

import pytest

from benchdata.errors import BenchdataError
from collectors.skill_eval.judge.resolving import resolve

KEY = {"BENCHDATA_JUDGE_KEY": "not-a-real-key"}
LOCAL = {"BENCHDATA_JUDGE_ENDPOINT": "http://127.0.0.1:9/v1"}
OTHER = {"BENCHDATA_JUDGE_ENDPOINT": "https://models.example.org/v1"}
VENDOR = {"BENCHDATA_JUDGE_ENDPOINT": "https://api.openai.com/v1"}


@pytest.mark.parametrize(
    ("environment", "endpoint", "paid"),
    [
        (KEY, "vendor", "the account of BENCHDATA_JUDGE_KEY"),
        (KEY | VENDOR, "vendor", "the account of BENCHDATA_JUDGE_KEY"),
        (KEY | OTHER, "custom", "at the declared endpoint https://models.example.org/v1"),
        (LOCAL, "stand_in", "Nobody pays, for http://127.0.0.1:9/v1 stands in"),
    ],
)
def test_an_endpoint_is_what_its_address_says(
    environment: dict[str, str], endpoint: str, paid: str
) -> None:
    judge = resolve("openai", "acme/judge-3", environment)
    assert (judge.name, judge.model, judge.endpoint) == ("openai", "acme/judge-3", endpoint)
    assert paid in judge.paid
    assert "not-a-real-key" not in repr(judge)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("claud", None, {}), "judge: claud: must be one of claude, codex, openai; did you mean"),
        (("scripted", None, {}), "judge: scripted: must be one of"),
        (("openai", None, KEY), "judge: openai serves many models; name one"),
        (("openai", "m-1", {}), "needs BENCHDATA_JUDGE_KEY, which is not set"),
        (("openai", "m-1", {"OPENAI_API_KEY": "x"}), "needs BENCHDATA_JUDGE_KEY"),
        (("openai", "m-1", {"BENCHDATA_JUDGE_KEY": "a b"}), "holds a blank"),
        (
            ("openai", "m-1", KEY | {"BENCHDATA_JUDGE_ENDPOINT": "http://models.example.org/v1"}),
            "must be an https:// address, or this machine's own",
        ),
        (
            ("openai", "m-1", KEY | {"BENCHDATA_JUDGE_ENDPOINT": "https://u:p@example.org/v1"}),
            "holds a login",
        ),
        (("claude", None, {}), "billing: subscription needs CLAUDE_CODE_OAUTH_TOKEN"),
    ],
)
def test_what_is_refused(asked: tuple[Any, ...], words: str) -> None:
    with pytest.raises(BenchdataError, match=words):
        resolve(*asked)
