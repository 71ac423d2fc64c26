"""A real master and worker of Spark answer as DuckDB does; a master without workers says so."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import benchdata
from benchdata.rows import lake
from tests.support.command import Done, run, start

pytestmark = [pytest.mark.spark, pytest.mark.slow]
LOOPBACK = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
SECONDS = 300


@pytest.fixture
def processes() -> Iterator[ExitStack]:
    """What ends the processes of a cluster."""
    with ExitStack() as ends:
        yield ends


def launched(ends: ExitStack, log: Path, role: str, *arguments: str) -> None:
    """Start a process of a cluster, ended with the others."""
    found = importlib.util.find_spec("pyspark")
    assert found is not None
    assert found.origin is not None
    command = [str(Path(found.origin).parent / "bin" / "spark-class")]
    command += [f"org.apache.spark.deploy.{role}", "--host", "127.0.0.1", *arguments]
    with log.open("ab") as written:
        process = subprocess.Popen(command, env=LOOPBACK, stdout=written, stderr=written)
    ends.callback(process.wait)
    ends.callback(process.kill)


def master(ends: ExitStack, log: Path) -> str:
    """Start a master and return its address once it listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    launched(ends, log, "master.Master", "--port", str(port), "--webui-port", "0")
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                return f"spark://127.0.0.1:{port}"
        time.sleep(0.2)
    raise TimeoutError(log.read_text())


def summarized(place: Path, address: str) -> Done:
    """Run the command as a user does."""
    process = start("summarize", place, "--engine", address, env=LOOPBACK)
    out, err = process.communicate(timeout=SECONDS)
    return Done(process.returncode, out.decode(), err.decode())


def test_a_cluster(root: Path, tmp_path: Path, processes: ExitStack) -> None:
    rows = benchdata.open(root / "datasets" / "jev-social-demo")
    lake.freeze(rows.tables, tmp_path / "lake")
    address = master(processes, tmp_path / "log")
    alone = summarized(tmp_path / "lake", address)
    assert (alone.code, alone.out) == (1, "")
    assert alone.err == ("benchdata: Spark does not start: no worker took a job within 60 s\n")
    worker = ("--work-dir", str(tmp_path / "work"), "--webui-port", "0", address)
    launched(processes, tmp_path / "log", "worker.Worker", *worker)
    assert summarized(tmp_path / "lake", address) == (
        0,
        run("summarize", tmp_path / "lake").out,
        "",
    )
