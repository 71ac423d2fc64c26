"""`screen`: the plan, what each run is given and leaves, its row, what ends it, what is refused."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchdata.stats import floors
from collectors.harness import stage_file, trees
from collectors.harness.user_settings import PRICES
from collectors.skill_eval.judge.resolving import ENDPOINT
from collectors.skill_eval.stages import stage
from collectors.skill_eval.stages.artefacts import ARTEFACT
from tests.support.benchmarks import bash
from tests.support.collecting import wait_until
from tests.support.command import refused, start
from tests.support.open_tasks import (
    AGENT,
    ARM,
    JUDGED_BY,
    MODEL,
    NAMES,
    NOBODY,
    commanded,
    laid_out,
    ran,
    runs,
    staged,
    task,
)

CHECK = "return (artefact / 'page.png').read_bytes() == (artefact / 'good.png').read_bytes()"


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A screen that the scripted agent ran."""
    folder = laid_out(tmp_path_factory.mktemp("stage"))
    task(folder / "suite", "checked", check=CHECK)
    trees.remove(folder / "suite" / "six")
    done = ran("screen", folder, "--concurrency", "2", "--seed", "5", "--yes", out="screen")
    assert done.code == 0, done.err
    return folder / "screen"


def test_every_cell_has_a_row_for_the_judge(screen: Path) -> None:
    rows = runs(screen)
    assert Counter((row["arm"], row["task_id"]) for row in rows) == Counter(
        (arm, name) for arm in ("none", ARM) for name in (*NAMES[:5], "checked")
    )
    same = ("stage", "grader", "grader_model", "mode", "score", "outcome", "repeat")
    assert {tuple(row[name] for name in same) for row in rows} == {
        ("screen", "rubric", "stand-in-1", "agent", None, "completed", 1)
    }
    assert {row["skill_read"] for row in rows if row["arm"] == ARM} == {True}
    assert {row["skill_installed"] for row in rows if row["arm"] == "none"} == {False}


def test_passed_is_what_the_check_says(screen: Path) -> None:
    said = {(row["task_id"] == "checked", row["arm"]): row["passed"] for row in runs(screen)}
    assert said == {
        (False, "none"): None,
        (False, ARM): None,
        (True, "none"): False,
        (True, ARM): True,
    }


def artefact(screen: Path, arm: str, name: str = "checked") -> Path:
    """Return what a run left."""
    (run_id,) = (
        row["run_id"] for row in runs(screen) if (row["arm"], row["task_id"]) == (arm, name)
    )
    return Path(screen, ".runs", run_id, ARTEFACT)


def test_what_a_run_left_is_kept_and_its_agent_is_not(screen: Path) -> None:
    given = screen.parent / "suite" / "checked" / "input"
    for arm, source in (("none", "bad.png"), (ARM, "good.png")):
        left = artefact(screen, arm)
        assert {path.name for path in left.iterdir()} == {"good.png", "bad.png", "page.png"}
        assert (left / "page.png").read_bytes() == (given / source).read_bytes()
    assert [*(screen / ".runs").rglob("agent")] == []
    assert screen.stat().st_mode & 0o777 == 0o700


def test_the_file_of_the_stage_pins_all_that_a_result_depends_on(screen: Path) -> None:
    facts = stage_file.read(screen)
    assert facts is not None
    assert facts.seed == 5
    spec = facts.experiment.spec
    assert [name for name, value in spec.items() if value is None] == []
    rows = runs(screen)
    assert {row["task_id"]: row["task_digest"] for row in rows} == spec["tasks"]
    assert spec["contents"].keys() == spec["tasks"].keys()
    assert {row["skill_digest"] for row in rows} == {arm["skill"] for arm in spec["arms"].values()}
    assert spec["render_version"].startswith("v3-")
    assert (spec["judge"], spec["judge_model"], spec["protocol"]) == ("openai", "stand-in-1", 1)
    by_position = sorted(facts.order, key=lambda cell: cell.position)
    blocks = [by_position[at : at + 2] for at in range(0, 12, 2)]
    assert all({cell.arm for cell in block} == {"none", ARM} for block in blocks)
    assert all(len({cell.task for cell in block}) == 1 for block in blocks)


