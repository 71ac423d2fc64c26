"""`judge`: one verdict on each artefact, none twice, on disk one by one, and what is refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from collectors.harness import trees
from collectors.skill_eval.judge.resolving import ENDPOINT
from collectors.skill_eval.stages.judgments import held
from tests.support import chat_api
from tests.support.collecting import wait_until
from tests.support.command import Done, ended, refused, start
from tests.support.open_tasks import (
    ARM,
    NAMES,
    commanded,
    judgments,
    laid_out,
    marks,
    preference,
    runs,
    staged,
)
from tests.support.scripted_api import Server

FAIR: Mapping[str, Any] = {"routes": [preference("a")], "side": marks()}
"""A judge that finds everything alike, and of two prefers what it saw first."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a suite, a skill and a screen of which nothing is judged."""
    folder = laid_out(tmp_path_factory.mktemp("made"))
    staged(folder)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "copy"))


@pytest.fixture
def fair() -> Iterator[Server]:
    with chat_api.serving(FAIR) as server:
        yield server


def judge(folder: Path, server: Server, *arguments: str | Path) -> Done:
    """Judge the screen in a folder."""
    flags = (folder / "screen", "--suite", folder / "suite", "--yes")
    return commanded("judge", *flags, *arguments, judge=server.url)


def by_run(folder: Path) -> Counter[str]:
    """Count the judgments of each run."""
    return Counter(row["run_id"] for row in judgments(folder / "screen"))


def test_each_artefact_is_judged_once(folder: Path, fair: Server) -> None:
    done = judge(folder, fair, "--concurrency", "3")
    assert done.code == 0, done.err
    rows = judgments(folder / "screen")
    assert by_run(folder) == Counter(row["run_id"] for row in runs(folder / "screen"))
    same = ("kind", "stage", "outcome", "attempt", "judge_model", "endpoint", "quality", "check_id")
    assert {tuple(row[name] for name in same) for row in rows} == {
        ("pointwise", "screen", "judged", 1, "stand-in-1", "stand_in", 2.0, None)
    }
    left = {row["run_id"]: row["task_digest"] for row in runs(folder / "screen")}
    assert {row["run_id"]: row["task_digest"] for row in rows} == left
    places = {row["run_id"]: folder / "screen/.runs" / row["run_id"] / "artefact" for row in rows}
    assert all(trees.digest(places[row["run_id"]]) == row["artefact_digest"] for row in rows)
    assert "12 of 12 verdicts" in done.err


def test_what_is_judged_is_not_judged_again(folder: Path, fair: Server) -> None:
    assert judge(folder, fair).code == 0
    before = (folder / "screen" / "judgments.ndjson").read_bytes()
    done = judge(folder, fair)
    assert done.code == 0
    assert (folder / "screen" / "judgments.ndjson").read_bytes() == before
    assert len(fair.asked) == 12


def test_by_force_all_is_judged_anew_and_nothing_lost(folder: Path, fair: Server) -> None:
    assert judge(folder, fair).code == 0
    before = (folder / "screen" / "judgments.ndjson").read_bytes()
    assert judge(folder, fair, "--force").code == 0
    assert (folder / "screen" / "judgments.ndjson").read_bytes().startswith(before)
    assert Counter(row["attempt"] for row in judgments(folder / "screen")) == {1: 12, 2: 12}


def test_no_arm_comes_first_and_the_order_is_the_seeds(folder: Path, fair: Server) -> None:
    again = Path(shutil.copytree(folder, folder.with_name("again")))
    orders = []
    arms = {row["run_id"]: row["arm"] for row in runs(folder / "screen")}
    for place in (folder, again):
        assert judge(place, fair).code == 0
        orders.append([row["run_id"] for row in judgments(place / "screen")])
    assert orders[0] == orders[1]
    told = [arms[run_id] for run_id in orders[0]]
    assert told[:6] not in (["none"] * 6, [ARM] * 6)
    assert told != ["none", ARM] * 6


def test_pairs_are_shown_in_both_orders(folder: Path, fair: Server) -> None:
    done = judge(folder, fair, "--pairwise", "--concurrency", "2")
    assert done.code == 0, done.err
    rows = [row for row in judgments(folder / "screen") if row["kind"] == "pairwise"]
    of = {
        row["run_id"]: (row["arm"], row["task_id"], row["repeat"])
        for row in runs(folder / "screen")
    }
    pairs = Counter((row["run_id"], row["other_run_id"]) for row in rows)
    assert {*pairs.values()} == {2}
    assert {(of[one][1:] == of[two][1:], of[one][0], of[two][0]) for one, two in pairs} == {
        (True, "none", ARM)
    }
    assert len(pairs) == len(NAMES)
    # this judge takes what comes first, so the winner changes with the order
    assert {(row["order"], row["winner"]) for row in rows} == {("ab", "a"), ("ba", "b")}


def test_what_cannot_be_shown_is_a_row_and_not_asked_about(folder: Path, fair: Server) -> None:
    row = runs(folder / "screen")[0]
    (folder / "screen/.runs" / row["run_id"] / "artefact" / "page.png").unlink()
    done = judge(folder, fair)
    assert done.code == 0, done.err
    (failed,) = (each for each in judgments(folder / "screen") if each["outcome"] != "judged")
    assert (failed["run_id"], failed["outcome"]) == (row["run_id"], "render_failed")
    assert (failed["quality"], failed["total_cost_usd"]) == (None, 0)
    assert "the artefact holds no file `page.png`" in done.err
    assert len(fair.asked) == 11
    assert judge(folder, fair).code == 0
    assert len(judgments(folder / "screen")) == 12


