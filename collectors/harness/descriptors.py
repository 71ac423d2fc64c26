"""Descriptors that a started program is given, and sockets to and for it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from collectors.harness.failures import SetupFailed


def memory_file(content: bytes, held: ExitStack) -> int:
    """Return a descriptor that reads `content`, open until `held` is left."""
    file = os.memfd_create("given")
    held.callback(os.close, file)
    with os.fdopen(os.dup(file), "wb") as writing:
        writing.write(content)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def dialled(path: Path) -> socket.socket:
    """Return a connection to a unix socket; raise OSError when there is none."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(path))
    except OSError:
        connection.close()
        raise
    return connection


def listening(ports: Iterable[int], held: ExitStack) -> list[socket.socket]:
    """Return sockets that listen on this machine's own loopback, open until `held` is left.

    Raises:
        SetupFailed: A port is taken.
    """
    listeners = []
    for port in ports:
        try:
            listeners.append(held.enter_context(socket.create_server(("127.0.0.1", port))))
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            raise SetupFailed(f"port {port} of this machine: {reason}") from None
    return listeners
