"""Evidence: which parts of a document are records, how they merge, and what a gate looks like."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.jev_social.actions import Action, Kind
from collectors.jev_social.evidence import Item, captured, comments_of, merge, observed

AT = "https://www.tiktok.com/@a/video/"
TARGET = f"{AT}99"


def action(kind: Kind) -> Action:
    target = None if kind in {"search", "page_state"} else TARGET
    return Action(kind, ("tiktok", "any"), target)


def numbers(document: Any, kind: Kind = "search") -> list[int]:
    """Return the numbers at the ends of the addresses of the records."""
    return [int(item["url"].removeprefix(AT)) for item in captured(document, action(kind))]


def at(number: int, **more: Any) -> dict[str, Any]:
    return {"url": f"{AT}{number}", **more}


@pytest.mark.parametrize(
    ("kind", "document", "found"),
    [
        *(
            ("search", {name: [at(1), at(2)]}, [1, 2])
            for name in ("results", "cards", "items", "posts", "videos", "video_cards")
        ),
        ("search", [at(1), at(2)], [1, 2]),
        ("search", {"other": [at(1)]}, []),
        ("search", {"results": at(1)}, []),
        ("search", {"results": [7, None, "x", [at(1)]]}, []),
        ("search", at(1), []),
        ("search", {"results": [at(1, ok=False), at(2, ok=True)]}, [2]),
        ("search", {"results": [{"ok": False, "entity": at(1)}]}, []),
        ("search", {"results": [{"ok": True, "entity": at(1, ok=False)}]}, []),
        ("search", {"results": [{"entity": at(1), "url": f"{AT}2"}]}, [1]),
        ("search", {"results": [{"entity": {}, "url": f"{AT}2"}]}, [2]),
        ("search", {"results": [{"web_url": f"{AT}1"}, {"share_url": f"{AT}2?x=1"}]}, [1, 2]),
        ("search", {"results": [{"url": "https://example.org/1"}, {"caption": "x"}]}, []),
        ("search", {"profile": at(1, video_cards=[at(2)])}, [1, 2]),
        ("search", "text", []),
        ("search", None, []),
        ("read_post", {"videos": [{"ok": True, "entity": {}, "locator": f"{AT}1"}]}, [1]),
        ("read_post", {"videos": [{"ok": True, "entity": {}}]}, [99]),
        ("read_post", {"videos": [{"ok": False, "entity": at(1)}]}, []),
        ("read_post", {"ok": True, "count": 0}, []),
        ("read_profile", {"profile": {"name": "x", "video_cards": [at(2), {}]}}, [99, 2]),
        ("read_profile", {"name": "x", "posts": [at(1), {}]}, [1, 99]),
        ("read_profile", {"ok": False, "reason": "profile_unavailable"}, []),
        ("read_company", {"name": "x"}, [99]),
        ("history", {"experience": []}, [99]),
        ("history", [{"title": "x"}], [99]),
        ("page_state", {"results": [at(1)]}, []),
    ],
)
def test_records_are_found_where_the_protocol_says(
    kind: Kind, document: Any, found: list[int]
) -> None:
    assert numbers(document, kind) == found


def test_a_later_field_wins_unless_it_is_empty() -> None:
    items: dict[str, Item] = {}
    searched = [at(1, caption="a", likes=1, top_comments=[1, 2]), at(2)]
    merge(items, captured({"cards": searched}, action("search")))
    read = at(1, caption="", likes=0, top_comments=[], author=None, text="t")
    merge(items, captured({"videos": [{"ok": True, "entity": read}]}, action("read_post")))
    assert len(items) == 2
    item = items[f"{AT}1"]
    assert (item["caption"], item["likes"], item["text"]) == ("a", 0, "t")
    assert (comments_of(item), item["detail_read"]) == (2, True)
    assert items[f"{AT}2"]["detail_read"] is False


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ({"entity": at(1, top_comments=[1, 2], comments=[1])}, 2),
        (at(1, comments=[1, 2, 3]), 3),
        ({"entity": at(1, top_comments="many", comments=[1])}, 1),
        (at(1, comments_count=7), 0),
        ({"entity": at(1, top_comments=[1]), "comments": [1, 2]}, 2),
        ({"entity": at(1, top_comments=[], comments=[1])}, 0),
    ],
)
def test_comments_are_counted_where_they_are_listed(value: dict[str, Any], number: int) -> None:
    (item,) = captured({"posts": [value]}, action("search"))
    assert comments_of(item) == number


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"ok": False, "reason": "login_required"}, "login_required"),
        ({"ok": False, "reason": "rate-limit hit"}, "rate-limit hit"),
        ({"status": "please sign in"}, "please sign in"),
        ({"error": {"code": "CHALLENGE"}}, "the platform asks for a login or another check"),
        ({"error": "captcha"}, "the platform asks for a login or another check"),
        ({"state": {"login_required": True}}, "login_required"),
        ({"challenge_required": True, "reason": "odd"}, "odd"),
        ({"entity": {"reason": "Access denied"}}, "Access denied"),
        ({"posts": [{}, {"rate_limited": True}]}, "rate_limited"),
        ({"videos": [{"status": "rate limited"}]}, "rate limited"),
        ({"reason": 7, "login_required": True}, "login_required"),
    ],
)
def test_a_gate_is_seen_where_the_protocol_looks(document: dict[str, Any], reason: str) -> None:
    seen = observed(document, [])
    assert seen.blocked
    assert seen.reason == reason


@pytest.mark.parametrize(
    "document",
    [
        {"ok": True, "login_required": False},
        {"login_required": "yes"},
        {"cards": [{"reason": "login_required"}]},
        {"reason": "video_unavailable", "status": "login"},
        {"caption": "login"},
        {"posts": "login", "state": "login"},
        ["login"],
    ],
)
def test_what_is_no_gate_blocks_nothing(document: Any) -> None:
    assert not observed(document, []).blocked


@pytest.mark.parametrize(
    ("document", "ok", "code"),
    [
        ({"ok": True}, True, ""),
        ({}, True, ""),
        ([1], True, ""),
        ({"ok": False}, False, ""),
        ({"ok": False, "error": {"code": "browser_gone"}}, False, "BROWSER_GONE"),
        ({"ok": False, "error": {"code": "in words, /a/path"}}, False, ""),
        ({"ok": False, "error": "BROWSER_GONE"}, False, ""),
        ({"ok": True, "error": {"code": "BROWSER_GONE"}}, True, ""),
    ],
)
def test_a_command_may_say_that_it_failed_and_why(document: Any, ok: bool, code: str) -> None:
    seen = observed(document, [{"url": TARGET}])
    assert (seen.ok, seen.code, seen.urls) == (ok, code, (TARGET,))
