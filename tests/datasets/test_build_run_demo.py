"""Synthetic build-run rows: valid by an independent check, as declared, reproducible."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

import pytest

from benchdata.contracts.build_run import BUILD_RUN
from tests.support.command import run
from tests.support.intake import frame

FOLDER = Path(__file__).parents[2] / "datasets" / "build-run-demo"
Row = dict[str, Any]


def faults(row: Row) -> list[str]:
    """Return the names of the specification's rules that a row breaks."""
    verdicts = Counter(probe["verdict"] for probe in row["probes"])
    decided = verdicts["pass"] + verdicts["fail"]
    rate = verdicts["pass"] / decided if decided else None
    started, ended = (datetime.fromisoformat(row[key]) for key in ("started_at", "ended_at"))
    rates, green, best = row["turn_pass_rates"], row["turns_to_green"], row["best_turn"]
    without = [row[key] is None for key in ("agent", "agent_version", "model", "endpoint")]
    rules = {
        "rate": row["test_pass_rate"] == rate,
        "times": ended >= started,
        "wall": row["wall_s"] <= (ended - started).total_seconds() + 0.001,
        "turns": row["turns"] <= row["max_turns"],
        "green": (row["stop_cause"] == "green") == (green is not None),
        "green is the last turn": green in {None, row["turns"]},
        "green passes all": green is None or (rate == 1 and green == best),
        "a rate a turn": len(rates) == row["turns"],
        "best": best is None or rates.index(max(rates)) == best - 1,
        "rate of the best": best is None or abs(rates[best - 1] - row["test_pass_rate"]) < 1e-4,
        "conformance": all(without) if row["kind"] == "conformance" else not any(without),
        "stand-in": row["endpoint"] in {None, "stand_in"},
        "plain": row["variant"] == "plain" and row["rubric_digest"] is None,
        "cap": row["kind"] == "conformance" or row["wall_s"] <= row["max_wall_s"],
    }
    return [name for name, held in rules.items() if not held]


