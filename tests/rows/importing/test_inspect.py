"""Inspect logs, as Inspect itself writes them: archives, JSON, and runs that never ended."""

from __future__ import annotations

import json
import math
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import InputError
from benchdata.rows.importing.names import HIDDEN
from tests.support.importing import FIXTURES, Imported, imported, refusal, saved
from tests.support.secrets import FOUND

LOGS = FIXTURES / "inspect"
ARM = ("arm=base",)
PLAIN: dict[str, Any] = json.loads((LOGS / "sums.json").read_text("utf-8"))
SAMPLE: dict[str, Any] = PLAIN["samples"][0]
THREE = "714b3ea5c58519b62bc8f92e2a3ae4cf03b88caf1a9ab96c9346fae5a7ceacd7"
"""The SHA-256 of the name of a sample, `Three plus three`."""


def real(name: str, score: str | None = None) -> Imported:
    return imported("inspect", LOGS / name, said=ARM, score=score)


def changed(tmp_path: Path, **changes: Any) -> Imported:
    """Import a log of one sample that is told otherwise."""
    log = PLAIN | {"samples": [SAMPLE | changes]}
    return imported("inspect", saved(tmp_path / "log.json", log), said=ARM)


def test_each_sample_of_each_epoch_is_a_row() -> None:
    done = real("sums.eval")
    assert [(row["task_id"], row["repeat"], row["score"]) for row in done.rows] == [
        *(("1", 1, 1.0), ("1", 2, 0.0), (THREE, 1, 0.0), (THREE, 2, 0.0)),
        *(("two-and-two", 1, 1.0), ("two-and-two", 2, 0.0)),
    ]
    row = done.rows[0]
    assert (row["study"], row["model"], row["agent"]) == ("sums", "mockllm/model", None)
    assert (row["planned_tasks"], row["planned_repeats"]) == (3, 2)
    assert (row["outcome"], row["passed"]) == ("completed", True)
    assert row["wall_s"] > 0
    assert row["started_at"].startswith("2026-12-01T13:10:")
    assert row["usage"] == [
        {
            "model": "mockllm/model",
            "input_tokens": 20,
            "output_tokens": 3,
            "cache_creation_tokens": 0,
            "cache_read_tokens": 5,
        }
    ]
    assert done.left["messages"] == 6
    assert done.left["results"] == 1


def test_an_error_of_the_run_is_errored_and_not_failed() -> None:
    done = real("breaking.eval")
    (lost,) = [row for row in done.rows if row["task_id"] == "two-and-two"]
    assert (lost["outcome"], lost["score"], lost["passed"]) == ("infrastructure", None, None)
    assert done.left["error"] == 1
    assert "the service broke" not in str(done)


def test_a_run_that_never_ended_has_its_samples() -> None:
    done = real("unfinished.eval")
    assert [row["task_id"] for row in done.rows] == ["1", "two-and-two"]
    assert {row["planned_tasks"] for row in done.rows} == {3}
    assert done.failures == []


def test_a_log_in_json_and_a_folder_of_logs() -> None:
    assert [row["task_id"] for row in real("sums.json").rows] == ["1", "two-and-two"]
    assert real("sums.json").rows[0]["planned_tasks"] == 2
    with pytest.raises(InputError, match="several scores"):
        imported("inspect", LOGS, said=ARM)


