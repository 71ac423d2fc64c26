"""Carries out one order: start a tree, watch it, stop it when told, end it, report."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from collectors.harness.supervisor.tree import Tree

NEVER = float("inf")


def main(control_fd: int, order_fd: int) -> None:
    """Do the order in one file, and tell what happens over the control socket."""
    control = socket.socket(fileno=control_fd)
    with os.fdopen(order_fd, "rb") as file:
        order = json.load(file)
    try:
        harness = os.pidfd_open(order["harness"])
        tree = Tree(order)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        _tell(control, {"failed": str(error)})
        return
    _tell(control, {"started": tree.pid}, tree.listeners)
    for listener in tree.listeners:
        os.close(listener)
    with suppress(ConnectionResetError):
        _watch(tree, control, harness)
    alone = tree.code is not None
    left = tree.end()
    _tell(control, {"ended": tree.code, "began": not alone or tree.began(), "left": left})


def _tell(control: socket.socket, message: dict[str, Any], fds: Sequence[int] = ()) -> None:
    """Report to the harness, which may be gone."""
    with suppress(BrokenPipeError, ConnectionResetError):
        socket.send_fds(control, [json.dumps(message).encode()], fds)


def _watch(tree: Tree, control: socket.socket, harness: int) -> None:
    """Wait until the program ends, is told to stop and does not in time, or the harness ends."""
    poll = select.poll()
    for fd in (control.fileno(), harness, tree.wake):
        poll.register(fd, select.POLLIN)
    signals: list[int] = []
    grace_s, due = 0.0, NEVER
    while tree.code is None:
        left_ms = None if due == NEVER else max(0.0, due - time.monotonic()) * 1000
        ready = {fd for fd, _ in poll.poll(left_ms)}
        tree.reap()
        if harness in ready:
            return
        if control.fileno() in ready:
            message = control.recv(4096)
            if not message:
                return
            stop = json.loads(message)
            signals, grace_s, due = stop["signals"], stop["grace_s"], time.monotonic()
        if time.monotonic() >= due:
            if not signals:
                return
            tree.signal(signals.pop(0))
            due = time.monotonic() + grace_s
