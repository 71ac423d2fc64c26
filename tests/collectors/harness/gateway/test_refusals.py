"""What a gateway refuses: other models, and more than the caps allow."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata.stats import pricing
from benchdata.stats.pricing import PriceUnknown
from collectors.harness.gateway.policy import Policy
from tests.support.driven import MODEL
from tests.support.gated import Watch, asking, gated, send
from tests.support.messages_api import serving

REFUSED = 402
MAIN = MODEL["messages"]
DEAR = {"text": "x", "usage": {"input_tokens": 1_000_000, "output_tokens": 0}}


def test_another_model_is_refused_and_the_run_goes_on(tmp_path: Path) -> None:
    with serving({}) as server, gated(server, tmp_path, also=("claude-haiku-4-5",)) as gateway:
        refused = send(gateway, asking(model="claude-opus-4-8"))
        allowed = send(gateway, asking(model="claude-haiku-4-5", tools=False))
        pinned = send(gateway, asking())
    assert [each.status for each in (refused, allowed, pinned)] == [REFUSED, 200, 200]
    assert len(server.asked) == 2
    assert [each.refused for each in gateway.exchanges] == ["model", None, None]
    assert gateway.stopped is None


@pytest.mark.parametrize("raw", [b"", b"[]", b"\xff", b'{"model": 1}', b"\x28\xb5\x2f\xfd zstd"])
def test_a_request_that_names_no_model_is_refused(tmp_path: Path, raw: bytes) -> None:
    with serving({}) as server, gated(server, tmp_path) as gateway:
        assert send(gateway, raw).status == REFUSED
    assert server.requests == []


def test_nothing_more_is_asked_of_an_api_that_serves_another_model(tmp_path: Path) -> None:
    script = {
        "replies": [{"text": "x", "model": MAIN + "-20250929"}, {"text": "x", "model": "y-2"}]
    }
    with serving(script) as server, gated(server, tmp_path) as gateway:
        answers = [send(gateway, asking(length)).status for length in (1, 3, 5)]
    assert (answers, gateway.stopped) == ([200, 200, REFUSED], "model")
    assert [used.model for used in gateway.usage()] == [MAIN, "y-2"]


def test_after_the_last_turn_nothing_is_asked_any_more(tmp_path: Path) -> None:
    watch = Watch(tmp_path)
    with serving({}) as server, gated(server, tmp_path, max_turns=2, on_turn=watch) as gateway:
        answers = [send(gateway, asking(length)).status for length in (1, 1, 3, 5, 5, 7)]
        side = send(gateway, asking(tools=False)).status
    assert answers == [200, 200, 200, REFUSED, REFUSED, REFUSED]
    assert (side, gateway.stopped, gateway.turns) == (REFUSED, "max_turns", 2)
    assert len(watch.files) == 2
    assert len(server.asked) == 3


def test_a_cap_on_the_price_stops_the_request_after_it(tmp_path: Path) -> None:
    prices = pricing.load()
    with (
        serving({"default": DEAR, "side": DEAR}) as server,
        gated(server, tmp_path, max_cost_usd=6.0, prices=prices) as gateway,
    ):
        answers = [send(gateway, asking(length)).status for length in (1, 3, 5)]
        side = send(gateway, asking(tools=False)).status
    assert (answers, side, gateway.stopped) == ([200, 200, REFUSED], REFUSED, "max_cost")
    assert prices.cost(gateway.usage()) == 6.0


def test_what_is_unknown_does_not_stop_a_run(tmp_path: Path) -> None:
    broken = {"text": "x", "break_after": 2}
    with (
        serving({"replies": [broken]}) as server,
        gated(server, tmp_path, max_cost_usd=0.01, prices=pricing.load()) as gateway,
    ):
        assert [send(gateway, asking()).status for _ in range(2)] == [200, 200]


def test_a_cap_on_the_price_of_a_model_without_one_is_refused_beforehand() -> None:
    with pytest.raises(PriceUnknown, match="side-1: has no price"):
        Policy("scripted", "messages", ("side-1",), max_cost_usd=1.0, prices=pricing.load())


def test_without_a_cap_a_model_needs_no_price(tmp_path: Path) -> None:
    with serving({}) as server, gated(server, tmp_path, prices=pricing.Prices({})) as gateway:
        assert [send(gateway, asking(length)).status for length in (1, 3)] == [200, 200]


def test_the_first_cause_to_stop_stands(tmp_path: Path) -> None:
    with (
        serving({}) as server,
        gated(server, tmp_path, max_turns=1, on_turn=lambda _: "stop") as gateway,
    ):
        send(gateway, asking())
        refused = send(gateway, asking(3))
    assert (refused.status, gateway.stopped, gateway.turns) == (REFUSED, "stop", 1)
    assert refused.json["error"]["message"] == "Refused: stop"
    assert [each.refused for each in gateway.exchanges] == [None, "stop"]
    assert gateway.last_status == 200
