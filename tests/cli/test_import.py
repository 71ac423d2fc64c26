"""`benchdata import`: where rows and remarks go, exit codes, and no input that ends in a trace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchdata.rows.importing.formats import FORMATS
from benchdata.rows.importing.names import HIDDEN
from tests.support.command import refused, run
from tests.support.importing import FIXTURES, saved
from tests.support.secrets import FOUND

JOBS = FIXTURES / "harbor"
RUN: dict[str, Any] = {"eval_id": 1, "configuration": "with_skill", "result": {"pass_rate": 0.5}}


def benchmark(path: Path, *runs: Any) -> Path:
    return saved(path / "benchmark.json", {"skill_name": "sorting", "runs": list(runs)})


def test_rows_are_written_and_can_be_validated(tmp_path: Path) -> None:
    output = tmp_path / "trials.ndjson"
    done = run("import", "harbor", JOBS, "-o", output, "--set", "study=pilot")
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert (done.code, done.out) == (0, f"{len(rows)} rows written to {output}\n")
    assert "not mapped: verifier_result.rewards.style (" in done.err
    checked = run("validate", output)
    assert checked.out.startswith(f"trials.ndjson: {len(rows)} rows of trial, all valid\n")


def test_a_dash_is_standard_output(tmp_path: Path) -> None:
    done = run("import", "skill-creator", benchmark(tmp_path, RUN), "-o", "-")
    assert done.code == 0
    assert json.loads(done.out)["study"] == "sorting"


def test_some_that_fail_are_exit_2_and_the_others_are_written(tmp_path: Path) -> None:
    source, output = benchmark(tmp_path, RUN, {"eval_id": []}), tmp_path / "trials.ndjson"
    done = run("import", "skill-creator", source, "-o", output)
    assert (done.code, done.out) == (2, f"1 row written to {output}\n")
    assert done.err.startswith(f"{source}: runs[1]: runs[1].eval_id: must be a text\n1 run could")


def test_nothing_is_written_when_nothing_can_be_imported(tmp_path: Path) -> None:
    source, output = benchmark(tmp_path, {"eval_id": []}), tmp_path / "trials.ndjson"
    message = refused(run("import", "skill-creator", source, "-o", output))
    assert message.splitlines()[0] == f"{source}: runs[0]: runs[0].eval_id: must be a text"
    assert message.splitlines()[-1].startswith(f"benchdata: {source}: no run can be imported")
    assert sorted(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("option", ["-o", "--names"])
def test_a_file_that_is_there_stays(tmp_path: Path, option: str) -> None:
    there = tmp_path / "there.ndjson"
    there.write_text("mine", "utf-8")
    files = {"-o": tmp_path / "new.ndjson", "--names": tmp_path / "names.json", option: there}
    options = [part for pair in files.items() for part in pair]
    message = refused(run("import", "skill-creator", benchmark(tmp_path, RUN), *options))
    assert message == f"benchdata: {there}: is there already; name a new file, or remove this one"
    assert there.read_text("utf-8") == "mine"
    assert not (tmp_path / "new.ndjson").exists()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("new/../x.ndjson", "is the file of the rows"),
        ("-", "names are written to a file only"),
        ("benchmark.json/names.json", "benchmark.json: File exists"),
    ],
)
def test_names_that_cannot_be_written_are_refused_before_a_row_is(
    tmp_path: Path, names: str, words: str
) -> None:
    source, output = benchmark(tmp_path, RUN), tmp_path / "x.ndjson"
    path = names if names == "-" else tmp_path / names
    for rows in (output, "-")[: 1 if "x.ndjson" in names else 2]:
        done = run("import", "skill-creator", source, "-o", rows, "--names", path)
        assert words in refused(done)
        assert done.out == ""
    assert sorted(tmp_path.iterdir()) == [source]


def test_a_link_to_the_file_of_the_rows_is_that_file(tmp_path: Path) -> None:
    source, output, link = benchmark(tmp_path, RUN), tmp_path / "x.ndjson", tmp_path / "link"
    link.symlink_to(output)
    message = refused(run("import", "skill-creator", source, "-o", output, "--names", link))
    assert "is the file of the rows" in message
    assert not output.exists()


def test_a_file_that_holds_nothing_is_named_and_the_others_are_written(tmp_path: Path) -> None:
    benchmark(tmp_path / "a", RUN)
    empty, output = saved(tmp_path / "b" / "benchmark.json", {}), tmp_path / "trials.ndjson"
    done = run("import", "skill-creator", tmp_path, "-o", output)
    assert (done.code, done.out) == (2, f"1 row written to {output}\n")
    assert done.err.startswith(f"{empty}: holds no run\n")


TOKEN = FOUND["vendor token"][0]
SECRET_IN: dict[str, tuple[str, str, Any]] = {
    "a key": ("skill-creator", "benchmark.json", {"runs": [RUN | {TOKEN: 1}], TOKEN: {TOKEN: 1}}),
    "a key at fault": (
        *("inspect", "a.json"),
        {"eval": {"task": "t"}, "samples": [{"id": 1, "model_usage": {TOKEN: 3}}]},
    ),
    "a score": (
        *("inspect", "a.json"),
        {"eval": {"task": "t"}, "samples": [{"id": 1, "scores": {TOKEN: {}, "b": {}}}]},
    ),
    "a line's type": ("transcripts", "a.jsonl", {"type": TOKEN}),
}


@pytest.mark.parametrize("name", SECRET_IN)
def test_no_name_that_looks_like_a_secret_is_shown(tmp_path: Path, name: str) -> None:
    key, file, content = SECRET_IN[name]
    said = [part for each in ("study", "arm") for part in ("--set", f"{each}=x")]
    done = run("import", key, saved(tmp_path / file, content), "-o", "-", *said)
    assert TOKEN not in done.out + done.err
    assert HIDDEN in done.err


def test_no_score_to_choose_from_is_shown_either(tmp_path: Path) -> None:
    sample = {"id": 1, "scores": {TOKEN: {"value": 1}}}
    source = saved(tmp_path / "a.json", {"eval": {"task": "t"}, "samples": [sample]})
    chosen = ("--set", "arm=x", "--score", "b")
    message = refused(run("import", "inspect", source, "-o", tmp_path / "x.ndjson", *chosen))
    assert TOKEN not in message
    assert f"no sample has such a score ({HIDDEN})" in message


def test_the_names_of_tasks_that_became_digests_are_written(tmp_path: Path) -> None:
    source = benchmark(tmp_path, RUN, RUN | {"eval_id": "Sort it"})
    output, names = tmp_path / "trials.ndjson", tmp_path / "names.json"
    assert run("import", "skill-creator", source, "-o", output, "--names", names).code == 0
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert json.loads(names.read_text("utf-8")) == {rows[1]["task_id"]: "Sort it"}


def test_what_is_not_told_is_asked_for(tmp_path: Path) -> None:
    source = saved(tmp_path / "benchmark.json", {"runs": [RUN]})
    message = refused(run("import", "skill-creator", source, "-o", tmp_path / "x.ndjson"))
    assert message.splitlines()[-1] == (
        f"benchdata: {source}: runs[0]: `study` is not told: say it with --set study=…"
    )


def test_help_names_every_format() -> None:
    text = " ".join(run("import", "--help").out.split())
    assert all(key in text for key in FORMATS)
    assert "no format is named harbour" in refused(run("import", "harbour", "x", "-o", "y"))


DEEP = b'{"runs": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"
TIMED = (
    b'{"skill_name": "x", "runs": [{"eval_id": 1, "configuration": "with_skill",'
    b' "result": {"pass_rate": 1, "time_seconds": %b}}]}'
)
HOSTILE = {
    "nothing": (b"", "document: no valid JSON at line 1"),
    "cut": (b'{"runs": [{"eval_id": 1', "document: no valid JSON at line 1"),
    "words": (b"not json", "document: no valid JSON at line 1"),
    "latin": (b'{"runs": "\xe9"}', "document: byte 11 is not UTF-8"),
    "twice": (b'{"runs": [], "runs": []}', "document: a key stands twice in one object"),
    "deep": (DEEP, "document: the value is nested too deeply"),
    "digits": (b'{"runs": 1' + b"0" * 5_000 + b"}", "document: an integer has too many digits"),
    "list": (b"[]", "document: must be an object"),
    "shape": (b'{"runs": {}}', "runs: must be a list"),
    "nan": (b'{"runs": [{"eval_id": NaN}]}', "runs[0].eval_id: must be a text"),
    "huge": (TIMED % b"1e999", "runs[0].result.time_seconds: must be a finite number"),
    "range": (TIMED % b"1e15", "wall_s: must be from 0 to 1e+12"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_is_named_by_file_and_field(tmp_path: Path, name: str) -> None:
    content, words = HOSTILE[name]
    source = tmp_path / "benchmark.json"
    source.write_bytes(content)
    first, *_ = refused(run("import", "skill-creator", source, "-o", "-")).splitlines()
    assert first.startswith(f"{source}: ")
    assert words in first


@pytest.mark.parametrize("key", FORMATS)
def test_a_source_that_is_not_there_is_one_line(tmp_path: Path, key: str) -> None:
    said = [part for name in ("study", "arm") for part in ("--set", f"{name}=x")]
    lines = refused(run("import", key, tmp_path / "nope", "-o", "-", *said)).splitlines()
    assert str(tmp_path / "nope") in lines[0]
    assert len(lines) <= 3
