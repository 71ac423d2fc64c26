"""Making a report: whole or not at all, once, whatever fails, races or is killed."""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.proven import Proven

from benchdata.reports import run as reports
from tests.support.command import Done, ended, refused, run, start
from tests.support.cases import mostly_slow
from tests.support.drawn import DEMO_ROWS
from tests.support.rendered import User, files
from tests.support.templates import written

WAIT = 60
READING = "reading the rows"


def report(template: Path, *options: str | Path) -> Done:
    """Make a report of the demo rows beside the template."""
    return run("report", template, DEMO_ROWS, "--out", template.parent / "out", *options)


def times(folder: Path) -> dict[Path, int]:
    """Return when each file below a folder was last written."""
    return {file: file.stat().st_mtime_ns for file in folder.rglob("*")}


def left(folder: Path) -> list[str]:
    """Return what lies in the folder of reports, hidden things too."""
    out = folder / "out"
    return sorted(file.name for file in out.iterdir()) if out.exists() else []


def until(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_whole_report_is_printed_and_never_rewritten(eleonora: User, demo_report: Path) -> None:
    before = times(demo_report)
    done = eleonora.run("report", "jev_social", DEMO_ROWS.parent, "--out", demo_report.parent)
    assert (done.code, done.out) == (0, f"{demo_report}\n")
    assert done.err == f"{READING}\nthis report is there already; it is never rewritten\n"
    assert times(demo_report) == before
    assert [file.name for file in demo_report.parent.iterdir()] == [demo_report.name]


@pytest.mark.parametrize("way", [Path.mkdir, Path.touch])
def test_what_is_in_the_way_is_left_and_named(tmp_path: Path, way: Callable[[Path], None]) -> None:
    template = written(tmp_path / "mine.ipynb", "raise AssertionError('it ran')")
    final = tmp_path / "out" / reports.order(str(template), [DEMO_ROWS]).name
    final.parent.mkdir()
    way(final)
    reading, message = refused(report(template)).split("\n")
    assert reading == READING
    assert message == f"benchdata: {final}: is in the way and no whole report; move it or remove it"
    assert left(tmp_path) == [final.name]


def test_a_notebook_saved_for_another_kernel_and_language_runs(tmp_path: Path) -> None:
    elsewhere = {
        "kernelspec": {"name": "py39_new", "display_name": "R", "language": "R"},
        "language_info": {"name": "R"},
    }
    cell = "print('it is', title, times)"
    template = written(tmp_path / "mine.ipynb", cell, metadata=elsewhere)
    done = report(template, "-p", "title=1.10 <b>", "-p", "times=3", "--as-of", "2026-04-01")
    assert done.code == 0, done
    folder = Path(done.out.removesuffix("\n"))
    assert folder.name.startswith("2026-04-01-mine-")
    page = (folder / "report.html").read_text("utf-8")
    assert "<title>1.10 &lt;b&gt;</title>" in page
    assert ">it is 1.10 &lt;b&gt; 3\n<" in page
    assert "As of 2026-04-01." in page
    assert "py39_new" not in (folder / "report.ipynb").read_text("utf-8")


FAILURES = {
    "open('/there/is/nothing')": "cell 2 failed: FileNotFoundError: [Errno 2] No such file or "
    "directory: '/there/is/nothing'",
    "raise ValueError('one\\n\\ntwo \\x1b[31mred')": "cell 2 failed: ValueError: one two red",
    "import os; os._exit(3)": "the kernel failed: Kernel died",
}


@pytest.mark.faults
@pytest.mark.parametrize("cell", mostly_slow(FAILURES))
def test_a_failure_leaves_nothing_and_is_one_message(
    tmp_path: Path, cell: str, proven: Proven
) -> None:
    template = written(tmp_path / "mine.ipynb", cell, "print('not reached')")
    process = start("report", template, DEMO_ROWS, "--out", tmp_path / "out")
    reading, running, message = refused(ended(process)).split("\n")
    assert reading == READING
    assert running == "running the notebook mine.ipynb"
    assert message == f"benchdata: mine.ipynb: {FAILURES[cell]}"
    assert left(tmp_path) == []
    proven("a kernel that fails, or dies: report", 1, "no report, one message")


@pytest.mark.slow
def test_two_at_once_make_one_report_and_print_nothing_else(tmp_path: Path) -> None:
    user = User(tmp_path, "twice")
    past_python = "import os, warnings; os.write(1, b'past'); warnings.warn('w'); print('shown')"
    template = written(tmp_path / "mine.ipynb", past_python)
    both = [user.start("report", template, DEMO_ROWS) for _ in range(2)]
    dones = [ended(process) for process in both]
    (made,) = (user.work / "reports").iterdir()
    assert [(done.code, done.out) for done in dones] == [(0, f"reports/{made.name}\n")] * 2
    assert files(made).keys() >= {"report.html", "manifest.json"}
    notebook = (made / "report.ipynb").read_text("utf-8")
    assert "shown" in notebook
    assert "UserWarning" not in notebook, "a warning names files of the machine"


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for temporary files whose name is short enough for a socket in it."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def children(process: int) -> list[int]:
    return [
        int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()
    ]


def test_a_kill_leaves_no_report_and_the_next_run_sweeps(tmp_path: Path, temporary: Path) -> None:
    started = tmp_path / "started"
    cell = f"open({str(started)!r}, 'w').close(); import time; time.sleep({2 * WAIT})"
    user = User(tmp_path, "killed", TMPDIR=str(temporary))
    slow = user.start("report", written(tmp_path / "slow.ipynb", cell), DEMO_ROWS, "--out", "out")
    until(started.exists)
    (kernel,) = children(slow.pid)
    slow.send_signal(signal.SIGKILL)
    ended(slow)
    (unfinished,) = left(user.work)
    assert unfinished.startswith(".benchdata-unfinished-")
    assert list(temporary.glob(".benchdata-kernel-*"))
    until(lambda: not Path(f"/proc/{kernel}").exists())

    folder = user.report(written(tmp_path / "quick.ipynb", "1 + 1"), DEMO_ROWS)
    assert left(user.work) == [folder.name]
    assert list(temporary.glob(".benchdata-kernel-*")) == []


def test_an_interrupt_ends_it_cleanly(tmp_path: Path) -> None:
    started = tmp_path / "started"
    cell = f"open({str(started)!r}, 'w').close(); import time; time.sleep({2 * WAIT})"
    user = User(tmp_path, "stopped")
    slow = user.start("report", written(tmp_path / "slow.ipynb", cell), DEMO_ROWS, "--out", "out")
    until(started.exists)
    (kernel,) = children(slow.pid)
    slow.send_signal(signal.SIGINT)
    done = ended(slow)
    assert done == Done(130, "", f"{READING}\nrunning the notebook slow.ipynb\n")
    assert left(user.work) == []
    assert not Path(f"/proc/{kernel}").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name a report template, such as `benchdata report jev-social --demo`"),
        (("jev-social",), "name the FILEs to report on, or --demo, one of the two"),
        (("jev-social", DEMO_ROWS, "--demo"), "name the FILEs to report on, or --demo"),
        (("jev-social", "--demo", "-p", "title"), "-p title: write it as NAME=VALUE"),
        (("jev-social", "--demo", "-p", "x=1"), "takes no parameter x; it takes title"),
        (("jev-social", "--demo", "--as-of", "May"), "--as-of May: write the date as YYYY-MM-DD"),
    ],
)
def test_a_wrong_call_is_one_sentence(arguments: tuple[str | Path, ...], words: str) -> None:
    message = refused(run("report", *arguments))
    assert words in message
    assert "\n" not in message


def test_rows_that_are_not_there_make_no_report(tmp_path: Path) -> None:
    message = refused(run("report", "jev-social", "there.ndjson", "--out", tmp_path / "out"))
    assert message.startswith(f"{READING}\nbenchdata: there.ndjson: no such file")
    assert left(tmp_path) == []
