"""What is left out of a site: everything that is not what it should be, by its name and why."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchdata.reports.manifest import MANIFEST, folder_name
from tests.support.command import refused, run
from tests.support.listed import ReportOf, rewritten

Harm = Callable[[Path], object]


def written(name: str, content: bytes) -> Harm:
    return lambda folder: (folder / name).write_bytes(content)


def removed(name: str) -> Harm:
    return lambda folder: (folder / name).unlink()


def linked(name: str) -> Harm:
    def harm(folder: Path) -> None:
        kept = folder.parent.parent / name
        shutil.move(folder / name, kept)
        (folder / name).symlink_to(kept)

    return harm


def replaced(name: str, before: str, after: str) -> Harm:
    def harm(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        assert before in text
        (folder / name).write_text(text.replace(before, after), "utf-8")

    return harm


def piped(name: str) -> Harm:
    def harm(folder: Path) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)

    return harm


def foldered(name: str) -> Harm:
    def harm(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).mkdir()

    return harm


def huge(name: str) -> Harm:
    return lambda folder: os.truncate(folder / name, 200 * 1024**2)


def renamed(folder: Path) -> None:
    folder.rename(folder.with_name("2026-03-08-jev-social-00000000"))


def link_of_folder(folder: Path) -> None:
    folder.symlink_to(folder.rename(folder.parent.parent / "kept"))


def summary(**changes: object) -> Harm:
    return lambda folder: rewritten(folder / "summary.json", lambda found: found.update(changes))


CHANGED = "manifest.json has been changed: the folder's name is not of its digest"
DEEP = b"[" * 100_000
HARMS: dict[str, tuple[Harm, str]] = {
    "no manifest": (removed("manifest.json"), "manifest.json: No such file or directory"),
    "no page": (removed("report.html"), "report.html: No such file or directory"),
    "no JSON": (written("manifest.json", b"{"), "manifest.json: no valid JSON at character"),
    "deep": (written("manifest.json", DEEP), "manifest.json: the value is nested deeper than 64"),
    "a list": (written("manifest.json", b"[]"), "is no report folder"),
    "forged": (replaced("manifest.json", '"rows": 122', '"rows": 9122'), CHANGED),
    "renamed": (renamed, CHANGED),
    "a link": (linked("report.html"), "report.html: is a link"),
    "a folder's link": (link_of_folder, "is a link; move the folder itself here"),
    "a pipe": (piped("summary.json"), "summary.json: is no plain file"),
    "a folder": (foldered("summary.md"), "summary.md: Is a directory"),
    "huge": (huge("report.html"), "report.html: is larger than 128 MiB"),
    "huge summary": (huge("summary.json"), "summary.json: is larger than 16 MiB"),
    "no page of ours": (
        written("report.html", b"<h1>Mine</h1><header></header>"),
        "report.html: is no page made by benchdata",
    ),
    "a looser policy": (
        replaced("report.html", "default-src &#39;none&#39;", "default-src *"),
        "report.html: is no page made by benchdata",
    ),
    "a script before the policy": (
        replaced("report.html", '<meta charset="utf-8">', "<script>0</script>"),
        "report.html: is no page made by benchdata",
    ),
    "no text": (replaced("report.html", "</header>", ""), "is no page made by benchdata"),
    "other rows": (summary(rowCount=121), "summary.json: counts 121 rows, and manifest.json other"),
    "other contract": (
        summary(contract="skill-run"),
        "summary.json: is of a contract that no input has in manifest.json",
    ),
    "a nicer gate": (
        summary(publicationReady=True),
        "summary.json: does not say of the rows what report.html does",
    ),
    "a banner less": (
        replaced("report.html", "<strong>SYNTHETIC</strong>", "<strong>FINE</strong>"),
        "summary.json: does not say of the rows what report.html does",
    ),
    "no count": (summary(rowCount="many"), "summary.json: rowCount: input should be a valid int"),
    "no summary": (written("summary.json", b"[]"), "summary.json: holds no summary"),
}


@pytest.fixture
def reports(report_of: ReportOf, tmp_path: Path) -> Path:
    """A folder with one whole report, and one more to be harmed."""
    folder = tmp_path / "reports"
    for word in ("early", "demo"):
        shutil.copytree(report_of(word), folder / report_of(word).name)
    return folder


@pytest.mark.parametrize(("harm", "words"), HARMS.values(), ids=HARMS)
def test_a_report_that_is_not_whole_is_named_and_left_out(
    reports: Path, tmp_path: Path, report_of: ReportOf, harm: Harm, words: str
) -> None:
    harm(reports / report_of("demo").name)
    done = run("site", reports, "--out", tmp_path / "site")
    assert (done.code, done.out) == (2, f"{tmp_path}/site/index.html\n")
    (line,) = done.err.splitlines()
    assert re.match(r"2026-03-08-jev-social-[0-9a-f]{8}: ", line)
    assert words in line
    kept = report_of("early").name
    assert [folder.name for folder in (tmp_path / "site" / "reports").iterdir()] == [kept]
    listed = json.loads((tmp_path / "site" / "site.json").read_text("utf-8"))["entries"]
    assert [entry["title"] for entry in listed] == ["First run"]


def test_what_is_no_report_is_named_and_what_nobody_published_is_not(
    reports: Path, tmp_path: Path, report_of: ReportOf
) -> None:
    (reports / "notes").mkdir()
    (reports / "d.html").mkdir()
    (reports / "link.html").symlink_to(report_of("page"))
    (reports / "page.html").write_text("<h1>Mine</h1>", "utf-8")
    shutil.copyfile(report_of("demo") / "report.html", reports / "report.html")
    (reports / "gone").symlink_to(tmp_path / "nowhere")
    (reports / "bad\x1b[31m\udcff").mkdir()
    (reports / ".benchdata-unfinished-1").mkdir()
    (reports / "README.md").write_text("Read me.", "utf-8")
    done = run("site", reports, "--out", tmp_path / "site")
    assert done.code == 2
    assert done.err.splitlines() == [
        "bad\ufffd[31m\ufffd: manifest.json: No such file or directory",
        "d.html: Is a directory",
        "gone: is a link; move the folder itself here",
        "link.html: is a link",
        "notes: manifest.json: No such file or directory",
        "page.html: is no page made by benchdata",
        "report.html: is no page of `benchdata summarize --format html`",
    ]
    assert len(list((tmp_path / "site" / "reports").iterdir())) == 2


def test_a_page_of_a_summary_is_what_its_facts_say(
    reports: Path, tmp_path: Path, report_of: ReportOf
) -> None:
    text = report_of("page").read_text("utf-8")
    for name, before, after in (
        ("date", "2026-03-08&#34;, &#34;rows", "soon&#34;, &#34;rows"),
        ("version", "summaryVersion", "version"),
        ("name", "contract&#34;: &#34;", "contract&#34;: &#34;" + 400 * "l"),
        ("board", "leaderboards&#34;: 0", "leaderboards&#34;: 2"),
    ):
        assert before in text
        (reports / f"{name}.html").write_text(text.replace(before, after), "utf-8")
    done = run("site", reports, "--out", tmp_path / "site")
    assert done.err.splitlines() == [
        "date.html: its as-of date is no date",
        f"name.html: its contract is called as none can be: {39 * 'l'}\N{HORIZONTAL ELLIPSIS}",
        "version.html: its facts are not right: summaryVersion: field required",
    ]
    listed = json.loads((tmp_path / "site" / "site.json").read_text("utf-8"))["entries"]
    assert {entry["template"] for entry in listed} == {"jev-social", "leaderboard"}


def test_a_contract_in_a_file_of_a_long_name_has_a_page_of_a_short_one(
    reports: Path, tmp_path: Path, report_of: ReportOf
) -> None:
    folder = reports / report_of("demo").name
    rewritten(folder / MANIFEST, lambda found: found.update(contract=240 * "l" + ".py:MINE"))
    folder.rename(reports / folder_name(json.loads((folder / MANIFEST).read_text("utf-8"))))
    assert run("site", reports, "--out", tmp_path / "site").code == 0
    pages = {page.name for page in (tmp_path / "site" / "benchmarks").iterdir()}
    assert len(pages) == 2
    assert max(map(len, pages)) < 64


def test_without_a_report_there_is_no_site(
    reports: Path, tmp_path: Path, report_of: ReportOf
) -> None:
    shutil.rmtree(reports / report_of("early").name)
    (reports / report_of("demo").name / "report.html").unlink()
    done = run("site", reports, "--out", tmp_path / "site")
    assert done.code == 1
    first, last = done.err.splitlines()
    assert first.endswith("report.html: No such file or directory")
    assert last == f"benchdata: {reports}: holds no report; make one with `benchdata report`"
    assert not (tmp_path / "site").exists()
    assert "is no folder" in refused(run("site", tmp_path / "nowhere"))
