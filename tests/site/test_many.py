"""A site of hundreds of reports: made in seconds, narrowed while a reader types."""

from __future__ import annotations

import json
import shutil
import time
from datetime import date, timedelta
from pathlib import Path

import pytest

from benchdata.reports.manifest import MANIFEST, folder_name
from tests.support.browser import launched, visited
from tests.support.command import run
from tests.support.listed import Listed

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REPORTS = 500
NARROW = """
(words) => {
    const search = document.getElementById("q");
    const start = performance.now();
    search.value = words;
    search.dispatchEvent(new Event("input", { bubbles: true }));
    document.body.getBoundingClientRect(); // laid out anew
    return performance.now() - start;
}
"""


def test_hundreds_of_reports(made: Listed, tmp_path: Path, chromium: str) -> None:
    for number in range(REPORTS):
        manifest = json.loads((made.reports["demo"] / MANIFEST).read_text("utf-8")) | {
            "asOf": (date(2024, 1, 1) + timedelta(days=number)).isoformat(),
            "contract": f"bench-{number % 12:02}",
        }
        folder = tmp_path / "reports" / folder_name(manifest)
        shutil.copytree(made.reports["demo"], folder)
        (folder / MANIFEST).write_text(json.dumps(manifest), "utf-8")
    start = time.perf_counter()
    assert run("site", tmp_path / "reports", "--out", tmp_path / "site").code == 0
    assert time.perf_counter() - start < 20
    with (
        launched(chromium) as browser,
        visited(browser, (tmp_path / "site" / "index.html").as_uri()) as visit,
    ):
        assert visit.page.locator("#count").text_content() == f"{REPORTS} pages"
        times = [visit.page.evaluate(NARROW, words) for words in ("syn", "bench-07", "no such")]
        assert max(times) < 500, times
        visit.is_quiet()
