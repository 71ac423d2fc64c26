"""Every threat on the page has a defence and tests, and the tests are there."""

from __future__ import annotations

import re
from pathlib import Path


def test_each_line_names_tests_that_exist(root: Path) -> None:
    page = (root / "docs" / "security.md").read_text("utf-8")
    lines = [line for line in page.splitlines() if line.startswith("| ")][2:]
    assert len(lines) > 12
    for line in lines:
        threat, defence, shown = (cell.strip() for cell in line.strip("|").split("|"))
        assert threat
        assert defence
        files = re.findall(r"`(tests/[\w/]+\.py)`", shown)
        assert files, line
        for file in files:
            assert "def test_" in (root / file).read_text("utf-8"), file
