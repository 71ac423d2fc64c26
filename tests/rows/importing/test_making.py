"""Rows of any format: what they cannot be without, ids, scores that agree with how it ended."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.trial import TRIAL, imported_id
from benchdata.errors import InputError
from benchdata.rows.importing import formats, settings
from tests.support.importing import SAID, imported, refusal, saved

RUN: dict[str, Any] = {
    "eval_id": 1,
    "configuration": "with_skill",
    "run_number": 1,
    "result": {"passed": 1, "total": 2},
}


def benchmark(*runs: dict[str, Any]) -> dict[str, Any]:
    return {"metadata": {"skill_name": "sorting"}, "runs": list(runs)}


def test_a_row_is_valid_and_says_where_it_comes_from(tmp_path: Path) -> None:
    file = saved(tmp_path / "benchmark.json", benchmark(RUN))
    row = imported("skill-creator", file).row
    assert TRIAL.validate(row) == row
    assert (row["source"], row["study"], row["arm"]) == ("skill-creator", "sorting", "with-skill")
    assert row["trial_id"] == imported_id("skill-creator", "sorting", "//sorting/1/with_skill/1")
    assert {name for name, value in row.items() if value is None} >= {"agent", "usage", "wall_s"}


def test_what_is_said_stands_in_every_row_and_in_its_identity(tmp_path: Path) -> None:
    file = saved(tmp_path / "benchmark.json", benchmark(RUN, RUN | {"eval_id": 2}))
    said = ("study=second", "source=acme", "agent=claude", "planned_tasks=2", "skill_read=true")
    for row in imported("skill-creator", file, said=said).rows:
        assert (row["study"], row["agent"], row["planned_tasks"]) == ("second", "claude", 2)
        assert row["skill_read"] is True
        name = f"//sorting/{row['task_id']}/with_skill/1"
        assert row["trial_id"] == imported_id("acme", "second", name)


@pytest.mark.parametrize(
    ("key", "said", "words"),
    [
        ("harbor", "study", "--set takes FIELD=VALUE"),
        ("harbor", "studdy=x", "--set studdy: cannot be set for harbor: did you mean `study`?"),
        (
            "skill-creator",
            "nope=1",
            "--set nope: cannot be set for skill-creator: what can be is so",
        ),
        ("harbor", "planned_tasks=\N{FULLWIDTH DIGIT ONE}2", "--set planned_tasks: must be"),
        ("harbor", "planned_tasks=1_0", "--set planned_tasks: must be"),
        ("harbor", "planned_tasks=" + "9" * 5_000, "--set planned_tasks: must be"),
        ("transcripts", "score=0_1", "--set score: must be"),
        ("harbor", "task_id=x", "--set task_id: cannot be set for harbor: each row has its own"),
        ("harbor", "score=1", "--set score: cannot be set for harbor: each row has its own"),
        ("harbor", "outcome=completed", "--set outcome: cannot be set for harbor"),
        ("harbor", "study=A b", "--set study: must be a slug"),
        ("harbor", "planned_tasks=3.5", "--set planned_tasks: must be"),
        ("harbor", "planned_tasks=0", "--set planned_tasks: must be greater than or equal to 1"),
        ("harbor", "skill_read=yes", "--set skill_read: must be"),
        ("harbor", "model=acme/latest", "--set model: must name an immutable model"),
        ("transcripts", "score=1.5", "--set score: must be from 0 to 1"),
    ],
)
def test_what_cannot_be_said_is_refused(key: str, said: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        settings.given(formats.named(key), [said])
    assert str(caught.value).startswith(words)


def test_what_can_be_said_is_listed_whole() -> None:
    with pytest.raises(InputError) as caught:
        settings.given(formats.named("transcripts"), ["nope=1"])
    listed = str(caught.value).partition("what can be is ")[2].split(", ")
    assert {*listed} == {*settings.LABELS, *settings.MEASURED}


@pytest.mark.parametrize(("text", "score"), [("1", 1.0), (".25", 0.25), ("5e-1", 0.5)])
def test_a_score_is_said_as_a_number(text: str, score: float) -> None:
    assert settings.given(formats.named("transcripts"), [f"score={text}"]) == {"score": score}


def test_what_is_said_twice_is_refused() -> None:
    with pytest.raises(InputError, match="--set study: is given twice"):
        settings.given(formats.named("harbor"), ["study=a", "study=b"])


def test_an_unknown_format_names_those_there_are() -> None:
    with pytest.raises(InputError, match="did you mean `harbor`"):
        formats.named("harbour")


def test_what_no_row_can_be_without_is_asked_for(tmp_path: Path) -> None:
    file = saved(tmp_path / "benchmark.json", {"runs": [RUN]})
    with pytest.raises(InputError, match="`study` is not told: say it with --set study="):
        imported("skill-creator", file)


def test_a_task_keeps_its_name_where_that_is_a_slug(tmp_path: Path) -> None:
    names = ("sort-9", "Sort 9", "tasks/sort", 9)
    runs = [RUN | {"eval_id": name} for name in names]
    rows = imported("skill-creator", saved(tmp_path / "benchmark.json", benchmark(*runs))).rows
    digests = [hashlib.sha256(name.encode()).hexdigest() for name in ("Sort 9", "tasks/sort")]
    assert [row["task_id"] for row in rows] == ["sort-9", *digests, "9"]


def test_a_name_that_looks_like_a_path_is_no_label(tmp_path: Path) -> None:
    made = benchmark(RUN)
    made["metadata"]["skill_name"] = "/srv" + "/skills/sorting"
    made["runs"].append(RUN)
    file = saved(tmp_path / "benchmark.json", made)
    with pytest.raises(InputError, match="no run can be imported"):
        imported("skill-creator", file)
    assert len(imported("skill-creator", file, said=("study=sorting",)).rows) == 1


def test_a_trial_that_comes_twice_is_told(tmp_path: Path) -> None:
    file = saved(tmp_path / "benchmark.json", benchmark(RUN))
    done = imported(
        "skill-creator",
        file,
        saved(tmp_path / "b" / "benchmark.json", benchmark(RUN, RUN | {"run_number": 2})),
    )
    assert len(done.rows) == 2
    (failure,) = done.failures
    assert failure.endswith("runs[0]: trial_id: this run was imported already")


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"passed": 2, "total": 2}, ("completed", 1.0, True)),
        ({"passed": 1, "total": 2}, ("completed", 0.5, False)),
        ({"passed": 0, "total": 2, "pass_rate": 0.0}, ("completed", 0.0, False)),
        ({"passed": 0, "total": 0, "pass_rate": 0.0}, ("unscored", None, None)),
        ({"pass_rate": 0.67}, ("completed", 0.67, False)),
        ({}, ("unscored", None, None)),
    ],
)
def test_the_whole_score_passed_and_none_is_not_scored(
    tmp_path: Path, result: dict[str, Any], expected: tuple[str, float | None, bool | None]
) -> None:
    file = saved(tmp_path / "benchmark.json", benchmark(RUN | {"result": result}))
    row = imported("skill-creator", file).row
    assert (row["outcome"], row["score"], row["passed"]) == expected


def test_a_row_that_no_contract_takes_is_told_and_the_others_stay(tmp_path: Path) -> None:
    runs = [RUN, RUN | {"run_number": 0}, RUN | {"run_number": "2"}, RUN | {"eval_id": None}]
    file = saved(tmp_path / "benchmark.json", benchmark(*runs))
    done = imported("skill-creator", file)
    assert len(done.rows) == 1
    assert done.failures == [
        f"{file}: runs[1]: repeat: must be greater than or equal to 1",
        f"{file}: runs[2]: runs[2].run_number: must be a whole number from 0 to 2^53 - 1",
        f"{file}: runs[3]: task_id: is not told",
    ]


def test_a_source_without_a_record_says_what_it_must_hold(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run can be imported: name a"):
        imported("skill-creator", saved(tmp_path / "benchmark.json", {"runs": []}), said=SAID)


@pytest.mark.parametrize(
    ("key", "name", "content", "noun"),
    [
        ("skill-creator", "benchmark.json", {}, "run"),
        ("skill-creator", "benchmark.json", {"runs": []}, "run"),
        ("skill-validator", "results.json", {"verdicts": []}, "run"),
        ("pytest-benchmark", "a.json", {"benchmarks": []}, "round"),
    ],
)
def test_a_file_of_a_folder_that_holds_no_record_is_named(
    tmp_path: Path, key: str, name: str, content: dict[str, Any], noun: str
) -> None:
    file = saved(tmp_path / name, content)
    failures = refusal(key, tmp_path, said=SAID)
    assert failures[0] == f"{file}: holds no {noun}"
    assert len(failures) == 2


def test_tokens_of_a_model_that_no_row_can_name_are_left_out(tmp_path: Path) -> None:
    log: dict[str, Any] = {"eval": {"task": "t", "model": "acme/a"}}
    log["samples"] = [{"id": 1, "epoch": 1, "model_usage": {"a model": {"input_tokens": 1}}}]
    done = imported("inspect", saved(tmp_path / "log.json", log), said=SAID)
    assert done.row["usage"] is None
    assert done.left["usage: must be a model id such as vendor/model-1.2-20260917"] == 1
