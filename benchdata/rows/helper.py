"""A second process that does parts of a large file while this one does others.

Threads would not: they take turns at the interpreter. Whatever the helper does not answer is left
to this process, so that no result and no error depends on it; it dies with this process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from benchdata import contracts
from benchdata.contracts import Contract
from benchdata.contracts.fingerprint import fingerprint
from benchdata.errors import RowError
from benchdata.rows.batches import proven
from benchdata.rows.lines import Span
from benchdata.rows.parts import Done, Results, Task, Tasks, stored, untaken
from benchdata.rows.proof.prover import Prover
from benchdata.rows.sources import Input

WORTH = 192 << 20
"""Bytes of a file that take longer to read than a process takes to start."""
PACKAGES = str(Path(__file__).resolve().parents[2])
START = (
    "import gc, json, sys; gc.disable(); sys.path[:] = json.loads(sys.argv[1]); "
    "from benchdata.rows.helper import main; gc.freeze(); gc.enable(); main()"
)
SETTINGS = {
    # threads that wait for work by turning in circles take the time of one that works
    **dict.fromkeys(("POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
    # memory is kept: getting it anew for each block takes longer
    **dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), str(WORTH)),
}
"""What a helper finds in its environment beside what this process has there."""

Child = subprocess.Popen[bytes]


@contextmanager
def helping(source: Input, contract: Contract, tasks: Tasks, results: Results) -> Iterator[None]:
    """Let a helper, where it is worth one, take tasks while the body does; wait for its last one.

    After that there may be tasks again: those that it did not answer.
    """
    size = sum(task.span.stop - task.span.start for task in tasks)
    worth = size >= WORTH and (os.cpu_count() or 1) > 1
    name = contracts.name_of(contract) if worth else None
    if name is None or (started := _child()) is None:
        yield
        return
    job = {"contract": name, "label": source.label, "path": str(source.path)}
    with started as child:
        thread = Thread(target=_share, args=(child, job, contract, tasks, results), daemon=True)
        thread.start()
        try:
            yield
            thread.join()
        finally:
            child.kill()
            thread.join()


def _child() -> Child | None:
    """Start a helper, None when that fails; it is told where this process finds its packages."""
    places = [PACKAGES, *(place for place in sys.path if Path(place).is_absolute())]
    with suppress(OSError):
        return subprocess.Popen(
            [sys.executable, "-I", "-B", "-c", START, json.dumps(places)],
            bufsize=0,  # what could not be written must not be tried again at the end
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | SETTINGS,
            start_new_session=True,  # an interrupt from the terminal is for this process to handle
        )
    return None


def _share(
    child: Child, job: dict[str, str], contract: Contract, tasks: Tasks, results: Results
) -> None:
    """Give tasks to a helper that knows the contract, and put back one that it does not answer."""
    task: Task | None = None
    with suppress(OSError, ValueError):
        if _answer(child, job) == fingerprint(contract):
            for task in untaken(tasks):
                rows, lines, faults, bad = _answer(child, [*task.span, str(task.file)])
                told = [RowError(path, words, line=line) for path, words, line in faults]
                results[task] = Done(rows, lines, told, bad)
    if task and task not in results:
        tasks.append(task)


def _answer(child: Child, request: Any) -> Any:
    """Return what a helper answers, or raise ValueError when it is gone."""
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(json.dumps(request).encode() + b"\n")
    return json.loads(child.stdout.readline())


def main() -> None:
    """Answer the requests on standard input until it ends, which is when the parent does."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # a contract's module may print
    requests: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_listen, args=(requests,), daemon=True).start()
    job = requests.get()
    source, contract = Input(job["label"], Path(job["path"])), contracts.get(job["contract"])
    prover = Prover(contract)
    answer: Any = fingerprint(contract)
    while True:
        print(json.dumps(answer), file=answers, flush=True)
        start, stop, file = requests.get()
        done = stored(proven(source, prover, Span(start, stop)), Path(file), contract)
        told = [(fault.path, fault.message, fault.line) for fault in done.faults]
        answer = (done.rows, done.lines, told, done.bad)


def _listen(requests: SimpleQueue[Any]) -> None:
    """Queue the requests, and end this process when no more can come."""
    for line in sys.stdin.buffer:
        requests.put(json.loads(line))
    os._exit(0)
