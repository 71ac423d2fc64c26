"""What a command brought home: items with one address each, and whether a gate was in the way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from collectors.jev_social.actions import Action
from collectors.jev_social.failures import CODE
from collectors.jev_social.urls import first

Item = dict[str, Any]

LISTS = ("results", "cards", "items", "posts", "videos", "video_cards")
SOURCES = ("url", "web_url", "share_url", "locator")
FLAGS = ("login_required", "challenge_required", "rate_limited")
GATE = re.compile(
    "login|captcha|challenge|rate.?limit|access.?denied|sign.?in", re.IGNORECASE | re.DOTALL
)
UNNAMED_GATE = "the platform asks for a login or another check"
DETAILED = "detail_read"


@dataclass(frozen=True, slots=True)
class Observation:
    """What is known after a command: `reason` and `code` only when it failed or met a gate."""

    ok: bool
    urls: tuple[str, ...] = ()
    reason: str = ""
    code: str = ""
    blocked: bool = False


def captured(document: Any, action: Action) -> list[Item]:
    """Return the items of a command's document, each with its canonical `url`."""
    if action.kind == "page_state":
        return []
    platform = action.arguments[0]
    found = (_item(value, platform, fallback) for value, fallback in _candidates(document, action))
    return [item for item in found if item]


def merge(items: dict[str, Item], more: Iterable[Item]) -> None:
    """Add items to those there are, by address; a later field wins unless it is empty."""
    for item in more:
        before = items.get(item["url"], {})
        fields = {name: value for name, value in item.items() if value not in (None, "", [], {})}
        detailed = bool(before.get(DETAILED)) or item[DETAILED]
        items[item["url"]] = before | fields | {DETAILED: detailed}


def comments_of(item: Mapping[str, Any]) -> int:
    """Return how many comments an item holds."""
    lists = (item.get(name) for name in ("top_comments", "comments"))
    return next((len(each) for each in lists if isinstance(each, list)), 0)


def observed(document: Any, items: Iterable[Item]) -> Observation:
    """Return what a command's document says of itself."""
    top = document if isinstance(document, dict) else {}
    gate = next(filter(_is_gate, _states(top)), None)
    reason = top.get("reason")
    if not isinstance(reason, str):
        reason = "" if gate is None else _gate_words(gate)
    return Observation(
        ok=top.get("ok") is not False,
        urls=tuple(item["url"] for item in items),
        reason=reason,
        code=_code(top),
        blocked=gate is not None,
    )


def _candidates(document: Any, action: Action) -> Iterator[tuple[Any, str | None]]:
    """Give what may be an item, and the address it has when it names none."""
    post = action.target if action.kind == "read_post" else None
    if isinstance(document, list):
        yield from ((value, action.target) for value in document)
    if not isinstance(document, dict):
        return
    for name in LISTS:
        if isinstance(document.get(name), list):
            yield from ((value, post) for value in document[name])
    profile = document.get("profile")
    if isinstance(profile, dict):
        yield profile, action.target if action.kind == "read_profile" else None
        if isinstance(profile.get("video_cards"), list):
            yield from ((value, None) for value in profile["video_cards"])
    elif action.kind in {"read_profile", "read_company", "history"}:
        yield document, action.target


def _item(value: Any, platform: str, fallback: str | None) -> Item | None:
    """Return the item in a candidate, unless it failed or has no address on the platform."""
    if not isinstance(value, dict) or value.get("ok") is False:
        return None
    entity = value["entity"] if isinstance(value.get("entity"), dict) else value
    if entity.get("ok") is False:
        return None
    links = [source.get(name) for source in (entity, value) for name in SOURCES]
    url = first([*links, fallback], platform)
    if url is None:
        return None
    item = entity | {"url": url, DETAILED: fallback is not None}
    if isinstance(value.get("comments"), list):
        item["top_comments"] = value["comments"]
    return item


def _states(top: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Give every part of a document that may speak of a gate."""
    parts = [top, top.get("state"), top.get("entity")]
    for name in ("posts", "videos"):
        if isinstance(top.get(name), list):
            parts += top[name]
    return (part for part in parts if isinstance(part, dict))


def _is_gate(state: Mapping[str, Any]) -> bool:
    return any(state.get(flag) is True for flag in FLAGS) or bool(GATE.search(_words(state)))


def _words(state: Mapping[str, Any]) -> str:
    """Return the first thing that a state says of what is wrong."""
    error = state.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    said = (state.get("reason"), state.get("status"), code, error)
    return next((word for word in said if isinstance(word, str) and word), "")


def _gate_words(gate: Mapping[str, Any]) -> str:
    for name in ("reason", "status"):
        if isinstance(gate.get(name), str) and gate[name]:
            return str(gate[name])
    flag = next((flag for flag in FLAGS if gate.get(flag) is True), "")
    return flag or UNNAMED_GATE


def _code(top: Mapping[str, Any]) -> str:
    """Return the code of a command that failed, if it gives one of the usual shape."""
    error = top.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    if top.get("ok") is not False or not isinstance(code, str):
        return ""
    return code.upper() if CODE.fullmatch(code.upper()) else ""
