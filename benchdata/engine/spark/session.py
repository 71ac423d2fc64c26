"""The Spark of this process: one it has already, or one started quietly, or why there is none."""

from __future__ import annotations

import atexit
import importlib.util
import logging
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import warnings
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchdata.engine.spark.wording import known, sentence
from benchdata.errors import EngineUnavailable
from benchdata.rows import scratch

if TYPE_CHECKING:
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

LOCAL = "local[*]"
FOLDER = ".benchdata-spark-"
PORT = 7077
CONNECT_S = 5
START_S = 180
"""Spark itself asks a master three times for 20 s each; a busy machine takes long to start it."""
WORKER_S = 60
END_S = 10
NO_SPARK = "Spark is not installed: pip install 'benchdata[spark]'"
NO_JAVA = (
    "Spark needs Java 17 or newer, which is no Python package: install the system's, in Debian"
    " `apt install default-jre-headless`, or set JAVA_HOME"
)


def require(master: str) -> None:
    """Raise EngineUnavailable when Spark or Java is not installed, or no master can be reached."""
    if importlib.util.find_spec("pyspark") is None:
        raise EngineUnavailable(NO_SPARK)
    home = os.environ.get("JAVA_HOME")
    if not shutil.which(str(Path(home, "bin", "java")) if home else "java"):
        raise EngineUnavailable(NO_JAVA)
    if master and not any(map(_listens, _addresses(master))):
        raise EngineUnavailable(f"{master}: no master of Spark can be reached there")


def _addresses(master: str) -> list[tuple[str, int]]:
    """Return the hosts and ports of a master and those that stand by for it."""
    found = []
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
            raise EngineUnavailable(
                f"`{master}` is no master of Spark: write spark://HOST:PORT, such as"
                f" spark://localhost:{PORT}"
            )
        found.append((host.strip("[]"), int(port)))
    return found


def _listens(address: tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, CONNECT_S).close()
    except (OSError, UnicodeError):
        return False
    return True


def running(master: str) -> SparkSession:
    """Return the Spark that this process has, or start one, which ends with the process.

    Raises:
        EngineUnavailable: It does not start, or this process has one of another master.
    """
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    try:
        active = SparkSession.active()
    except PySparkException:
        return _started(master)
    have = active.sparkContext.master
    if master and have != master:
        raise EngineUnavailable(f"this process has a Spark of {have}, and can have no other")
    return active


def _started(master: str) -> SparkSession:
    """Start Spark; what it writes goes to a file among the temporary ones."""
    _quieten()
    with ExitStack() as failed:
        folder = failed.enter_context(scratch.folder(Path(tempfile.gettempdir()), FOLDER))
        log = folder / "log"
        try:
            session = _session(master or LOCAL, folder, log, failed)
        except Exception as error:  # noqa: BLE001 - py4j and pyspark raise all kinds
            raise EngineUnavailable(f"Spark does not start: {_reason(log, error)}") from None
        atexit.register(failed.pop_all().close)
    return session


def _session(master: str, folder: Path, log: Path, ends: ExitStack) -> SparkSession:
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    conf = _conf(master, folder)
    with log.open("wb") as written:
        gateway: Any = launch_gateway(conf, {"stdout": written, "stderr": subprocess.STDOUT})
    ends.callback(_end, gateway)
    context = _context(conf, gateway)
    ends.callback(_stop, context)
    session = SparkSession(context)
    if master != LOCAL:
        _wait_for_worker(session)
    return session


def _conf(master: str, folder: Path) -> SparkConf:
    """Return the settings of a Spark whose files lie in `folder`."""
    from pyspark import SparkConf

    conf = SparkConf().setAll(
        [
            ("spark.app.name", "benchdata"),
            ("spark.master", master),
            ("spark.local.dir", str(folder)),
            ("spark.sql.warehouse.dir", str(folder / "warehouse")),
            ("spark.ui.enabled", "false"),
            ("spark.ui.showConsoleProgress", "false"),
        ]
    )
    if master == LOCAL:  # nothing outside this machine has a part in it
        conf.set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1")
        conf.set("spark.sql.shuffle.partitions", str(4 * (os.cpu_count() or 1)))
    return conf


def _context(conf: SparkConf, gateway: Any) -> SparkContext:
    """Start the context behind a gateway, whose process is killed where that takes too long."""
    from pyspark import SparkContext

    late = threading.Timer(START_S, gateway.proc.kill)
    late.start()
    try:
        return SparkContext(conf=conf, gateway=gateway)
    finally:
        late.cancel()


def _quieten() -> None:
    """Keep pyspark from writing each failure to stderr, trace and all: it is raised as well.

    And from warning of what it might do with pandas, which has no part in this.
    """
    from pyspark.logger import PySparkLogger

    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    logging.getLogger().addFilter(lambda record: record.module != "java_gateway")
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).disabled = True


def _wait_for_worker(session: SparkSession) -> None:
    """Run the smallest job: a master without a free worker would let the first query wait."""
    late = threading.Timer(WORKER_S, session.sparkContext.cancelAllJobs)
    late.start()
    try:
        session.sparkContext.range(1).count()
    except Exception:
        if late.finished.is_set():
            raise TimeoutError(f"no worker took a job within {WORKER_S} s") from None
        raise
    finally:
        late.cancel()


def _stop(context: SparkContext) -> None:
    """Stop Spark, unless it is gone already."""
    from py4j.protocol import Py4JError

    with suppress(OSError, Py4JError), warnings.catch_warnings(action="ignore"):
        context.stop()


def _end(gateway: Any) -> None:
    """End the process of Spark: it does when its input does, and is killed when it is late."""
    gateway.shutdown()
    gateway.proc.stdin.close()
    try:
        gateway.proc.wait(END_S)
    except subprocess.TimeoutExpired:
        gateway.proc.kill()
        gateway.proc.wait()


def _reason(log: Path, error: Exception) -> str:
    """Return why Spark does not start: what it wrote last of an error, or what was raised."""
    text = log.read_text("utf-8", "replace") if log.is_file() else ""
    told = re.findall(r"^.*?(?:ERROR \w+: |(?=\S*(?:Exception|Error):))(.+)", text, re.MULTILINE)
    if not told and "JAVA_GATEWAY_EXITED" in str(error):  # Java itself did not like its options
        told = text.split("\n")[-2:-1]
    return known(text) or sentence(told[-1] if told else str(error))
