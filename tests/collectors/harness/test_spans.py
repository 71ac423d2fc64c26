"""A span is measured by a clock that nobody sets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from collectors.harness import spans
from collectors.harness.spans import Beginning
from tests.support.proven import Proven


class SetBack(datetime):
    """A clock that is an hour earlier whenever it is looked at again."""

    looks = 0

    @classmethod
    def now(cls, _tz: object = None) -> datetime:  # type: ignore[override]
        cls.looks += 1
        return datetime(2026, 3, 1, 12, tzinfo=UTC) - timedelta(hours=cls.looks)


@pytest.mark.faults
def test_a_clock_that_is_set_back_makes_no_span_negative(
    monkeypatch: pytest.MonkeyPatch, proven: Proven
) -> None:
    monkeypatch.setattr(spans, "datetime", SetBack)
    monkeypatch.setattr(spans, "time", SimpleNamespace(monotonic=lambda: 107.5))
    began = Beginning(_since=100.0)
    started, ended = began.until_now()
    assert started == datetime(2026, 3, 1, 11, tzinfo=UTC)
    assert ended - started == timedelta(seconds=7.5)
    proven("a clock set meanwhile: the harness", 1, "spans of attempts keep their length")
