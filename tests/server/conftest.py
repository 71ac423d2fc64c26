"""A server that the tests of answers share: none of them minds the rows of another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.serving import Serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A running server without a limit to its rate."""
    data: Path = tmp_path_factory.mktemp("server") / "data"
    with Serving(data) as running:
        yield running
