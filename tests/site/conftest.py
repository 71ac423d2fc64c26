"""A folder of reports of every kind and the site of it, made once for all that look at them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.support import listed
from tests.support.command import run
from tests.support.listed import WORDS, Listed, ReportOf


@pytest.fixture(scope="session")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of reports, rows and site."""
    return tmp_path_factory.mktemp("listed")


@pytest.fixture(scope="session")
def report_of(top: Path) -> ReportOf:
    """The report of a word, made when it is first asked for and only looked at."""
    return cache(lambda word: listed.made(word, top / "reports", top / "rows"))


@pytest.fixture(scope="session")
def made(top: Path, report_of: ReportOf) -> Listed:
    """All reports and the site of them, which is only looked at."""
    reports = {word: report_of(word) for word in WORDS}
    (top / "reports" / "README.md").write_text("Not for the site.", "utf-8")
    done = run("site", top / "reports", "--out", top / "site", "--title", "Measured here")
    assert done == (0, f"{top}/site/index.html\n", "")
    return Listed(top / "reports", reports, top / "site")