def test_a_verdict_that_does_not_fit_stands_and_a_call_that_failed_is_made_again(
    folder: Path, fair: Server
) -> None:
    with chat_api.serving({"side": {"text": "Nice."}}) as server:
        done = judge(folder, server)
    assert done.code == 2
    assert len(server.asked) == 24
    assert {row["outcome"] for row in judgments(folder / "screen")} == {"malformed"}
    assert judge(folder, fair).code == 2
    assert fair.asked == []


def test_calls_that_fail_are_rows_until_they_are_too_many(folder: Path, fair: Server) -> None:
    with chat_api.serving({"side": {"status": 500}}) as server:
        done = judge(folder, server)
    assert done.code == 2
    assert "5 calls one after another could not be made: no more are begun" in done.err
    assert [row["outcome"] for row in judgments(folder / "screen")] == ["error"] * 5
    done = judge(folder, fair)
    assert done.code == 0, done.err
    assert Counter(row["attempt"] for row in judgments(folder / "screen")[5:]) == {2: 5, 1: 7}


def test_runs_that_the_infrastructure_lost_left_nothing_to_judge(
    tmp_path: Path, fair: Server
) -> None:
    staged(tmp_path, lost=["two"])
    done = judge(tmp_path, fair)
    assert done.code == 2
    assert "screen: 2 runs of this stage are still due; run the same `screen` again" in done.err
    assert {row["task_id"] for row in judgments(tmp_path / "screen")} == {*NAMES} - {"two"}


def test_runs_that_are_still_to_come_are_told(tmp_path: Path, fair: Server) -> None:
    staged(tmp_path, due=1)
    done = judge(tmp_path, fair)
    assert done.code == 2
    assert "11 of 11 verdicts" in done.err
    assert "screen: 1 run of this stage is still due; run the same `screen` again" in done.err
    assert judge(tmp_path, fair).code == 2, "also where nothing is left to be judged"


def judging(folder: Path, server: Server) -> Any:
    """Start the command as a process."""
    flags = (folder / "screen", "--suite", folder / "suite", "--yes")
    variables = os.environ | {ENDPOINT: f"{server.url}/v1"}
    return start("collect", "skill-eval", "judge", *flags, env=variables)


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_what_ends_it_between_two_verdicts_loses_none(
    folder: Path, fair: Server, number: signal.Signals
) -> None:
    file = folder / "screen" / "judgments.ndjson"
    with chat_api.serving({"side": {**marks(), "delay_s": 0.3}}) as server:
        process = judging(folder, server)
        wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") >= 2)
        process.send_signal(number)
        done = ended(process)
    assert done.code == (-9 if number == signal.SIGKILL else 2)
    before = judgments(folder / "screen")
    assert 2 <= len(before) < 12
    assert judge(folder, fair).code == 0
    assert judgments(folder / "screen")[: len(before)] == before
    assert {*by_run(folder).values()} == {1}
    assert len(by_run(folder)) == 12


def test_two_do_not_judge_at_once(folder: Path, fair: Server) -> None:
    with held(folder / "screen"):
        assert "another process judges here" in refused(judge(folder, fair))


def pinned(folder: Path, **changes: Any) -> None:
    """Let the stage have been planned with another instrument."""
    file = folder / "screen" / "stage.json"
    facts = json.loads(file.read_text())
    facts["experiment"]["spec"] |= changes
    file.write_text(json.dumps(facts))


def edited(folder: Path) -> None:
    """Change what the tasks ask for after they were run."""
    file = folder / "suite" / "one" / "task.json"
    file.write_text(file.read_text().replace("A heading", "Another heading"))


CHANGED: dict[str, tuple[Callable[[Path], None], str]] = {
    "prompt": (
        lambda folder: pinned(folder, prompt_version="p0-000000000000"),
        "prompt_version: {} has p0-000000000000, and this is p1-",
    ),
    "renderer": (
        lambda folder: pinned(folder, render_version="v2-000000000000"),
        "render_version: {} has v2-000000000000, and this is v3-",
    ),
    "suite": (edited, "suite: task one: is not as {} ran it: give the --suite"),
    "artefact": (lambda folder: shutil.rmtree(folder / "screen" / ".runs"), "the run left is lost"),
    "stage": (
        lambda folder: (folder / "screen/stage.json").unlink(),
        "holds no stage to be judged",
    ),
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_would_not_compare_is_refused(folder: Path, fair: Server, name: str) -> None:
    change, words = CHANGED[name]
    change(folder)
    assert words.format(folder / "screen") in refused(judge(folder, fair))
    assert fair.asked == []


def test_another_judge_than_the_stages_is_refused(folder: Path, fair: Server) -> None:
    place = folder / "screen"
    assert (
        f"judge_model: {place} has stand-in-1, and this is other-1: give --judge-model stand-in-1"
        in refused(judge(folder, fair, "--judge-model", "other-1"))
    )
    assert f"judge: {place} has openai, and this is codex" in refused(
        judge(folder, fair, "--judge", "codex")
    )


def test_nothing_is_asked_without_a_yes(folder: Path, fair: Server) -> None:
    flags = (folder / "screen", "--suite", folder / "suite", "--pairwise")
    done = commanded("judge", *flags, judge=fair.url)
    assert "--yes: is needed where nobody can be asked" in done.err
    assert "Judge: openai, model stand-in-1: 24 calls, one at a time" in done.err
    assert "so 4 hours at worst" in done.err
    assert fair.asked == []
    assert not (folder / "screen" / "judgments.ndjson").exists()


def test_several_stages_are_judged_one_after_another(folder: Path, fair: Server) -> None:
    other = staged(folder, "other", seed=8)
    flags = ("--suite", folder / "suite", "--yes")
    done = commanded("judge", folder / "screen", other, *flags, judge=fair.url)
    assert done.code == 0, done.err
    assert len(judgments(other)) == len(judgments(folder / "screen")) == 12
