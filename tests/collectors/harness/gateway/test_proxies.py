"""The machine's proxy: its login is used, and said nowhere."""

from __future__ import annotations

import base64
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.harness.failures import SetupFailed
from collectors.harness.gateway.gateway import Gateway
from collectors.harness.gateway.policy import Policy
from collectors.harness.gateway.upstream import Upstream
from tests.support.driven import MODEL
from tests.support.gated import asking, send

SECRET = "p:w@7f3a"
POLICY = Policy(MODEL["messages"], "messages")
UPSTREAM = Upstream("https://api.example.invalid")


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[bytes]]]:
    """The address of a proxy that lets nobody through, and what it was asked."""
    for name in ("https_proxy", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def refuse() -> None:
            connection, _ = listener.accept()
            with connection:
                asked.append(connection.recv(65_536))
                connection.sendall(b"HTTP/1.1 407 Who Are You\r\nContent-Length: 0\r\n\r\n")

        thread = threading.Thread(target=refuse, daemon=True)
        thread.start()
        yield f"127.0.0.1:{listener.getsockname()[1]}", asked
        thread.join(10)


@pytest.mark.parametrize("scheme", ["http://", ""])
def test_the_login_goes_to_the_proxy_which_may_refuse_it(
    proxy: tuple[str, list[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    address, asked = proxy
    login = "" if not scheme else "user:p%3Aw%407f3a@"
    monkeypatch.setenv("HTTPS_PROXY", f"{scheme}{login}{address}")
    with Gateway(UPSTREAM, POLICY, log=tmp_path / "log") as gateway:
        answer = send(gateway, asking())
    expected = base64.b64encode(f"user:{SECRET}".encode())
    assert (expected in asked[0]) == bool(login)
    assert (answer.status, gateway.exchanges[0].error) == (502, "unreachable")
    assert SECRET.encode() not in answer.body
    assert SECRET not in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    "address", ["http://u:p7f3a@127.0.0.1:99999", "http://[p7f3a", "socks5://u:p7f3a@x:1"]
)
def test_one_without_an_address_is_refused_and_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", address)
    with pytest.raises(SetupFailed, match="names a proxy whose address") as refused:
        Gateway(UPSTREAM, POLICY, log=tmp_path / "log")
    assert "p7f3a" not in str(refused.value)
