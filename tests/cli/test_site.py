"""`benchdata site` on the example of the project, whose notebook was really run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.support.command import ended, start


def test_the_example_report_is_listed_as_its_page_says(root: Path, tmp_path: Path) -> None:
    (example,) = (root / "reports").glob("2026-03-10-jev-social-*")
    shutil.copytree(example, tmp_path / "reports" / example.name)
    done = ended(start("site", cwd=tmp_path))
    assert done == (0, "site/index.html\n", "")
    (entry,) = json.loads((tmp_path / "site" / "site.json").read_text("utf-8"))["entries"]
    (line,) = entry["firstLines"]
    assert line.startswith("Of 122 attempts in 10 groups, 100 succeeded, 11 succeeded in part, 11 ")
    assert entry["labels"] == ["SYNTHETIC", "INCOMPLETE", "UNREVIEWED"]
    page = (tmp_path / "site" / "benchmarks" / "jev-social.html").read_text("utf-8")
    assert ">100 / 11 / 11<" in page
    assert ">0 of 10<" in page
