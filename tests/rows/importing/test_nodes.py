"""How a document of another tool is read: typed, null never zero, nothing left out unsaid."""

from __future__ import annotations

import math
from typing import Any

import pytest

from benchdata.errors import RowError
from benchdata.rows.importing.nodes import Node

KINDS: tuple[tuple[str, Any, str], ...] = (
    ("text", 3, "must be a text"),
    ("flag", 1, "must be true or false"),
    ("whole", True, "must be a whole number from 0 to 2^53 - 1"),
    ("whole", -1, "must be a whole number from 0 to 2^53 - 1"),
    ("whole", 2**53, "must be a whole number from 0 to 2^53 - 1"),
    ("whole", 4.0, "must be a whole number from 0 to 2^53 - 1"),
    ("number", True, "must be a number"),
    ("number", "1", "must be a number"),
    ("number", math.nan, "must be a finite number"),
    ("number", math.inf, "must be a finite number"),
    ("number", 10**400, "must be a finite number"),
    ("numbers", [1, None], "must be a number"),
    ("numbers", {}, "must be a list of numbers"),
    ("items", {}, "must be a list"),
    ("members", [], "must be an object"),
    ("instant", "yesterday", "must be a time as ISO 8601 has it"),
    ("instant", "0001-01-01T00:00:00+14:00", "must be a time as ISO 8601 has it"),
)


@pytest.mark.parametrize(("kind", "value", "words"), KINDS)
def test_a_value_of_another_kind_is_named_by_its_path(kind: str, value: Any, words: str) -> None:
    with pytest.raises(RowError) as caught:
        getattr(Node({"a": [value]})["a"].items()[0], kind)()
    assert str(caught.value) == f"a[0]: {words}"


def test_null_and_nothing_are_none_and_never_zero() -> None:
    for node in (Node({"a": None})["a"], Node({})["a"]["b"]):
        assert [node.text(), node.flag(), node.whole(), node.number(), node.instant()] == 5 * [None]
        assert (node.items(), node.members(), node.numbers()) == ([], {}, [])


def test_a_name_may_be_a_number() -> None:
    assert [Node(value).name() for value in (7, "seven", None)] == ["7", "seven", None]
    with pytest.raises(RowError):
        Node(True).name()


def test_a_time_is_told_in_utc_and_only_with_a_zone() -> None:
    assert Node("2026-09-20T07:42:26.3102509+02:00").instant() == "2026-09-20T05:42:26.310Z"
    bare = Node({"at": "2026-09-20T07:42:26.310250"})
    assert bare["at"].instant() is None
    assert [*bare.unread()] == ["at: a time without a zone"]


@pytest.mark.parametrize(
    ("start", "end", "seconds"),
    [
        ("2026-01-01T00:00:00Z", "2026-01-01T01:00:01.5+01:00", 1.5),
        ("2026-01-01T00:00:00", "2026-01-01T00:00:02", 2.0),
        ("2026-01-01T00:00:00", "2026-01-01T00:00:02Z", None),
        ("2026-01-01T00:00:00Z", None, None),
    ],
)
def test_seconds_lie_between_two_times_of_one_kind(
    start: str, end: str | None, seconds: float | None
) -> None:
    assert Node({"start": start, "end": end}).seconds("start", "end") == seconds


def test_what_nobody_asked_for_is_told_once_a_place() -> None:
    document = Node(
        {"runs": [{"id": 1, "more": {"a": 1}}, {"id": 2, "more": {"a": 0}}], "empty": [], "n": None}
    )
    assert [run["id"].whole() for run in document["runs"].items()] == [1, 2]
    assert [*document.unread()] == ["runs[].more", "runs[].more"]
    document["runs"].items()[1]["id"].leave("too old")
    assert [*document.unread()] == ["runs[].more", "runs[].id: too old", "runs[].more"]
