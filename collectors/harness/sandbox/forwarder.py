"""Passes connections on: what is said to one socket is said to another."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

MOST_AT_ONCE = 128
"""Connections; further ones wait, so that a confined program cannot use up the threads here."""
CHUNK = 65_536


class Forwarder:
    """Accepts at `listener` until it is closed and passes every connection on to one of `dial`."""

    def __init__(self, listener: socket.socket, dial: Callable[[], socket.socket]) -> None:
        self._listener = listener
        self._dial = dial
        self._free = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._open: set[socket.socket] = set()
        self._closed = False
        self._lock = threading.Lock()
        self._accepting = _started(self._accept)

    def close(self) -> None:
        """Accept no more, and break what is open."""
        with self._lock:
            self._closed = True
            _break(self._listener, *self._open)
        self._accepting.join()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                while not self._free.acquire(timeout=0.1):
                    if self._closed:
                        connection.close()
                        return
                _started(self._serve, connection)

    def _serve(self, near: socket.socket) -> None:
        """Pass one connection on until both directions have ended."""
        try:
            with near, self._dial() as far:
                if self._noted(near, far):
                    back = _started(_copy, far, near)
                    _copy(near, far)
                    back.join()
                with self._lock:
                    self._open -= {near, far}
        except OSError:  # nothing answers there: the connection ends without a word
            return
        finally:
            self._free.release()

    def _noted(self, near: socket.socket, far: socket.socket) -> bool:
        """Take note of a connection for `close`; False when that has happened."""
        for each in (near, far):
            if each.family == socket.AF_INET:
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._open |= {near, far}
            return not self._closed


def _copy(source: socket.socket, sink: socket.socket) -> None:
    """Pass on everything of one direction, and its end."""
    try:
        while chunk := source.recv(CHUNK):
            sink.sendall(chunk)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        _break(source, sink)


def _break(*sockets: socket.socket) -> None:
    """Wake everything that waits at these sockets."""
    for each in sockets:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


def _started(target: Callable[..., None], *arguments: socket.socket) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, name="forwarder", daemon=True)
    thread.start()
    return thread
