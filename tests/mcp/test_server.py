"""What a server says of its tools' failures, and whose tools it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from benchdata.mcp import assembly
from benchdata.mcp.assembly import assembled
from benchdata.mcp.data import Data
from benchdata.mcp.server import Server
from tests.support.mcp_calls import call, refused, text, tools
from tests.support.packages import install


def refuse(reason: str) -> str:
    raise BenchdataError(f"it is not there: {reason}")


def read(path: str) -> str:
    return Path(path).read_text()


def crash(secret: str) -> str:
    raise RuntimeError(secret)


def count(number: int) -> int:
    return number


@pytest.fixture
def own() -> Server:
    server = Server("")
    for tool in (refuse, read, crash, count):
        server.add_tool(tool)
    return server


def test_a_refusal_is_its_sentence(own: Server) -> None:
    assert refused(call(own, "refuse", reason="gone")) == "it is not there: gone"


def test_a_file_that_the_system_refuses_is_told_without_its_path(own: Server) -> None:
    assert refused(call(own, "read", path="/no/such/file")) == "read: No such file or directory"


def test_a_fault_of_the_arguments_repeats_no_value(own: Server) -> None:
    said = refused(call(own, "count", number="canary-8"))
    assert said == "number: must be a valid integer, unable to parse string as an integer"


def test_a_crash_tells_nothing_of_what_it_knew(own: Server) -> None:
    result = call(own, "crash", secret="canary-9")
    assert result.is_error
    assert text(result) == "Error executing tool crash"


def test_a_tool_that_is_not_there(own: Server) -> None:
    assert refused(call(own, "cuont", number=1)) == "Unknown tool: cuont"


def test_installed_collectors_add_their_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mytools.py").write_text(
        "def register(server):\n"
        "    def greet() -> str:\n        '''Greet.'''\n        return 'hello'\n"
        "    server.add_tool(greet)\n"
    )
    monkeypatch.syspath_prepend(install(tmp_path, assembly.GROUP, {"mine": "mytools:register"}))
    server = assembled(Data.given([], None))
    assert {"greet", "benchmark"} <= tools(server).keys()
    assert text(call(server, "greet")) == "hello"


def test_tools_that_cannot_be_loaded_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"mine": "no_such_module:register"}
    monkeypatch.syspath_prepend(install(tmp_path, assembly.GROUP, points))
    with pytest.raises(BenchdataError, match=r"^the tools of mine cannot be loaded: ModuleNot"):
        assembled(Data.given([], None))
