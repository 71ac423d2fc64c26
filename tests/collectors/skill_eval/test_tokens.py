"""Confirmation tokens: only the token of exactly this plan lets it run, once, within time."""

from __future__ import annotations

import pytest

from collectors.skill_eval.tokens import LIFETIME_S, TokenRefused, Tokens

PLAN = {"arms": {"none": None, "local:a": "11"}, "tasks": {"t": "22"}, "repeats": 2}


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_token_lets_its_plan_run_once() -> None:
    tokens = Tokens()
    token = tokens.issue(PLAN)
    tokens.redeem(token, dict(PLAN))
    with pytest.raises(TokenRefused, match=r"^confirmation_token: was used before; call"):
        tokens.redeem(token, PLAN)


def test_no_two_tokens_are_alike_and_none_can_be_guessed() -> None:
    tokens = Tokens()
    given = {tokens.issue(PLAN) for _ in range(1_000)}
    assert len(given) == 1_000
    assert min(map(len, given)) >= 43  # 256 bits
    for column in zip(*given, strict=True):
        assert len(set(column)) >= 16  # no place tells of another token


@pytest.mark.parametrize("guess", ["", "yes", "true", "0" * 43, "\ud800", "a" * 100_000])
def test_a_guess_is_refused(guess: str) -> None:
    tokens = Tokens()
    token = tokens.issue(PLAN)
    with pytest.raises(TokenRefused, match="is not one of this server's"):
        tokens.redeem(guess, PLAN)
    tokens.redeem(token, PLAN)


@pytest.mark.parametrize(
    "change", [str.swapcase, lambda token: token[:-1], lambda token: f" {token}"]
)
def test_a_token_that_is_nearly_right_is_wrong(change: object) -> None:
    tokens = Tokens()
    token = tokens.issue(PLAN)
    assert callable(change)
    with pytest.raises(TokenRefused, match="is not one of this server's"):
        tokens.redeem(change(token), PLAN)


def test_it_is_too_old_after_thirty_minutes_and_not_before() -> None:
    clock = Clock()
    tokens = Tokens(clock)
    early, late = tokens.issue(PLAN), tokens.issue(PLAN)
    clock.now = LIFETIME_S - 0.001
    tokens.redeem(early, PLAN)
    clock.now = LIFETIME_S
    with pytest.raises(TokenRefused, match="is older than 30 minutes"):
        tokens.redeem(late, PLAN)


def test_old_tokens_are_forgotten() -> None:
    clock = Clock()
    tokens = Tokens(clock)
    used, unused = tokens.issue(PLAN), tokens.issue(PLAN)
    tokens.redeem(used, PLAN)
    clock.now = LIFETIME_S
    tokens.issue(PLAN)
    assert len(tokens._given) == 1
    assert not tokens._used
    for token in (used, unused):
        with pytest.raises(TokenRefused, match="is not one of this server's"):
            tokens.redeem(token, PLAN)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"arms": {"none": None, "local:a": "12"}}, "arms"),
        ({"tasks": {"t": "23"}}, "tasks"),
        ({"tasks": {"t": "22", "u": "33"}, "repeats": 3}, "repeats, tasks"),
        ({"agent_version": "2.0"}, "agent version"),
    ],
)
def test_of_another_plan_it_is_refused_by_what_differs_and_kept(
    changed: dict[str, object], named: str
) -> None:
    tokens = Tokens()
    token = tokens.issue(PLAN)
    with pytest.raises(TokenRefused, match=f"is for another plan, which had other {named};"):
        tokens.redeem(token, PLAN | changed)
    tokens.redeem(token, PLAN)


def test_another_process_knows_none_of_them() -> None:
    token = Tokens().issue(PLAN)
    with pytest.raises(TokenRefused, match="is not one of this server's"):
        Tokens().redeem(token, PLAN)
