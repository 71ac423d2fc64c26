"""One attempt after another by the scripted agent: how it ends, and what its row then says."""

from __future__ import annotations

import json
import signal
import threading
import time
from pathlib import Path

import pytest

from collectors.build_bench import references
from collectors.build_bench.lanes import lane
from collectors.build_bench.rows import added_lines
from collectors.build_bench.suites import pages
from collectors.build_bench.tasks import TASKS
from tests.collectors.build_bench.attempts import (
    AT_OPUS,
    T1,
    Batch,
    bash,
    composite,
    composite_by_hand,
    made,
    scripted,
    start,
    turn,
    write,
)

pytestmark = pytest.mark.usefixtures("node")
T3 = "t3-reactive-dashboard"
RED = start("exit 1")


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory, node: None) -> Batch:  # noqa: ARG001
    """The shipped script, with a cap that its green turn reaches."""
    folder = tmp_path_factory.mktemp("shipped")
    return made(folder, "--model", AT_OPUS, "--seed", "7", "--max-turns", "3")


def test_the_shipped_script_is_green_in_its_third_turn_as_the_protocol_says(
    shipped: Batch,
) -> None:
    row = shipped.row
    assert shipped.code == 0
    assert (row["kind"], row["variant"], row["endpoint"]) == ("scripted", "plain", "stand_in")
    assert (row["stop_cause"], row["turns"], row["turns_to_green"]) == ("green", 3, 3)
    assert row["max_turns"] == 3  # green wins over the cap that the same turn reaches
    assert (row["best_turn"], row["test_pass_rate"], row["seed"]) == (3, 1, 7)
    first, second, third = row["turn_pass_rates"]
    assert (first, third) == (0, 1)
    assert 0.3 < second < 0.9
    assert row["total_cost_usd"] == pytest.approx(0.186)
    assert composite(shipped) == pytest.approx(composite_by_hand(row))
    assert len(row["suite_ms"]) == 3
    assert row["suite_ms"][0] == 0  # it did not boot
    assert len(row["boot_ms"]) == 1 + 2 * 3  # each suite that runs restarts the service three times
    assert row["lines_of_code"] == added_lines(lane("node"), TASKS[T1])
    assert row["rubric_judge"] is None
    assert {item["list"] for item in row["rubric"]} == {"production"}
    assert row["rubric_pass_rate"] == sum(item["met"] for item in row["rubric"]) / 8


def test_what_shows_it_is_kept_and_nothing_else(shipped: Batch) -> None:
    run = shipped.run()
    header, *turns = map(json.loads, (run / "trace.jsonl").read_text("utf-8").splitlines())
    assert (header["kind"], header["stop_cause"]) == ("trace-header", "green")
    assert [each["turn"] for each in turns] == [1, 2, 3]
    assert [each["first_green"] for each in turns] == [False, False, True]
    assert json.loads((run / "row.json").read_text("utf-8"))["run_id"] == shipped.row["run_id"]
    suites = [json.loads((run / f"turns/000{n}/suite.json").read_text("utf-8")) for n in (1, 2, 3)]
    assert suites[0]["not_ready"].startswith("start.sh ended with 1")
    assert [suite["fresh"] for suite in suites] == [True, True, True]
    diff = (run / "turns/0003/turn.diff").read_text("utf-8")
    assert "+++ b/orders.js" in diff
    assert "package.json" not in diff
    files = references.files("node", T1)
    scored = {path.name: path.read_bytes() for path in (run / "scored").iterdir()}
    assert scored == {name: path.read_bytes() for name, path in files.items()}
    assert (run / "raw/stdout.jsonl").stat().st_size > 0
    assert (run / "raw/egress.jsonl").read_text("utf-8") == ""  # nothing but the gateway is reached
    profile = json.loads((run / "raw/sandbox.json").read_text("utf-8"))
    assert (profile["sandbox"], profile["hosts"]) == (shipped.row["sandbox"], [])
    assert not (run / "agent").exists()
    assert not (run / "scratch").exists()
    assert run.stat().st_mode & 0o077 == 0


