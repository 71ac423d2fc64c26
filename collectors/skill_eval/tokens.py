"""Confirmation tokens: each lets exactly the plan run that it was given out with, once and soon."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchdata.errors import BenchdataError

LIFETIME_S = 30 * 60
BYTES = 32

Bound = Mapping[str, Any]
"""All that a plan stands for, in JSON: a token of one lets nothing else run."""


class TokenRefused(BenchdataError):
    """A token does not let this plan run; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class _Given:
    bound: Bound
    expires: float


class Tokens:
    """The tokens of one process, in its memory alone: a restart forgets them all."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._given: dict[str, _Given] = {}
        self._used: dict[str, float] = {}

    def issue(self, bound: Bound) -> str:
        """Return a new token for what a plan stands for."""
        now = self._clock()
        self._given = {key: one for key, one in self._given.items() if one.expires > now}
        self._used = {key: expires for key, expires in self._used.items() if expires > now}
        token = secrets.token_urlsafe(BYTES)
        self._given[_key(token)] = _Given(bound, now + LIFETIME_S)
        return token

    def redeem(self, token: str, bound: Bound) -> None:
        """Use a token up for what is to run now.

        Raises:
            TokenRefused: It was used, is too old, is of another plan, or was never given out.
        """
        key = _key(token)
        given = self._given.pop(key, None)
        if given is None:
            reason = "was used before" if key in self._used else "is not one of this server's"
        elif given.expires <= self._clock():
            reason = f"is older than {LIFETIME_S // 60} minutes"
        elif changed := _changed(given.bound, bound):
            self._given[key] = given
            reason = f"is for another plan, which had other {', '.join(changed)}"
        else:
            self._used[key] = given.expires
            return
        raise TokenRefused(
            f"confirmation_token: {reason}; call without it for the plan as it is now, and show"
            " that to the user"
        )


def _key(token: str) -> str:
    """Return what a token is kept as: its digest, so that no comparison tells of its letters."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _changed(before: Bound, now: Bound) -> list[str]:
    names = sorted(before.keys() | now.keys())
    return [name.replace("_", " ") for name in names if before.get(name) != now.get(name)]
