"""What the tests of build-bench share: prepared lanes, kept for all of them in one cache."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from collectors.build_bench import lanes, starters
from collectors.build_bench.service import Place
from collectors.build_bench.starters import Starter


@pytest.fixture(scope="session")
def node() -> None:
    """Skip where Node.js is not installed."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")


@pytest.fixture(scope="session")
def fastapi() -> Starter:
    """The lane that is judged everywhere: its dependencies are installed once a machine."""
    return starters.prepare(lanes.lane("fastapi"))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """The folders of a service, empty."""
    return Place.within(tmp_path / "place")
