"""What the lines of `claude --output-format stream-json` tell.

Only the last `result` counts: its `modelUsage` and `total_cost_usd` hold every request so far, also
those of subagents and of the processes that its session was in before, while the `usage` of an
`assistant` line is that of the message's start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from benchdata.contracts.usage import ModelUsage
from collectors.harness.agents.driver import Call, Report
from collectors.harness.agents.lines import amount, items, objects, text, usage_of, whole, within
from collectors.harness.skills import FILE, Skill

OWN_WORDS = "<synthetic>"
"""The model of an `assistant` line that the program itself wrote."""
NOT_LOGGED_IN = "Not logged in"

Event = dict[str, Any]


def read(lines: Iterable[bytes], code: int | None, call: Call) -> Report:
    """Return what the lines tell, up to the last one.

    A run may consist of several groups from an `init` to its `result`, which may come after the
    next `init`. Without the `result` of a group the answer, the usage and the cost are unknown.
    """
    events = list(objects(lines))
    starts = [event for event in events if is_start(event)]
    results = [event for event in events if event.get("type") == "result"]
    final = results[-1] if results and len(results) >= len(starts) else None
    # `subtype` says success of an API failure too, and the exit code may be 0 after a SIGINT.
    good = within(final, "is_error") is False
    return Report(
        models=_models(events),
        answer=text(final, "result") if good else None,
        said=_last_text(events),
        structured=within(final, "structured_output"),
        usage=_usage(within(final, "modelUsage")),
        turns=_turns(events) if starts else None,
        cost_usd=amount(final, "total_cost_usd"),
        failed=not good or bool(code),
        refused=text(final, "stop_reason") == "refusal",
        api_status=_api_status(events),
        not_logged_in=any(NOT_LOGGED_IN in said for said in _own_words(events)),
        skills_listed=_skills(starts),
        skill_read=_skill_read(events, call) if starts else None,
        sessions=len(starts),
    )


def is_start(event: Event) -> bool:
    """Tell whether a line begins a group, which ends with its `result`."""
    return event.get("type") == "system" and event.get("subtype") == "init"


def _usage(told: Any) -> tuple[ModelUsage, ...]:
    """Return the tokens by model; empty when one of the models cannot be named in a row."""
    models = told if isinstance(told, dict) else {}
    found = [
        usage_of(
            model,
            {
                "input_tokens": whole(counts, "inputTokens"),
                "output_tokens": whole(counts, "outputTokens"),
                "cache_creation_tokens": whole(counts, "cacheCreationInputTokens"),
                "cache_read_tokens": whole(counts, "cacheReadInputTokens"),
            },
        )
        for model, counts in models.items()
    ]
    return tuple(each for each in found if each) if all(found) else ()


def _turns(events: list[Event]) -> int:
    """Count the model's messages of the main thread: one may come in several lines."""
    return len({text(event, "message", "id") for event in _main(events)})


def _models(events: list[Event]) -> tuple[str, ...]:
    """Return the models that the messages name, also those of subagents."""
    named = (text(event, "message", "model") for event in _said(events))
    return tuple(dict.fromkeys(model for model in named if model))


def _last_text(events: list[Event]) -> str | None:
    """Return the last text of the main thread; a message may come in several lines."""
    blocks = (block for event in _main(events) for block in items(event, "message", "content"))
    said = [words for block in blocks if (words := text(block, "text"))]
    return said[-1] if said else None


def _main(events: list[Event]) -> Iterator[Event]:
    """Give the lines with the model's own words that are of no subagent."""
    return (event for event in _said(events) if event.get("parent_tool_use_id") is None)


def _said(events: list[Event]) -> Iterator[Event]:
    """Give the lines with the model's own words."""
    return filter(_is_said, events)


def _is_said(event: Event) -> bool:
    return event.get("type") == "assistant" and text(event, "message", "model") != OWN_WORDS


def _own_words(events: list[Event]) -> Iterator[str]:
    """Give the texts that the program wrote in the place of the model."""
    for event in events:
        if text(event, "message", "model") == OWN_WORDS:
            blocks = items(event, "message", "content")
            yield from (said for block in blocks if (said := text(block, "text")))


def _api_status(events: list[Event]) -> int | None:
    """Return the status that the last request ended in, when it was an error."""
    status = None
    for event in events:
        kind = event.get("type"), event.get("subtype")
        if kind == ("system", "api_retry"):
            status = whole(event, "error_status")
        elif kind[0] == "result":
            status = whole(event, "api_error_status")
        elif _is_said(event):
            status = None
    return status


def _skills(starts: list[Event]) -> tuple[str, ...] | None:
    listed = [start["skills"] for start in starts if isinstance(start.get("skills"), list)]
    if not listed:
        return None
    told = (text(name) for names in listed for name in names)
    return tuple(dict.fromkeys(name for name in told if name))


def _skill_read(events: list[Event], call: Call) -> bool | None:
    if call.skill is None:
        return None
    if call.prompt.split(maxsplit=1)[:1] == [f"/{call.skill.name}"]:
        return True  # the program puts the skill's text into the prompt, without a line of its own
    blocks = (block for event in _said(events) for block in items(event, "message", "content"))
    return any(_reads(block, call.skill) for block in blocks)


def _reads(block: Any, skill: Skill) -> bool:
    place = f"{skill.name}/{FILE}"
    match text(block, "name"):
        case "Skill":
            return text(block, "input", "skill") == skill.name
        case "Read":
            return (text(block, "input", "file_path") or "").endswith(f"/{place}")
        case "Bash":
            return f"/{place}" in (text(block, "input", "command") or "")
    return False