def test_the_plan_says_what_is_to_come_and_nothing_runs_without_a_yes(tmp_path: Path) -> None:
    done = ran("screen", laid_out(tmp_path), "--seed", "9")
    assert done.code == 1
    assert "--yes: is needed where nobody can be asked" in done.err
    for words in (
        "Runs: 2 arms × 6 tasks × 1 repeat = 12 executions, one at a time.",
        "Time: at most 10 min each, so 2 agent-hours at worst",
        "12 calls to come, one an artefact, and 12 more with --pairwise.",
        "Order: drawn with seed 9",
        f"6 tasks can reach p = {float(floors.sign_flip(6)):.3f} only when all 6 agree.",
        "renderer v3-",
    ):
        assert words in done.err
    assert "p = 0.031" in done.err
    assert not (tmp_path / "out").exists()


def test_the_plan_says_what_judging_would_cost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    price = {"input": 10.0, "output": 50.0, "cache_write": 12.5, "cache_read": 1.0}
    told = "".join(f"{name} = {value}\n" for name, value in price.items())
    dated = 'as_of = 2026-12-01\nsource = "a test"\n'
    (tmp_path / "prices.toml").write_text(f"[{MODEL}]\n{told}{dated}")
    monkeypatch.setenv(PRICES, str(tmp_path / "prices.toml"))
    done = ran("screen", laid_out(tmp_path))
    assert "Cost of judging: about 2.6" in done.err
    assert "look: 19,400 tokens), prices of 2026-12-01" in done.err


def test_the_longest_limit_of_a_task_is_that_of_all(tmp_path: Path) -> None:
    laid_out(tmp_path)
    trees.remove(tmp_path / "suite" / "six")
    task(tmp_path / "suite", "slow", timeout_ms=1_800_000)
    assert "Time: at most 30 min each" in ran("screen", tmp_path).err


def test_a_stage_has_six_tasks(tmp_path: Path) -> None:
    laid_out(tmp_path, names=NAMES[:5])
    (tmp_path / "suite" / "scripted.json").unlink()
    assert "suite suite: has 5 tasks; a stage is 6" in refused(ran("screen", tmp_path, "--yes"))
    task(tmp_path / "suite", "six")
    said = refused(ran("screen", tmp_path, "--yes"))
    assert f"scripted needs scripted.json in {tmp_path / 'suite'}, with the model's" in said


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("suite/one/out", "which is read; give another folder"),
        ("mine/out", "which is read; give another folder"),
        ("other", "holds files and nothing to go on with; give a new folder"),
    ],
)
def test_a_folder_that_is_no_place_for_a_stage_is_refused(
    tmp_path: Path, out: str, words: str
) -> None:
    (laid_out(tmp_path) / "other").mkdir()
    (tmp_path / "other" / "notes.txt").touch()
    before = trees.digest(tmp_path)
    assert words in ran("screen", tmp_path, "--yes", out=out).err
    assert trees.digest(tmp_path) == before


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--suite", "scren"), "scren is no folder; did you mean `screen`?"),
        (("--suite", "nowhere"), "nowhere is no folder; screen and heldout ship"),
        (("--judge", "nobody"), "judge: nobody: must be one of claude, codex, openai"),
        (("--agent", "nobody"), "nobody"),
        (("--seed", "-1"), "must be a whole number"),
        (("--concurrency", "0"), "must be a whole number from 1 to 64"),
        (("--judge-model", "a b"), "--judge-model"),
    ],
)
def test_a_flag_that_means_nothing_is_refused(
    tmp_path: Path, flags: tuple[str, ...], words: str
) -> None:
    assert words in refused(ran("screen", laid_out(tmp_path), *flags))


def test_a_suite_that_ships_is_named(tmp_path: Path) -> None:
    done = ran("screen", laid_out(tmp_path), "--suite", "screen")
    assert "scripted needs scripted.json" in done.err or "12 executions" in done.err


def test_what_a_begun_stage_was_run_with_need_not_be_said_again(tmp_path: Path) -> None:
    out = staged(tmp_path, "out", due=1)
    flags = ("--suite", tmp_path / "suite", "--skill", tmp_path / "mine", "--out", out)
    done = commanded("screen", *flags)
    assert "1 still to run" in done.err
    assert "Judge: openai, model stand-in-1" in done.err
    said = refused(commanded("heldout", *flags, "--screen", out, *AGENT, *JUDGED_BY))
    assert f"{out}: this folder holds a screen, and this is a heldout" in said


