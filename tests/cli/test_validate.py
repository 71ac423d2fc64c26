"""`benchdata validate`: every row checked, each fault named by file, line and path."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from blake3 import blake3

from tests.support.command import Done, refused, run
from tests.support.drawn import DEMO, DEMO_ROWS, lines, write
from tests.support.jev_social import numbered_row, valid_row
from tests.support.trees import changed

DISPATCH = "docs/examples/dispatch.py:DISPATCH"
BAD = changed(valid_row(), {"evidence.records": -1})


def test_valid_rows_are_counted_and_digested() -> None:
    digest = blake3(DEMO_ROWS.read_bytes()).hexdigest()
    expected = f"rows.ndjson: 122 rows of jev-social, all valid\ndigest {digest}\n"
    assert run("validate", DEMO) == run("validate", DEMO_ROWS) == Done(0, expected, "")


def test_each_input_has_a_line(tmp_path: Path) -> None:
    for number in (1, 2):
        write(tmp_path / f"{number}.ndjson", [numbered_row(number)])
    first, second, digest = run("validate", tmp_path).out.splitlines()
    assert first == "1.ndjson: 1 row of jev-social, all valid"
    assert second.startswith("2.ndjson: 1 row ")
    assert re.fullmatch("digest [0-9a-f]{64}", digest)


def test_each_bad_row_is_named(tmp_path: Path) -> None:
    rows = [numbered_row(1), BAD, {}, numbered_row(2)]
    file = write(tmp_path / "a.ndjson", rows)
    *errors, last = refused(run("validate", file)).split("\n")
    assert errors[0].startswith(f"{file}:2: evidence.records: ")
    assert errors[1].startswith(f"{file}:3: schema_version: ")
    assert last.startswith("2 invalid rows; mend them, or split the file with")


def test_fifty_errors_a_file_are_told_and_the_rest_counted(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{name}.ndjson", [valid_row(), *[BAD] * 60]) for name in "ab"]
    *errors, rest, last = refused(run("validate", *files)).split("\n")
    assert [error.split(":")[0] for error in errors] == [str(f) for f in files for _ in range(50)]
    assert rest == "... and 20 more"
    assert last.startswith("120 invalid rows;")


@pytest.mark.parametrize("command", ["validate", "summarize", "gate"])
def test_nothing_is_said_of_the_good_rows_beside_bad_ones(tmp_path: Path, command: str) -> None:
    assert refused(run(command, write(tmp_path / "a.ndjson", [valid_row(), BAD])))


def test_a_message_never_repeats_the_value(tmp_path: Path) -> None:
    secret = "sk-ant-" + "api03-" + "x7Yq" * 10
    rows = [numbered_row(1, region=secret), numbered_row(2, platform=secret)]
    message = refused(run("validate", write(tmp_path / "a.ndjson", rows)))
    assert "x7Yq" not in message


def test_a_schema_is_printed_as_json() -> None:
    done = run("validate", "--schema", "jev-social")
    assert (done.code, done.err) == (0, "")
    assert "$schema" in json.loads(done.out)
    assert "no contract is named nope" in refused(run("validate", "--schema", "nope"))


def test_what_another_tool_wrote_tells_what_is_left_out(root: Path, tmp_path: Path) -> None:
    meta: dict[str, Any] = {"kind": "meta", "seriesId": "s", "subject": "a", "workload": "w"}
    meta |= {"mode": "m", "concurrency": 1, "warmup": 0, "measure": 1, "iterations": 1, "seed": 1}
    meta |= {"kvPath": "made-up", "startedAt": "2026-01-02T03:04:05.678Z"}
    execution = {"kind": "exec", "seq": 1, "warmup": False, "enqueuedAtMs": 0.5, "exitCode": 0}
    execution |= {"completedAtMs": 2.5, "endToEndMs": 2.0, "executorWallMs": 1.5, "acc": 1}
    execution |= {"adapterDurationMs": 2, "status": "completed", "vmHwmKb": None}
    file = write(tmp_path / "a.jsonl", [meta, execution, {"kind": "summary"}, {"kind": "summary"}])
    done = run("validate", file, "--contract", root / DISPATCH)
    assert done.code == 0
    assert done.out.startswith("a.jsonl: 1 row of dispatch, all valid\n")
    assert done.err.splitlines() == [
        "a.jsonl: left out field kvPath (1 time)",
        "a.jsonl: left out lines of kind summary (2 times)",
    ]


def test_a_dirty_file_is_split(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", [numbered_row(1), BAD, numbered_row(2)])
    good, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    done = run("validate", file, "--keep-valid", good, "--rejects", bad)
    assert done == Done(0, f"2 lines kept in {good}, 1 explained in {bad}\n", "")
    assert good.read_bytes() == lines([numbered_row(1), numbered_row(2)])
    assert json.loads(bad.read_bytes())["path"] == "evidence.records"
    assert run("validate", good).code == 0
    assert run("gate", good).out.startswith("INCOMPLETE\n- 1 row set aside: look at the rejects")


def test_rows_set_aside_are_told_of_whenever_the_rest_is_checked(tmp_path: Path) -> None:
    dirty, good, bad = (tmp_path / f"{name}.ndjson" for name in ("dirty", "good", "bad"))
    dirty.write_bytes(DEMO_ROWS.read_bytes() + b"{}\n")
    assert run("validate", dirty, "--keep-valid", good, "--rejects", bad).code == 0
    done = run("validate", good)
    assert done.code == 0
    assert done.err == "good.ndjson: 1 row set aside before\n"


def test_standard_input_can_be_split(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    stdin = b"\n".join((b"{", lines([valid_row()])))
    done = run("validate", "-", "--keep-valid", good, "--rejects", bad, stdin=stdin)
    assert done.out.startswith("1 line kept in ")
    assert good.read_bytes() == lines([valid_row()])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--keep-valid", "good"), "--keep-valid and --rejects go together"),
        (("--rejects", "bad"), "--keep-valid and --rejects go together"),
        (("--keep-valid", "x", "--rejects", "x"), "must be three different files"),
        (("b.ndjson", "--keep-valid", "x", "--rejects", "y"), "one input at a time; 2 are named"),
        (("--keep-valid", "/dev/null", "--rejects", "y"), "/dev/null: is no file that can be"),
        (("--keep-valid", ".", "--rejects", "y"), ".: is no file that can be replaced"),
        (("--keep-valid", "a.ndjson/x", "--rejects", "y"), "a.ndjson: File exists"),
    ],
)
def test_a_split_that_could_lose_rows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        write(tmp_path / f"{name}.ndjson", [valid_row()])
    assert words in refused(run("validate", "a.ndjson", *options))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.ndjson", "b.ndjson"]


@pytest.mark.parametrize("data", [b"", b"{}\n", b"[\n"])
def test_a_file_of_no_contract_is_not_split(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "a.ndjson"
    file.write_bytes(data)
    refused(run("validate", file, "--keep-valid", tmp_path / "x", "--rejects", tmp_path / "y"))
    assert list(tmp_path.iterdir()) == [file]
