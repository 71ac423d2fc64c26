"""How Claude Code is started so that it can be held between its turns without a gateway.

Of an option that is given twice the program takes the last.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from collectors.harness.agents.claude import SETTINGS, UNKEPT, message
from collectors.harness.agents.claude_events import is_start
from collectors.harness.agents.driver import Invocation
from collectors.harness.agents.lines import objects, text

SAID = b"turn\n"
WAITING = "exec 3<>/dev/tcp/127.0.0.1/{port} && echo turn >&3 && read -r _ <&3"
"""Needs bash alone, and prints nothing: what a hook prints the model could read."""
HOOK_S = 24 * 3600
"""Longer than any hold: the program goes on without an answer when a hook's time is over."""
GO_ON = "Continue."


def hooked(invocation: Invocation, port: int) -> Invocation:
    """Return how to start it so that after the tools of each message it waits at `port`."""
    command = f"bash -c '{WAITING.format(port=port)}' >/dev/null 2>&1"
    hook = {"type": "command", "command": command, "timeout": HOOK_S}
    settings = SETTINGS | {"hooks": {"PostToolBatch": [{"hooks": [hook]}]}}
    return replace(invocation, argv=(*invocation.argv, "--settings", json.dumps(settings)))


def begun(invocation: Invocation, session: str) -> Invocation:
    """Return how to start it for one message of a session, which is kept in its settings folder."""
    return _of_one_message(invocation, "--session-id", session)


def resumed(invocation: Invocation, session: str) -> Invocation:
    """Return how to start it for the next message of a session that has begun."""
    return replace(_of_one_message(invocation, "--resume", session), stdin=message(GO_ON))


def _of_one_message(invocation: Invocation, *session: str) -> Invocation:
    kept = (option for option in invocation.argv if option != UNKEPT)
    return replace(invocation, argv=(*kept, "--max-turns", "1", *session))


def unfinished(stdout: Path) -> bool:
    """Tell whether the last process ended only because it had its one message."""
    with stdout.open("rb") as lines:
        ends = [each for each in objects(lines) if each.get("type") == "result" or is_start(each)]
    return text(ends[-1] if ends else None, "subtype") == "error_max_turns"