def test_why_a_run_was_lost_is_told_until_another_makes_up_for_it(tmp_path: Path) -> None:
    out = staged(tmp_path, "out", lost=["two"])
    lost = next(row["run_id"] for row in runs(out) if row["task_id"] == "two")
    fault = out / ".runs" / lost / "harness-error.txt"
    fault.parent.mkdir()
    fault.write_text("Traceback:\nOSError: no such place\n")
    told = f"A run of two was lost: OSError: no such place; see {fault}"
    assert stage.first_lost(out) == told
    done = ran("screen", tmp_path, "--yes")
    assert done.code == 0, done.err
    assert told not in done.err


def test_it_goes_on_only_with_the_same_instrument_and_order(tmp_path: Path) -> None:
    staged(tmp_path, "out", due=1)
    done = ran("screen", tmp_path, "--judge-model", "another-1")
    assert 'judge_model was "stand-in-1" and is "another-1"' in refused(done)
    assert "seed was 7 and is 8" in refused(ran("screen", tmp_path, "--seed", "8"))


FAILING: dict[str, tuple[dict[str, Any], int, list[tuple[Any, ...]]]] = {
    "agent": (
        {"replies": [bash("cp bad.png page.png"), {"status": 400, "consume": False}]},
        2,
        [("agent_error", "agent_exit", True)],
    ),
    "infrastructure": (
        {"replies": [{"status": 429, "consume": False}]},
        2,
        [("infrastructure", "rate_limited", False)] * 2,
    ),
    "nothing": ({"default": {"text": "No."}}, 0, [("completed", None, True)]),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_run_is_a_row_however_it_ends_and_one_that_was_lost_runs_once_more(
    tmp_path: Path, name: str
) -> None:
    script, code, ended = FAILING[name]
    staged(laid_out(tmp_path, script=script), "out", due=1)
    done = ran("screen", tmp_path, "--yes")
    assert done.code == code, done.err
    assert "1 still to run" in done.err
    _, *last = runs(tmp_path / "out")[-len(ended) - 1 :]
    places = [tmp_path / "out" / ".runs" / row["run_id"] / ARTEFACT for row in last]
    assert [
        (row["outcome"], row["failure_reason"], place.exists())
        for row, place in zip(last, places, strict=True)
    ] == ended
    assert [row["retry_of"] for row in last[1:]] == [row["run_id"] for row in last[:-1]]


def test_a_check_that_breaks_loses_no_artefact(tmp_path: Path) -> None:
    staged(laid_out(tmp_path, check="raise ValueError('no such page')"), "out", due=1)
    done = ran("screen", tmp_path, "--yes")
    assert done.code == 0, done.err
    *_, row = runs(tmp_path / "out")
    assert (row["outcome"], row["passed"]) == ("completed", None)
    assert f"The check of {row['task_id']} failed: " in done.err
    assert "no such page" in done.err


@pytest.mark.slow
def test_a_killed_command_is_gone_on_with(tmp_path: Path) -> None:
    reply = bash("cp bad.png page.png; sleep 1")
    staged(laid_out(tmp_path, script={"replies": [reply]}), "out", due=2)
    out = tmp_path / "out"
    before = (out / "rows.ndjson").read_bytes()
    flags = ("--suite", tmp_path / "suite", "--skill", tmp_path / "mine", "--out", out, "--yes")
    process = start(
        *("collect", "skill-eval", "screen", *flags, *AGENT, *JUDGED_BY),
        env=os.environ | {ENDPOINT: f"{NOBODY}/v1"},
    )
    wait_until(lambda: len((out / "rows.ndjson.journal").read_bytes().splitlines()) == 11)
    process.kill()
    process.communicate(timeout=30)
    assert (out / "rows.ndjson").read_bytes() == before
    done = ran("screen", tmp_path, "--yes")
    assert done.code == 0, done.err
    assert len({(row["arm"], row["task_id"]) for row in runs(out)}) == 12
    assert len(runs(out)) == 12
    assert "no row: the attempt" in done.err
    assert [*(out / ".runs").rglob("agent")] == []
