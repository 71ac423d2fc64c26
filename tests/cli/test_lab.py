"""`benchdata lab`: a notebook on the rows, opened in a real JupyterLab server."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient

from benchdata.charts.bundle import LAB_TYPE
from benchdata.reports import execution, templates
from tests.support.browser import launched
from tests.support.command import refused, run
from tests.support.drawn import DEMO_ROWS, write
from tests.support.linking import bars, brush
from tests.support.probe import probe_row
from tests.support.rendered import User
from tests.support.sized import DATASETS

WAIT = 60
IDLE = "Python 3 (ipykernel) | Idle"
SHOWN = ("execute_result", "display_data", "stream")
CONTRACT = "from tests.support.probe import PROBE\n"
DEMOS = sorted(path.parent.name for path in DATASETS.glob("*/rows.ndjson"))


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
        self.runtime = user.home / ".local" / "share" / "jupyter" / "runtime"
        self.process = user.start("lab", *arguments, "--no-browser")

    def answers(self, path: str, body: bytes | None = None) -> bytes:
        """Return what the server answers on loopback, once it does."""
        deadline = time.monotonic() + WAIT
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", body, {"Authorization": "token secret"}
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

    @contextmanager
    def kernel(self, notebook: str) -> Iterator[BlockingKernelClient]:
        """Start the kernel of a notebook as its page does, and yield a client of it."""
        session = {
            "path": notebook,
            "name": notebook,
            "type": "notebook",
            "kernel": {"name": "python3"},
        }
        started = json.loads(self.answers("/api/sessions", json.dumps(session).encode()))
        file = f"kernel-{started['kernel']['id']}.json"
        client = BlockingKernelClient()
        client.load_connection_file(str(self.runtime / file))
        client.start_channels(hb=False)  # it would call a kernel that is slow to start dead
        client.wait_for_ready(timeout=WAIT)
        yield client
        client.stop_channels()

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
    """Someone with rows of a contract of their own, whose settings let kernels live."""
    user = User(tmp_path, "lena", IPYTHONDIR=str(tmp_path / "ipython"), PYTHONSTARTUP="")
    failed = {"subject": "torch", "passed": False, "why": "dark"}
    rows = [probe_row(0), probe_row(1), probe_row(2, **failed)]
    write(user.work / "data" / "rows.ndjson", rows)
    (user.work / "mine.py").write_text(CONTRACT, "utf-8")
    return user


def outputs(kernel: BlockingKernelClient, source: str) -> list[Any]:
    """Run a cell in a kernel of the server and return what it shows: a stream or data."""
    said: list[Any] = []
    answer = kernel.execute_interactive(source, timeout=WAIT, output_hook=said.append)
    assert answer["content"]["status"] == "ok", (source, answer["content"])
    shown = [one["content"] for one in said if one["header"]["msg_type"] in SHOWN]
    return [content.get("data", content) for content in shown]


@pytest.mark.slow
def test_a_server_opens_a_notebook_that_runs_in_its_own_kernel(user: User) -> None:
    lab = Lab(user, "data", "--contract", "mine.py:PROBE", "--notebook", "deep/mine.ipynb")
    assert "started" in json.loads(lab.answers("/api/status"))
    assert json.loads(lab.answers("/api/contents/mine.ipynb?content=0"))["type"] == "notebook"
    assert b"JupyterLab" in lab.answers("/lab/tree/mine.ipynb")

    notebook = nbformat.read(user.work / "deep" / "mine.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code[0].source == (
        f"inputs = ['{user.work}/data/rows.ndjson']\ncontract = '{user.work}/mine.py:PROBE'"
    )
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    with lab.kernel("mine.ipynb") as kernel:
        said = {cell.source: outputs(kernel, cell.source) for cell in code}
    (views,) = (shown[0]["text/plain"] for source, shown in said.items() if "lab.start" in source)
    assert "'probe_run', 'parts', 'rows'" in views
    (chart,) = (shown[0] for source, shown in said.items() if "charts.linked" in source)
    assert chart[LAB_TYPE]["vconcat"]
    assert not [shown for shown in said.values() for each in shown if each.get("name") == "stderr"]
    assert lab.stop().startswith("wrote deep/mine.ipynb\n")


@pytest.mark.slow
@pytest.mark.parametrize("demo", DEMOS)
def test_the_notebook_runs_on_every_demo(demo: str) -> None:
    done = execution.execute(templates.find("explore"), {"inputs": [str(DATASETS / demo)]})
    shown = [output for cell in done.cells for output in cell.get("outputs", ())]
    assert [LAB_TYPE in output.get("data", ()) for output in shown].count(True) == 1


@pytest.mark.slow
@pytest.mark.browser
def test_the_charts_of_the_lab_answer_a_mouse(user: User, chromium: str) -> None:
    lab = Lab(user, "data", "--contract", "mine.py:PROBE", "--notebook", "deep/mine.ipynb")
    lab.answers("/api/status")
    with launched(chromium) as browser:
        # cells out of sight are not drawn
        page = browser.new_page(viewport={"width": 1400, "height": 6000})
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"http://127.0.0.1:{lab.port}/lab/tree/mine.ipynb?token=secret")
        page.set_default_timeout(WAIT * 1000)
        page.get_by_text(IDLE).wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.locator(".lm-Menu-itemLabel", has_text=re.compile("^Run All Cells$")).click()
        chart = page.locator(".jp-RenderedVegaCommon5")
        chart.locator("svg.marks").wait_for()
        assert bars(chart) == {"success": 2, "failed": 1}
        brush(chart, "G2")
        assert bars(chart) == {"failed": 1}
        assert {urlsplit(url).hostname for url in asked} == {"127.0.0.1"}
    lab.stop()


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


@pytest.mark.parametrize("name", ["x.txt", "x", "d.ipynb"])
def test_a_notebook_is_a_file_that_jupyter_takes_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.ipynb").mkdir()
    assert f"--notebook: {name} is no notebook" in refused(
        run("lab", DEMO_ROWS, "--notebook", name)
    )
    assert [path.name for path in tmp_path.iterdir()] == ["d.ipynb"]


def test_bad_rows_are_told_before_anything_is_opened(user: User) -> None:
    bad = write(user.work / "bad.ndjson", [probe_row(1, score="high")])
    done = user.run("lab", bad.name, "--contract", "mine.py:PROBE")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("bad.ndjson:1: score: must be a number\n")
    assert not (user.work / "explore.ipynb").exists()


def test_standard_input_cannot_be_explored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "name files, not -" in refused(run("lab", "-"))
