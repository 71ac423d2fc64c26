"""References pass every probe; the command keeps rows and tells red from unbootable."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.build_run import BUILD_RUN
from benchdata.errors import BenchdataError
from collectors.build_bench import lanes, references
from collectors.build_bench.cli import main
from collectors.build_bench.suites import chromium
from collectors.build_bench.tasks import TASKS

T1, T3 = "t1-storefront-api", "t3-reactive-dashboard"
ALWAYS = "fastapi"
QUICK = ("t1-storefront-api", "t2-saga-queue-cron")
PROGRAMS = {"npm": ("node", "npm"), "none": ("node",)}
OTHERS = [
    pytest.param(
        name,
        task,
        id=f"{name}-{task}",
        marks=[] if lane.dependencies == "none" and task in QUICK else [pytest.mark.slow],
    )
    for name, lane in lanes.lanes().items()
    for task in TASKS
    if references.has(name, task) and name != ALWAYS and task != T3
]


BACKGROUND = ("sh", "-c", "trap '' INT; exec \"$@\"", "sh")
"""How a shell without job control starts what runs in the background: Ctrl-C is ignored."""


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def altered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the references that a test may break."""
    folder = tmp_path / "references"
    shutil.copytree(references.FOLDER, folder)
    monkeypatch.setattr(references, "FOLDER", folder)
    return folder


@pytest.mark.usefixtures("fastapi")
def test_the_python_lane_conforms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rows.ndjson"
    code = main(["conformance", "--lane", ALWAYS, "--out", str(out)])
    said = capsys.readouterr().out
    assert code == 0, said
    rows = rows_of(out)
    assert [row["task_id"] for row in rows] == [
        task for task in TASKS if references.has(ALWAYS, task)
    ]
    assert [row["position"] for row in rows] == [0, 1, 2]
    assert len({row["suite_id"] for row in rows}) == 1
    for row in rows:
        suite = TASKS[row["task_id"]].suite
        assert BUILD_RUN.validate(row) == row
        assert [probe["id"] for probe in row["probes"]] == [probe.id for probe in suite.probes]
        assert all(probe.id in said for probe in suite.probes)
        assert f"{len(suite.probes)} of {len(suite.probes)} probes pass" in said
        assert row["test_pass_rate"] == 1
        assert 0 < row["lines_of_code"] < 400
        assert len(row["boot_ms"]) == (8 if row["task_id"] == "t2-worker" else 4)


@pytest.mark.parametrize(("lane", "task"), OTHERS)
def test_every_reference_conforms(lane: str, task: str, capsys: pytest.CaptureFixture[str]) -> None:
    for program in PROGRAMS[lanes.lane(lane).dependencies]:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    code = main(["conformance", "--lane", lane, "--task", task])
    assert code == 0, capsys.readouterr().out


