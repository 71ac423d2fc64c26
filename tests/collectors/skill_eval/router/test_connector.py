"""Connectors by command and by URL: what they are told, what they must have, how they fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from benchdata.errors import BenchdataError, InputError
from collectors.skill_eval.router import connector as connectors
from collectors.skill_eval.router.connector import TAG, Connector, connected, described, parse
from tests.collectors.skill_eval.router.conftest import Connectable
from tests.support import connector_stand_in

SECRETS = {"ANTHROPIC_API_KEY": "key", "BENCHDATA_CONNECTOR_TOKEN": "token-of-the-user"}


def used(connector: Connector) -> None:
    """Start or reach a connector, and ask it for its status."""

    async def ask() -> None:
        async with connected(connector, {**os.environ, **SECRETS}) as session:
            await session.client.call_tool("status", {})

    anyio.run(ask)


def test_a_command_is_tagged_and_gets_no_credential(connector: Connectable) -> None:
    used(parse(connector.command))
    (noted,) = connector.noted()
    assert (noted["client"], noted["variable"], noted["secret"]) == (TAG, TAG, None)


def test_a_url_is_tagged_and_gets_its_token(connector: Connectable) -> None:
    with connector_stand_in.serving(connector.file) as url:
        used(parse(url))
    (noted,) = connector.noted()
    assert noted["client"] == TAG
    assert noted["headers"]["user-agent"] == TAG
    assert noted["headers"]["authorization"] == "Bearer token-of-the-user"


def test_it_says_who_it_is_and_lists_all_pages(connector: Connectable) -> None:
    with connector_stand_in.serving(connector.file) as url:
        told = described(parse(url), {})
    assert (told.name, told.version) == ("stand-in", "1.2.3")
    assert told.instructions == connector_stand_in.INSTRUCTIONS
    assert [tool.name for tool in told.tools] == ["find_skill", "use_skill", "status"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the command is not found"),
        ("no-such-program --x", "the command `no-such-program` is not found"),
        ("echo 'open", "no closing quotation in the command"),
        ("ftp://example.org/mcp", "must begin with http"),
        ("https:///mcp", "must begin with http"),
    ],
)
def test_what_is_no_connector_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=f"connector: .*{said}"):
        parse(text)


def test_a_plan_shows_no_secret_of_it() -> None:
    assert parse("https://me:secret@example.org:8/mcp?key=secret").shown == (
        "https://example.org:8"
    )
    assert parse(f"{sys.executable} --key secret").shown == Path(sys.executable).name


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("sh -c 'echo it is broken >&2; exit 3'", "sh: does not answer: it is broken"),
        ("sh -c 'echo no protocol; exit 0'", "sh: does not answer: "),
        ("sh -c 'exec sleep 60'", "sh: does not answer: not within 1 s"),
    ],
)
def test_one_that_does_not_answer_is_named(
    monkeypatch: pytest.MonkeyPatch, command: str, said: str
) -> None:
    monkeypatch.setattr(connectors, "START_S", 1.0)
    with pytest.raises(BenchdataError, match=f"connector {said}"):
        described(parse(command), {})


def test_its_faults_are_not_quoted_in_tracebacks() -> None:
    said = (
        "from collectors.skill_eval.router.connector import *\n"
        "try: described(parse('echo SECRET'), {})\n"
        "except BenchdataError: print('refused')"
    )
    done = subprocess.run(
        [sys.executable, "-c", said], capture_output=True, text=True, check=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("refused\n", "")


def test_a_url_that_nobody_serves() -> None:
    with pytest.raises(BenchdataError, match=r"connector http://127\.0\.0\.1:9: does not answer: "):
        described(parse("http://127.0.0.1:9/mcp"), {})


def test_it_must_have_both_tools(connector: Connectable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connector_stand_in, "PAGES", connector_stand_in.PAGES[:1])
    with (
        connector_stand_in.serving(connector.file) as url,
        pytest.raises(BenchdataError, match="has no tool use_skill"),
    ):
        described(parse(url), {})


def test_pages_without_end_are_ended(
    connector: Connectable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connector_stand_in, "PAGES", connector_stand_in.PAGES[:1] * 60)
    with (
        connector_stand_in.serving(connector.file) as url,
        pytest.raises(BenchdataError, match="lists more than 1,000 tools, or pages without end"),
    ):
        described(parse(url), {})
