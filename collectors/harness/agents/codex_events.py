"""What the lines of `codex exec --json` tell: neither its version nor its model, nor its skills."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from benchdata.contracts.usage import ModelUsage
from benchdata.rows.importing.tokens import CODEX_COUNTS, of_codex
from collectors.harness.agents.driver import Call, Report
from collectors.harness.agents.lines import objects, text, usage_of, whole
from collectors.harness.skills import FILE

STATUS = re.compile(r"\bstatus:? (\d{3})\b")
"""How the program names the status of a request that failed, for most of them."""
NOT_LOGGED_IN = re.compile(r"Missing environment variable|Not logged in")
REFUSED = "reason: content_filter"

Event = dict[str, Any]


def read(lines: Iterable[bytes], code: int | None, call: Call) -> Report:
    """Return what the lines tell.

    A run is one turn of the program, of as many messages of the model as it takes: their number is
    not told. Of a turn that failed the usage is unknown.
    """
    events = list(objects(lines))
    done = [event for event in events if event.get("type") == "turn.completed"]
    failure = next((event for event in events if event.get("type") == "turn.failed"), None)
    said = [words for each in _items(events, "agent_message") if (words := text(each, "text"))]
    failed = not done or failure is not None or bool(code)
    answer = said[-1] if said and not failed else None
    words = text(failure, "error", "message") or ""
    status = STATUS.search(words)
    return Report(
        answer=answer,
        said=said[-1] if said else None,
        structured=_structured(answer, call),
        usage=_usage(done[-1], call) if done and failure is None else (),
        failed=failed,
        refused=REFUSED in words,
        api_status=int(status[1]) if status else None,
        not_logged_in=bool(NOT_LOGGED_IN.search(words)),
        skill_read=_skill_read(events, call),
        sessions=sum(event.get("type") == "thread.started" for event in events),
    )


def _items(events: list[Event], kind: str) -> list[Any]:
    """Return the items of one type, begun or ended, in order."""
    found = (event.get("item") for event in events)
    return [item for item in found if text(item, "type") == kind]


def _usage(done: Event, call: Call) -> tuple[ModelUsage, ...]:
    """Return the tokens of the whole turn."""
    counts = {name: whole(done, "usage", name) for name in CODEX_COUNTS}
    usage = usage_of(call.model, of_codex(call.model, counts))
    return (usage,) if usage else ()


def _structured(answer: str | None, call: Call) -> Any:
    """Return the answer that was asked for in a schema; None when it is no JSON."""
    if answer is None or call.schema is None:
        return None
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        return None


def _skill_read(events: list[Event], call: Call) -> bool | None:
    """Say whether a skill was read; when no line shows it, that is unknown and not `no`."""
    if call.skill is None:
        return None
    if re.search(rf"\${re.escape(call.skill.name)}(?![a-z0-9-])", call.prompt):
        return True  # the program puts the skill's text into the prompt, without a line of its own
    commands = (text(item, "command") or "" for item in _items(events, "command_execution"))
    return True if any(f"{call.skill.name}/{FILE}" in command for command in commands) else None