def test_the_cost_of_a_turn_is_that_until_its_end(shipped: Batch) -> None:
    _, *turns = map(json.loads, (shipped.run() / "trace.jsonl").read_text("utf-8").splitlines())
    assert [each["cost_usd"] for each in turns] == pytest.approx([0.115, 0.1505, 0.186])


def test_the_agent_ends_and_its_last_state_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(tmp_path, monkeypatch, [RED])
    batch = made(tmp_path)
    row = batch.row
    assert batch.code == 0
    assert (row["stop_cause"], row["turns"], row["turn_pass_rates"]) == ("agent_ended", 2, [0, 0])
    assert (row["turns_to_green"], row["best_turn"], row["test_pass_rate"]) == (None, 1, 0)
    assert row["suite_ms"] == [0]  # the second turn changed nothing, so it was not judged again
    assert row["rubric_pass_rate"] == pytest.approx(0.125)  # no secrets


@pytest.mark.slow
def test_a_last_message_may_be_green(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = references.files("node", T1)
    calls = [write(name, path.read_text("utf-8")) for name, path in files.items()]
    late = "(sleep 1; mv start.txt start.sh) >/dev/null 2>&1 &"
    last = turn(*calls, bash(f"chmod +x start.sh; mv start.sh start.txt; {late}"))
    scripted(tmp_path, monkeypatch, [last, {"text": "Done.", "delay_s": 3}])
    row = made(tmp_path).row
    assert (row["stop_cause"], row["turns"], row["turns_to_green"]) == ("green", 2, 2)
    assert row["turn_pass_rates"] == [0, 1]


def test_the_cap_on_turns_is_noticed_at_the_turn_that_reaches_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(tmp_path, monkeypatch, [RED, turn(bash("touch 2")), turn(bash("touch 3"))])
    row = made(tmp_path, "--max-turns", "2", "--model", "no-such-model-1").row
    assert row["total_cost_usd"] is None  # nobody knows its price
    assert (row["stop_cause"], row["turns"], row["max_turns"]) == ("max_turns", 2, 2)
    assert len(row["suite_ms"]) == 2


def test_the_clock_ends_a_turn_that_hangs_and_what_it_left_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(tmp_path, monkeypatch, [RED, turn(bash("touch left; sleep 60"))])
    row = made(tmp_path, "--max-wall", "2").row
    assert (row["stop_cause"], row["turns"], row["max_wall_s"]) == ("max_wall", 2, 2)
    assert len(row["turn_pass_rates"]) == 2
    assert 2 <= row["wall_s"] < 10


def test_the_time_of_the_suite_is_no_time_of_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collectors.build_bench.service.READY_S", 4.0)
    scripted(tmp_path, monkeypatch, [start("sleep 60")])
    row = made(tmp_path, "--max-wall", "3").row
    assert (row["stop_cause"], row["turns"]) == ("agent_ended", 2)
    assert row["wall_s"] < 3


def test_an_agent_that_fails_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(tmp_path, monkeypatch, [RED, {"status": 400, "consume": False}])
    row = made(tmp_path).row
    assert (row["stop_cause"], row["turns"], row["test_pass_rate"]) == ("error", 1, 0)


def test_what_the_infrastructure_loses_is_made_once_more_and_has_no_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(tmp_path, monkeypatch, [RED, {"status": 529, "consume": False}])
    batch = made(tmp_path)
    assert batch.code == 2
    first, second = batch.rows
    assert [row["stop_cause"] for row in (first, second)] == ["infrastructure"] * 2
    assert second["retry_of"] == first["run_id"]
    assert first["rubric"] is None


def test_our_own_fault_leaves_a_row_and_its_story(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("of our own")

    monkeypatch.setattr("collectors.build_bench.turns.Judge.__call__", broken)
    scripted(tmp_path, monkeypatch, [RED])
    batch = made(tmp_path)
    row = batch.rows[0]
    assert batch.code == 2
    assert (row["stop_cause"], row["turns"], row["probes"]) == ("infrastructure", 0, [])
    assert "of our own" in (batch.run(row) / "harness-error.txt").read_text("utf-8")


def test_our_own_fault_with_the_rubric_loses_the_rubric_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collectors.build_bench.rubric.RESOURCES", {})
    scripted(tmp_path, monkeypatch, [RED])
    batch = made(tmp_path)
    assert (batch.row["stop_cause"], batch.row["test_pass_rate"]) == ("agent_ended", 0)
    assert (batch.row["rubric"], batch.row["rubric_pass_rate"]) == (None, None)
    assert "KeyError" in (batch.run() / "harness-error.txt").read_text("utf-8")


def test_an_interrupt_while_the_agent_is_held_keeps_the_row_and_the_cell_stays_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(tmp_path, monkeypatch, [RED, start("sleep 600")])
    began = time.monotonic()

    def interrupt() -> None:
        while not [*(tmp_path / "batch").glob(".runs/*/scratch/evaluation/service/data")] or not [
            *(tmp_path / "batch").glob(".runs/*/turns/0001/turn.diff")
        ]:
            time.sleep(0.05)
        time.sleep(0.5)
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    batch = made(tmp_path)
    assert time.monotonic() - began < 18  # the boot would have been waited for 20 s
    assert batch.code == 2
    kept = (batch.folder / "stage" / "rows.ndjson.interrupted").read_text("utf-8")
    row = json.loads(kept)
    assert (row["stop_cause"], row["turn_pass_rates"]) == ("interrupted", [0])
    scripted(tmp_path / "again", monkeypatch, [RED])
    assert made(tmp_path).row["stop_cause"] == "agent_ended"


def test_a_work_folder_that_cannot_be_copied_fails_every_probe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collectors.build_bench.snapshots.LARGEST", 1000)
    scripted(tmp_path, monkeypatch, [turn(bash("head -c 5000 /dev/zero > big"))])
    batch = made(tmp_path)
    assert (batch.row["stop_cause"], batch.row["test_pass_rate"]) == ("agent_ended", 0)
    told = json.loads((batch.run() / "turns/0001/suite.json").read_text("utf-8"))
    assert "larger than" in told["not_ready"]


def test_a_model_reads_the_sources_when_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = TASKS[T1].rubric_items()["task"]
    met = [
        {"id": item.id, "met": item is items[0], "file": "start.sh", "line": 2} for item in items
    ]
    scripted(tmp_path, monkeypatch, [RED], side={"text": json.dumps({"items": met})})
    batch = made(tmp_path, "--judge-model", AT_OPUS)
    row = batch.row
    assert row["rubric_judge"] == AT_OPUS
    found = [(each["id"], each["met"]) for each in row["rubric"] if each["list"] == "task"]
    assert found == [(item.id, item is items[0]) for item in items]
    assert row["rubric_pass_rate"] == pytest.approx(0.125)  # of the production list alone
    assert [exchange["input_tokens"] for exchange in row["usage"]] == [200]  # without the reader
    assert row["total_cost_usd"] == 0  # nor its cost
    told = json.loads((batch.run() / "rubric.json").read_text("utf-8"))
    assert "start.sh:2" in {each["evidence"] for each in told["items"]}
    assert told["reading"]["calls"] == 1
    assert told["reading"]["cost_usd"] == pytest.approx((100 * 5 + 20 * 25) / 1e6)


@pytest.mark.slow
def test_a_page_is_checked_on_the_scoring_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if lacking := pages.lacking():
        pytest.skip(lacking)
    files = references.files("node", T3)
    calls = [write(name, path.read_text("utf-8")) for name, path in files.items()]
    scripted(tmp_path, monkeypatch, [turn(*calls)], T3)
    row = made(tmp_path, task=T3).row
    assert (row["stop_cause"], row["turns"]) == ("green", 1)
    assert row["extended"]["pass_rate"] == 1
    assert len(row["extended"]["probes"]) == len(TASKS[T3].browser.probes)  # type: ignore[union-attr]
