"""Inputs that made neighbouring tools lose or change data: each test bears the trap's number."""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import zstandard

from benchdata.contracts.fields import Count, Label, Number, Row, Timestamp, flat_row
from benchdata.errors import ContractError, InputError
from benchdata.rows.strict_json import TRUNCATED
from benchdata.rows.writing import append
from tests.support.intake import frame, invalid, lines, said, tables, trials
from tests.support.trials import TRIAL, bare, trial

ONE = b'{"trial":"t","arm":"a","ms":1,"score":1,"passed":true}'


def read(folder: Path, data: bytes, **how: Any) -> Any:
    """Return the stored columns of a file of `data`."""
    file = folder / "rows.ndjson"
    file.write_bytes(data)
    return frame(folder, file, **how)


def test_a1_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    assert read(tmp_path, b"\xef\xbb\xbf" + ONE + b"\n")["ms"].to_list() == [1]


def test_a3_one_object_and_a_final_newline(tmp_path: Path) -> None:
    assert read(tmp_path, ONE + b"\n").height == 1


def test_a5_a_torn_last_line_is_named_and_the_next_append_is_not_glued_to_it(
    tmp_path: Path,
) -> None:
    file = tmp_path / "rows.ndjson"
    assert said(tmp_path, trials(3) + b'{"a":') == [(4, "row", TRUNCATED)]
    append(file, trial("next"), TRIAL)
    assert frame(tmp_path, file)["trial"].to_list() == ["t0", "t1", "t2", "next"]


