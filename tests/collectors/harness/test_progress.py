"""Progress: lines that anything can take, and how long it will yet take."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from collectors.harness.progress import Progress, span, tell


class Clock:
    """A clock that tests move."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        *((0, "0 s"), (0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (89, "1 min"), (91, "2 min")),
        *((3569, "59 min"), (3580, "1 h"), (3900, "1 h 5 min"), (7200, "2 h"), (360000, "100 h")),
    ],
)
def test_a_duration_is_said_as_a_reader_says_it(seconds: float, text: str) -> None:
    assert span(seconds) == text


def test_nothing_is_promised_before_the_first_end(clock: Clock) -> None:
    progress = Progress("made-up", clock)
    progress.begin("a")
    clock.now += 50
    assert progress.remaining_s(10, 2) is None


def test_the_mean_of_ended_attempts_is_shared_by_what_runs_at_once(clock: Clock) -> None:
    progress = Progress("made-up", clock)
    for took in (10.0, 30.0):
        progress.begin("a")
        clock.now += took
        assert progress.end("a") == took
    assert progress.remaining_s(6, 1) == 6 * 20
    assert progress.remaining_s(6, 3) == 6 * 20 / 3
    assert progress.remaining_s(2, 4) == 20
    assert progress.remaining_s(0, 4) == 0


def test_long_attempts_under_way_make_the_promise_longer(clock: Clock) -> None:
    progress = Progress("made-up", clock)
    progress.begin("short")
    progress.begin("long")
    clock.now += 10
    progress.end("short")
    clock.now += 590
    assert progress.remaining_s(1, 1) == 610


def test_what_is_said_moves_no_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    Progress("made-up")("task \x1b[2J\r\n, 100 %")
    said = capsys.readouterr().err
    assert said == "[made-up] task �[2J��, 100 %\n"


def test_an_error_stream_that_is_full_or_closed_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed = io.StringIO()
    closed.close()
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 -- it cannot be closed
    for stream in (closed, None, full):
        monkeypatch.setattr(sys, "stderr", stream)
        tell("planning")
    monkeypatch.undo()
    with pytest.raises(OSError, match="No space left"):
        full.close()
