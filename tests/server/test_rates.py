"""How often one client may send: bursts, refilling, who is one client, the table's size."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata.server import rates
from benchdata.server.rates import Rates
from tests.support.serving import Serving
from tests.support.shared_result import numbered_row


class Clock:
    """A clock that stands until it is moved."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("per_minute", [1, 3, 60, 600])
def test_a_minutes_tokens_at_once_and_then_one_after_the_other(per_minute: int) -> None:
    clock = Clock()
    limited = Rates(per_minute, clock)
    assert [limited.wait("192.0.2.1") for _ in range(per_minute)] == [0.0] * per_minute
    step = 60 / per_minute
    for _ in range(5):  # a refusal costs nothing
        assert limited.wait("192.0.2.1") == pytest.approx(step)
    clock.now += step
    assert limited.wait("192.0.2.1") == 0
    assert limited.wait("192.0.2.1") == pytest.approx(step)
    clock.now += 10_000
    assert [limited.wait("192.0.2.1") > 0 for _ in range(per_minute + 1)] == [
        *[False] * per_minute,
        True,
    ]


@pytest.mark.parametrize(
    ("first", "second", "one"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::9", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2", True),
        ("", "", True),
    ],
)
def test_who_is_one_client(first: str, second: str, one: bool) -> None:
    limited = Rates(1, Clock())
    assert limited.wait(first) == 0
    assert (limited.wait(second) > 0) is one


def test_the_table_keeps_those_seen_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MOST_ADDRESSES", 3)
    limited = Rates(1, Clock())
    for last in (1, 2, 3, 1, 4):  # 2 is the one seen longest ago
        limited.wait(f"192.0.2.{last}")
    assert [limited.wait(f"192.0.2.{last}") > 0 for last in (1, 3, 4)] == [True] * 3
    assert limited.wait("192.0.2.2") == 0


def test_a_server_answers_429_and_says_when_to_come_back(tmp_path: Path) -> None:
    with Serving(tmp_path / "data", rate=2) as server:
        answers = [server.post(numbered_row(number)) for number in range(4)]
        assert [answer.status for answer in answers] == [200, 200, 429, 429]
        assert answers[2].error == "too many results; try again later"
        assert 1 <= int(answers[2].headers["retry-after"]) <= 30
        assert len(server.file.read_bytes().splitlines()) == 2
        assert server.board()["results"] == 2  # looking is free
