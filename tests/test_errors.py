"""What an error says: where, what, on one short line."""

from __future__ import annotations

import pytest

from benchdata.errors import BenchdataError, RowError, RowsInvalid, shorten


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("plain", "plain"),
        ("x" * 300, "x" * 300),
        ("x" * 301, "x" * 299 + "…"),
        ("a\nb\r\x1b[31m\u2028\u202e", "a�b��[31m��"),
        ("é\U0001f600", "é\U0001f600"),
    ],
)
def test_text_is_kept_on_one_line_of_bounded_length(text: str, short: str) -> None:
    assert shorten(text) == short


def test_a_row_error_says_as_much_of_the_place_as_it_knows() -> None:
    error = RowError("evidence.records", "must be an integer")
    assert str(error) == "evidence.records: must be an integer"
    placed = error.at("rows.ndjson", 7)
    assert str(placed) == "rows.ndjson:7: evidence.records: must be an integer"
    assert (placed.source, placed.line) == ("rows.ndjson", 7)
    assert (placed.path, placed.message) == (error.path, error.message)


def test_path_and_message_of_a_row_error_are_bounded() -> None:
    error = RowError("k" * 1000, "m\n" * 1000)
    assert (len(error.path), len(error.message)) == (120, 300)
    assert "\n" not in str(error)


def test_many_row_errors_are_one_error_that_counts_them() -> None:
    error = RowsInvalid((RowError("a", "b").at("f", 1), RowError("c", "d").at("g", 2)), 1234)
    first, second, rest, advice = str(error).splitlines()
    assert (first, second, rest) == ("f:1: a: b", "g:2: c: d", "... and 1,232 more")
    assert advice.startswith("1,234 invalid rows; mend them, or split the file")
    assert isinstance(error, BenchdataError)
    assert error.exit_code == 1


def test_a_count_of_bad_rows_that_is_not_all_of_them_says_so() -> None:
    *_, advice = str(RowsInvalid((RowError("a", "b").at("f", 1),), 100, stopped=True)).splitlines()
    assert advice.startswith("at least 100 invalid rows; reading stopped; mend them")
