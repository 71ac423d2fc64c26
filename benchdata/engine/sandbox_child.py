"""The process behind `sandbox.run`: limits first, then one SELECT, its rows as an Arrow stream."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from benchdata.engine.connection import View, batches, connect
from benchdata.engine.sandbox import EXIT_S, Limits, too_large
from benchdata.engine.wording import OUT_OF_MEMORY, one_sentence
from benchdata.errors import QueryRefused

COLUMN_BYTES = 256  # what a column of a batch weighs in the stream beside its values


def main() -> None:
    """Read a request from standard input, answer on standard output, and end."""
    request = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=end_with_parent, daemon=True).start()
    limits = Limits(**request["limits"])
    confine(limits)
    # Whatever DuckDB might print goes nowhere: the answer alone has the pipe.
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        status: dict[str, Any] = {"truncated": respond(request, limits, answer)}
    except QueryRefused as refused:
        status = {"refused": str(refused)}
    except MemoryError:
        status = {"refused": OUT_OF_MEMORY}
    answer.write(b"\n" + json.dumps(status).encode())
    answer.flush()
    os._exit(0)  # at once: a query that was cut may still be at work in its threads


def end_with_parent() -> None:
    """End this process when its input does: the parent, which holds it open, is gone."""
    os.read(0, 1)
    os._exit(1)


def confine(limits: Limits) -> None:
    """Bound this process: memory, no file written, no core dump, and an end in any case."""
    seconds = int(limits.seconds) + EXIT_S
    bounds = {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_CPU: seconds * limits.threads,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
    }
    for kind, bound in bounds.items():
        hard = resource.getrlimit(kind)[1]
        least = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (least, least))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    pa.set_cpu_count(limits.threads)
    pa.set_io_thread_count(limits.threads)


def respond(request: dict[str, Any], limits: Limits, answer: IO[bytes]) -> bool:
    """Write the rows of the request's query as an Arrow stream; say whether they were cut.

    Raises:
        QueryRefused: The query is refused, fails, or its result has too many bytes.
    """
    views = [View(**view | {"files": tuple(map(Path, view["files"]))}) for view in request["views"]]
    # Less than the address space: DuckDB's own limit is the one that fails in good order.
    memory = f"{limits.memory * 3 // 5} B"
    sql = request["sql"]
    con = connect(views, threads=limits.threads, memory_limit=memory, sealed=True, query=sql)
    with one_sentence(con):
        reader = batches(con, sql)
        with pa.ipc.new_stream(answer, reader.schema) as stream:
            return copy(reader, stream, limits)


def copy(reader: pa.RecordBatchReader, stream: pa.ipc.RecordBatchWriter, limits: Limits) -> bool:
    """Copy batches until the row limit; say whether rows were left."""
    rows = size = 0
    for batch in reader:
        taken = batch.slice(0, limits.rows - rows)
        size += taken.nbytes + COLUMN_BYTES * taken.num_columns
        if size > limits.result_bytes:
            raise QueryRefused(too_large(limits))
        stream.write_batch(taken)
        rows += taken.num_rows
        if taken.num_rows < batch.num_rows:
            return True
    return False
