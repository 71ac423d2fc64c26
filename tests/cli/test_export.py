"""`benchdata export`: the ending says the format, an input is never replaced, bad options."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import refused, run
from tests.support.drawn import DEMO, write
from tests.support.trial_rows import numbered_row

RECORD = ("--format", "every-eval-ever", "--organization", "Acme", "--relationship", "other")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return write(tmp_path / "rows.ndjson", [numbered_row(number) for number in range(4)])


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("out.parquet", b"PAR1"),
        ("out.CSV", b"schema_version,source,"),
        ("out.ndjson", b'{"schema_version":1,"source":'),
        ("out.jsonl", b'{"schema_version":1,"source":'),
    ],
)
def test_the_ending_says_what_is_written(
    tmp_path: Path, rows: Path, name: str, begins: bytes
) -> None:
    out = tmp_path / name
    done = run("export", rows, "-o", out)
    assert (done.code, done.out, done.err) == (0, f"4 rows written to {out}\n", "")
    assert out.read_bytes().startswith(begins)


def test_an_option_says_it_where_the_ending_does_not(tmp_path: Path, rows: Path) -> None:
    out = tmp_path / "out.txt"
    assert "add --format" in refused(run("export", rows, "-o", out))
    assert run("export", rows, "-o", out, "--format", "csv").code == 0
    assert out.read_text("utf-8").startswith("schema_version,")


def test_an_input_is_never_replaced(rows: Path) -> None:
    before = rows.read_bytes()
    assert "is one of the inputs" in refused(run("export", rows, "-o", rows))
    assert rows.read_bytes() == before


def test_an_invalid_row_leaves_no_file(tmp_path: Path, rows: Path) -> None:
    bad = write(tmp_path / "bad.ndjson", [numbered_row(1, arm="A")])
    out = tmp_path / "out.csv"
    assert "bad.ndjson:1: arm: " in refused(run("export", rows, bad, "-o", out))
    assert not out.exists()


def test_a_record_goes_into_a_folder_and_names_its_documents(tmp_path: Path, rows: Path) -> None:
    out = tmp_path / "records"
    done = run("export", rows, "-o", out, *RECORD)
    assert (done.code, done.err) == (0, "")
    (document,) = done.out.splitlines()
    assert document.startswith("data/sample-1/acme/worker-2.1/")
    assert (out / document).is_file()


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    made = [numbered_row(number) for number in range(3)]
    made += [numbered_row(3, model=None), numbered_row(4, outcome="unscored", **LOST)]
    # and a model of which nothing else is known
    made += [numbered_row(5, model="acme/other-1", outcome="unscored", **LOST)]
    done = run("export", write(tmp_path / "rows.ndjson", made), "-o", tmp_path / "out", *RECORD)
    assert done.code == 0
    assert done.err == (
        "note: left out 2 rows: not scored (lost or not graded)\n"
        "note: left out 1 row: of no known model\n"
    )


LOST = {"score": None, "passed": None}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--developer", "acme"), "are for --format every-eval-ever"),
        (RECORD[:2], "add --organization NAME, and --relationship"),
        (RECORD[:4], "add --organization NAME, and --relationship"),
        ((*RECORD, "--as-of", "3 March"), "write the date as YYYY-MM-DD"),
        ((*RECORD[:2], "--organization", "a\nb", *RECORD[4:]), "on one line"),
        ((*RECORD, "--developer", "a/b"), "letters, digits, - and _ alone"),
    ],
)
def test_what_no_row_says_is_asked_for(
    tmp_path: Path, rows: Path, options: tuple[str, ...], words: str
) -> None:
    out = tmp_path / "out.csv"
    assert words in refused(run("export", rows, "-o", out, *options))
    assert not out.exists()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"started_at": None}, "add --as-of YYYY-MM-DD"),
        ({"model": None}, "no row of trial has a score of a known model"),
        ({"model": "worker-2.1"}, "its id does not say who makes it; name them with --developer"),
    ],
)
def test_what_is_not_known_is_not_made_up(
    tmp_path: Path, fields: dict[str, str | None], words: str
) -> None:
    file = write(tmp_path / "rows.ndjson", [numbered_row(1, **fields)])
    assert words in refused(run("export", file, "-o", tmp_path / "out", *RECORD))
    assert not (tmp_path / "out").exists()


def test_rows_that_score_no_model_are_refused(tmp_path: Path) -> None:
    message = refused(run("export", DEMO, "-o", tmp_path / "out", *RECORD))
    assert "jev-social rows have no place in Every Eval Ever" in message
    assert "trial, skill-run, build-run" in message
