"""A program under bubblewrap reaches the ports that it was given, and nothing else."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from collectors.harness.failures import SetupFailed
from collectors.harness.sandbox.provider import Room
from tests.support.confined import Lab, waited

PORT = 8080
CONNECT = """
import socket
s = socket.create_connection(('127.0.0.1', 8080), 30)
"""


@contextmanager
def answering(path: Path, answer: Callable[[socket.socket], None]) -> Iterator[Path]:
    """A unix socket outside; every connection is answered in a thread."""

    def serve(connection: socket.socket) -> None:
        with connection:
            answer(connection)

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,)).start()

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(128)
        thread = threading.Thread(target=accept)
        thread.start()
        yield path
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def backwards(connection: socket.socket) -> None:
    """Answer with all that was said, from its end."""
    text = b""
    while chunk := connection.recv(65536):
        text += chunk
    connection.sendall(text[::-1])


@pytest.fixture
def short() -> Iterator[Path]:
    """A path that is short enough for a unix socket."""
    path = Path(f"/tmp/test-network-{os.getpid()}")
    yield path
    path.unlink(missing_ok=True)


def test_it_reaches_a_given_port_from_its_first_moment(any_lab: Lab, short: Path) -> None:
    with answering(short, backwards):
        room = Room(any_lab.agent, ports={PORT: short})
        done = any_lab.python(CONNECT + "s.sendall(b'abc'); s.shutdown(1); print(s.recv(9))", room)
    assert (done.stdout, done.stderr) == ("b'cba'\n", "")


def test_much_passes_both_ways_unchanged(lab: Lab, short: Path) -> None:
    with answering(short, backwards):
        room = Room(lab.agent, ports={PORT: short})
        done = lab.python(
            CONNECT + "import os\n"
            "said = os.urandom(5_000_000); s.sendall(said); s.shutdown(1); heard = b''\n"
            "while chunk := s.recv(65536): heard += chunk\n"
            "print(heard == said[::-1])",
            room,
        )
    assert done.stdout == "True\n"


def test_pieces_arrive_when_they_are_sent(lab: Lab, short: Path) -> None:
    def one_by_one(connection: socket.socket) -> None:
        for piece in b"abc":
            connection.sendall(bytes([piece]))
            assert connection.recv(1) == b"+"

    with answering(short, one_by_one):
        room = Room(lab.agent, ports={PORT: short})
        done = lab.python(CONNECT + "for _ in 'abc': print(s.recv(9)); s.send(b'+')", room)
    assert done.stdout == "b'a'\nb'b'\nb'c'\n"


def test_more_connections_than_are_passed_on_at_once_all_get_their_turn(
    lab: Lab, short: Path
) -> None:
    with answering(short, backwards):
        room = Room(lab.agent, ports={PORT: short})
        done = lab.python(
            "import socket\n"
            "all = [socket.create_connection(('127.0.0.1', 8080), 30) for _ in range(200)]\n"
            "for each in all:\n"
            "    each.sendall(b'ab'); each.shutdown(1); print(each.recv(9)); each.close()",
            room,
        )
    assert (done.stdout, done.stderr) == ("b'ba'\n" * 200, "")


def test_it_is_noticed_outside_when_the_program_goes_away(lab: Lab, short: Path) -> None:
    noticed = threading.Event()

    def listen(connection: socket.socket) -> None:
        if connection.recv(1) == b"?" and connection.recv(1) == b"":
            noticed.set()

    with answering(short, listen):
        room = Room(lab.agent, ports={PORT: short})
        text = CONNECT + "import time; s.sendall(b'?'); print('asked', flush=True); time.sleep(600)"
        with lab.start(("/usr/bin/python3", "-c", text), room) as running:
            lab.printed("asked")
            assert running.stop(0, ()) == 137
        assert noticed.wait(30)


def test_a_port_behind_which_nobody_answers_is_closed_at_once(lab: Lab, short: Path) -> None:
    room = Room(lab.agent, ports={PORT: short})
    assert lab.python(CONNECT + "print(s.recv(9))", room).stdout == "b''\n"


def test_ports_that_were_not_given_are_closed(lab: Lab, short: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        theirs = server.getsockname()[1]
        done = lab.python(
            "import socket\n"
            f"for port in ({theirs}, 22, 80):\n"
            "    print(socket.socket().connect_ex(('127.0.0.1', port)))",
            Room(lab.agent, ports={PORT: short}),
        )
    assert done.stdout == "111\n" * 3


def test_there_is_no_way_out(lab: Lab) -> None:
    done = lab.python(
        "import socket\n"
        "for where in ('192.0.2.1', '169.254.169.254', '10.0.0.1'):\n"
        "    print(socket.socket().connect_ex((where, 80)))\n"
        "print(socket.socket(socket.AF_INET6).connect_ex(('2001:db8::1', 80)))\n"
        "print([name for _, name in socket.if_nameindex()])\n"
        "socket.gethostbyname('example.org')"
    )
    assert done.stdout == "101\n101\n101\n101\n['lo']\n"
    assert "name resolution" in done.stderr or "not known" in done.stderr


def test_abstract_sockets_of_this_machine_are_not_there(lab: Lab) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0{lab.mark}")
        server.listen()
        done = lab.python(
            f"import socket; print(socket.socket(socket.AF_UNIX).connect_ex(chr(0) + '{lab.mark}'))"
        )
    assert done.stdout == "111\n"


def test_two_at_a_time_use_the_same_port(lab: Lab, short: Path) -> None:
    with answering(short, backwards):
        room = Room(lab.agent, ports={PORT: short})
        with lab.start(("/bin/sleep", "600"), room):
            assert lab.start(("/bin/true",), room).wait(30) == 0


def test_in_a_workspace_a_port_may_be_taken(open_lab: Lab, short: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        with pytest.raises(SetupFailed, match=f"port {taken} of this machine: .* in use"):
            open_lab.start(("/bin/sleep", "600"), Room(open_lab.agent, ports={taken: short}))
    waited(lambda: not open_lab.survivors())
