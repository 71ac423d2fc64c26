"""Why there is no Spark is said at once, in one sentence that names what is lacking."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchdata.engine.engines import named
from benchdata.errors import EngineUnavailable
from tests.support.command import run

DEMO = "datasets/jev-social-demo"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sparks", "no engine is named `sparks`; did you mean `spark`?"),
        ("polars", "no engine is named `polars`; there are duckdb, spark and spark://HOST:PORT"),
        ("spark://", "no engine is named `spark://`"),
        ("duckdb://x", "no engine is named `duckdb://x`"),
    ],
)
def test_a_wrong_name(name: str, words: str) -> None:
    with pytest.raises(EngineUnavailable) as refused:
        named(name)
    assert words in str(refused.value)


def test_the_extra_is_named_where_spark_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    done = run("summarize", DEMO, "--engine", "spark")
    assert (done.code, done.out) == (1, "")
    assert done.err == "benchdata: Spark is not installed: pip install 'benchdata[spark]'\n"


@pytest.mark.spark
@pytest.mark.parametrize("home", [False, True])
def test_the_package_is_named_where_java_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, home: bool
) -> None:
    if home:
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    else:
        monkeypatch.delenv("JAVA_HOME", raising=False)
        monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineUnavailable, match="`apt install default-jre-headless`"):
        named("spark")


@pytest.mark.spark
@pytest.mark.parametrize("address", ["here", "here:", ":7077", "here:0", "here:70000", "a:1,b"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(EngineUnavailable, match="write spark://HOST:PORT"):
        named(f"spark://{address}")


@pytest.mark.spark
def test_a_master_that_is_not_there(root: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    begun = time.monotonic()
    command = [sys.executable, "-W", "error", "-m", "benchdata", "summarize", DEMO]
    command += ["--engine", f"spark://127.0.0.1:{port}"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert time.monotonic() - begun < 10
    assert (done.returncode, done.stdout) == (1, "")
    sentence = f"spark://127.0.0.1:{port}: no master of Spark can be reached there"
    assert done.stderr == f"benchdata: {sentence}\n"


KILLED = """
import os, signal, subprocess
from benchdata.engine.connection import View
from benchdata.engine.engines import named
from benchdata.errors import EngineUnavailable
engine, views = named("spark"), (View("one", sql="select 1 as a"),)
print(engine.answer(views, "select a from one").to_pylist())
try:
    named("spark").answer(views, "select b from one")
except Exception as error:
    print(type(error).__name__, str(error)[:40])
java = subprocess.run(["pgrep", "-P", str(os.getpid()), "java"], capture_output=True, check=True)
os.kill(int(java.stdout), signal.SIGKILL)
try:
    engine.answer(views, "select a from one")
except EngineUnavailable as error:
    print(error)
"""


@pytest.mark.spark
@pytest.mark.slow
def test_a_spark_that_is_killed_and_a_query_that_fails_are_told_in_a_sentence(root: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", KILLED]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "[{'a': 1}]",
        "QueryRefused A column, variable, or function paramete",
        "Spark has ended, perhaps for want of memory",
    ]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.spark
def test_rows_that_are_not_frozen_are_refused(root: Path) -> None:
    done = run("summarize", root / DEMO, "--engine", "spark")
    assert done.code == 1
    assert "rows.ndjson: is not frozen, and spark reads frozen rows alone: `benchdata" in done.err
