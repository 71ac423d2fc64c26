"""A server over the demo dataset."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchdata.mcp.assembly import assembled
from benchdata.mcp.data import Data
from benchdata.mcp.server import Server
from tests.support.drawn import DEMO


@pytest.fixture
def server() -> Iterator[Server]:
    """The tools over the demo, which is given as a directory."""
    made = assembled(Data.given([str(DEMO)], None))
    with made.closing:
        yield made
