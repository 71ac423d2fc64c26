"""`benchdata serve`: what keeps it from starting is one line; tests/server has what it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata.cli import serve
from tests.support.command import refused, run


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--data"),
        (("--data", "data", "--rate", "0"), "--rate"),
        (("--data", "data", "--port", "65536"), "--port"),
    ],
)
def test_a_wrong_option_is_named_and_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert words in refused(run("serve", *arguments))
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_installed_is_named_with_the_way_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "NEEDED", ("starlette", "no_such_package"))
    message = refused(run("serve", "--data", tmp_path / "data"))
    assert message == (
        "benchdata: no_such_package is not installed: pip install 'benchdata[serve]'"
    )
