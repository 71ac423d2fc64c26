"""Transcripts: streams that the real programs printed, and what of them no row can know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchdata.rows.importing import transcripts
from tests.support.importing import Imported, imported, refusal
from tests.support.recorded import FOLDER

SAID = ("study=pilot", "arm=none", "task_id=sorting")
STARTED = {"type": "thread.started", "thread_id": "t-1"}
INIT = {"type": "system", "subtype": "init", "session_id": "s", "model": "claude-x-4"}
DONE = {"type": "turn.completed", "usage": {"input_tokens": 9, "output_tokens": 1}}


def real(name: str, *said: str) -> Imported:
    return imported("transcripts", FOLDER / f"{name}.jsonl", said=(*SAID, *said))


def written(tmp_path: Path, *events: dict[str, Any] | str) -> Path:
    texts = [event if isinstance(event, str) else json.dumps(event) for event in events]
    file = tmp_path / "run.jsonl"
    file.write_text("\n".join(texts) + "\n", "utf-8")
    return file


def made(tmp_path: Path, *events: dict[str, Any] | str, said: tuple[str, ...] = ()) -> Imported:
    return imported("transcripts", written(tmp_path, *events), said=(*SAID, *said))


def test_claude_tells_its_version_model_tokens_cost_and_time() -> None:
    done = real("claude-two-tools")
    row = done.row
    assert (row["agent"], row["agent_version"]) == ("claude", "2.1.332")
    assert (row["model"], row["task_id"], row["arm"]) == ("claude-sonnet-4-5", "sorting", "none")
    assert row["usage"] == [
        {
            "model": "claude-sonnet-4-5",
            "input_tokens": 1800,
            "output_tokens": 60,
            "cache_creation_tokens": 140,
            "cache_read_tokens": 10,
        }
    ]
    assert row["total_cost_usd"] == pytest.approx(0.006828)
    assert row["wall_s"] == 0.223
    assert (row["outcome"], row["score"], row["passed"]) == ("unscored", None, None)
    assert done.left["result.num_turns"] == 1
    assert done.left["lines of type assistant"] == 5


def test_codex_counts_what_it_read_from_the_cache_as_input() -> None:
    row = real("codex-two-commands", "model=acme/worker-2", "agent_version=0.155.1").row
    assert (row["agent"], row["agent_version"], row["model"]) == (
        *("codex", "0.155.1", "acme/worker-2"),
    )
    assert row["usage"] == [
        {
            "model": "acme/worker-2",
            "input_tokens": 1200,
            "output_tokens": 80,
            "cache_creation_tokens": 0,
            "cache_read_tokens": 600,
        }
    ]
    assert (row["total_cost_usd"], row["wall_s"]) == (None, None)


def test_codex_names_no_model_so_its_tokens_are_nobodys() -> None:
    done = real("codex-two-commands")
    assert (done.row["model"], done.row["usage"]) == (None, None)
    assert done.left["turn.completed.usage: of a model that is not told: --set model=…"] == 1


@pytest.mark.parametrize("name", ["claude-rate-limited", "claude-terminated", "codex-rate-limited"])
def test_what_ended_for_no_reason_of_the_agent_is_errored_and_not_failed(name: str) -> None:
    done = real(name, "passed=false")
    assert (done.row["outcome"], done.row["passed"]) == ("infrastructure", None)
    assert done.left["passed: of what was lost to infrastructure"] == 1


@pytest.mark.parametrize("said", [{}, {"is_error": None}, {"is_error": False}])
def test_the_kind_of_an_end_tells_of_an_error_too(tmp_path: Path, said: dict[str, Any]) -> None:
    end = {"type": "result", "subtype": "error_during_execution", **said}
    assert made(tmp_path, INIT, end).row["outcome"] == "infrastructure"
    limit = end | {"subtype": "error_max_turns"}
    row = made(tmp_path, INIT, limit, said=("passed=false",)).row
    assert (row["outcome"], row["passed"]) == ("agent_error", False)


@pytest.mark.parametrize(("output", "known"), [(0, False), (1, True)])
def test_tokens_and_cost_that_were_never_counted_are_unknown(
    tmp_path: Path, output: int, known: bool
) -> None:
    counts = dict.fromkeys(("inputTokens", "cacheReadInputTokens", "costUSD"), 0)
    used = {"claude-x-4": counts, "claude-y-4": counts | {"outputTokens": output}}
    end = {"type": "result", "is_error": False, "total_cost_usd": 0, "modelUsage": used}
    row = made(tmp_path, INIT, end).row
    assert len(row["usage"] or []) == (2 if known else 0)
    assert row["total_cost_usd"] == (0 if known else None)


def test_a_refusal_is_the_models_own() -> None:
    row = real("claude-refusal", "passed=false").row
    assert (row["outcome"], row["passed"]) == ("agent_error", False)


def test_a_verdict_that_is_said_is_kept() -> None:
    row = real("claude-two-tools", "score=1").row
    assert (row["outcome"], row["score"], row["passed"]) == ("completed", 1.0, True)


def test_of_several_groups_the_last_one_tells_all() -> None:
    row = real("claude-subagent").row
    assert row["usage"][0]["input_tokens"] == 500
    assert row["wall_s"] is None


def test_a_folder_of_transcripts_is_one_row_each() -> None:
    done = imported("transcripts", FOLDER, said=SAID)
    assert len(done.rows) == len({row["trial_id"] for row in done.rows}) == 7


def test_of_several_turns_of_codex_the_tokens_are_unknown(tmp_path: Path) -> None:
    row = made(tmp_path, STARTED, DONE, DONE, said=("model=m",)).row
    assert row["usage"] is None


def test_other_lines_and_a_torn_end_are_told(tmp_path: Path) -> None:
    done = made(tmp_path, "npm warn", STARTED, DONE, '{"type": "item.comp')
    assert done.left["lines that are no JSON object"] == 2
    assert len(done.rows) == 1


@pytest.mark.parametrize(
    ("events", "words"),
    [
        (("words", "[1]"), "document: is no transcript of codex or claude"),
        ((STARTED, {"type": "result"}), "document: holds lines of two programs"),
        (({"type": "turn.completed"},), "session: the lines do not name the session"),
        (({"type": "thread.started", "thread_id": 3},), "thread.started.thread_id: must be a text"),
    ],
)
def test_what_is_no_transcript_is_refused(
    tmp_path: Path, events: tuple[Any, ...], words: str
) -> None:
    file = written(tmp_path, *events)
    failure, error = refusal("transcripts", file, said=SAID)
    assert failure == f"{file}: {words}"
    assert "no transcript can be imported" in error


def test_a_line_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "LONGEST_LINE", 100)
    failure, _ = refusal("transcripts", written(tmp_path, STARTED, DONE, "x" * 101), said=SAID)
    assert "line 3: is longer than" in failure
    assert made(tmp_path, STARTED, DONE, "x" * 99).rows


def test_the_context_that_claude_was_asked_for_is_no_part_of_the_model(tmp_path: Path) -> None:
    start = {"type": "system", "subtype": "init", "session_id": "s", "model": "claude-x-4[1m]"}
    counts = {"inputTokens": 1, "outputTokens": 2}
    end = {"type": "result", "is_error": False, "modelUsage": {"claude-x-4[1m]": counts}}
    row = made(tmp_path, start, end).row
    assert (row["model"], row["usage"][0]["model"]) == ("claude-x-4", "claude-x-4")
    assert row["usage"][0]["cache_read_tokens"] is None
