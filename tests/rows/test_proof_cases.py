"""Lines that look valid and are not, or the other way round: read in columns as row by row."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from benchdata.contracts import Contract
from benchdata.contracts.checks import Rule
from benchdata.contracts.fields import Count, Label, Row, Text
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.contracts.meaning import Source
from benchdata.errors import RowError
from benchdata.rows import sources
from benchdata.rows.proof.prover import provable
from benchdata.rows.strict_json import LONGEST_LINE
from tests.support.drawn import drawn
from tests.support.intake import trials
from tests.support.jev_social import failed_row, numbered_row, valid_row
from tests.support.mutations import NUMBERS, STYLES, TIMES, WORDS, restyled
from tests.support.probe import PROBE, probe_row
from tests.support.proofs import NOTED, agreed, compact, noted, unproven
from tests.support.trials import TRIAL, bare

SOCIAL = compact(valid_row())


def put(data: bytes, old: bytes, new: bytes) -> bytes:
    """Replace the one place of `old` in `data`."""
    assert data.count(old) == 1
    return data.replace(old, new)


CASES: dict[str, bytes] = {
    "unknown key": put(SOCIAL, b'"condition"', b'"extra":1,"condition"'),
    "missing key": put(SOCIAL, b'"condition":"cold",', b""),
    "repeated key": put(SOCIAL, b'"condition":"cold",', b'"condition":"cold","condition":"cold",'),
    "repeated inner key": put(SOCIAL, b'"media":40000', b'"media":40000,"media":40000'),
    "repeated key in a run": put(SOCIAL, b'"outcome":', b'"platform":"tiktok","outcome":'),
    "key spelt with an escape": put(SOCIAL, b'"region"', b'"r\\u0065gion"'),
    "inner key spelt with an escape": put(SOCIAL, b'"media"', b'"m\\u0065dia"'),
    "value spelt with an escape": put(SOCIAL, b'"cold"', b'"c\\u006fld"'),
    "half a pair": put(SOCIAL, b'"synthetic-lab"', b'"\\ud800"'),
    "refused name": put(SOCIAL, b'"media":40000', b'"media":40000,"token":1'),
    "trailing comma": put(SOCIAL, b'"failure_category":null}', b'"failure_category":null,}'),
    "trailing comma in a list": put(SOCIAL, b"800,900]", b"800,900,]"),
    "trailing comma in an object": put(SOCIAL, b'"total":100000}', b'"total":100000,}'),
    "two values": SOCIAL + SOCIAL,
    "a second value": SOCIAL + b",{}",
    "in a list": b"[" + SOCIAL + b"]",
    "pair of brackets": put(SOCIAL, b"[600,", b"[[600],"),
    "brackets closed early": put(SOCIAL, b"[600,700,", b"[600],[700,"),
    "brackets in another field": put(SOCIAL, b'"cold"', b'["cold"]'),
    "bracket in a string": put(SOCIAL, b'"cold"', b'"co[ld"'),
    "comma in a string": put(SOCIAL, b'"synthetic-lab"', b'"synthetic,lab"'),
    "comma and a member in a string": put(
        SOCIAL, b'"synthetic-lab"', b'"a\\",\\"condition\\":\\"cold"'
    ),
    "open string": put(SOCIAL, b'"synthetic-lab"', b'"synthetic-lab'),
    "a list where none is": put(SOCIAL, b'"media":40000', b'"media":[40000]'),
    "no list": put(SOCIAL, b"[600,700,800,900]", b"3000"),
    "list of one": put(SOCIAL, b"[600,700,800,900]", b"[3000]"),
    "empty list": put(SOCIAL, b"[600,700,800,900]", b"[]"),
    "blank list": put(SOCIAL, b"[600,700,800,900]", b"[ ]"),
    "spaces in a list": put(SOCIAL, b"[600,700,800,900]", b"[ 600, 700,  800,900 ]"),
    "brackets for commas in a list": put(SOCIAL, b"600,700,800,900", b"600[700]800,900"),
    "brackets around an item": put(SOCIAL, b"600,700,800,900", b"600,[700],800,900"),
    "tab in a list": put(SOCIAL, b"[600,700,", b"[600,\t700,"),
    "space before a colon": put(SOCIAL, b'"media":', b'"media" :'),
    "carriage return inside": put(SOCIAL, b',"region"', b',\r"region"'),
    "leading space": b" " + SOCIAL,
    "trailing spaces": SOCIAL + b" \t ",
    "two carriage returns": SOCIAL + b"\r\r",
    "zero byte": put(SOCIAL, b'"cold"', b'"cold"\0'),
    "zero byte at the end": SOCIAL + b"\0",
    "byte-order mark": b"\xef\xbb\xbf" + SOCIAL,
    "not UTF-8": put(SOCIAL, b'"cold"', b'"c\xffld"'),
    "not UTF-8 in a number": put(SOCIAL, b"40000", b"4\xff000"),
    "half a character at a mark": put(SOCIAL, b'"synthetic-lab"', b'"synthetic\xc3,lab"'),
    "another letter": put(SOCIAL, b"lab", "läb".encode()),
    "digits of another script": put(SOCIAL, b"40000", "4\u0660\u0660\u0660\u0660".encode()),
    "true for 1": put(SOCIAL, b'"result_limit":4', b'"result_limit":true'),
    "fraction for a small integer": put(SOCIAL, b'"result_limit":4', b'"result_limit":4.0'),
    "exponent for an integer": put(SOCIAL, b'"media":40000', b'"media":4e4'),
    "version as a fraction": put(SOCIAL, b'"schema_version":2', b'"schema_version":2.0'),
    "version 1 with fields of 2": put(SOCIAL, b'"schema_version":2', b'"schema_version":1'),
    "version 2 with fields of 1": put(
        compact(valid_row(1)), b'"schema_version":1', b'"schema_version":2'
    ),
    "secret in an identity": put(SOCIAL, b"0b7f0d3e-51c6", b"sk-" + b"A1" * 12 + b"-51c6"),
    "path in a text": put(SOCIAL, b'"acme/picker-2.1"', b'"/' + b'etc/passwd"'),
    "normal form differs": put(SOCIAL, b'"0.6.0"', b'" v0.6.0 "'),
    "identity in capitals": put(SOCIAL, b"0b7f0d3e", b"0B7F0D3E"),
    "identity with a space": put(SOCIAL, b'"0b7f0d3e', b'" 0b7f0d3e'),
    "time without ms": put(SOCIAL, b"08:01:40.000Z", b"08:01:40Z"),
    "nesting": b"[" * 100_000,
    "many keys": b"{" + b",".join(b'"k%d":1' % key for key in range(10_000)) + b"}",
    "a number of 5000 digits": put(SOCIAL, b'"media":40000', b'"media":' + b"4" * 5000),
    "nothing but marks": b"," * 22,
    "nothing but brackets": b"[]" * 11,
    "empty object": b"{}",
    "null": b"null",
}


@pytest.mark.parametrize("name", CASES)
def test_a_line_among_valid_ones_is_read_alike(tmp_path: Path, name: str) -> None:
    around = [compact(numbered_row(number)) for number in range(6)]
    data = b"\n".join([*around[:3], CASES[name], *around[3:]]) + b"\n"
    told = agreed(tmp_path / "rows.ndjson", data, JEV_SOCIAL)
    assert told.rows >= 6
    assert set(unproven(data, JEV_SOCIAL)) <= {4}


def values(line: bytes, texts: tuple[str, ...], keys: tuple[str, ...]) -> list[bytes]:
    """Return the line with each text for the value of each key."""
    found = []
    for key in keys:
        text = line.decode()
        start = text.index(f'"{key}":') + len(key) + 3
        _, stop = json.JSONDecoder().raw_decode(text, start)
        found += [(text[:start] + one + text[stop:]).encode() for one in texts]
    return found


@pytest.mark.parametrize(
    ("contract", "line", "keys"),
    [
        (JEV_SOCIAL, SOCIAL, ("total", "downloaded_media_bytes", "max_steps")),
        (
            NOTED,
            compact(noted(7)),
            ("seq", "wide", "ratio", "bare", "level", "cost", "ms", "share"),
        ),
        (PROBE, compact(probe_row(3)), ("wall_ms", "score", "seq")),
    ],
)
def test_every_spelling_of_a_number_is_read_alike(
    tmp_path: Path, contract: Contract, line: bytes, keys: tuple[str, ...]
) -> None:
    data = b"\n".join([line, *values(line, NUMBERS, keys)]) + b"\n"
    told = agreed(tmp_path / "rows.ndjson", data, contract)
    assert told.faults
    assert len(unproven(data, contract)) <= len(told.faults) + 3 * len(keys)


@pytest.mark.parametrize(
    ("contract", "line", "keys"),
    [
        (JEV_SOCIAL, SOCIAL, ("started_at", "run_id", "region", "jev_model", "socai_version")),
        (NOTED, compact(noted(7)), ("at", "done", "id", "note", "code", "by", "first")),
    ],
)
def test_every_spelling_of_a_text_is_read_alike(
    tmp_path: Path, contract: Contract, line: bytes, keys: tuple[str, ...]
) -> None:
    texts = (*(f'"{text}"' for text in (*TIMES, *WORDS)), "null", "5", '"', "{}", "[]")
    data = "\n".join([line.decode(), *(one.decode() for one in values(line, texts, keys))])
    told = agreed(tmp_path / "rows.ndjson", data.encode("utf-8", "surrogatepass"), contract)
    assert told.faults
    assert told.rows > 1


@pytest.mark.parametrize("seam", [b",", b":", b'"started_at":', b"[", b"],", b"},", b"}"])
def test_a_seam_that_lies_within_a_character_is_read_alike(tmp_path: Path, seam: bytes) -> None:
    row = SOCIAL
    odd = [
        row[:at] + sign + row[at + cut :]
        for at in range(len(row))
        if row.startswith(seam, at)
        for sign in ("é".encode(), "é".encode() + seam, seam + "é".encode(), "\U0001f600".encode())
        for cut in (1, 2, len(seam))
    ]
    assert agreed(tmp_path / "rows.ndjson", b"\n".join([row, *odd]), JEV_SOCIAL).rows == 1


LINES = [*(compact(numbered_row(number)) for number in range(9)), compact(failed_row())]
MIXED = [compact(row) for row in drawn([5] * 4) + drawn([5] * 4, schema_version=1)]


@pytest.mark.parametrize(
    "data",
    [
        b"\n".join(LINES) + b"\n",
        b"\n".join(LINES),
        b"\r\n".join(LINES) + b"\r\n",
        b"\xef\xbb\xbf" + b"\n".join(LINES),
        b"\n".join(MIXED[::-1]),
        b"\n".join(MIXED[::3] + LINES + MIXED[1::3]),
        b"\n".join(line + end for line in LINES for end in (b"", b"\r", b" ")),
    ],
)
def test_a_clean_file_is_proven_to_the_last_line(data: bytes) -> None:
    assert unproven(data, JEV_SOCIAL) == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("contract", "row"), [(JEV_SOCIAL, numbered_row), (NOTED, noted), (PROBE, probe_row)]
)
def test_every_style_is_proven(
    style: str, contract: Contract, row: Callable[[int], dict[str, object]]
) -> None:
    draw = random.Random(1)
    lines = [restyled(draw, row(number), [style]) for number in range(1, 60)]
    assert unproven("\n".join(lines).encode(), contract) == []


def test_more_styles_than_there_are_templates_cost_time_only(tmp_path: Path) -> None:
    draw, lines = random.Random(2), []
    for number in range(80):
        items = list(numbered_row(number).items())
        draw.shuffle(items)
        lines.append(compact(dict(items)))
    assert agreed(tmp_path / "rows.ndjson", b"\n".join(lines), JEV_SOCIAL).rows == 80


@pytest.mark.slow
def test_texts_of_many_values_are_proven_by_pattern_or_forgotten(tmp_path: Path) -> None:
    rows = [
        noted(seq, code=f"{seq:x}z", named={"first": f"n{seq}", "last": None})
        for seq in range(9_000)
    ]
    data = b"\n".join(map(compact, rows))
    assert agreed(tmp_path / "rows.ndjson", data, NOTED).rows == 9_000 - sum(
        f"{seq:x}"[0] == "c" and len(f"{seq:x}") == 1 for seq in range(9_000)
    )


def test_a_line_at_the_limit_is_proven_and_one_beyond_is_not(tmp_path: Path) -> None:
    blanks = LONGEST_LINE - len(SOCIAL)
    short = compact(numbered_row(1))
    data = b"\n".join([short, SOCIAL + b" " * blanks, SOCIAL + b" " * (blanks + 1), short])
    told = agreed(tmp_path / "rows.ndjson", data, JEV_SOCIAL)
    assert told.faults == [(3, "row", "the line is longer than 16 MiB")]


@pytest.mark.slow
def test_of_two_long_texts_the_whole_line_counts(tmp_path: Path) -> None:
    class Long(Row):
        ms: Count
        first: Annotated[str, Text("letters", "[a-z]+", longest=2**25)]
        second: Annotated[str, Text("letters", "[a-z]+", longest=2**25)]

    contract = bare(Long, identity=("first", "second"))
    half = "x" * (LONGEST_LINE // 2)
    texts = (("a", "b"), (half, half[40:]), (half, half))
    rows = [{"ms": 1, "first": first, "second": second} for first, second in texts]
    data = b"\n".join(map(compact, rows)) + b"\n"
    told = agreed(tmp_path / "rows.ndjson", data, contract)
    assert told.faults == [(3, "row", "the line is longer than 16 MiB")]
    assert unproven(data, contract) == [3]


def test_the_version_decides_whatever_its_field_may_hold(tmp_path: Path) -> None:
    class Either(Row):
        schema_version: Literal[1, 2]
        name: Label

    class Newer(Either):
        more: Label

    contract = replace(bare(Newer, identity=("name",)), models={1: Either, 2: Newer})
    rows = [{"schema_version": 2, "name": f"n{number}", "more": "x"} for number in range(5)]
    data = b"\n".join(map(compact, [*rows, rows[0] | {"schema_version": 1, "name": "late"}]))
    assert agreed(tmp_path / "rows.ndjson", data, contract).faults == [
        (6, "more", "is not a field of this contract")
    ]


def test_an_item_is_one_item_even_when_a_backslash_hides_a_comma(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "BLOCK", 100_000)  # lists are taken apart after some chunks

    class Listing(Row):
        seq: Count
        notes: list[Annotated[str, Text("a note", longest=60)]]

    contract = bare(Listing)
    lists = [["a,b", "c"], ["a\\", "b"], ['\\"', ","], ["[", "a\\", "b\\"], [], ["x"]]
    rows = [
        {"seq": number, "notes": [f"n{number}", *notes]}
        for number, notes in enumerate(lists * 2_000)
    ]
    data = b"\n".join(map(compact, rows))
    assert agreed(tmp_path / "rows.ndjson", data, contract).rows == len(rows)


def test_a_contract_with_a_check_of_its_own_kind_is_read_row_by_row(tmp_path: Path) -> None:
    class Stricter(Rule):
        def apply(self, *_: Any) -> None:
            raise RowError(self.path, "never")

    contract = replace(TRIAL, checks=(Stricter("ms", "ms >= 0", "never"),))
    assert not provable(contract)
    assert not provable(replace(TRIAL, source=Source()))
    assert provable(TRIAL)
    assert agreed(tmp_path / "rows.ndjson", trials(2), contract).rows == 0