def test_a7_a_last_line_torn_inside_a_character_is_truncated(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    torn = '{"trial":"\u20ac'.encode()
    for length in (1, 2):
        assert said(tmp_path, trials(2) + torn[:-length]) == [(3, "row", TRUNCATED)]
    append(file, trial("next"), TRIAL)
    assert frame(tmp_path, file).height == 3


def test_a9_what_follows_an_object_is_refused(tmp_path: Path) -> None:
    ((line, path, message),) = said(tmp_path, trials(1) + ONE + b"TRAILER\n" + trials(1, 2))
    assert (line, path) == (2, "row")
    assert "Extra data" in message


def test_a11_a_bare_nan_in_the_middle_hides_nothing(tmp_path: Path) -> None:
    bad = ONE.replace(b'"score":1', b'"score":NaN')
    data = trials(100) + bad + b"\n" + trials(100, 100)
    assert said(tmp_path, data) == [(101, "row", "NaN is no JSON number")]


def test_a13_an_escaped_newline_does_not_cut_a_row(tmp_path: Path) -> None:
    class Note(Row):
        text: str
        ms: int

    data = b'{"ms":1,"text":"a\\nb\\r\\nc\xe2\x80\xa8d\xc2\x85e"}\n{"ms":1,"text":"f"}\n'
    assert read(tmp_path, data, contract=bare(Note))["text"].to_list() == [
        "a\nb\r\nc\u2028d\u0085e",
        "f",
    ]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a15_no_number_that_a_browser_cannot_read_gets_in(tmp_path: Path, number: str) -> None:
    ((_, path, _),) = said(tmp_path, ONE.replace(b'"score":1', f'"score":{number}'.encode()))
    assert path == "row"


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress])
def test_a17_a_packed_file_of_nothing_holds_no_row(tmp_path: Path, pack: Any) -> None:
    with pytest.raises(InputError, match="holds no row"):
        read(tmp_path, pack(b""))


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a19_every_member_is_read(tmp_path: Path, pack: Any) -> None:
    assert read(tmp_path, pack(trials(5)) + pack(trials(5, 5)))["ms"].to_list() == list(range(10))


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a21_a_large_packed_file_is_read_to_its_end_or_refused(tmp_path: Path, pack: Any) -> None:
    packed = pack(trials(25_000))
    assert read(tmp_path, packed).height == 25_000
    for length in (len(packed) - 1, len(packed) // 2):
        with pytest.raises(InputError, match="damaged or cut short"):
            read(tmp_path, packed[:length])


def test_a23_one_bad_byte_is_told_with_its_line(tmp_path: Path) -> None:
    data = bytearray(trials(20_000))
    place = data.index(b"\n", len(data) // 2) + 12
    data[place] = 0xFF
    ((line, path, message),) = said(tmp_path, bytes(data))
    assert line == data.count(b"\n", 0, place) + 1
    assert (path, message) == ("row", "byte 12 of the line is not UTF-8")


def test_a25_malformed_json_is_told_with_its_place(tmp_path: Path) -> None:
    ((line, _, message),) = said(tmp_path, trials(2) + b'{"trial":"t","arm":oops}\n')
    assert line == 3
    assert message.startswith("no valid JSON at character 20:")


@pytest.mark.parametrize("late", ["1.5", "true", '"8"', "8.0", "8e0"])
def test_b1_a_late_value_of_another_type_is_refused(tmp_path: Path, late: str) -> None:
    data = trials(20_480) + ONE.replace(b'"ms":1', f'"ms":{late}'.encode())
    ((line, path, _),) = said(tmp_path, data)
    assert (line, path) == (20_481, "ms")


def test_b1_a_number_is_no_flag(tmp_path: Path) -> None:
    ((line, path, _),) = said(tmp_path, trials(2) + ONE.replace(b"true", b"7"))
    assert (line, path) == (3, "passed")


def test_b3_a_key_first_seen_late_is_refused(tmp_path: Path) -> None:
    data = trials(100) + ONE[:-1] + b',"late":1}\n' + trials(899, 101)
    assert said(tmp_path, data) == [(101, "late", "is not a field of this contract")]


def test_b5_many_keys_do_not_turn_integers_into_floats(tmp_path: Path) -> None:
    names = [f"k{number}" for number in range(199)]
    contract = bare(flat_row({" ".join(names): Count, "real": Number}))
    safe = 2**53 - 1
    row = dict.fromkeys(names, safe) | {"real": 1.5}
    read_back = read(tmp_path, lines([row]), contract=contract)
    assert [read_back[name][0] for name in names] == [safe] * 199
    ((_, path, _),) = said(tmp_path, lines([row | {"k7": 2**53 + 1}]), contract)
    assert path == "k7"


def test_b7_an_integer_beyond_64_bits_is_a_fault_of_its_field(tmp_path: Path) -> None:
    data = ONE.replace(b'"ms":1', b'"ms":14933243513335727983')
    ((_, path, message),) = said(tmp_path, data)
    assert (path, message) == ("ms", "must be less than or equal to 9007199254740991")


def test_b9_an_integer_that_a_float_cannot_hold_is_refused_beside_floats(tmp_path: Path) -> None:
    rows = [trial("a", score=2.1), trial("b", score=9007199254740993), trial("c", score=2**53 - 1)]
    ((line, path, _),) = said(tmp_path, lines(rows))
    assert (line, path) == (2, "score")
    kept = read(tmp_path, lines([rows[0], rows[2]]))
    assert kept["score"].to_list() == [2.1, float(2**53 - 1)]


def test_b11_digits_in_quotes_stay_text(tmp_path: Path) -> None:
    texts = ["202101010000000003", "007", "1e5", "true", "null", "2026-03-02"]
    assert read(tmp_path, lines(map(trial, texts)))["trial"].to_list() == texts


def test_b13_a_list_that_is_null_keeps_its_type(tmp_path: Path) -> None:
    class Lists(Row):
        key: int
        items: list[Label] | None

    read_back = read(tmp_path, b'{"key":1,"items":null}', contract=bare(Lists))
    assert str(read_back.schema["items"]) == "List(String)"
    assert read_back["items"].to_list() == [None]


class Inner(Row):
    b: int


class Outer(Row):
    key: int
    a: Inner


def test_b15_an_empty_object_misses_its_fields(tmp_path: Path) -> None:
    data = b'{"key":1,"a":{}}\n{"key":2,"a":{"b":1}}\n'
    assert said(tmp_path, data, bare(Outer)) == [(1, "a.b", "is missing")]


def test_b17_keys_that_differ_in_case_are_two_and_one_is_unknown(tmp_path: Path) -> None:
    data = b'{"key":1,"a":{"b":1,"B":2}}'
    assert said(tmp_path, data, bare(Outer)) == [(1, "a.B", "is not a field of this contract")]
    with pytest.raises(ContractError, match="taken"):
        bare(flat_row({"x X": int}))


def test_b19_a_text_among_numbers_is_refused(tmp_path: Path) -> None:
    rows = [trial("a", score=0.5), trial("b", score="n/a"), trial("c", score=None)]
    assert said(tmp_path, lines(rows)) == [(2, "score", "must be a number")]


def test_b21_a_value_out_of_range_or_a_null_id_never_passes(tmp_path: Path) -> None:
    rows = [trial("a", ms=-1), trial(None), trial("c")]  # type: ignore[arg-type]
    assert [(line, path) for line, path, _ in said(tmp_path, lines(rows))] == [
        *((1, "ms"), (2, "trial")),
    ]


def test_b23_very_many_errors_are_counted_quickly(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(lines([trial(ms=None)]) * 50_000)
    started = time.process_time()
    assert invalid(tmp_path, file).count == 50_000
    assert time.process_time() - started < 20


class Timed(Row):
    key: int
    at: Timestamp


def times(folder: Path, *texts: str) -> list[datetime]:
    """Return the stored instants of rows with these times."""
    rows = [{"key": number, "at": text} for number, text in enumerate(texts)]
    stored: list[datetime] = read(folder, lines(rows), contract=bare(Timed))["at"].to_list()
    return stored


@pytest.mark.parametrize("text", ["2026-04-29T14:38:00+02:00", "2026-04-29T14:38:00-00:00"])
def test_c1_an_offset_is_refused_and_never_dropped(tmp_path: Path, text: str) -> None:
    ((_, path, message),) = said(tmp_path, lines([{"key": 1, "at": text}]), bare(Timed))
    assert (path, message) == ("at", "must be a UTC time such as 2026-01-31T09:30:00.000Z")


def test_c3_a_time_without_its_zone_is_refused(tmp_path: Path) -> None:
    rows = [{"key": n, "at": f"2026-04-29T14:38:00{zone}"} for n, zone in enumerate(["Z", ""])]
    ((line, path, _),) = said(tmp_path, lines(rows), bare(Timed))
    assert (line, path) == (2, "at")


def test_c5_a_time_without_a_fraction_is_the_same_instant(tmp_path: Path) -> None:
    instant = datetime(2020, 5, 1, 18, 4, 3, tzinfo=UTC)
    assert times(tmp_path, "2020-05-01T18:04:03Z", "2020-05-01T18:04:03.000Z") == [instant] * 2


@pytest.fixture(params=["America/Sao_Paulo", "Asia/Kolkata", "UTC"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Live in another time zone for the time of a test."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def test_c7_no_time_of_day_is_missing_in_utc(tmp_path: Path, zone: str) -> None:
    # midnight of that day does not exist in Sao Paulo
    instant = datetime(2018, 11, 4, 0, 0, 0, tzinfo=UTC)
    assert times(tmp_path, "2018-11-04T00:00:00Z") == [instant], zone


def test_c9_and_c11_an_instant_is_the_same_in_every_zone(tmp_path: Path, zone: str) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(lines([{"key": 1, "at": "2026-04-29T14:38:00.250Z"}]))
    (table,) = tables(tmp_path, file, contract=bare(Timed))
    stored = frame(tmp_path, file, contract=bare(Timed))["at"]
    assert str(stored.dtype) == "Datetime(time_unit='ms', time_zone='UTC')"
    assert stored.dt.epoch("ms").to_list() == [1777473480250], zone
    assert table.digest == table.input.digest()
