"""Every row of every input is validated, and each bad one is told with its file and line."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from benchdata import contracts
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import ContractError, InputError
from benchdata.rows import cache, frames, sources
from benchdata.rows.examining import examine
from benchdata.rows.lines import Chunk, Span
from tests.support.intake import frame, invalid, lines, said, tables, trials
from tests.support.jev_social import failed_row, numbered_row, valid_row
from tests.support.trials import TRIAL, trial

MEND = "mend them, or split the file with `benchdata validate FILE --keep-valid GOOD --rejects BAD`"


def test_rows_come_back_in_order_with_their_line_numbers(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(
        b"\xef\xbb\xbf\n" + trials(2) + b"\r\n \n" + trials(1, 2).replace(b"\n", b"\r\n")
    )
    read = frame(tmp_path, file)
    assert read.select("_line", "trial", "ms").rows() == [(2, "t0", 0), (3, "t1", 1), (6, "t2", 2)]


@pytest.mark.parametrize("count", [1, 9_999, 10_000, 10_001])
def test_every_row_is_there_whatever_the_batches(tmp_path: Path, count: int) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(count))
    assert frame(tmp_path, file)["ms"].to_list() == list(range(count))


def test_the_columns_are_typed_by_the_contract_and_by_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    old = valid_row(1, socai_version="v0.6.0")
    rows = [old, failed_row(region="lab", run_id=old["task_id"]), numbered_row(3)]
    file.write_bytes(lines(rows))
    read = frame(tmp_path, file, contract=JEV_SOCIAL)
    assert dict(read.schema) == frames.schema(JEV_SOCIAL)
    assert read.schema["timing_ms_total"] == pl.Int64()
    assert read.schema["started_at"] == pl.Datetime("ms", "UTC")
    assert read.schema["jev_step_latency_ms"] == pl.List(pl.Int64())
    assert read["started_at"][0] == datetime(2026, 3, 2, 8, tzinfo=UTC)
    assert read["jev_social_version"].to_list() == [None, "0.4.0", "0.4.0"]
    assert read["socai_version"][0] == "0.6.0"
    assert read["failure_category"].to_list() == [None, "unknown", None]
    assert read["jev_step_latency_ms"].to_list()[:2] == [[600, 700, 800, 900], []]
    assert read["row_result"].to_list() == ["success", "failed", "success"]
    assert read["row_synthetic"].to_list() == [True, False, True]


def test_a_table_says_where_it_came_from(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(3))
    (table,) = tables(tmp_path, file)
    assert (table.rows, table.contract, dict(table.dropped)) == (3, TRIAL, {})
    assert table.input == sources.Input(str(file), file)
    assert table.digest == table.input.digest()


def test_the_error_is_file_line_path_message(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(2) + b"\n" + lines([trial("-")]) + trials(1, 3) + b"{\n")
    error = invalid(tmp_path, file)
    first, second, last = str(error).splitlines()
    assert first == f"{file}:4: trial: must be letters, digits and . _ -"
    assert second.startswith(
        f"{file}:6: row: no valid JSON at character 2: Expecting property name"
    )
    assert last == f"2 invalid rows; {MEND}"
    told = error.errors[0]
    assert (told.source, told.line, told.path) == (str(file), 4, "trial")
    assert told.message == "must be letters, digits and . _ -"


def test_fifty_errors_of_each_file_are_told_and_the_rest_counted(tmp_path: Path) -> None:
    one, two, three = (tmp_path / f"{number}.ndjson" for number in (1, 2, 3))
    one.write_bytes(b"{\n" * 20_123 + trials(1))
    two.write_bytes(trials(3, 1))
    three.write_bytes(trials(1, 9) + b"[]\n" * 50 + lines([trial("-")]))
    error = invalid(tmp_path, one, two, three)
    places = [(Path(str(each.source)).name, each.line) for each in error.errors]
    assert places == [
        *(("1.ndjson", line) for line in range(1, 51)),
        *(("3.ndjson", line) for line in range(2, 52)),
    ]
    assert error.count == 20_123 + 51
    assert str(error).splitlines()[100:] == [
        "... and 20,074 more",
        f"20,174 invalid rows; {MEND}",
    ]


def test_one_error_is_counted_as_one(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"[]\n")
    assert str(invalid(tmp_path, file)).splitlines()[1].startswith("1 invalid row; ")


def test_errors_come_in_the_order_of_lines_whatever_their_kind(tmp_path: Path) -> None:
    data = b"\n".join(
        [
            b"{",
            *lines(
                [trial(cookie=1), trial(extra=1), trial(ms=-1), trial(note="/" + "etc/x")]
            ).split(b"\n")[:4],
            b"\xff",
            b'{"a":1,"a":2}',
            b"[" * 65,
            b"x" * (16 * 1024**2 + 1),
            *trials(1).split(b"\n")[:1],
            b"null",
            b'{"trial":',
        ]
    )
    assert [(line, path) for line, path, _ in said(tmp_path, data)] == [
        *((1, "row"), (2, "row.cookie"), (3, "extra"), (4, "ms"), (5, "note"), (6, "row")),
        *((7, "row"), (8, "row"), (9, "row"), (11, "row"), (12, "row")),
    ]


def test_nothing_that_is_told_holds_what_was_wrong(tmp_path: Path) -> None:
    canary = "Canary7f3a"
    bad: list[object] = [
        trial(canary + "!"),
        trial(arm=canary),
        trial(ms=canary),
        trial(score=canary),
        trial(passed=canary),
        trial(extra={canary: [canary]}),
        trial(note="Bear" + f"er {canary}0123456789"),
        canary,
        [canary],
        {canary: canary},
    ]
    data = lines(bad) + f'{{"{canary}":"{canary}"'.encode()
    text = "\n".join(f"{path}: {message}" for _, path, message in said(tmp_path, data))
    assert text.count(canary) == 1  # the unknown key is the path of its error
    assert f"{canary}: is not a field of this contract" in text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "holds no row"),
        (b"\n \r\n\n", "holds no row"),
        (b"\xef\xbb\xbf", "holds no row"),
    ],
)
@pytest.mark.parametrize("contract", [TRIAL, None])
def test_a_file_without_rows_is_told(
    tmp_path: Path, data: bytes, words: str, contract: None
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(data)
    with pytest.raises(InputError, match=re.escape(f"{file}: {words}")):
        tables(tmp_path, file, contract=contract)


def test_one_bad_row_means_that_nothing_is_returned_and_all_inputs_are_told(tmp_path: Path) -> None:
    for name, data in {"a": b"{\n", "b": trials(2), "c": b"[]\n"}.items():
        (tmp_path / f"{name}.ndjson").write_bytes(data)
    assert [error.line for error in invalid(tmp_path, tmp_path).errors] == [1, 1]


def test_the_contract_is_recognised_from_the_first_row(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(lines([numbered_row(1), numbered_row(2)]))
    (table,) = tables(tmp_path, file, contract=None)
    assert table.contract is JEV_SOCIAL


def test_a_bad_line_before_the_first_row_is_an_error_of_that_line(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"{\n5\n" + lines([numbered_row(1)]))
    error = invalid(tmp_path, file, contract=None)
    assert [each.line for each in error.errors] == [1, 2]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"a":NaN}\n', "rows.ndjson:1: row: NaN is no JSON number"),
        (b"\n[1]\n", "rows.ndjson:2: row: the line must hold one JSON object"),
        (b'{"schema_version":2,"run_id":"', "rows.ndjson:1: row: truncated"),
        ('{"a":1}'.encode("utf-16"), "rows.ndjson:1: row: the file is UTF-16"),
        (b"a,b,c\n1,2,3\n", "rows.ndjson:1: row: no valid JSON"),
    ],
)
def test_a_file_whose_first_lines_hold_no_row_is_told_with_the_first_line(
    tmp_path: Path, data: bytes, words: str
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(data)
    assert words in str(invalid(tmp_path, file, contract=None).errors[0])


def test_lines_that_hold_no_row_are_told_beside_those_of_other_files(tmp_path: Path) -> None:
    for name, data in {"a": b'{"a":1e400}\n[1]\n', "b": lines([numbered_row(1), {}])}.items():
        (tmp_path / f"{name}.ndjson").write_bytes(data)
    error = invalid(tmp_path, tmp_path, contract=None)
    assert [(each.path, each.line) for each in error.errors] == [
        *(("row", 1), ("row", 2), ("schema_version", 2)),
    ]
    assert error.count == 3


def test_one_foreign_object_does_not_hide_what_the_others_are(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b'{"tool":"x"}\n' + lines([numbered_row(1), numbered_row(2)]))
    (error,) = invalid(tmp_path, file, contract=None).errors
    assert (error.line, error.path) == (1, "schema_version")


def test_as_many_rows_of_one_contract_as_of_another_are_not_guessed_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {"jev-social": JEV_SOCIAL, "trial": TRIAL}
    monkeypatch.setattr(contracts, "names", lambda: tuple(known))
    monkeypatch.setattr(contracts, "get", known.get)
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(1) + lines([numbered_row(1)]))
    with pytest.raises(ContractError, match="as many rows fit trial and jev-social; name one"):
        tables(tmp_path, file, contract=None)


def test_rows_of_no_known_contract_are_told_with_their_place(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"\n" + trials(1))
    with pytest.raises(
        ContractError, match=r"rows\.ndjson:2: the rows fit no contract .*--contract"
    ):
        tables(tmp_path, file, contract=None)


def appended(file: Path) -> None:
    with file.open("ab") as more:
        more.write(trials(1, 5))


def overwritten(file: Path) -> None:
    data = file.read_bytes()
    os.utime(file, ns=(0, 0))
    file.write_bytes(data)


def replaced(file: Path) -> None:
    other = file.with_suffix(".new")
    other.write_bytes(file.read_bytes())
    os.utime(other, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns))
    other.replace(file)


def truncated(file: Path) -> None:
    os.truncate(file, 0)


def removed(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize("change", [appended, overwritten, replaced, truncated, removed])
def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(5))
    chunks = sources.Input.chunks

    def changing(self: sources.Input, span: Span | None = None) -> Iterator[Chunk]:
        yield from chunks(self, span)
        change(file)

    monkeypatch.setattr(sources.Input, "chunks", changing)
    with pytest.raises(
        InputError, match=r"rows\.ndjson: (changed while it was read|cannot be opened)"
    ):
        tables(tmp_path, file)


@pytest.mark.parametrize("change", [appended, overwritten, replaced, truncated, removed])
def test_the_digest_is_that_of_the_bytes_that_were_read_or_none(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(5))
    asked, changed = (tables(tmp_path, file)[0] for _ in range(2))
    digest = asked.digest
    change(file)
    assert asked.digest == digest
    with pytest.raises(InputError, match=r"rows\.ndjson: (changed while|cannot be)"):
        _ = changed.digest


@pytest.mark.parametrize(("cached", "digests"), [(True, 1), (False, 0)])
def test_no_digest_is_made_where_nobody_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cached: bool, digests: int
) -> None:
    if cached:
        monkeypatch.delenv(cache.OFF)
        monkeypatch.setenv(cache.FOLDER, str(tmp_path / "cache"))
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(5))
    made: list[Path] = []
    digest = sources.file_digest

    def counted(path: Path, *, beside: bool = False) -> str:
        made.append(path)
        return digest(path, beside=beside)

    monkeypatch.setattr(sources, "file_digest", counted)
    tables(tmp_path, file)
    assert made == [file] * digests


def test_a_whole_last_line_without_its_end_is_read(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(3)[:-1])
    assert frame(tmp_path, file).height == 3


def test_large_numbers_and_late_values_are_kept_exactly(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    safe = 2**53 - 1
    rows = [trial(f"t{number}", ms=safe - number, score=number / 7) for number in range(2000)]
    file.write_bytes(lines([trial("first", ms=0, score=None), *rows]))
    read = frame(tmp_path, file)
    assert read["ms"].to_list() == [0, *(row["ms"] for row in rows)]
    assert read["score"].to_list() == [None, *(row["score"] for row in rows)]


def test_examine_tells_of_every_line(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(1) + b"\n5\n" + trials(1, 1))
    (source,) = sources.find([file])
    told = [
        (one.line.number, one.row, one.fault and one.fault.line) for one in examine(source, TRIAL)
    ]
    assert told == [(1, trial("t0", ms=0), None), (3, None, 3), (4, trial("t1", ms=1), None)]