def test_an_older_archive_is_packed_by_deflate(tmp_path: Path) -> None:
    header = {name: PLAIN[name] for name in ("version", "status", "eval")}
    with zipfile.ZipFile(tmp_path / "log.eval", "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("header.json", json.dumps(header))
        log.writestr("samples/1_epoch_1.json", json.dumps(SAMPLE))
    old = imported("inspect", tmp_path / "log.eval", said=ARM)
    assert old.rows == changed(tmp_path).rows


def test_no_member_whose_name_looks_like_a_secret_is_shown(tmp_path: Path) -> None:
    path, token = tmp_path / "log.eval", FOUND["vendor token"][0]
    with zipfile.ZipFile(path, "w") as log:
        log.writestr("header.json", json.dumps({"eval": PLAIN["eval"]}))
        log.writestr(f"samples/{token}_epoch_1.json", "{")
    failure, _ = refusal("inspect", path, said=ARM)
    assert failure.startswith(f"{path}: {HIDDEN}: document: no valid JSON")


SEVERAL = (
    r"two-scorers\.eval: samples/\S+\.json: there are several scores \(closeness, match\): say"
)


def test_which_of_several_scorers_counts_is_asked_for() -> None:
    with pytest.raises(InputError, match=SEVERAL):
        real("two-scorers.eval")
    assert real("two-scorers.eval", "match").row["score"] == 1.0
    row = real("two-scorers.eval", "closeness").row
    assert (row["score"], row["passed"]) == (0.75, False)
    assert real("two-scorers.eval", "match").left["scores.closeness"] == 1


@pytest.mark.parametrize(
    ("value", "score", "left"),
    [
        *(("C", 1.0, ""), ("P", 0.5, ""), ("I", 0.0, ""), ("N", 0.0, "")),
        *((True, 1.0, ""), (False, 0.0, ""), (1, 1.0, ""), (0.25, 0.25, "")),
        (math.nan, None, "not a number"),
        (7, None, "no score from 0 to 1"),
        ("words", None, "no grade and no number"),
        ({"a": 1}, None, "no grade and no number"),
    ],
)
def test_scores(tmp_path: Path, value: Any, score: float | None, left: str) -> None:
    done = changed(tmp_path, scores={"match": {"value": value}})
    assert done.row["score"] == score
    assert done.row["outcome"] == ("unscored" if score is None else "completed")
    assert done.left[f"samples[].scores.match.value: {left}"] == bool(left)


@pytest.mark.parametrize(
    ("changes", "outcome", "scored"),
    [
        ({"limit": {"type": "time", "limit": 60}}, "timeout", True),
        ({"limit": {"type": "working", "limit": 60}}, "timeout", True),
        ({"limit": {"type": "token", "limit": 60}}, "completed", True),
        ({"limit": {"type": "operator", "limit": 1}}, "infrastructure", False),
        ({"error": {"message": "words"}}, "infrastructure", False),
        ({"invalidation": {"author": "words"}}, "unscored", False),
        ({"scores": {}}, "unscored", False),
    ],
)
def test_endings(tmp_path: Path, changes: dict[str, Any], outcome: str, *, scored: bool) -> None:
    row = changed(tmp_path, **changes).row
    assert row["outcome"] == outcome
    assert (row["score"] is not None) is scored


@pytest.mark.parametrize(
    ("counts", "given"),
    [
        ({"total_tokens": 33, "input_tokens_cache_read": 10}, 20),
        ({"total_tokens": 23, "input_tokens_cache_read": 10}, None),
        ({"total_tokens": 23, "input_tokens_cache_read": 400}, 20),
        ({"total_tokens": 23}, 20),
        ({"total_tokens": 38, "input_tokens_cache_read": 10, "input_tokens_cache_write": 5}, 20),
    ],
)
def test_input_is_known_where_it_surely_excludes_the_cache(
    tmp_path: Path, counts: dict[str, int], given: int | None
) -> None:
    used = {"input_tokens": 20, "output_tokens": 3, "total_cost": 0.5, **counts}
    grader = {"input_tokens": 1, "output_tokens": 1, "total_cost": 0.25}
    row = changed(tmp_path, model_usage={"acme/a": used, "acme/grader": grader}).row
    assert [each["model"] for each in row["usage"]] == ["acme/a", "acme/grader"]
    assert row["usage"][0]["input_tokens"] == given
    assert row["usage"][0]["cache_read_tokens"] == counts.get("input_tokens_cache_read")
    assert row["total_cost_usd"] == 0.75


def test_a_cost_that_is_known_of_one_model_only_is_unknown(tmp_path: Path) -> None:
    used = {"acme/a": {"total_cost": 0.5}, "acme/b": {"total_cost": None}}
    assert changed(tmp_path, model_usage=used).row["total_cost_usd"] is None


def test_a_damaged_sample_is_named_and_the_others_stay(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as log:
        log.writestr("header.json", json.dumps({"eval": PLAIN["eval"]}))
        log.writestr("samples/1.json", json.dumps(SAMPLE))
        log.writestr("samples/2.json", "{")
        log.writestr("samples/3.json", json.dumps(SAMPLE | {"uuid": 3}))
        log.writestr("samples/4.json", json.dumps(SAMPLE))
    file = tmp_path / "log.eval"
    done = imported("inspect", file, said=ARM)
    assert len(done.rows) == 1
    cut, *others = [failure.partition(": samples/")[2] for failure in done.failures]
    assert cut.startswith("2.json: document: no valid JSON at line 1, column 2: ")
    assert others == [
        "3.json: uuid: must be a text",
        "4.json: trial_id: this sample was imported already",
    ]


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as log:
        log.writestr("words.txt", "words")
    shutil.copy(LOGS / "sums.json", tmp_path / "plain.eval")
    for name, words in (
        ("log.eval", "holds neither a header nor the journal of a run"),
        ("plain.eval", "is no whole zip archive"),
    ):
        failure, error = refusal("inspect", tmp_path / name, said=ARM)
        assert failure.startswith(f"{tmp_path / name}: {words}")
        assert "no sample can be imported: name an .eval or .json log" in error
