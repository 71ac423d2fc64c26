"""The way into a sandbox's network: a process there that makes sockets for use outside.

A socket belongs to the network it was made in, wherever it is used afterwards. So nothing in the
sandbox has to forward anything, and there is nothing that the confined program could end, replace
or be slowed down by. Whoever owns the namespaces may enter them, root or not.
"""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import socket
from collections.abc import Sequence

from collectors.harness.supervisor import kernel

OPEN = b"open"
CONNECT_S = 5.0
MOST_PORTS = 64


def open_door(first: int, ports: Sequence[int], requests: socket.socket) -> list[int]:
    """Start the process in the network of process `first`; return sockets listening on `ports`.

    It answers every port number that arrives at `requests`, and ends with that or its parent.

    Raises:
        OSError: The network cannot be entered or a port not be taken.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        if os.fork() == 0:
            ours.close()
            _keep(first, ports, theirs, requests)
        theirs.close()
        text, listeners, *_ = socket.recv_fds(ours, 1024, MOST_PORTS)
    if text != OPEN:
        raise OSError(f"no way into the sandbox's network: {text.decode() or 'no answer'}")
    return listeners


def _keep(first: int, ports: Sequence[int], opened: socket.socket, requests: socket.socket) -> None:
    """Be that process; never returns."""
    try:
        kernel.call("prctl", kernel.SET_PDEATHSIG, signal.SIGKILL)
        _enter(first)
        listeners = [_listening(port) for port in ports]
        socket.send_fds(opened, [OPEN], [listener.fileno() for listener in listeners])
        for each in (opened, *listeners):
            each.close()
        while request := requests.recv(64):
            _connect(int(request), requests)
    except (OSError, ValueError) as error:
        opened.send(str(error).encode())
    finally:
        os._exit(0)


def _enter(pid: int) -> None:
    """Move this process, which has one thread, into another's network namespace."""
    network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    owner = fcntl.ioctl(network, kernel.OWNER_OF_NAMESPACE)
    kernel.call("setns", owner, kernel.NEW_USER)
    kernel.call("setns", network, kernel.NEW_NET)
    os.close(owner)
    os.close(network)


def _listening(port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.IPPROTO_IP, kernel.BIND_EARLY, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(128)
    return listener


def _connect(port: int, requests: socket.socket) -> None:
    """Send back a connection to a port, or the number of the error that there was."""
    with socket.socket() as connection:
        connection.settimeout(CONNECT_S)
        error = connection.connect_ex(("127.0.0.1", port))
        connection.settimeout(None)
        if error == errno.ENETUNREACH:  # loopback is not up yet
            error = errno.ECONNREFUSED
        socket.send_fds(requests, [str(error).encode()], [] if error else [connection.fileno()])
