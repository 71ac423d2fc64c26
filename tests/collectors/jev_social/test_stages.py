"""Stages: each is said once in a row, and nobody has to listen."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from collectors.jev_social.stages import Stages


def test_a_stage_is_said_once_in_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    say = Stages()
    for stage in ("planning", "planning", "reading", "planning"):
        say(stage)
    assert capsys.readouterr().err.splitlines() == [
        "[benchmark] planning",
        "[benchmark] reading",
        "[benchmark] planning",
    ]


def test_an_error_stream_that_is_full_or_closed_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)
    Stages()("planning")
    monkeypatch.setattr(sys, "stderr", None)
    Stages()("planning")
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 -- it cannot be closed
    monkeypatch.setattr(sys, "stderr", full)
    Stages()("planning")
    monkeypatch.undo()
    with pytest.raises(OSError, match="No space left"):
        full.close()
