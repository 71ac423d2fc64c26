"""Sharing against the real server: exactly the contract, when it is off, and what goes wrong."""

from __future__ import annotations

import socket
import stat
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.contracts.shared_result import SHARED_RESULT
from benchdata.dataset import Dataset
from benchdata.rows.strict_json import decode
from collectors.skill_eval import sharing
from collectors.skill_eval.sharing import share
from tests.support.armed import skills
from tests.support.drawn import write
from tests.support.serving import Serving

ARMS = {"none": 0.2, "acme/skills@reader": 0.5, "local:secret-name": 0.7}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that takes what is shared."""
    with Serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


@pytest.fixture
def rows(tmp_path: Path) -> Dataset:
    """A benchmark of two skills."""
    return benchdata.open(write(tmp_path / "rows.ndjson", skills(ARMS)))


@pytest.fixture
def user(tmp_path: Path, server: Serving) -> dict[str, str]:
    """The environment of somebody who configured the server."""
    return {"XDG_CONFIG_HOME": str(tmp_path / "config"), "BENCHDATA_SHARE_URL": server.url}


def test_what_is_sent_is_the_contract_and_the_numbers_are_the_leaderboards(
    server: Serving, rows: Dataset, user: dict[str, str], tmp_path: Path
) -> None:
    assert share(rows, user) is None
    row = decode(server.file.read_bytes().splitlines()[-1])
    assert SHARED_RESULT.validate(row) == row
    # a task adds 0 to 7 hundredths, the arm's place one more
    best, other = row["skills"]
    assert (best["skill"], best["runs"]) == ("local", 8)
    assert (other["skill"], other["runs"]) == ("acme/skills@reader", 8)
    assert best["score"] == pytest.approx(0.7 + 0.035 + 0.02)
    assert other["score"] == pytest.approx(0.5 + 0.035 + 0.01)
    assert (row["category"], row["agent"]) == ("invoice-extraction", "claude")
    assert (row["key_id"], row["internal"]) == (None, False)
    file = tmp_path / "config" / "benchdata" / "install-id"
    assert file.read_text() == f"{row['install_id']}\n"
    assert uuid.UUID(row["install_id"]).version == 4
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["install-id"]


def test_an_installation_keeps_its_id_and_a_category_of_ones_own_is_other(
    server: Serving, user: dict[str, str], tmp_path: Path
) -> None:
    config = tmp_path / "config" / "benchdata" / "config.toml"
    config.parent.mkdir(parents=True)
    key = str(uuid.uuid4())
    config.write_text(f'share_url = "{user.pop("BENCHDATA_SHARE_URL")}/"\nkey_id = "{key}"\n')
    mine = benchdata.open(write(tmp_path / "mine.ndjson", skills(ARMS, category="my-secret")))
    before = len(server.file.read_bytes().splitlines())
    assert [share(mine, user), share(mine, user, internal=True)] == [None, None]
    first, second = (decode(line) for line in server.file.read_bytes().splitlines()[before:])
    assert first["install_id"] == second["install_id"]
    assert (first["category"], first["key_id"]) == ("other", key)
    assert (first["internal"], second["internal"]) == (False, True)


@pytest.mark.parametrize(
    "changes",
    [
        {"BENCHDATA_SHARE": "off"},
        {"EDGE_EVAL_SHARE": "off"},
        {"EDGE_EVAL_SHARE": " OFF ", "BENCHDATA_SHARE": "on"},
        {"BENCHDATA_SHARE": "off", "EDGE_EVAL_SHARE": "on"},
        {"BENCHDATA_SHARE_URL": ""},
    ],
)
def test_what_is_off_or_not_configured_sends_nothing_and_makes_nothing(
    server: Serving,
    rows: Dataset,
    user: dict[str, str],
    tmp_path: Path,
    changes: dict[str, str],
) -> None:
    before = server.file.read_bytes()
    assert share(rows, user | changes) is None
    assert server.file.read_bytes() == before
    assert not (tmp_path / "config").exists()


@pytest.mark.parametrize("fields", [{"agent": "scripted"}, {"endpoint": "stand_in"}])
@pytest.mark.parametrize("internal", [False, True])
def test_a_pipeline_proof_is_not_shared(
    server: Serving,
    user: dict[str, str],
    tmp_path: Path,
    fields: dict[str, Any],
    *,
    internal: bool,
) -> None:
    before = server.file.read_bytes()
    proof = benchdata.open(write(tmp_path / "proof.ndjson", skills(ARMS, **fields)))
    said = share(proof, user, internal=internal)
    assert said == (
        "Not shared: pipeline proofs never are: a scripted agent or a stand-in for a model measures"
        " nothing"
    )
    assert server.file.read_bytes() == before


def test_skills_without_a_score_are_not_told(
    server: Serving, user: dict[str, str], tmp_path: Path
) -> None:
    lost = {
        "outcome": "infrastructure",
        "failure_reason": "rate_limited",
        "passed": None,
        "score": None,
    }
    found = skills(ARMS)
    some = [row | lost if row["arm"].startswith("local") else row for row in found]
    assert share(benchdata.open(write(tmp_path / "some.ndjson", some)), user) is None
    row = decode(server.file.read_bytes().splitlines()[-1])
    assert [each["skill"] for each in row["skills"]] == ["acme/skills@reader"]
    none = [row | lost for row in found]
    said = share(benchdata.open(write(tmp_path / "none.ndjson", none)), user)
    assert said == "Not shared: no skill has a score"


@pytest.mark.parametrize(
    "url",
    [
        *("example.org", "ftp://example.org", "http://", "http://x?a=1", "http://x/a\nb"),
        *("http://me:secret@x", "http://me@x", "http://x/my secret", "http://x/ä"),
    ],
)
def test_a_url_that_is_none_is_said(rows: Dataset, user: dict[str, str], url: str) -> None:
    said = share(rows, user | {"BENCHDATA_SHARE_URL": url})
    assert said == (
        "Not shared: BENCHDATA_SHARE_URL or share_url must be such as https://example.org"
    )


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("config.toml", "share_url = ", "config.toml: "),
        ("install-id", "somebody\n", "install_id: must be a UUIDv4"),
        ("config.toml", 'key_id = "me"\n', "key_id: must be a UUIDv4"),
    ],
)
def test_settings_that_are_wrong_are_said(
    rows: Dataset, user: dict[str, str], tmp_path: Path, name: str, text: str, words: str
) -> None:
    file = tmp_path / "config" / "benchdata" / name
    file.parent.mkdir(parents=True)
    file.write_text(text)
    said = share(rows, user)
    assert said is not None
    assert said.startswith(f"Not shared: {words}")
    assert "\n" not in said


def test_nobody_there_is_said_in_one_sentence(rows: Dataset, user: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    said = share(rows, user | {"BENCHDATA_SHARE_URL": f"http://127.0.0.1:{port}"})
    assert said == "Not shared: 127.0.0.1 cannot be reached: Connection refused"


def test_who_does_not_answer_is_left(
    rows: Dataset, user: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "LIMIT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        said = share(rows, user | {"BENCHDATA_SHARE_URL": url})
    assert said == "Not shared: 127.0.0.1 did not answer: timed out"


def test_who_answers_a_byte_at_a_time_is_left(
    rows: Dataset, user: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "LIMIT_S", 0.5)
    ended = threading.Event()

    def drip(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            while not ended.wait(0.1):
                connection.send(b"H")

    with socket.create_server(("127.0.0.1", 0)) as slow:
        thread = threading.Thread(target=drip, args=(slow,))
        thread.start()
        url = f"http://127.0.0.1:{slow.getsockname()[1]}"
        began = time.monotonic()
        said = share(rows, user | {"BENCHDATA_SHARE_URL": url})
        took = time.monotonic() - began
        ended.set()
        thread.join()
    assert said == "Not shared: 127.0.0.1 did not answer: timed out"
    assert took < 60  # a line of a head may be 65,536 bytes long


def test_a_refusal_and_a_redirect_are_said_and_not_followed(
    rows: Dataset, user: dict[str, str]
) -> None:
    asked: list[str] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(302 if len(asked) == 1 else 503)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        do_GET = do_POST  # noqa: N815 - the name is the library's

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Elsewhere) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        address = user | {"BENCHDATA_SHARE_URL": f"http://127.0.0.1:{other.server_port}/deep/"}
        assert share(rows, address) == "Not shared: 127.0.0.1 answered 302"
        assert share(rows, address) == "Not shared: 127.0.0.1 answered 503"
        other.shutdown()
    assert asked == ["/deep/api/mcp/eval_result"] * 2
