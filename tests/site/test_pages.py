"""What stands on the pages of a site, as a reader without a script has it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from benchdata.reports.document import is_ours
from tests.support.listed import ATTACK, Listed
from tests.support.rendered import files


class Page(HTMLParser):
    """The tags of a page with their attributes, and the text of each entry of a list."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.entries: list[str] = []
        self._inside = False
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if given.get("class") == "entry":
            self.entries.append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside &= tag != "li"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.entries[-1] = f"{self.entries[-1]} {' '.join(data.split())}".strip()

    def links(self) -> list[str]:
        return [unquote(str(given["href"])) for tag, given in self.tags if tag == "a"]


@pytest.fixture(scope="module")
def index(made: Listed) -> Page:
    return Page(made.site / "index.html")


def test_the_index_has_every_report_the_newest_first(index: Page) -> None:
    dates = [re.search(r"\d{4}-\d\d-\d\d", entry) for entry in index.entries]
    assert [found[0] for found in dates if found] == [
        *("2026-04-02", "2026-04-01", "2026-03-08", "2026-03-08", "2026-03-02", "2026-03-02")
    ]
    late, hostile, demo = index.entries[:3]
    assert late.startswith("Second run 2026-04-02 jev-social jev-social report 20 rows Of 20 ")
    assert "READY: 2 of 2 groups." in late
    assert late.endswith("READY UNREVIEWED")
    assert hostile.startswith(f"{ATTACK} 2026-04-01 listed.py:ANY_SUBJECT samples report 6 rows")
    assert hostile.endswith("NO GATE UNREVIEWED")
    assert demo.endswith("SYNTHETIC INCOMPLETE UNREVIEWED")


def test_every_link_leads_to_a_file_of_the_site(made: Listed) -> None:
    pages = [made.site / "index.html", *(made.site / "benchmarks").iterdir()]
    assert len(pages) == 4
    for page in pages:
        there = [link for link in Page(page).links() if not link.startswith("#")]
        assert len(there) > 8
        assert [link for link in there if not (page.parent / link).is_file()] == []


def test_a_report_is_copied_unchanged_under_its_own_name(made: Listed, index: Page) -> None:
    for word in ("demo", "early", "late", "hostile", "arms"):
        name = made.reports[word].name
        assert f"reports/{name}/report.html" in index.links()
        assert files(made.site / "reports" / name) == files(made.reports[word])
    (page,) = (made.site / "leaderboards").iterdir()
    assert re.fullmatch(r"2026-03-08-jev-social-[0-9a-f]{8}\.html", page.name)
    assert page.read_bytes() == made.reports["page"].read_bytes()


def test_a_benchmark_has_its_latest_reports_and_the_history_of_their_numbers(
    made: Listed,
) -> None:
    page = Page(made.site / "benchmarks" / "jev-social.html")
    assert [entry.split(" 2026-")[0] for entry in page.entries] == [
        *("Second run", "Synthetic Jev Social runs", "jev-social summary", "First run")
    ]
    text = (made.site / "benchmarks" / "jev-social.html").read_text("utf-8")
    table = re.sub(r"<[^>]+>", "|", text[text.index("<tbody>") : text.index("</tbody>")])
    lines = [[cell for cell in line.split("|") if cell] for line in table.splitlines()]
    assert [line[:1] + line[2:5] for line in lines if line] == [
        ["2026-04-02", "READY", "2 of 2", "20"],
        ["2026-03-08", "INCOMPLETE, synthetic", "0 of 10", "122"],
        ["2026-03-02", "READY", "2 of 2", "20"],
    ]
    assert lines[2][5] == "100 / 11 / 11"
    assert made.reports["demo"].name in text
    assert "is no verdict" in text


def test_a_history_says_which_arms_may_be_the_best(made: Listed) -> None:
    text = (made.site / "benchmarks" / "skill-run.html").read_text("utf-8")
    assert "<td>acme/skills@invoice-reader</td></tr>" in text


def test_no_text_of_a_row_is_markup_and_no_page_may_load_anything(made: Listed) -> None:
    for file in (made.site / "index.html", *(made.site / "benchmarks").iterdir()):
        text = file.read_text("utf-8")
        assert is_ours(text)
        assert "<img" not in text
        assert "<script>window" not in text
        assert not re.search(r"(src|href)=[\"']?(https?:|//)", text)


def test_the_site_is_there_as_data(made: Listed) -> None:
    found = json.loads((made.site / "site.json").read_text("utf-8"))
    assert (found["siteVersion"], found["title"]) == (1, "Measured here")
    by_title = {entry["title"]: entry for entry in found["entries"]}
    assert by_title[ATTACK]["gate"] == "NO GATE"
    demo = by_title["Synthetic Jev Social runs"]
    assert (demo["kind"], demo["gate"], demo["rows"]) == ("synthetic", "INCOMPLETE", 122)
    assert (made.site / demo["address"]).is_file()


def test_the_same_reports_give_the_same_bytes_wherever_they_lie(
    made: Listed, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    for folder in sorted(made.source.iterdir(), reverse=True):
        copy = shutil.copytree if folder.is_dir() else shutil.copyfile
        elsewhere.mkdir(exist_ok=True)
        copy(folder, elsewhere / folder.name)
    (elsewhere / "page.html").rename(elsewhere / "another-name.html")
    shutil.copyfile(elsewhere / "another-name.html", elsewhere / "a-copy.html")
    command = [sys.executable, "-m", "benchdata", "site", str(elsewhere), "--out", "public"]
    environment = os.environ | {"PYTHONHASHSEED": "7", "TZ": "Pacific/Auckland", "LC_ALL": "C"}
    program = f"umask 077; exec {' '.join(command)} --title 'Measured here'"
    subprocess.run(["sh", "-c", program], cwd=tmp_path, env=environment, check=True)
    assert files(tmp_path / "public") == files(made.site)
    assert (tmp_path / "public").stat().st_mode & 0o777 == 0o755
    modes = {file.stat().st_mode & 0o777 for file in (tmp_path / "public").glob("*/*/*")}
    assert modes == {0o644}
