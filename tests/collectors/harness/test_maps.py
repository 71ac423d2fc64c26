"""Whoever opens a package of the harness finds each of its modules in what it says of itself."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from collectors import harness

ROOT = Path(harness.__file__).parent
PACKAGES = sorted(path.parent for path in ROOT.rglob("__init__.py"))


def named(package: Path) -> set[str]:
    """Return the words in backticks of a package's docstring."""
    told = ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8"))) or ""
    return set(re.findall(r"`(\w+)`", told))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_a_package_names_each_of_its_parts(package: Path) -> None:
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    inner = {path.parent.name for path in package.glob("*/__init__.py")}
    assert modules | inner <= named(package)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_a_package_names_nothing_that_is_gone(package: Path) -> None:
    there = {path.stem for path in ROOT.rglob("*.py")} | {path.name for path in PACKAGES}
    assert named(package) <= there
