"""`benchdata lab`: a notebook on the rows, opened in a real JupyterLab server."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest

from benchdata.reports import execution, templates
from tests.support.command import refused, run
from tests.support.drawn import DEMO_ROWS, write
from tests.support.probe import probe_row
from tests.support.rendered import User

WAIT = 60
CONTRACT = "from tests.support.probe import PROBE\n"


class Lab:
    """A running server on a port of its own, whose notebook may lie in another folder."""

    def __init__(self, user: User, *arguments: str | Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        config = {"port": self.port, "port_retries": 0, "allow_root": True, "token": "secret"}
        settings = user.home / ".jupyter" / "jupyter_server_config.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps({"ServerApp": config}), "utf-8")
        self.process = user.start("lab", *arguments, "--no-browser")

    def answers(self, path: str) -> bytes:
        """Return what the server answers on loopback, once it does."""
        deadline = time.monotonic() + WAIT
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", headers={"Authorization": "token secret"}
        )
        while True:
            try:
                with urllib.request.urlopen(request, timeout=WAIT) as answer:
                    data: bytes = answer.read()
                    return data
            except urllib.error.URLError:
                assert self.process.poll() is None, self.process.communicate()
                assert time.monotonic() < deadline
                time.sleep(0.1)

    def stop(self) -> str:
        """End the server and return what it said."""
        self.process.send_signal(signal.SIGTERM)
        try:
            out, err = self.process.communicate(timeout=WAIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        assert out == b""
        return err.decode()


@pytest.fixture
def user(tmp_path: Path) -> User:
    """Someone with rows of a contract of their own."""
    user = User(tmp_path, "lena")
    write(user.work / "data" / "rows.ndjson", [probe_row(seq) for seq in range(3)])
    (user.work / "mine.py").write_text(CONTRACT, "utf-8")
    return user


def test_a_server_opens_a_notebook_on_the_files(user: User) -> None:
    lab = Lab(user, "data", "--contract", "mine.py:PROBE", "--notebook", "deep/mine.ipynb")
    assert "started" in json.loads(lab.answers("/api/status"))
    assert json.loads(lab.answers("/api/contents/mine.ipynb?content=0"))["type"] == "notebook"
    assert b"JupyterLab" in lab.answers("/lab/tree/mine.ipynb")
    assert lab.stop().startswith("wrote deep/mine.ipynb\n")

    file = user.work / "deep" / "mine.ipynb"
    notebook = nbformat.read(file, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code[0].source == (
        f"inputs = ['{user.work}/data/rows.ndjson']\ncontract = '{user.work}/mine.py:PROBE'"
    )
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    # it runs, whatever the contract and the folder it is run from
    done = execution.execute(templates.find(str(file)), {})
    (first,) = (cell for cell in done.cells if "benchdata.open" in cell.source)
    assert "'rows'" in first.outputs[0].data["text/plain"]


def test_a_notebook_that_is_there_is_opened_as_it_is(user: User) -> None:
    file = user.work / "explore.ipynb"
    file.write_text("mine", "utf-8")
    process = user.start("lab", DEMO_ROWS, "--no-browser")
    assert process.stderr is not None
    assert process.stderr.readline() == (
        b"explore.ipynb is there already and opened as it is, not with these files\n"
    )
    process.kill()
    process.communicate()
    assert file.read_text("utf-8") == "mine"


def test_files_that_are_not_there_leave_no_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "none.ndjson: no such file" in refused(run("lab", "none.ndjson"))
    assert list(tmp_path.iterdir()) == []
