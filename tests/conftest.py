"""What the tests of the project itself share, and which marked tests this machine can run."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.proven import Proven

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT.parent / "shared" / "data"


def pytest_configure() -> None:
    """Validate every row in every test; those of the cache turn it on for themselves."""
    os.environ["BENCHDATA_NO_CACHE"] = "1"


@pytest.hookimpl(optionalhook=True)  # of xdist, which one process does without
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: many tests wait for a process that they started."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def project_files() -> tuple[Path, ...]:
    """Every file that is tracked or would be with the next `git add`, relative to the top."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = sorted({Path(name) for name in listed.split("\0") if name})
    return tuple(path for path in paths if (ROOT / path).is_file())


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The published reference data, for tests marked `shared_data`."""
    return SHARED_DATA


@pytest.fixture(scope="session")
def chromium() -> str:
    """The command that starts Chromium, for tests marked `browser`."""
    return shutil.which("chromium") or ""


@pytest.fixture
def proven(record_property: Callable[[str, object], None]) -> Proven:
    """Record what a test of faults has shown, for docs/reliability.md: where, how often, what."""

    def record(where: str, times: int, found: str) -> None:
        record_property("proven", json.dumps([where, times, found]))

    return record


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a marked test where the machine lacks what it needs, and say what that is."""
    needs = {
        "browser": (shutil.which("chromium"), "Chromium is not installed"),
        "spark": (
            importlib.util.find_spec("pyspark") and shutil.which("java"),
            "the extra spark or Java is not installed",
        ),
        "shared_data": (SHARED_DATA.is_dir(), "the reference data is not beside the checkout"),
    }
    for marker, (present, reason) in needs.items():
        if item.get_closest_marker(marker) and not present:
            pytest.skip(reason)
