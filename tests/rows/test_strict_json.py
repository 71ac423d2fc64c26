"""One line of JSON: what is taken, what is refused, and that nothing is guessed or dropped."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from benchdata.errors import RowError
from benchdata.rows.strict_json import DEEPEST, LONGEST_LINE, TRUNCATED, decode, encode
from tests.support.proven import Proven

CANARY = "Canary7f3a"


def refusal(line: bytes, *, ended: bool = True) -> str:
    """Return the message of a line that is refused."""
    with pytest.raises(RowError) as raised:
        decode(line, ended=ended)
    assert raised.value.path == "row"
    assert CANARY not in str(raised.value)
    assert len(raised.value.message) <= 300
    return raised.value.message


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b"{}", {}),
        (b' \t{ "a" : 1 , "b" : [ ] } \r', {"a": 1, "b": []}),
        (b'{"a":\r1}', {"a": 1}),
        (b'{"a":9007199254740993}', {"a": 9007199254740993}),
        (b'{"a":14933243513335727983}', {"a": 14933243513335727983}),
        (b'{"a":-9007199254740991}', {"a": -9007199254740991}),
        (b'{"a":-0}', {"a": 0}),
        (b'{"a":0.1,"b":1e308,"c":-1.5E-3}', {"a": 0.1, "b": 1e308, "c": -0.0015}),
        (b'{"a":"\\ud83d\\ude00"}', {"a": "\U0001f600"}),
        ('{"a":"\U0001f600"}'.encode(), {"a": "\U0001f600"}),
        (b'{"a":"\\n\\u0000\\/\\u00e9"}', {"a": "\n\x00/\u00e9"}),
        ('{"a":"\u2028\u2029\u0085\x7f"}'.encode(), {"a": "\u2028\u2029\u0085\x7f"}),
        (b'{"a":"\\\\ud800 [{[{"}', {"a": "\\ud800 [{[{"}),
        (b'{"":{"":""}}', {"": {"": ""}}),
        (b'{"a":"\xef\xbb\xbf"}', {"a": "\ufeff"}),
        (b"[1,2]", [1, 2]),
        (b"null", None),
        (b'"text"', "text"),
        (b"true", True),
        (b"5", 5),
    ],
)
def test_strict_json_is_decoded_exactly(line: bytes, value: Any) -> None:
    for ended in (True, False):
        found = decode(line, ended=ended)
        assert (found, repr(found)) == (value, repr(value))


@pytest.mark.parametrize(("text", "kind"), [("4", int), ("4.0", float), ("4e0", float)])
def test_an_integer_is_what_is_written_as_one(text: str, kind: type) -> None:
    assert type(decode(f'{{"a":{text}}}'.encode())["a"]) is kind


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":1}',
        '{"a":1,"b":2,"a":3}',
        '{"a":1,"\\u0061":2}',
        '{"\\u0061":1,"a":2}',
        '{"b":{"a":1,"a":1}}',
        '{"b":[0,{"c":[{"a":1,"a":1}]}]}',
        '{"":1,"":2}',
        '{"\u00e9":1,"\\u00e9":2}',
        f'{{"{CANARY}":1,"{CANARY}":2}}',
    ],
)
def test_a_repeated_key_is_refused_at_any_depth(text: str) -> None:
    assert refusal(text.encode()) == "a key stands twice in one object"


def test_keys_that_only_look_alike_are_two() -> None:
    assert decode('{"x":1,"X":2,"\u00e9":3,"e\u0301":4}'.encode()) == {
        "x": 1,
        "X": 2,
        "\u00e9": 3,
        "e\u0301": 4,
    }


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_of_json_is_refused(word: str) -> None:
    assert refusal(f'{{"a":[1,{word}]}}'.encode()) == f"{word} is no JSON number"


@pytest.mark.parametrize(
    "number", ["1e999", "-1e999", "1" * 400 + ".0", "9e308", "2" * 5000 + "e1"]
)
def test_a_number_too_large_for_a_float_is_refused(number: str) -> None:
    assert refusal(f'{{"a":{number}}}'.encode()) == "a number is too large"


@pytest.mark.parametrize("digits", [4301, 1_000_000])
def test_an_integer_of_very_many_digits_is_refused_at_once(digits: int) -> None:
    started = time.process_time()
    assert refusal(b'{"a":' + b"7" * digits + b"}") == "an integer has too many digits"
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"{", b"}", b"[1", b"{]", b'{"a"}', b'{"a":}', b'{"a":1,}', b"[1,]", b"{,}"),
        *(b"{a:1}", b"{'a':1}", b'{"a":01}', b'{"a":+1}', b'{"a":.5}', b'{"a":5.}', b'{"a":1e}'),
        *(b'{"a":0x10}', b'{"a":1_000}', b'{"a":--1}', b'{"a":-}', b'{"a":True}', b'{"a":None}'),
        *(
            b'{"a":nan}',
            b'{"a":inf}',
            b'{"a":-NaN}',
            b'{"a":undefined}',
            b'{"a" 1}',
            b'{"a":1 "b":2}',
        ),
        *(b'{"a":"\x01"}', b'{"a":"\t"}', b'{"a":"\\x41"}', b'{"a":"\\u12"}', b'{"a":"\\u12g4"}'),
        *(b'{"a":"open}', b'{"a":"\\"}', b"{} // note", b"/* */ {}", b"{}{}", b"{},{}", b"{} {}"),
        *(b'{"a":1}TRAILER', b'{"a":1}\r{"a":2}', b"{}\x00", b"\x00{}", b"\x0b{}", b"\xc2\xa0{}"),
        *(b"\xef\xbb\xbf{}", b"{}\xef\xbb\xbf", b'{"a":\xd9\xa1}', b"data: {}", b"a,b", b"---"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(line: bytes) -> None:
    assert refusal(line).startswith("no valid JSON at character ")


def test_the_place_is_counted_in_characters_from_one() -> None:
    assert "at character 9:" in refusal('{"\u00e9":"x"'.encode() + b"!}")


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (b'{"a":"\xff"}', 7),
        (b'{"a":"\x80"}', 7),
        (b'{"a":"\xc3"}', 7),
        (b'{"a":"\xe2\x82"}', 7),
        (b'{"a":"\xc0\xaf"}', 7),  # an overlong form
        (b'{"a":"\xed\xa0\x80"}', 7),  # half of a pair, spelt in bytes
        (b'{"a":"\xf4\x90\x80\x80"}', 7),  # beyond Unicode
        (b"\xfe\xff", 1),
        (CANARY.encode() + b"\xff", len(CANARY) + 1),
    ],
)
def test_bytes_that_are_not_utf_8_are_refused_with_their_place(line: bytes, place: int) -> None:
    assert refusal(line) == f"byte {place} of the line is not UTF-8"


@pytest.mark.parametrize(
    "text",
    [
        '"\\ud800"',
        '"\\udc00"',
        '"\\ud800x"',
        '"\\udc00\\ud800"',
        '{"a":{"b":["\\uD83D"]}}',
        '{"\\ud800":1}',
    ],
)
def test_half_of_a_surrogate_pair_is_refused(text: str) -> None:
    assert refusal(f'{{"a":{text}}}'.encode()) == "a string holds half of a surrogate pair"


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_nesting_is_taken_to_its_limit_and_no_deeper(opening: str, closing: str) -> None:
    levels = 2 if opening.startswith("[{") else 1
    times = DEEPEST // levels
    decode(f"{opening * times}0{closing * times}".encode())
    deeper = "[" + f"{opening * times}0{closing * times}" + "]"
    assert refusal(deeper.encode()) == "the value is nested deeper than 64"


@pytest.mark.parametrize(
    "line",
    [b"[" * 100_000, b'{"a":' * 100_000, b"[" * 65 + b"]" * 65],
    ids=["arrays", "objects", "just too deep"],
)
def test_very_deep_nesting_is_refused_before_it_is_parsed(line: bytes) -> None:
    assert refusal(line) == "the value is nested deeper than 64"


def test_many_brackets_that_do_not_nest_are_taken() -> None:
    value = {"a": [[]] * 500, "b": "[{" * 500, "c": '\\"[{' * 500}
    assert decode(json.dumps(value).encode()) == value


def test_a_line_beyond_the_limit_is_refused() -> None:
    at_limit = b'{"a":"' + b"x" * (LONGEST_LINE - 8) + b'"}'
    assert len(decode(at_limit)["a"]) == LONGEST_LINE - 8
    assert refusal(at_limit + b" ") == "the line is longer than 16 MiB"


WHOLE = '{"a":"\u00e9\U0001f600\\u00e9","b":[1.5,true,null,{"c":-12}]}'.encode()


@pytest.mark.faults
@pytest.mark.parametrize("length", range(1, len(WHOLE)))
def test_a_last_line_cut_anywhere_is_called_truncated(length: int, proven: Proven) -> None:
    assert refusal(WHOLE[:length], ended=False) == TRUNCATED
    proven("truncated: the last line", 1, "called truncated, at every length")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (WHOLE + b"TRAILER", "no valid JSON at character"),
        (b'{"a":"\xff"', "byte 7 of the line is not UTF-8"),
        (b'{"a":NaN}', "NaN is no JSON number"),
        (b'{"a":1,"a":2}', "a key stands twice"),
    ],
)
def test_a_last_line_that_is_wrong_is_not_called_truncated(line: bytes, words: str) -> None:
    assert words in refusal(line, ended=False)


@pytest.mark.parametrize(
    "value", [{}, {"b": 1, "a": [None, True, 0.1, -5]}, {"\u00e9": '\n\u2028"\\\x00\U0001f600'}]
)
def test_a_row_is_written_so_that_it_reads_the_same(value: dict[str, Any]) -> None:
    line = encode(value)
    assert line.count(b"\n") == 1
    assert line.endswith(b"}\n")
    assert list(decode(line.rstrip(b"\n")).items()) == list(value.items())
