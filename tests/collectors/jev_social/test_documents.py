"""JSON documents: whole, or the one that a text ends with."""

from __future__ import annotations

import time
from typing import Any

import pytest

from collectors.jev_social.documents import last, whole


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ("  [1]\n", [1]),
        ("7", 7),
        ('INFO starting\n{"a": [1]}\n', {"a": [1]}),
        ('[2026-01-01] INFO x {"a": 1}', {"a": 1}),
        ('[INFO] {half [1, {"b": 2}]', [1, {"b": 2}]),
        ('{"log": 1}\n{"a": 1}', {"a": 1}),
        ('{"a": "}{"}', {"a": "}{"}),
    ],
)
def test_the_document_is_found_behind_what_stands_before_it(text: str, value: Any) -> None:
    assert last(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        '{"a": 1} done',
        '{"a": NaN}',
        '{"a": 1',
        "]",
        "[" * 50_000 + "]" * 50_000,
        '{"a": ' + "9" * 5000 + "}",
    ],
)
def test_a_text_without_a_document_at_its_end_holds_none(text: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        last(text)
    assert "aaa" not in str(refused.value)


@pytest.mark.parametrize("filling", ["[", "{", '{"a":', '["a",', "[1]"])
def test_megabytes_of_rubbish_take_seconds_at_most(filling: str) -> None:
    text = filling * (8_000_000 // len(filling)) + "x]"
    started = time.monotonic()
    with pytest.raises(ValueError, match="JSON"):
        last(text)
    assert time.monotonic() - started < 10


def test_a_whole_document_has_nothing_before_it() -> None:
    assert whole(' {"a": 1} ') == {"a": 1}
    with pytest.raises(ValueError, match="Extra data"):
        whole("1 2")
