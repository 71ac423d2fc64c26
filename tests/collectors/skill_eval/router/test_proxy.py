"""An agent's MCP server: the connector's tools, and of excluded skills nothing in any form."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from mcp import Client, MCPError
from mcp.types import CallToolResult, TextContent

from benchdata.errors import BenchdataError
from collectors.skill_eval.router import proxy as proxies
from collectors.skill_eval.router.connector import Connector, parse
from collectors.skill_eval.router.exclusion import Exclusion
from collectors.skill_eval.router.proxy import Proxy
from collectors.skill_eval.router.retrieval import FILE, Retrieval
from tests.collectors.skill_eval.router.conftest import (
    BODY,
    EXCLUDED,
    OPEN,
    SECRET,
    Connectable,
    connectable,
    events,
    record,
)
from tests.support import connector_stand_in, mcp_calls
from tests.support.mcp_calls import call, text

UNAVAILABLE = proxies.REFUSED["excluded"]


@contextmanager
def proxied(connector: Connector, exclusion: Exclusion, folder: Path) -> Iterator[str]:
    """Give the URL of a proxy before a connector, whose record goes into a folder."""
    with (
        Retrieval(folder / FILE) as retrieval,
        Proxy(connector, {}, exclusion, retrieval) as proxy,
    ):
        yield proxy.address(proxy.url)


@pytest.fixture
def url(connector: Connectable, exclusion: Exclusion, tmp_path: Path) -> Iterator[str]:
    with (
        connector_stand_in.serving(connector.file) as served,
        proxied(parse(served), exclusion, tmp_path) as url,
    ):
        yield url


def failed(url: str, tool: str, **given: str) -> MCPError:
    """Call a tool, and return the error of the protocol that it ends in."""

    async def go() -> MCPError:
        async with Client(url) as client:
            with pytest.raises(MCPError) as error:
                await client.call_tool(tool, given)
            return error.value

    return anyio.run(go)


def everything(result: CallToolResult) -> str:
    """Return all that a result says, in JSON."""
    return result.model_dump_json()


def test_the_tools_of_all_pages_pass(url: str) -> None:
    tools = mcp_calls.tools(url)
    assert [*tools] == ["find_skill", "use_skill", "status"]
    assert tools["find_skill"].description == "Finds skills."
    assert tools["find_skill"].input_schema == connector_stand_in.QUERY
    assert tools["find_skill"].output_schema is None


def test_what_describes_it_names_nothing_excluded(
    connector: Connectable,
    exclusion: Exclusion,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = f"Finds skills.\n- {EXCLUDED}: slides\n- {OPEN}: charts"
    told = connector_stand_in.PAGES[0][0].model_copy(update={"description": said})
    monkeypatch.setattr(connector_stand_in, "PAGES", ((told,), *connector_stand_in.PAGES[1:]))
    monkeypatch.setattr(connector_stand_in, "INSTRUCTIONS", said)

    async def go(url: str) -> tuple[str | None, str | None]:
        async with Client(url) as client:
            tools = await client.list_tools()
            return client.instructions, tools.tools[0].description

    with (
        connector_stand_in.serving(connector.file) as served,
        proxied(parse(served), exclusion, tmp_path) as url,
    ):
        left = f"Finds skills.\n- {OPEN}: charts"
        assert anyio.run(go, url) == (left, left)


@pytest.mark.parametrize("form", ["both", "json", "markdown"])
def test_a_search_is_without_what_is_excluded(
    exclusion: Exclusion, tmp_path: Path, form: str
) -> None:
    found = connectable(tmp_path, form)
    with (
        connector_stand_in.serving(found.file) as served,
        proxied(parse(served), exclusion, tmp_path) as url,
    ):
        result = call(url, "find_skill", query="charts")
    assert OPEN in text(result)
    assert EXCLUDED not in everything(result)
    assert "Makes slides" not in everything(result)
    structured = {"skills": [{"id": 4, "name": OPEN, "description": "Draws charts."}]}
    assert result.structured_content == (structured if form == "both" else None)
    (line,) = record(tmp_path)
    assert (line["event"], line["asked"], line["withheld"]) == ("search", "charts", [EXCLUDED])
    assert OPEN in line["found"]


@pytest.mark.parametrize("skill", [EXCLUDED, "Slide_Maker", "acme/skills@slide-maker@2", "17", 17])
def test_an_excluded_skill_is_refused(
    url: str, connector: Connectable, tmp_path: Path, skill: str | int
) -> None:
    call(url, "find_skill", query="slides")  # which tells that 17 is one
    result = call(url, "use_skill", skill=skill)
    assert (result.is_error, text(result)) == (True, UNAVAILABLE)
    assert [noted["tool"] for noted in connector.noted()] == ["find_skill"]
    assert record(tmp_path)[1]["because"] == "excluded"


def test_an_excluded_skill_by_an_unknown_id_is_recognised(url: str, tmp_path: Path) -> None:
    result = call(url, "use_skill", skill=17)
    assert (result.is_error, text(result)) == (True, UNAVAILABLE)
    assert SECRET not in everything(result)
    assert events(tmp_path) == [("refusal", '{"skill": 17}')]


def test_another_skill_is_loaded_as_it_is(url: str, tmp_path: Path) -> None:
    result = call(url, "use_skill", skill=OPEN)
    assert text(result) == f"---\nname: {OPEN}\n---\n{BODY} not {EXCLUDED}"
    (line,) = record(tmp_path)
    assert (line["event"], line["asked"]) == ("load", OPEN)
    assert line["characters"] == len(text(result))


def test_other_tools_pass_unless_they_are_asked_for_it(
    url: str, connector: Connectable, tmp_path: Path
) -> None:
    assert "fine" in text(call(url, "status"))
    assert text(call(url, "status", of=["x", EXCLUDED])) == UNAVAILABLE
    sentence = f"which is better: {EXCLUDED}"
    assert "fine" in text(call(url, "status", about=sentence))
    assert text(call(url, "use_skill", skill=sentence)) == UNAVAILABLE
    assert [noted["given"] for noted in connector.noted()] == [{}, {"about": sentence}]
    assert [event for event, _ in events(tmp_path)] == ["refusal", "refusal"]


def test_errors_of_tools_and_of_the_protocol_pass(url: str, tmp_path: Path) -> None:
    result = call(url, "use_skill", skill="missing")
    assert (result.is_error, text(result)) == (True, "no skill missing")
    broken = failed(url, "use_skill", skill="broken")
    assert (broken.code, broken.message) == (-32042, "it broke as told")
    assert events(tmp_path) == [("failure", "missing"), ("failure", "broken")]


def test_a_huge_answer_is_refused(url: str, tmp_path: Path) -> None:
    result = call(url, "use_skill", skill="huge")
    assert (result.is_error, text(result)) == (True, "The answer is too large.")
    assert record(tmp_path)[0]["because"] == "size"


def test_one_that_hangs_is_not_waited_for(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proxies, "CALL_S", 0.5)
    begun = time.monotonic()
    result = call(url, "use_skill", skill="sleepy")
    assert (result.is_error, text(result)) == (True, "The connector did not answer.")
    assert time.monotonic() - begun < 30
    assert OPEN in text(call(url, "find_skill", query="after it"))
    assert [event for event, _ in events(tmp_path)] == ["failure", "search"]


def test_one_that_dies_fails_its_calls_and_nothing_else(
    connector: Connectable, exclusion: Exclusion, tmp_path: Path
) -> None:
    with proxied(parse(connector.command), exclusion, tmp_path) as url:
        for skill in ("boom", OPEN):
            assert failed(url, "use_skill", skill=skill).message == "Connection closed"
    assert [event for event, _ in events(tmp_path)] == ["failure", "failure"]


def test_one_that_never_answers_keeps_the_run_from_beginning(
    exclusion: Exclusion, tmp_path: Path
) -> None:
    with (
        pytest.raises(BenchdataError, match="connector sh: does not answer: no"),
        proxied(parse("sh -c 'echo no >&2; exit 1'"), exclusion, tmp_path),
    ):
        pytest.fail("it began")


def test_calls_are_bounded(
    url: str, connector: Connectable, monkeypatch: pytest.MonkeyPatch
) -> None:
    admitted = iter([True, False])
    monkeypatch.setattr(Retrieval, "admits", lambda _: next(admitted))
    assert not call(url, "status").is_error
    assert text(call(url, "status")) == proxies.REFUSED["limit"]
    assert len(connector.noted()) == 1


def test_a_text_with_nothing_left_says_so(exclusion: Exclusion, tmp_path: Path) -> None:
    found = connectable(tmp_path, "json")
    only = found.file.read_text().replace(OPEN, "slide_maker")
    found.file.write_text(only)
    with (
        connector_stand_in.serving(found.file) as served,
        proxied(parse(served), exclusion, tmp_path) as url,
    ):
        result = call(url, "find_skill", query="x")
    assert isinstance(result.content[0], TextContent)
    assert text(result) == '{"skills": []}'
