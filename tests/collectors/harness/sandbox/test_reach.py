"""A service without a network, used from outside."""

from __future__ import annotations

import http.client
import signal
import socket

import pytest

from collectors.harness.processes import Running
from collectors.harness.sandbox.provider import Room
from collectors.harness.sandbox.reach import connected, socket_to
from tests.support.confined import PYTHON, SECONDS, Lab

PORT = 8080
SERVICE = """
import http.server, pathlib, sys
store = pathlib.Path('/agent/data/items')
class Items(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        self.answer(store.read_bytes() if store.exists() else b'none')
    def do_POST(self):
        said = self.rfile.read(int(self.headers['content-length']))
        with store.open('ab') as file: file.write(said)
        self.answer(b'kept')
    def answer(self, text):
        self.send_response(200)
        self.send_header('content-length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *args): pass
http.server.ThreadingHTTPServer(('127.0.0.1', 8080), Items).serve_forever()
"""


class Client(http.client.HTTPConnection):
    """Speaks HTTP over a socket that is there already."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__("localhost")
        self.sock = connection

    def ask(self, method: str, body: bytes | None = None) -> bytes:
        self.request(method, "/", body)
        return self.getresponse().read()


@pytest.fixture
def room(lab: Lab) -> Room:
    """Code that is read-only, and a data folder."""
    (lab.work / "service.py").write_text(SERVICE)
    (lab.agent / "data").mkdir()
    return Room(lab.agent, readable=(lab.work,))


def started(lab: Lab, room: Room) -> Running:
    return lab.start((PYTHON, "-I", "service.py"), room)


def test_data_outlive_a_stop_and_a_kill(lab: Lab, room: Room) -> None:
    for said, signals in ((b"one ", (signal.SIGTERM,)), (b"two ", ())):
        with started(lab, room) as service:
            client = Client(connected(service, PORT, seconds=SECONDS))
            assert client.ask("POST", said) == b"kept"
            client.close()
            service.stop(5, signals)
        assert lab.survivors() == []
    with started(lab, room) as service:
        client = Client(connected(service, PORT, seconds=SECONDS))
        assert client.ask("GET") == b"one two "
        client.close()


def test_a_unix_socket_stands_for_the_port(lab: Lab, room: Room) -> None:
    with started(lab, room) as service, socket_to(service, PORT) as path:
        connected(service, PORT, seconds=SECONDS).close()
        for _ in range(3):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(str(path))
            client = Client(connection)
            assert [client.ask("GET"), client.ask("GET")] == [b"none", b"none"]
            client.close()
    assert not path.exists()


def test_the_port_is_not_one_of_this_machine_or_of_another_run(lab: Lab) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = (PYTHON, "-m", "http.server", "--bind", "127.0.0.1", str(port))
        with lab.start(command) as service, lab.start(command) as other:
            for each in (service, other):
                client = Client(connected(each, port, seconds=SECONDS))
                assert b"Directory listing" in client.ask("GET")
                client.close()
        taken.settimeout(0)
        with pytest.raises(BlockingIOError):
            taken.accept()


def test_a_service_that_never_listens_is_given_up(lab: Lab) -> None:
    with lab.start(("/bin/sleep", "600")) as service:
        with pytest.raises(TimeoutError, match=r"nothing listens on port 8080 after 0\.2 s"):
            connected(service, PORT, seconds=0.2)
        with socket_to(service, PORT) as path, socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(path))
            assert connection.recv(1) == b""


def test_a_service_that_has_ended_is_not_waited_for(lab: Lab) -> None:
    with lab.start(("/bin/false",)) as service:
        with pytest.raises(ConnectionError):
            connected(service, PORT, seconds=SECONDS)
        assert service.wait(SECONDS) == 1


def test_a_service_in_a_workspace_is_reached_on_this_machine(open_lab: Lab) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = (PYTHON, "-m", "http.server", "--bind", "127.0.0.1", str(port))
    with open_lab.start(command) as service:
        client = Client(connected(service, port, seconds=SECONDS))
        assert b"Directory listing" in client.ask("GET")
        client.close()