def run_generator(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, FOLDER / "generate.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_run_demo", FOLDER / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def demo() -> list[Row]:
    return [json.loads(line) for line in (FOLDER / "rows.ndjson").read_bytes().splitlines()]


@pytest.fixture(scope="module")
def attempts(demo: list[Row]) -> list[Row]:
    return [row for row in demo if row["kind"] == "agent"]


def test_committed_rows_are_what_the_generator_writes(tmp_path: Path) -> None:
    result = run_generator("--out", tmp_path / "rows.ndjson")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert (tmp_path / "rows.ndjson").read_bytes() == (FOLDER / "rows.ndjson").read_bytes()


def test_every_row_is_valid_in_normal_form_and_keeps_every_rule(demo: list[Row]) -> None:
    assert [json.dumps(BUILD_RUN.validate(row)) for row in demo] == list(map(json.dumps, demo))
    assert {row["run_id"]: faults(row) for row in demo if faults(row)} == {}
    valid = json.loads((FOLDER / "valid-row.json").read_text("utf-8"))
    assert valid in demo
    assert BUILD_RUN.validate(valid) == valid


@pytest.mark.parametrize(
    ("rule", "break_it"),
    [
        ("rate", lambda row: row["probes"][0].update(verdict="fail")),
        ("green", lambda row: row.update(stop_cause="agent_ended")),
        ("a rate a turn", lambda row: row["turn_pass_rates"].append(1.0)),
        ("wall", lambda row: row.update(wall_s=row["wall_s"] + 1000)),
        ("conformance", lambda row: row.update(endpoint=None)),
    ],
)
def test_the_independent_check_sees_a_broken_rule(
    rule: str, break_it: Callable[[Row], None]
) -> None:
    row = json.loads((FOLDER / "valid-row.json").read_text("utf-8"))
    assert faults(row) == []
    break_it(row)
    assert rule in faults(row)


def test_each_cell_of_the_plan_has_its_repeats(attempts: list[Row]) -> None:
    repeats = defaultdict(list)
    for row in attempts:
        if row["stop_cause"] != "infrastructure":
            lane = (row["lane"], row["framework_version"])
            repeats[*lane, row["task_id"]].append(row["repeat"])
    assert {lane for lane, _, _ in repeats} == {"aster", "birch", "cedar"}
    assert len(repeats) == 8
    assert all(sorted(each) == list(range(1, 13)) for each in repeats.values())
    versions = {row["framework_version"] for row in attempts if row["lane"] == "aster"}
    assert versions == {"1.4.0", "1.5.0"}


def test_what_was_lost_has_its_one_retry(attempts: list[Row]) -> None:
    lost = [row["run_id"] for row in attempts if row["stop_cause"] == "infrastructure"]
    assert len(lost) == 2
    assert sorted(row["retry_of"] for row in attempts if row["retry_of"]) == sorted(lost)


def test_every_lane_has_a_conformance_row_that_passes_all(demo: list[Row]) -> None:
    found = [row for row in demo if row["kind"] == "conformance"]
    assert len({(row["framework_version"], row["task_id"]) for row in found}) == len(found) == 8
    assert {(row["stop_cause"], row["test_pass_rate"]) for row in found} == {("completed", 1.0)}


def test_the_demo_shows_every_stop_cause_of_a_bench(attempts: list[Row]) -> None:
    causes = Counter(row["stop_cause"] for row in attempts)
    assert causes["green"] > len(attempts) / 2
    assert set(causes) >= {"agent_ended", "max_turns", "max_wall", "infrastructure", "error"}


def test_lanes_and_tasks_differ_as_declared(attempts: list[Row]) -> None:
    def turns(version: str, task: str) -> float:
        rows = [r for r in attempts if (r["framework_version"], r["task_id"]) == (version, task)]
        return median(row["turns_to_green"] or 99 for row in rows)

    assert turns("1.4.0", "t1") < turns("0.9.3", "t1")
    assert all(turns(version, "t1") < turns(version, "t2") for version in ("1.4.0", "0.9.3"))
    digests = {(row["lane"], row["framework_version"], row["lockfile_digest"]) for row in attempts}
    assert len(digests) == 4


def test_the_batches_do_not_overlap(attempts: list[Row]) -> None:
    batches = defaultdict(list)
    for row in attempts:
        batches[row["suite_id"]].append((row["started_at"], row["position"]))
    first, second = batches.values()
    assert max(first) < min(second)
    for batch in (first, second):
        assert batch == sorted(batch)


def test_a_draw_of_any_size_endpoint_and_seed_is_valid(
    generator: ModuleType, tmp_path: Path
) -> None:
    drawn = [row for batch in generator.rows(50, 7, "vendor") for row in batch]
    assert len(drawn) == 2 + 8 + 8 * 50
    assert [row for row in drawn if row["endpoint"] not in {None, "vendor"}] == []
    file = tmp_path / "rows.ndjson"
    file.write_text("".join(json.dumps(row) + "\n" for row in drawn), "utf-8")
    assert frame(tmp_path, file, contract=BUILD_RUN).height == len(drawn)
    other = [row["run_id"] for batch in generator.rows(2, 8) for row in batch]
    assert {row["run_id"] for row in drawn}.isdisjoint(other)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--repeats", "0"], "--repeats must be at least 1"),
        (["--seed", "-1"], "--seed must be 0 or more"),
        (["--out", "missing/rows.ndjson"], "cannot write missing"),
    ],
)
def test_bad_arguments_give_one_message(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = run_generator("--out", tmp_path / "rows.ndjson", *arguments)
    assert result.returncode != 0
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("validate",), 0, "106 rows of build-run, all valid"),
        (("summarize",), 0, "| SYNTHETIC (12/10) |"),
        (("gate",), 3, "SYNTHETIC (12/10)"),
    ],
)
def test_commands_read_the_demo_and_call_it_synthetic(
    arguments: tuple[str, ...], code: int, words: str
) -> None:
    result = run(*arguments, FOLDER)
    assert (result.code, result.err) == (code, "")
    assert words in result.out


def test_the_long_views_hold_each_probe_turn_and_model() -> None:
    query = (
        "select (select count(*) from probes), (select count(*) from turn_rates),"
        " (select count(*) from build_usage), (select sum(turns) from rows),"
        " (select count(*) from rows where turns > 0)"
    )
    result = run("sql", query, "--format", "csv", FOLDER)
    assert (result.code, result.err) == (0, "")
    probes, rates, models, turns, agents = map(int, result.out.splitlines()[1].split(","))
    assert (rates, models) == (turns, agents)
    assert probes == 13 * 52 + 10 * 52
