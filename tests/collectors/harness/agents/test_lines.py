"""Raw lines as plain data: what no row could hold does not come out of them."""

from __future__ import annotations

import json
import time

import pytest

from collectors.harness.agents import lines


@pytest.mark.parametrize(
    ("told", "text"),
    [("cut \ud83d", "cut \ufffd"), ("\ude00 cut", "\ufffd cut"), ("\U0001f600\0", "\U0001f600\0")],
)
def test_half_a_character_becomes_one_that_can_be_written(told: str, text: str) -> None:
    (found,) = lines.objects([json.dumps({"text": told}).encode()])
    assert lines.text(found, "text") == text


@pytest.mark.parametrize("told", ["9" * 400, "1e999", "NaN", "-1", "true", '"1"'])
def test_what_is_no_amount_is_unknown(told: str) -> None:
    (found,) = lines.objects([b'{"cost": %s}' % told.encode()])
    assert lines.amount(found, "cost") is None


@pytest.mark.parametrize("line", [b"[" * 100_000, b'{"n": %s}' % (b"9" * 5_000), b"\0\xff", b"5"])
def test_what_is_no_object_is_passed_over(line: bytes) -> None:
    assert list(lines.objects([line, b"{}"])) == [{}]


def test_a_flood_of_lines_is_not_read_to_its_end() -> None:
    since = time.monotonic()
    endless = iter(lambda: b"y\n", b"")
    assert list(lines.objects(endless)) == []
    assert time.monotonic() - since < 60
