"""Runs the SQL of strangers: one SELECT in a child process that can reach the views and no more."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchdata.engine.connection import View
from benchdata.engine.wording import OUT_OF_MEMORY
from benchdata.errors import QueryRefused

if TYPE_CHECKING:
    import pyarrow as pa

# -I shuts out PYTHONPATH and the working directory, so the child is told where this process finds
# its packages. -B: the child may write no file, compiled code neither.
PACKAGES = str(Path(__file__).resolve().parents[2])
START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from benchdata.engine.sandbox_child import main; main()"
)
ENVIRONMENT = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # this and the next two reserve no address space early
    "MALLOC_ARENA_MAX": "2",
    "OPENBLAS_NUM_THREADS": "1",
    "HOME": "/",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
}
KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")  # some Pythons find their libraries by these
EXIT_S = 2


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may use; `memory` is the child's whole address space in bytes, 1 GiB or more.

    `seconds` count from the start of the child, `rows` beyond the limit are cut, a result of more
    than `result_bytes` is refused.
    """

    rows: int = 1_000_000
    seconds: float = 60.0
    memory: int = 4 << 30
    result_bytes: int = 256 << 20
    threads: int = 2


FILE = Limits()
TERMINAL = Limits(rows=10_000)


@dataclass(frozen=True, slots=True)
class Result:
    """The rows of an answer; `truncated` when there were more than the limit, and they are cut."""

    table: pa.Table
    truncated: bool

    @property
    def notice(self) -> str:
        """Return the sentence that must stand beside a cut answer, or nothing."""
        if not self.truncated:
            return ""
        rows = f"{self.table.num_rows:,}"
        return f"only the first {rows} rows are given, there are more: narrow the query"


def run(sql: str, views: Iterable[View], *, limits: Limits = FILE) -> Result:
    """Run one SELECT over the views in a child process of its own, which is gone on return.

    Raises:
        QueryRefused: The query is refused, fails or outgrows a limit; one sentence says which,
            and what to do.
    """
    deadline = time.monotonic() + limits.seconds
    request = {
        "sql": sql,
        "views": [
            asdict(view) | {"files": [str(file.resolve()) for file in view.files]} for view in views
        ],
        "limits": asdict(limits),
    }
    with _child() as child:
        try:
            answer = _exchange(child, json.dumps(request).encode() + b"\n", deadline, limits)
            code = child.wait(EXIT_S)
        except subprocess.TimeoutExpired:
            raise QueryRefused(timed_out(limits)) from None
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
    return _read(answer, code, limits)


def timed_out(limits: Limits) -> str:
    """Return the sentence for a query that ran too long."""
    return (
        f"the query was stopped after {limits.seconds:g} s: "
        "filter and group early, join on keys, and bound every recursion"
    )


def too_large(limits: Limits) -> str:
    """Return the sentence for a result of too many bytes."""
    size = limits.result_bytes / (1 << 20)
    return f"the result is larger than {size:,.0f} MiB: select fewer columns or rows, or group them"


def _child() -> subprocess.Popen[bytes]:
    places = [place for place in sys.path if Path(place).is_absolute()]
    if PACKAGES not in places:
        places.insert(0, PACKAGES)
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-I", "-B", "-c", START, json.dumps(places)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=ENVIRONMENT | kept,
        start_new_session=True,
    )


def _exchange(
    child: subprocess.Popen[bytes], request: bytes, deadline: float, limits: Limits
) -> bytearray:
    """Send the request and collect the answer, until the child ends it, is late or floods.

    The child's input stays open meanwhile: it ends when this process does, however that comes.
    """
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        child.stdin.write(request)
        child.stdin.flush()
    except BrokenPipeError:  # what it says or how it ended will tell
        with suppress(BrokenPipeError):
            child.stdin.close()
    answer = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, deadline - time.monotonic())):
            chunk = os.read(child.stdout.fileno(), 1 << 20)
            if not chunk:
                return answer
            answer += chunk
            # The child keeps the limit itself; this holds should it no longer be itself.
            if len(answer) > 2 * limits.result_bytes + (1 << 20):
                raise QueryRefused(too_large(limits))
    raise QueryRefused(timed_out(limits))


def _read(answer: bytearray, code: int, limits: Limits) -> Result:
    """Take an answer apart: an Arrow stream, then a line of JSON that says how it went."""
    import pyarrow as pa

    if code in {-signal.SIGALRM, -signal.SIGXCPU}:
        raise QueryRefused(timed_out(limits))
    if code != 0:  # an engine that cannot have memory often dies of it
        raise QueryRefused(f"the query engine broke down; perhaps {OUT_OF_MEMORY}")
    end = answer.rfind(b"\n")
    status = json.loads(answer[end:])
    if refused := status.get("refused"):
        raise QueryRefused(refused)
    table = pa.ipc.open_stream(pa.py_buffer(memoryview(answer)[:end])).read_all()
    table.validate()
    return Result(table, status["truncated"])
