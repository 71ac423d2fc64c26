"""Whether a command line names a command and options that exist, told by the command's own help."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from tests.support.command import run

DEEP = {"collect": 3}
"""How many words are the command where it is more than one: `collect build-bench self`."""


def unknown(arguments: Sequence[str]) -> list[str]:
    """Return the options that a command does not have; the whole command when there is none."""
    words = DEEP.get(arguments[0], 1)
    known = _options(tuple(arguments[:words]))
    if not known:
        return [*arguments]
    given = [word.partition("=")[0] for word in arguments[words:] if word.startswith("-")]
    return [option for option in given if option not in known]


@cache
def _options(command: tuple[str, ...]) -> frozenset[str]:
    done = run(*command, "--help")
    if done.code not in {0, None}:
        return frozenset()
    return frozenset(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", done.out))
