"""`benchdata collect skill-eval`: its flags, the plan and its exit codes."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from collectors.harness import batches
from collectors.skill_eval import benchmark, cli
from tests.support.armed import skills
from tests.support.benchmarks import ARM, collected, rows_of, written
from tests.support.command import ROOT, Done, refused, run
from tests.support.drawn import write
from tests.support.serving import Serving

QUICK: Mapping[str, Any] = {"script": {"default": {"text": "42"}}}


@pytest.mark.parametrize(
    ("answer", "code", "ran"),
    [
        (b"n\n", 1, False),
        pytest.param(b"\n", 1, False, marks=pytest.mark.slow),
        pytest.param(b"\x03", 1, False, marks=pytest.mark.slow),
        pytest.param(b"\x04", 1, False, marks=pytest.mark.slow),
        (b"y\n", 0, True),
    ],
)
def test_somebody_at_a_terminal_is_asked(
    tmp_path: Path, answer: bytes, code: int, ran: bool
) -> None:
    file, out = written(tmp_path / "spec", **QUICK), tmp_path / "out"
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "benchdata", "collect", "skill-eval", str(file)]
    with (
        os.fdopen(ours, "r+b", buffering=0) as terminal,
        subprocess.Popen(
            [*command, "--out", str(out)],
            cwd=ROOT,
            stdin=theirs,
            stdout=subprocess.DEVNULL,
            stderr=theirs,
            start_new_session=True,
            # Ctrl-C is a signal to those alone whose terminal it is
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 -- one call
        ) as process,
    ):
        os.close(theirs)
        shown = b""
        while b"[y/N] " not in shown:
            shown += os.read(terminal.fileno(), 4096)  # raises when the command is gone
        terminal.write(answer)
        try:
            assert process.wait(60) == code
        finally:
            process.kill()
        shown += os.read(terminal.fileno(), 4096)
    if not ran:
        assert shown.endswith(b"\r\nNothing was run.\r\n")
    assert b"Runs: 2 arms \xc3\x97 1 task \xc3\x97 1 repeat = 2 executions" in shown
    assert out.exists() == ran


def test_where_nobody_can_be_asked_it_wants_a_yes(tmp_path: Path) -> None:
    file, out = written(tmp_path / "spec", **QUICK), tmp_path / "out"
    said = refused(collected(file, "--out", out))
    assert said.splitlines()[0].startswith("Runs: 2 arms × 1 task × 1 repeat = 2 executions")
    assert said.splitlines()[-1].startswith("benchdata: --yes: is needed where nobody can be asked")
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--runs", "0"], "--runs: must be a whole number from 1 to 1,000"),
        (["--runs", "two"], "--runs: must be a whole number"),
        (["--runs", "9" * 5000], "--runs: must be a whole number"),
        (["--concurrency", "65"], "--concurrency: must be a whole number from 1 to 64"),
        (["--timeout", "999"], "--timeout: must be a whole number from 1,000 to 86,400,000"),
        (["--timeout", "1e4"], "--timeout: must be a whole number"),
        (["--agent", "claud"], "agent: claud: must be one of claude, codex, scripted; did you"),
        (["--model", "the best"], "--model: must be a model id"),
        (["--model", "claude-latest"], "--model: "),
        (["--out"], "--out: expected one argument"),
        (["--leaderboard"], "--leaderboard: expected one argument"),
        (["--no-shares"], "unrecognized arguments: --no-shares"),
        (["--internal=yes"], "--internal: ignored explicit argument 'yes'"),
        (["more.json"], "unrecognized arguments: more.json"),
        (["--out", "spec.json"], "spec.json: is no folder"),
    ],
)
def test_names_the_flag_that_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    file = written(tmp_path, **QUICK)
    monkeypatch.chdir(tmp_path)
    told = refused(collected(file, "--yes", *arguments))
    assert said in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "spec.json: name: is missing"),
        ('{"nam": 1}', "spec.json: nam: is not a key here; did you mean `name`?"),
        (None, "spec.json: cannot be read: No such file"),
    ],
)
def test_names_the_file_that_is_wrong(tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "spec.json"
    if text is not None:
        file.write_text(text)
    assert said in refused(collected(file, "--yes"))


BARE = """
import sys
sys.modules.update(dict.fromkeys(("httpx", "mcp", "starlette", "uvicorn")))
from benchdata.cli import main
main()
"""
"""A command where no extra is installed."""


def bare(program: str, *arguments: str | Path) -> Done:
    """Run the command in a process that lacks some packages."""
    command = [sys.executable, "-c", program, "collect", "skill-eval", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    said = refused(bare(BARE, written(tmp_path), "--yes"))
    assert said == "benchdata: uvicorn is not installed: pip install 'benchdata[agents]'"


@pytest.mark.slow
def test_it_needs_no_other_extra(tmp_path: Path) -> None:
    others = BARE.replace(', "uvicorn"', "")
    file = written(tmp_path / "spec", **QUICK)
    done = bare(others, file, "--yes", "--out", tmp_path / "out")
    assert done.code == 0, done.err


def test_a_folder_is_no_spec(tmp_path: Path) -> None:
    written(tmp_path / "spec")
    said = refused(collected(tmp_path / "spec", "--yes"))
    assert (
        said == f"benchdata: {tmp_path / 'spec'}: is a folder; name the file SPEC.json of a bench"
        "mark"
    )


def test_the_rows_are_all_that_is_found_in_its_folder(tmp_path: Path) -> None:
    file, out = written(tmp_path / "spec", **QUICK), tmp_path / "out"
    assert collected(file, "--yes", "--out", out).code == 0
    assert run("summarize", out).out == benchmark.summary(out)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    new = ["git", "status", "--porcelain", "--untracked-files=all", "--", str(out)]
    seen = subprocess.run(new, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert "out/stage/rows.ndjson" in seen
    assert ".runs" not in seen


def test_without_a_spec_it_says_so() -> None:
    said = refused(run("collect", "skill-eval"))
    assert "the following arguments are required: SPEC.json" in said
    assert "benchdata collect skill-eval --help" in said


def test_flags_take_the_place_of_what_the_spec_says(tmp_path: Path) -> None:
    file = written(tmp_path / "spec", timeout=5_000, agent="claude", **QUICK)
    flags = ("--agent", "scripted", "--runs", "2", "--timeout", "7000", "--model", "scripted-2")
    out = tmp_path / "out"
    done = collected(file, "--yes", "--out", out, "--concurrency", "3", *flags)
    assert done.code == 0, done.err
    assert "2 arms × 1 task × 2 repeats = 4 executions, 3 at once." in done.err
    assert {
        (row["agent"], row["model"], row["timeout_ms"], row["planned_repeats"])
        for row in rows_of(out)
    } == {("scripted", "scripted-2", 7_000, 2)}


@pytest.mark.slow
def test_it_reports_where_no_folder_is_named(tmp_path: Path) -> None:
    file = written(tmp_path / "spec", **QUICK)
    done = collected(file, "--yes", variables={"XDG_CONFIG_HOME": str(tmp_path / "config")})
    (folder,) = (tmp_path / "config" / "benchdata" / "evals").iterdir()
    assert done.code == 0
    assert f"Report: {folder / 'report.html'}" in done.err
    assert folder.stat().st_mode & 0o777 == 0o700


def test_where_no_folder_is_named_it_says_which_to_go_on_in(tmp_path: Path) -> None:
    outage = {"default": {"status": 529, "error_type": "overloaded_error", "consume": False}}
    file = written(tmp_path / "spec", script=outage, runs=4)
    done = collected(file, "--yes", variables={"XDG_CONFIG_HOME": str(tmp_path / "config")})
    (folder,) = (tmp_path / "config" / "benchdata" / "evals").iterdir()
    assert done.code == 2
    again = f"run the same command again with --out {folder} to go on"
    assert f"stopped: 8 of 8 executions still due; {again}\n" in done.err


def test_executions_without_a_grade_are_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "grade.py").write_text("def grade(expected, output):\n    return None\n")
    task = {"id": "sum", "prompt": "6 x 7?", "grader": "script", "script": "grade.py"}
    file = written(tmp_path / "spec", tasks=[task], **QUICK)
    done = collected(file, "--yes", "--out", tmp_path / "out")
    assert done.code == 2
    assert "2 of 2 cells done, 2 without a score" in done.err
    (said,) = [line for line in done.err.splitlines() if line.startswith("Grading of ")]
    reason, _, place = said.partition("; see ")
    assert reason == "Grading of sum failed: grade.py: must be an object"
    assert reason.endswith(json.loads(Path(place).read_text())["failed"])
    assert {row["outcome"] for row in rows_of(tmp_path / "out")} == {"grading_error"}


def test_an_agent_that_fails_is_graded_and_exit_code_2(tmp_path: Path) -> None:
    script = {"default": {"status": 400, "consume": False}}
    done = collected(written(tmp_path / "spec", script=script), "--yes", "--out", tmp_path / "out")
    assert done.code == 2
    assert {(row["outcome"], row["score"]) for row in rows_of(tmp_path / "out")} == {
        ("agent_error", 0.0)
    }


@pytest.mark.parametrize(
    ("changes", "arms", "note"),
    [
        ({}, 2, "Baseline: an arm without a skill is added."),
        ({"includeNoSkill": False}, 2, "Baseline: `includeNoSkill` is false, but a lift needs an"),
        ({"skills": ["none", "mine"]}, 2, ""),
    ],
)
def test_the_baseline_is_always_there(
    tmp_path: Path, changes: dict[str, Any], arms: int, note: str
) -> None:
    said = refused(collected(written(tmp_path / "spec", **QUICK, **changes)))
    assert f"Runs: {arms} arms" in said
    assert note in said
    assert ("Baseline" in said) == bool(note)


def published(tmp_path: Path, *arguments: str | Path, **variables: str) -> Done:
    """Run a small benchmark to its end with a folder of settings of its own."""
    file = written(tmp_path / "spec", **QUICK)
    own = {"XDG_CONFIG_HOME": str(tmp_path / "config"), **variables}
    return collected(file, "--yes", "--out", tmp_path / "out", *arguments, variables=own)


@pytest.mark.slow
def test_the_result_is_merged_into_a_leaderboard_again_and_again(tmp_path: Path) -> None:
    board = tmp_path / "public" / "leaderboard.json"
    done = published(tmp_path, "--leaderboard", board)
    assert done.code == 0, done.err
    assert f"Leaderboard: {board}" in done.err
    first = board.read_bytes()
    (found,) = json.loads(first)["benchmarks"]
    assert [entry["arm"] for entry in found["result"]["entries"]] == [ARM, "none"]
    assert published(tmp_path, "--leaderboard", board).code == 0
    assert board.read_bytes() == first


def test_a_leaderboard_that_is_none_is_named_before_anything_runs(tmp_path: Path) -> None:
    board = tmp_path / "leaderboard.json"
    board.write_text("[]")
    done = published(tmp_path, "--leaderboard", board)
    assert (done.code, done.out, board.read_text()) == (1, "", "[]")
    assert done.err == "benchdata: leaderboard.json: must be an object\n"
    assert not (tmp_path / "out").exists()


NOWHERE = "http://127.0.0.1:9"


@pytest.mark.slow
def test_what_cannot_be_shared_is_said_once_and_changes_nothing(tmp_path: Path) -> None:
    done = published(tmp_path, BENCHDATA_SHARE_URL=NOWHERE)
    assert (done.code, done.err.count("Not shared: pipeline proofs never are")) == (0, 1)
    again = published(tmp_path, BENCHDATA_SHARE_URL=NOWHERE)
    assert (again.code, again.err.count("Not shared: ")) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "variables"),
    [
        (["--no-share"], {}),
        pytest.param([], {"BENCHDATA_SHARE": "off"}, marks=pytest.mark.slow),
        pytest.param([], {"EDGE_EVAL_SHARE": "off"}, marks=pytest.mark.slow),
    ],
)
def test_sharing_can_be_switched_off(
    tmp_path: Path, arguments: list[str], variables: dict[str, str]
) -> None:
    done = published(tmp_path, *arguments, BENCHDATA_SHARE_URL=NOWHERE, **variables)
    assert done.code == 0
    assert "shared" not in done.err


@pytest.mark.slow
def test_what_is_shared_can_be_marked_as_the_publishers_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of a real agent, as only those are shared."""
    stage = batches.rows_of(tmp_path / "out")
    stage.parent.mkdir(parents=True)
    write(stage, skills({"none": 0.2, ARM: 0.5}))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with Serving(tmp_path / "data") as server:
        monkeypatch.setenv("BENCHDATA_SHARE_URL", server.url)
        for flags in ([], ["--internal"], ["--no-share"]):
            given = cli._parser().parse_args(["spec.json", *flags])
            cli._publish(tmp_path / "out", given, is_new=True)
        sent = [json.loads(line) for line in server.file.read_bytes().splitlines()]
    assert [row["internal"] for row in sent] == [False, True]
    assert [each["skill"] for each in sent[0]["skills"]] == ["local"]
