"""When a turn ends, from the requests of the main conversation alone."""

from __future__ import annotations

import pytest

from collectors.harness.gateway.turns import Turns


def said(count: int, first: str = "draw") -> list[str]:
    """Return a conversation of so many messages."""
    return [first, *(f"message {number}" for number in range(1, count))]


def test_a_turn_ends_when_the_agent_asks_for_more() -> None:
    turns = Turns()
    assert not turns.arrives(said(1))
    turns.answered(complete=True)
    assert (turns.count, turns.ended) == (1, 0)
    assert turns.arrives(said(3))
    assert (turns.count, turns.ended) == (1, 1)


def test_a_request_repeated_after_an_error_ends_none() -> None:
    turns = Turns()
    assert [turns.arrives(said(1)) for _ in range(4)] == [False] * 4
    assert turns.count == 0


def test_a_message_that_was_thrown_away_is_asked_for_again() -> None:
    turns = Turns()
    turns.arrives(said(1))
    turns.answered(complete=False)
    assert not turns.arrives(said(1))
    turns.answered(complete=True)
    assert (turns.count, turns.arrives(said(3))) == (1, True)


def test_a_message_that_broke_off_is_a_turn_once_the_agent_goes_on_from_it() -> None:
    turns = Turns()
    turns.arrives(said(1))
    turns.answered(complete=False)
    assert turns.count == 0
    assert turns.arrives(said(3))
    assert turns.count == 1


@pytest.mark.parametrize("left", [2, 9], ids=["shorter", "as long"])
def test_a_conversation_that_was_summed_up_goes_on(left: int) -> None:
    turns = Turns()
    turns.arrives(said(9))
    turns.answered(complete=True)
    assert turns.arrives(said(left, "what was said so far"))


def test_asking_twice_while_held_ends_one_turn() -> None:
    turns = Turns()
    turns.arrives(said(1))
    turns.answered(complete=True)
    assert [turns.arrives(said(3)), turns.arrives(said(3))] == [True, False]
