"""Labs in both kinds of sandbox; what needs bubblewrap is skipped where that does not work."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.harness.sandbox.bubblewrap import Bubblewrap
from collectors.harness.sandbox.probe import bubblewrap_fault
from collectors.harness.sandbox.workspace import Workspace
from tests.support.confined import Lab


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """A lab under bubblewrap."""
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    return Lab(tmp_path / "run", Bubblewrap())


@pytest.fixture
def open_lab(tmp_path: Path) -> Lab:
    """A lab that is a workspace only."""
    return Lab(tmp_path / "open", Workspace("a test"))


@pytest.fixture(params=["lab", "open_lab"])
def any_lab(request: pytest.FixtureRequest) -> Lab:
    """A lab of each kind."""
    made: Lab = request.getfixturevalue(request.param)
    return made
