"""Where a site is put: in place of an older one or of nothing, whole or not at all."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import refused, run
from tests.support.listed import ReportOf, rewritten
from tests.support.rendered import files


def names(folder: Path) -> set[str]:
    return {item.name for item in folder.iterdir()}


@pytest.fixture
def source(report_of: ReportOf, tmp_path: Path) -> Path:
    """A folder with one report."""
    kept = report_of("early")
    shutil.copytree(kept, tmp_path / "reports" / kept.name)
    return tmp_path / "reports"


@pytest.fixture
def site(source: Path, tmp_path: Path) -> Path:
    """The site of that folder, beside it."""
    assert run("site", source, "--out", tmp_path / "site").code == 0
    return tmp_path / "site"


def test_a_site_takes_the_place_of_an_older_one_or_of_an_empty_folder(
    source: Path, site: Path, report_of: ReportOf, tmp_path: Path
) -> None:
    before = files(site)
    shutil.copyfile(report_of("page"), source / "page.html")
    assert run("site", source, "--out", site).code == 0
    assert names(site) == {*("index.html", "site.json", "benchmarks"), "reports", "leaderboards"}
    (source / "page.html").unlink()
    (tmp_path / "empty").mkdir()
    for out in (site, tmp_path / "empty", tmp_path / "new" / "folder"):
        assert run("site", source, "--out", out).code == 0
        assert files(out) == before
    assert names(tmp_path) == {"reports", "site", "empty", "new"}


def placed(name: str) -> Callable[[Path], object]:
    def spoil(out: Path) -> None:
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_text("x", "utf-8")

    return spoil


def listing(**changes: object) -> Callable[[Path], object]:
    return lambda out: rewritten(out / "site.json", lambda found: found.update(changes))


def test_a_site_lists_its_files(site: Path) -> None:
    listed = json.loads((site / "site.json").read_text("utf-8"))["files"]
    assert sorted(listed) == sorted(files(site))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        *(
            (placed(name), f"{name} is not of the site; move it")
            for name in ("CNAME", "reports/mine/x.txt", "benchmarks/keep.txt", "reports/.kept")
        ),
        (lambda out: (out / "reports" / "mine").mkdir(), "reports/mine is not of the site"),
        (lambda out: (out / "benchmarks" / "l").symlink_to(out), "benchmarks/l is not of the site"),
        (listing(files=None), "its site.json does not list its files"),
        (listing(files=["index.html", 1]), "its site.json does not list its files"),
        (lambda out: (out / "site.json").unlink(), "is no site made by benchdata"),
        (lambda out: (out / "site.json").write_text("[1]"), "is no site made by benchdata"),
        (lambda out: out.symlink_to(out.rename(out.with_name("kept"))), "is no folder"),
    ],
)
def test_what_is_no_site_of_ours_stays(
    source: Path, site: Path, spoil: Callable[[Path], object], words: str
) -> None:
    spoil(site)
    before = files(site.parent)
    assert words in refused(run("site", source, "--out", site))
    assert files(site.parent) == before


@pytest.mark.parametrize("out", ["reports", "reports/site", "."])
def test_a_site_does_not_lie_among_its_reports_or_around_them(
    source: Path, tmp_path: Path, out: str
) -> None:
    assert "put the site beside" in refused(run("site", source, "--out", tmp_path / out))
    assert names(tmp_path) == {"reports"}


def test_a_site_has_a_heading(source: Path, tmp_path: Path) -> None:
    assert "--title" in refused(run("site", source, "--out", tmp_path / "site", "--title", " \n"))
    done = run("site", source, "--out", tmp_path / "site", "--title", "A\n<b>\udcff")
    assert done.code == 0
    assert "<h1>A &lt;b&gt;\ufffd</h1>" in (tmp_path / "site" / "index.html").read_text("utf-8")


def test_a_killed_run_leaves_the_older_site_and_the_next_one_sweeps(
    source: Path, site: Path, tmp_path: Path
) -> None:
    before = files(site)
    for number in range(6):  # each takes its time to read
        with (source / f"{number}.html").open("wb") as file:
            file.truncate(100 * 1024**2)
    command = [sys.executable, "-m", "benchdata", "site", str(source), "--out", str(site)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 20
        while not list(tmp_path.glob(".benchdata-site-*")):
            assert time.monotonic() < deadline
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
    assert files(site) == before
    assert len(list(tmp_path.glob(".benchdata-site-*"))) == 1
    for page in source.glob("*.html"):
        page.unlink()
    assert run("site", source, "--out", site).code == 0
    assert names(tmp_path) == {"reports", "site"}
    assert files(site) == before
