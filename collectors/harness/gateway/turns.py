"""Counts the turns of an agent from the requests of its main conversation."""

from __future__ import annotations

from typing import Any


class Turns:
    """A turn is one message of the model with all its tool calls done.

    It ends when the agent asks for the next message: by then more was said. A request with the same
    conversation asks once more for a message that never came, or that the agent threw away; Claude
    Code 2.1.332 and codex 0.171.0 repeat it to the letter.
    """

    def __init__(self) -> None:
        self.ended = 0
        self._said: Any = None
        self._answered = False
        self._complete = False

    @property
    def count(self) -> int:
        """The turns so far, with one that still runs when its message is complete."""
        return self.ended + self._complete

    def arrives(self, said: Any) -> bool:
        """Note a request with this conversation; return whether it ends a turn."""
        ends = self._answered and said != self._said
        self.ended += ends
        self._said = said
        if ends:
            self._answered = self._complete = False
        return ends

    def answered(self, *, complete: bool) -> None:
        """Note a message, or with `complete` false one that broke off."""
        self._answered = True
        self._complete = complete
