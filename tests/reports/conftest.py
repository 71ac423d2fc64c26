"""The demo reports, each made once for all tests that look at it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.support.rendered import User


@pytest.fixture(scope="session")
def eleonora(tmp_path_factory: pytest.TempPathFactory) -> User:
    """A user far from UTC."""
    return User(tmp_path_factory.mktemp("one"), "eleonora", TZ="Pacific/Auckland", LC_ALL="C")


@pytest.fixture(scope="session")
def demo_report(eleonora: User) -> Path:
    """The folder of the demo report."""
    return eleonora.report("jev-social", "--demo")


@pytest.fixture(scope="session")
def demo_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of the demo report of a template."""
    user = User(tmp_path_factory.mktemp("four"), "dorothea")
    return cache(lambda template: user.report(template, "--demo"))
