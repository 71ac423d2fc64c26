"""Between its turns an agent waits while a callback looks at what it made."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from http.client import HTTPException
from pathlib import Path

import pytest

from collectors.harness.gateway.gateway import Gateway
from collectors.harness.gateway.relay import Decision
from tests.support.gated import Connection, asking, gated, send, tokens
from tests.support.messages_api import serving
from tests.support.scripted_api import Server

HOLD_S = 0.4


class Callback:
    """Holds every turn until it is let go, or for a while."""

    def __init__(self, decision: Decision = "go", seconds: float = HOLD_S) -> None:
        self.turns: list[int] = []
        self.decision = decision
        self.seconds = seconds
        self.running = threading.Event()
        self.over = threading.Event()

    def __call__(self, turn: int) -> Decision:
        self.turns.append(turn)
        self.running.set()
        self.over.wait(self.seconds)
        return self.decision


def test_the_next_message_is_not_asked_for_before_the_callback_is_done(tmp_path: Path) -> None:
    callback = Callback()
    with serving({}) as server, gated(server, tmp_path, on_turn=callback) as gateway:
        send(gateway, asking(1))
        assert callback.turns == []
        asked_at = time.monotonic()
        send(gateway, asking(3))
    assert server.asked[1].at - asked_at >= HOLD_S
    assert (callback.turns, gateway.turns) == ([1], 2)
    first, second = gateway.exchanges
    assert HOLD_S <= second.held_s < HOLD_S + 2
    assert HOLD_S <= gateway.held_s < HOLD_S + 2
    assert (first.held_s, first.turn, second.turn) == (0.0, 1, 2)
    assert second.duration_s < HOLD_S


def test_side_calls_and_retries_wait_too_and_hold_nothing_themselves(tmp_path: Path) -> None:
    callback = Callback()
    with serving({}) as server, gated(server, tmp_path, on_turn=callback) as gateway:
        send(gateway, asking(1))
        again = [asking(3), asking(3), asking(tools=False)]
        threads = [threading.Thread(target=send, args=(gateway, body)) for body in again]
        begun = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert all(asked.at - begun >= HOLD_S for asked in server.asked[1:])
    assert (callback.turns, len(server.asked)) == ([1], 4)
    assert gateway.held_s < HOLD_S * 2


def test_a_callback_that_says_stop_ends_the_run(tmp_path: Path) -> None:
    callback = Callback("stop", 0)
    with serving({}) as server, gated(server, tmp_path, on_turn=callback) as gateway:
        answers = [send(gateway, asking(length)).status for length in (1, 3, 3, 5)]
    assert answers == [200, 402, 402, 402]
    assert (callback.turns, gateway.stopped, gateway.turns, len(server.asked)) == (
        [1],
        "stop",
        1,
        1,
    )


def test_an_agent_that_goes_away_while_held_is_noticed(tmp_path: Path) -> None:
    callback = Callback(seconds=20)
    with serving({}) as server, gated(server, tmp_path, on_turn=callback) as gateway:
        send(gateway, asking(1))
        connection = Connection(gateway)
        body = json.dumps(asking(3))
        connection.request("POST", "/v1/messages", body, {"x-api-key": gateway.token})
        assert callback.running.wait(5)
        connection.close()
        until = time.monotonic() + 5
        while gateway.exchanges[-1].error != "gone" and time.monotonic() < until:
            time.sleep(0.01)
        callback.over.set()
    gone = gateway.exchanges[-1]
    assert (gone.error, gone.status, gone.usage, gone.refused) == ("gone", None, None, None)
    assert gone.held_s < 6
    assert (len(server.asked), gateway.turns) == (1, 1)


def test_the_time_held_grows_while_an_agent_is_held(tmp_path: Path) -> None:
    callback = Callback(seconds=20)
    with serving({}) as server, gated(server, tmp_path, on_turn=callback) as gateway:
        send(gateway, asking(1))
        asking_on = threading.Thread(target=send, args=(gateway, asking(3)))
        asking_on.start()
        assert callback.running.wait(5)
        time.sleep(0.2)
        before = gateway.held_s
        time.sleep(0.2)
        assert 0.1 < before <= gateway.held_s - 0.2
        callback.over.set()
        asking_on.join(5)
        after = gateway.held_s
        assert after == gateway.held_s
        assert gateway.exchanges[-1].held_s == pytest.approx(after, abs=0.2)


def given_up(gateway: Gateway) -> None:
    """Ask for the next message, and bear that the gateway is left meanwhile."""
    with contextlib.suppress(OSError, HTTPException):
        send(gateway, asking(3))


def test_leaving_waits_for_a_callback_that_runs_and_leaves_no_thread(tmp_path: Path) -> None:
    callback = Callback(seconds=1)
    before = set(threading.enumerate())
    with serving({}) as server:
        with gated(server, tmp_path, on_turn=callback) as gateway:
            send(gateway, asking(1))
            asking_on = threading.Thread(target=given_up, args=(gateway,))
            asking_on.start()
            assert callback.running.wait(5)
        assert gateway.held_s >= 1
        asking_on.join(5)
    assert not gateway.socket.parent.exists()
    time.sleep(0.05)
    assert {each.name for each in set(threading.enumerate()) - before} == set()


def test_what_a_callback_raises_stops_the_agent_and_is_raised_where_the_gateway_is_left(
    tmp_path: Path,
) -> None:
    def broken(turn: int) -> Decision:
        raise ZeroDivisionError(turn)

    def run(server: Server) -> None:
        with gated(server, tmp_path, on_turn=broken) as gateway:
            statuses.extend(send(gateway, asking(length)).status for length in (1, 3))

    statuses: list[int] = []
    with serving({}) as server, pytest.raises(ZeroDivisionError):
        run(server)
    assert statuses == [200, 402]


def test_what_an_agent_asked_for_and_did_not_wait_for_is_unknown_and_never_zero(
    tmp_path: Path,
) -> None:
    with serving({"default": {"delay_s": 1}}) as server, gated(server, tmp_path) as gateway:
        connection = Connection(gateway)
        body = json.dumps(asking())
        connection.request("POST", "/v1/messages", body, {"x-api-key": gateway.token})
        server.wait_for(1)
        connection.close()
    (gone,) = gateway.exchanges
    assert (gone.error, gone.status, gone.usage) == ("gone", None, tokens(None, None, None, None))


def test_an_agent_that_goes_away_ends_the_answer_upstream(tmp_path: Path) -> None:
    slow = {"text": "x", "pause_s": 0.3}
    with serving({"default": slow}) as server, gated(server, tmp_path) as gateway:
        connection = Connection(gateway)
        body = json.dumps(asking())
        connection.request("POST", "/v1/messages", body, {"x-api-key": gateway.token})
        connection.getresponse().readline()
        connection.close()
        begun = time.monotonic()
    assert time.monotonic() - begun < 1
    (gone,) = gateway.exchanges
    assert (gone.error, gone.complete) == ("gone", False)
    assert gone.usage is not None
    assert (gone.usage.input_tokens, gone.usage.output_tokens) == (100, None)
