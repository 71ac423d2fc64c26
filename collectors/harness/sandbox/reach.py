"""Ways to a service in a sandbox: from outside, as if it ran on this machine."""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from collectors.harness.processes import Running
from collectors.harness.sandbox.forwarder import Forwarder

AGAIN_S = 0.01


def connected(service: Running, port: int, *, seconds: float) -> socket.socket:
    """Return the first connection that a service accepts at its loopback port.

    Raises:
        ConnectionError: The service has ended.
        TimeoutError: Nothing was accepted in `seconds`.
    """
    give_up = time.monotonic() + seconds
    while True:
        try:
            return service.connect(port)
        except ConnectionRefusedError:
            if service.ended:
                raise
            if time.monotonic() > give_up:
                raise TimeoutError(f"nothing listens on port {port} after {seconds} s") from None
        time.sleep(AGAIN_S)


@contextmanager
def socket_to(service: Running, port: int) -> Iterator[Path]:
    """Give the path of a unix socket that stands for a service's loopback port.

    A connection to it is closed at once when the service does not accept one.
    """
    with tempfile.TemporaryDirectory(prefix="reach-", dir="/tmp") as folder:
        path = Path(folder, "s")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen(128)
            forwarder = Forwarder(listener, lambda: service.connect(port))
            try:
                yield path
            finally:
                forwarder.close()
