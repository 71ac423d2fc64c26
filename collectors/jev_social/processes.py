"""Runs one program with limits of time and output, and leaves nothing of it behind."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import IO

from collectors.harness import process_groups
from collectors.jev_social.failures import Failure

MOST_OUTPUT = 24 * 1024 * 1024
"""Bytes of standard output and standard error together."""
LAST_WORDS_S = 0.2
"""How long a pipe is read on that a detached daemon holds open after its parent's end."""
CHUNK = 65_536
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


@dataclass(frozen=True, slots=True)
class Output:
    """How a program ended and what it wrote."""

    code: int
    stdout: bytes
    stderr: bytes


async def run(argv: Sequence[str], environment: Mapping[str, str], *, seconds: float) -> Output:
    """Run a program with standard input closed until it ends; then end what is left of its group.

    Raises:
        Failure: SOCAI_NOT_FOUND: it cannot be started; SOCAI_TIMEOUT; SOCAI_OUTPUT_TOO_LARGE.
    """
    with ExitStack() as held:
        try:
            process = held.enter_context(process_groups.started(argv, environment, **PIPES))
        except (OSError, ValueError):
            raise Failure("SOCAI_NOT_FOUND") from None
        pipes = _Pipes(process)
        try:
            async with asyncio.timeout(seconds):
                await _exit(process, pipes)
        except TimeoutError:
            raise Failure("SOCAI_TIMEOUT") from None
        finally:
            try:
                await process_groups.end(process)
                await pipes.drained(LAST_WORDS_S)
            finally:
                pipes.close()
    if pipes.too_large:
        raise Failure("SOCAI_OUTPUT_TOO_LARGE")
    return Output(process.returncode, *pipes.texts())


async def _exit(process: subprocess.Popen[bytes], pipes: _Pipes) -> None:
    """Wait until the program has ended or has written too much."""
    while process.poll() is None and not pipes.too_large:
        # the pipes close with the exit, nearly always, so this costs no time
        await pipes.drained(0.02)
        if pipes.closed:
            await asyncio.sleep(0.001)


class _Pipes:
    """What a process has written so far, read as it comes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.too_large = False
        self._loop = asyncio.get_running_loop()
        self._files: list[IO[bytes]] = [file for file in (process.stdout, process.stderr) if file]
        self._texts = [bytearray() for _ in self._files]
        self._open = set(range(len(self._files)))
        self._drained = asyncio.Event()
        for index, file in enumerate(self._files):
            os.set_blocking(file.fileno(), False)
            self._loop.add_reader(file.fileno(), self._read, index)

    @property
    def closed(self) -> bool:
        """Whether both were read to their end."""
        return not self._open

    def texts(self) -> tuple[bytes, bytes]:
        """Return standard output and standard error."""
        out, err = map(bytes, self._texts)
        return out, err

    async def drained(self, seconds: float) -> None:
        """Wait until there is no more to read, or for some time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._drained.wait()

    def close(self) -> None:
        """Stop reading."""
        for index in tuple(self._open):
            self._close(index)

    def _read(self, index: int) -> None:
        try:
            chunk = os.read(self._files[index].fileno(), CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        self._texts[index] += chunk
        self.too_large = sum(map(len, self._texts)) > MOST_OUTPUT
        if not chunk:
            self._close(index)
        elif self.too_large:
            self.close()

    def _close(self, index: int) -> None:
        file = self._files[index]
        self._loop.remove_reader(file.fileno())
        file.close()
        self._open.discard(index)
        if not self._open:
            self._drained.set()
