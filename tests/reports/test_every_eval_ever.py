"""Every Eval Ever documents: the leaderboard's scores, a line a scored run, nothing made up."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest

import benchdata
from benchdata.leaderboards.boards import leaderboards
from benchdata.leaderboards.judged import subject
from benchdata.reports.every_eval_ever import Publisher, write
from benchdata.stats.results import Interval
from tests.support import drawn, planned, trial_rows
from tests.support.armed import builds, uuid
from tests.support.drawn import DEMO, Row
from tests.support.skill_run import TIMED_OUT

PUBLISHER = Publisher("Acme Lab", "third_party", "", "2026-03-20")
WHEEL = "every-eval-ever==0.3.0"
PLACE = re.compile(r"data/[^/]+/[^/]+/[^/]+/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f-]+")
DATASETS = DEMO.parent
RUNS_AND_JUDGMENTS = [
    DATASETS / name / "rows.ndjson" for name in ("skill-run-demo", "judgment-demo")
]


class Record(NamedTuple):
    """A document as it lies on the disk, and its lines of runs."""

    place: str
    document: dict[str, Any]
    lines: list[dict[str, Any]]

    def results(self, metric: str) -> dict[str, dict[str, Any]]:
        """Return the results of one metric by arm."""
        return {
            result["generation_config"]["additional_details"]["arm_label"]: result
            for result in self.document["evaluation_results"]
            if result["metric_config"]["metric_id"].endswith(f".{metric}")
        }


def records(out: Path, *files: Path, publisher: Publisher = PUBLISHER) -> list[Record]:
    """Export files and read back what was written."""
    done = write(benchdata.open(files), publisher, out)
    found = []
    for place in done.documents:
        document = json.loads((out / place).read_text("utf-8"))
        runs = (out / document["detailed_evaluation_results"]["file_path"]).read_bytes()
        found.append(
            Record(str(place), document, [json.loads(run) for run in runs.split(b"\n")[:-1]])
        )
    return found


def one(folder: Path, rows: Iterable[Row], publisher: Publisher = PUBLISHER) -> Record:
    """Export rows that make one document."""
    file = drawn.write(folder / "rows.ndjson", rows)
    (record,) = records(folder / "out", file, publisher=publisher)
    return record


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Record]]:
    """The folder that the runs of the demo set were exported to, with what their judge said."""
    folder = tmp_path_factory.mktemp("demo")
    return folder, records(folder, *RUNS_AND_JUDGMENTS)


def test_scores_and_intervals_are_those_of_the_leaderboard(
    demo: tuple[Path, list[Record]],
) -> None:
    record, _ = demo[1]
    board = leaderboards(benchdata.open(RUNS_AND_JUDGMENTS[0]))[0]
    scores = record.results("score")
    assert len(board.entries) == len(scores) == 3
    for entry in board.entries:
        details, bounds = scores[entry.label]["score_details"], entry.summary.interval
        assert isinstance(bounds, Interval)
        interval = details["uncertainty"]["confidence_interval"]
        assert details["score"] == entry.summary.estimate
        assert (interval["lower"], interval["upper"]) == (bounds.low, bounds.high)
        assert (interval["confidence_level"], interval["method"]) == (0.95, bounds.method)
        assert details["uncertainty"]["num_samples"] == entry.summary.n
        assert details["details"]["runs_not_scored"] == str(entry.excluded)


def test_a_lost_run_is_counted_and_one_that_timed_out_is_scored(tmp_path: Path) -> None:
    rows = planned.plan()
    rows[0] = planned.lost(rows[0])
    rows[1] |= {**TIMED_OUT, "score": 0.25, "passed": False}
    record = one(tmp_path, rows)
    counts = record.results("score")[rows[0]["arm"]]["score_details"]["details"]
    assert (counts["runs"], counts["runs_scored"], counts["runs_not_scored"]) == ("12", "11", "1")
    of_score = {
        line["metadata"]["row"]: line
        for line in record.lines
        if "#score:" in line["evaluation_result_id"]
    }
    assert of_score.keys() == {row["run_id"] for row in rows[1:]}
    late = of_score[rows[1]["run_id"]]
    assert (late["evaluation"]["score"], late["evaluation"]["is_correct"]) == (0.25, False)
    assert [line["error"] for line in of_score.values() if "error" in line] == ["agent_timeout"]


def test_what_is_unknown_is_absent_and_zero_is_zero(tmp_path: Path) -> None:
    unknown = dict.fromkeys(trial_rows.UNKNOWN) | {"model": "acme/worker-2.1"}
    free = {"total_cost_usd": 0, "wall_s": 0, "agent": None, "agent_version": None}
    partly = [trial_rows.PASSED["usage"][0] | {"cache_creation_tokens": None}]
    rows = [
        trial_rows.numbered_row(0) | unknown,
        trial_rows.numbered_row(3, **free, usage=partly),
        trial_rows.numbered_row(6, **free),
    ]
    record = one(tmp_path, rows)
    bare, costless, told = (
        next(line for line in record.lines if line["sample_id"] == f"task-{task}")
        for task in range(3)
    )
    assert {"token_usage", "performance", "error"}.isdisjoint(bare)
    assert bare["metadata"].keys() == {"row", "arm", "outcome", "transcript"}
    assert costless["performance"] == {
        "latency_ms": 0,
        "additional_details": {"total_cost_usd": "0.0"},
    }
    assert "token_usage" not in costless
    assert told["token_usage"] == {
        "input_tokens": 1581,
        "output_tokens": 1980,
        "total_tokens": 1581 + 1980 + 68753,
        "input_tokens_cache_write": 0,
        "input_tokens_cache_read": 68753,
    }
    assert "num_turns" not in told["evaluation"]
    assert (
        "agent"
        not in record.results("passed")["curated"]["generation_config"]["additional_details"]
    )


def test_a_run_without_a_rate_has_the_worst_as_on_the_board(tmp_path: Path) -> None:
    rows = builds("aster", {"t1": [20.0, 21.0, 22.0, 23.0]}, 0)
    rows[0] |= {"probes": [], "test_pass_rate": None, "stop_cause": "error", "turns_to_green": None}
    record = one(tmp_path, rows)
    scores = {
        line["metadata"]["row"]: line["evaluation"]["score"]
        for line in record.lines
        if "#test_pass_rate:" in line["evaluation_result_id"]
    }
    assert scores.pop(rows[0]["run_id"]) == 0
    result = record.results("test_pass_rate")["aster"]["score_details"]
    assert result["score"] == pytest.approx(sum(scores.values()) / 4)


@pytest.mark.slow
def test_a_judge_gives_scores_on_its_own_scale(tmp_path: Path) -> None:
    runs = planned.rubric_plan()
    file = drawn.write(tmp_path / "runs.ndjson", runs)
    judged = drawn.write(tmp_path / "judged.ndjson", planned.verdicts(runs))
    (record,) = records(tmp_path / "out", file, judged)
    metric = record.results("quality")["none"]["metric_config"]
    assert (metric["min_score"], metric["max_score"]) == (0, 3)
    assert metric["additional_details"]["judge_check"] == "passed"
    (board,) = leaderboards(subject(given := benchdata.open([file, judged])), given)
    for entry in board.entries:
        result = record.results("quality")[entry.label]
        assert result["score_details"]["score"] == entry.summary.estimate
    assert len(record.lines) == len(runs)


def test_a_model_gets_its_maker_from_the_publisher_alone(tmp_path: Path) -> None:
    rows = planned.plan(model="worker-2.1-20260105")
    record = one(tmp_path, rows, replace(PUBLISHER, developer="acme"))
    assert record.document["model_info"]["id"] == "acme/worker-2.1-20260105"
    assert record.document["model_info"]["name"] == "worker-2.1-20260105"
    assert record.document["model_info"]["additional_details"] == {
        "deployment_type": "externally_managed",
        "model_availability": "unknown",
    }
    assert record.place.startswith("data/invoice-extraction/acme/worker-2.1-20260105/")


def test_the_same_rows_give_the_same_bytes_in_whatever_order(tmp_path: Path) -> None:
    rows = planned.plan()
    files = [
        drawn.write(tmp_path / f"{name}.ndjson", part)
        for name, part in (("a", rows[:7]), ("b", rows[7:]))
    ]
    for out, order in (("one", files), ("two", files[::-1])):
        records(tmp_path / out, *order)
    first, second = (
        {
            path.relative_to(tmp_path / out): path.read_bytes()
            for path in files_below(tmp_path / out)
        }
        for out in ("one", "two")
    )
    assert first == second
    assert len(first) == 2


def files_below(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def test_document_and_lines_agree_as_the_store_wants_it(demo: tuple[Path, list[Record]]) -> None:
    folder, found = demo
    assert len(found) == 2
    for record in found:
        reference = record.document["detailed_evaluation_results"]
        runs = (folder / reference["file_path"]).read_bytes()
        assert PLACE.fullmatch(record.place.removesuffix(".json"))
        assert reference["file_path"] == record.place.replace(".json", "_samples.jsonl")
        assert reference["checksum"] == hashlib.sha256(runs).hexdigest()
        assert reference["total_rows"] == len(record.lines) == runs.count(b"\n")
        ids = {result["evaluation_result_id"] for result in record.document["evaluation_results"]}
        assert len(ids) == len(record.document["evaluation_results"])
        assert {line["evaluation_result_id"] for line in record.lines} == ids
        assert {line["evaluation_id"] for line in record.lines} == {
            record.document["evaluation_id"]
        }
        assert {line["model_id"] for line in record.lines} == {record.document["model_info"]["id"]}


def test_rows_that_measure_nothing_say_so(tmp_path: Path, demo: tuple[Path, list[Record]]) -> None:
    for record in demo[1]:
        told = record.document["source_metadata"]["additional_details"]
        assert "A pipeline proof, not a measurement" in told["synthetic"]
        assert told["gate"] == "skill-run: INCOMPLETE, judgment: INCOMPLETE"
        assert (told["rows_set_aside"], told["reviewed"]) == ("0", "no")
        for result in record.document["evaluation_results"]:
            assert result["score_details"]["details"]["synthetic"] == "true"
    real = one(tmp_path, planned.plan()).document["source_metadata"]["additional_details"]
    assert real["gate"] == "skill-run: READY"
    assert "synthetic" not in real


@pytest.mark.slow
def test_documents_are_valid_under_the_schemas_in_the_released_wheel(tmp_path: Path) -> None:
    aggregate, instance = schemas(tmp_path)
    made = [
        {**trial_rows.valid_row(fields), "trial_id": uuid(number)}
        for number, fields in enumerate(trial_rows.VARIANTS)
        if fields.get("model", "known")
    ]
    trials = drawn.write(tmp_path / "trials.ndjson", made)
    inputs = [
        RUNS_AND_JUDGMENTS,
        [DATASETS / "build-run-demo"],
        [trials],
    ]
    for number, files in enumerate(inputs):
        found = records(tmp_path / str(number), *files)
        assert found
        for record in found:
            assert [fault.message for fault in aggregate.iter_errors(record.document)] == []
            faults = [
                fault.message for line in record.lines for fault in instance.iter_errors(line)
            ]
            assert faults == []


def schemas(folder: Path) -> list[jsonschema.Draft7Validator]:
    """Return validators of documents and of lines, read from the wheel, which is not installed."""
    wanted = ("--no-deps", "--only-binary", ":all:", "--python-version", "3.12", "-d", str(folder))
    command = [sys.executable, "-m", "pip", "download", "--quiet", *wanted, WHEEL]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode:
        pytest.skip(f"{WHEEL} cannot be had: {done.stderr.strip().splitlines()[-1]}")
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        texts = [
            packed.read(f"every_eval_ever/schemas/{name}.schema.json")
            for name in ("eval", "instance_level_eval")
        ]
    return [jsonschema.Draft7Validator(json.loads(text)) for text in texts]