@pytest.mark.usefixtures("node")
def test_a_red_probe_is_named_with_its_reason(
    altered: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    errors = altered / "node" / T1 / "errors.js"
    errors.write_text(errors.read_text("utf-8").replace("NOT_FOUND", "MISSING"), "utf-8")
    out = tmp_path / "rows.ndjson"
    assert main(["conformance", "--lane", "node", "--task", T1, "--out", str(out)]) == 3
    said = capsys.readouterr().out
    assert "code is 'MISSING' instead of 'NOT_FOUND'" in said
    (row,) = rows_of(out)
    assert row["test_pass_rate"] == pytest.approx(17 / 21)
    assert "MISSING" not in json.dumps(row)


@pytest.mark.usefixtures("node")
def test_a_reference_that_does_not_boot_is_told_from_a_red_one_and_stops_no_other(
    altered: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (altered / "node" / T1 / "server.js").write_text("throw new Error('no such thing');", "utf-8")
    out = tmp_path / "rows.ndjson"
    arguments = ["conformance", "--lane", "node", "--repeats", "2", "--out", str(out)]
    assert main([*arguments, "--task", T1]) == 2
    assert "does not boot: start.sh ended with 1" in capsys.readouterr().out
    rows = rows_of(out)
    assert [row["repeat"] for row in rows] == [1, 2]
    assert [row["test_pass_rate"] for row in rows] == [0, 0]
    assert {probe["verdict"] for probe in rows[0]["probes"]} == {"fail"}
    assert rows[0]["boot_ms"] == []


@pytest.mark.usefixtures("node")
@pytest.mark.slow
@pytest.mark.browser
def test_the_page_is_checked_in_a_browser_by_a_suite_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows.ndjson"
    code = main(["conformance", "--lane", "node", "--task", T3, "--out", str(out)])
    said = capsys.readouterr().out
    assert code == 0, said
    (row,) = rows_of(out)
    assert BUILD_RUN.validate(row) == row
    browser = TASKS[T3].browser
    assert browser is not None
    checks = row["extended"]["probes"]
    assert [check["id"] for check in checks] == [check.id for check in browser.probes]
    assert all(f"  pass  extra  {check.id} " in said for check in browser.probes)
    assert row["extended"]["pass_rate"] == 1
    assert row["extended"]["suite_digest"] != row["suite_digest"]
    assert f"{len(checks)} of {len(checks)} browser checks pass" in said


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the task with a page one quick probe and one quick check."""
    task = TASKS[T3]
    assert task.browser is not None
    probe = replace(task.suite, probes=task.suite.probes[1:2])
    check = replace(task.browser, probes=task.browser.probes[-1:])
    monkeypatch.setitem(TASKS, T3, replace(task, suite=probe, browser=check))


@pytest.mark.usefixtures("node", "small")
@pytest.mark.browser
@pytest.mark.slow
def test_a_red_check_of_the_page_is_a_red_reference(
    altered: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = altered / "node" / T3 / "page.js"
    page.write_text(page.read_text("utf-8").replace(' lang="en"', ""), "utf-8")
    out = tmp_path / "rows.ndjson"
    assert main(["conformance", "--lane", "node", "--task", T3, "--out", str(out)]) == 3
    said = capsys.readouterr().out
    assert "1 of 1 probes pass" in said
    assert "the page has no language" in said
    (row,) = rows_of(out)
    assert (row["test_pass_rate"], row["extended"]["pass_rate"]) == (1, 0)


@pytest.mark.usefixtures("node", "small")
def test_without_a_browser_the_page_is_not_checked_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(chromium, "CHROMIUM", "no-such-browser")
    out = tmp_path / "rows.ndjson"
    assert main(["conformance", "--lane", "node", "--task", T3, "--out", str(out)]) == 0
    assert "skipped: the browser checks: " in capsys.readouterr().out
    (row,) = rows_of(out)
    assert (row["test_pass_rate"], row["extended"]) == (1, None)


def living_in(folder: Path) -> dict[int, str]:
    """Return the commands of the processes whose working folder lies in a folder, by their pid."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (entry / "cwd").readlink().is_relative_to(folder):
                said = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                found[int(entry.name)] = said.decode()
    return found


def is_stopped(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    return state == "T"


def held_service(folder: Path) -> int:
    """Stop a service that already stores what it is asked to; return its pid.

    While it is stopped no suite that asks it comes to an end, however fast the machine is.
    """
    end = time.monotonic() + 60
    while time.monotonic() < end:
        asked = list(folder.glob("*/service/data/journal.jsonl"))
        services = [pid for pid, said in living_in(folder).items() if "server.js" in said]
        for pid in services if asked else ():
            with suppress(OSError):  # it has ended meanwhile: the next one is taken
                os.kill(pid, signal.SIGSTOP)
                time.sleep(0.01)
                if is_stopped(pid):
                    return pid
        time.sleep(0.01)
    raise AssertionError("no service was started")


@pytest.mark.usefixtures("node")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_attempt_leaves_a_row_and_no_process(
    number: signal.Signals, tmp_path: Path
) -> None:
    out = tmp_path / "rows.ndjson"
    command = ["collect", "build-bench", "conformance", "--lane", "node", "--task", T1]
    options = ["--repeats", "100", "--out", str(out)]
    with subprocess.Popen(
        [*BACKGROUND, sys.executable, "-m", "benchdata", *command, *options],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
    ) as process:
        service = held_service(tmp_path)
        process.send_signal(number)
        with suppress(ProcessLookupError):
            os.kill(service, signal.SIGCONT)
        process.wait(30)
    if number == signal.SIGKILL:  # then a watcher ends the service, a moment later
        end = time.monotonic() + 10
        while living_in(tmp_path) and time.monotonic() < end:
            time.sleep(0.05)
    else:
        *_, row = rows_of(out)
        assert process.returncode == 130
        assert row["stop_cause"] == "interrupted"
        assert row["test_pass_rate"] is None
    assert living_in(tmp_path) == {}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["conformance", "--lane", "flsk"], "did you mean `flask`"),
        (["conformance", "--task", "t9"], "no task is named so"),
        (["conformance", "--lane", "flask"], "--lane flask: has no reference: none is written yet"),
        (["conformance", "--lane", "nestjs", "--task", T1, "--task", "t2-worker"], "no reference"),
        (["conformance", "--lane", "netscript"], "its packages are on JSR alone"),
        (["conformance", "--repeats", "0"], "must be a whole number from 1"),
        (["conformance", "--out", "rows.csv"], "must be a file ending in .ndjson"),
        (["conform"], "invalid choice"),
        ([], "required: command"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_run(
    arguments: list[str], words: str
) -> None:
    with pytest.raises(BenchdataError, match=words.replace(".", r"\.")) as caught:
        main(arguments)
    assert caught.value.exit_code == 1


def test_a_missing_runtime_is_an_error_for_a_named_lane_and_a_line_for_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(BenchdataError, match="lane node: node is not on PATH"):
        main(["conformance", "--lane", "node"])
    only = {"node": lanes.lane("node")}
    monkeypatch.setattr("collectors.build_bench.lanes.lanes", lambda: only)
    with pytest.raises(BenchdataError, match="no lane with a reference can be run here"):
        main(["conformance"])
    assert "skipped: lane node cannot be run here" in capsys.readouterr().out


def test_help_names_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", "--help"]) == 0
    assert "2 a reference does not boot" in " ".join(capsys.readouterr().out.split())
