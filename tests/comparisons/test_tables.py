"""Tables from rows: which groups are compared, what is hidden, what merely changed with it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata import verdicts
from benchdata.comparisons import claims, tables
from benchdata.comparisons.arms import Plan
from benchdata.comparisons.tables import Table
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError, ContractError, InputError
from tests.support import jev_social, trial_rows
from tests.support.armed import attempts, builds, skills, uuid
from tests.support.drawn import Row, write


def opened(folder: Path, rows: Sequence[Row], name: str = "rows") -> Dataset:
    return benchdata.open(write(folder / f"{name}.ndjson", rows))


def by(dataset: Dataset, field: str, baseline: str | None = None, **claim: Any) -> Table:
    return tables.by_field(dataset, claims.of_contract(dataset.contract, **claim), field, baseline)


def said(table: Table) -> list[tuple[str, str, str]]:
    """Return (baseline, treatment, verdict) of each comparison."""
    return [
        (each.baseline.label, each.treatment.label, str(verdicts.decide(each)))
        for each in table.findings
    ]


FAST = [10000, 14000, 11000, 13000, 12000]
SLOW = [25000, 22000, 28000, 21000, 24000]


def test_arms_are_compared_inside_their_group_with_the_contracts_baseline(tmp_path: Path) -> None:
    rows = skills({"a/b@c": 0.8, "none": 0.2, "local:mine": 0.21})
    table = by(opened(tmp_path, rows), "arm")
    assert table.baseline == "none"
    assert [(a, b) for a, b, _ in said(table)] == [("none", "a/b@c"), ("none", "local:mine")]
    better, small = table.findings
    assert verdicts.decide(better).kind == "better"
    assert (better.result.shape, better.result.n) == ("paired tasks", (8, 8))
    assert better.baseline.plan == Plan(8, 1)
    assert verdicts.decide(small).kind == "no difference shown"
    assert [pin.partition(" ")[0] for pin in better.pins] == ["skill_digest"]


def test_a_lift_beside_another_model_is_refused(tmp_path: Path) -> None:
    rows = skills({"none": 0.2}, model="acme/worker-1.0")
    rows += skills({"a/b@c": 0.8}, first=100)
    (one,) = said(by(opened(tmp_path, rows), "arm"))
    assert one == ("none", "a/b@c", "cannot tell: groups differ in model")


def test_models_are_compared_arm_by_arm_with_what_changes_by_necessity(tmp_path: Path) -> None:
    rows = skills({"none": 0.2, "a/b@c": 0.5}, model="acme/worker-1.0", spec_digest="1" * 64)
    rows += skills({"none": 0.6, "a/b@c": 0.9}, first=100, spec_digest="2" * 64)
    table = by(opened(tmp_path, rows), "model")
    assert table.baseline == "acme/worker-1.0"
    assert table.contexts == ("arm a/b@c", "arm none")
    assert [verdicts.decide(each).kind for each in table.findings] == ["better", "better"]
    assert all(each.pins[0].startswith("spec_digest 111") for each in table.findings)


def test_other_tasks_have_no_lift(tmp_path: Path) -> None:
    rows = skills({"none": 0.2})
    others = skills({"a/b@c": 0.8}, first=100)
    rows += [row | {"task_id": f"other-{number}"} for number, row in enumerate(others)]
    (finding,) = by(opened(tmp_path, rows), "arm").findings
    assert finding.result.test == "Mann-Whitney on task means"
    assert "the arms ran other tasks: their means are compared, no lift is shown" in finding.notes


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("domain", "a slice that was not planned gets no verdict"),
        ("task_id", "tells tasks apart"),
        ("repeat", "a slice that was not planned gets no verdict"),
        ("modl", "did you mean `model`"),
    ],
)
def test_slices_that_nobody_planned_are_refused(tmp_path: Path, field: str, words: str) -> None:
    rows = [trial_rows.numbered_row(number) for number in range(6)]
    with pytest.raises(ContractError, match=words):
        by(opened(tmp_path, rows), field)


def test_a_baseline_must_be_there_and_have_company(tmp_path: Path) -> None:
    dataset = opened(tmp_path, skills({"none": 0.2, "a/b@c": 0.8}))
    with pytest.raises(BenchdataError, match="no row has arm x; there are a/b@c, none"):
        by(dataset, "arm", "x")
    with pytest.raises(BenchdataError, match="model has only acme/worker"):
        by(dataset, "model")
    assert said(by(dataset, "arm", "a/b@c"))[0] == ("a/b@c", "none", "worse")


def test_lanes_are_compared_over_their_tasks_by_labels_inside_each(tmp_path: Path) -> None:
    times = {"t1": [10.0, 11.0, 12.0], "t2": [100.0, 110.0, 120.0]}
    double = {task: [2 * t for t in values] for task, values in times.items()}
    rows = builds("aster", times, 0) + builds("birch", double, 100, framework_version="9.0.0")
    table = by(opened(tmp_path, rows), "lane", metric="wall")
    (finding,) = table.findings
    assert (finding.result.shape, finding.result.n) == ("fixed tasks", (6, 6))
    assert finding.result.estimate == pytest.approx(2)
    assert (verdicts.decide(finding).kind, finding.hidden) == ("worse", ())
    assert finding.pins == ("framework_version 1.4.0 → 9.0.0",)


def test_lanes_that_ran_other_tasks_are_told_apart(tmp_path: Path) -> None:
    rows = builds("aster", {"t1": [10.0] * 4, "t2": [20.0] * 4}, 0)
    rows += builds("birch", {"t1": [30.0] * 4}, 100)
    (finding,) = by(opened(tmp_path, rows), "lane", metric="wall").findings
    assert finding.hidden == ("task_id",)


def test_pins_of_tasks_are_told_before_and_after_and_of_many_tasks_counted(tmp_path: Path) -> None:
    tasks = {f"t{number}": [10.0] * 4 for number in range(1, 6)}
    rows = builds("aster", tasks, 0)
    new = {"framework_version": "1.5.0", "lockfile_digest": "77" * 32, "task_digest": "9" * 64}
    rows += builds("aster", tasks, 100, **new)
    (finding,) = by(opened(tmp_path, rows), "framework_version", metric="wall").findings
    nine = "9" * 12
    assert finding.pins[-1] == (
        f"task_digest of t1 {'1' * 12} → {nine}; of t2 {'2' * 12} → {nine};"
        f" of t3 {'2' * 12} → {nine}; of 2 more tasks"
    )


def test_a_task_of_other_content_is_no_companion_of_a_model(tmp_path: Path) -> None:
    rows = builds("aster", {"t1": [10.0, 11.0, 12.0, 13.0]}, 0)
    other = {"model": "acme/z-1.0", "task_digest": "9" * 64}
    rows += builds("aster", {"t1": [30.0, 31.0, 32.0, 33.0]}, 100, **other)
    (finding,) = by(opened(tmp_path, rows), "model", metric="wall").findings
    assert str(verdicts.decide(finding)) == "cannot tell: groups differ in task_digest"


def test_one_version_with_two_lockfiles_is_two_arms(tmp_path: Path) -> None:
    rows = builds("aster", {"t1": [10.0] * 4}, 0)
    rows += builds("birch", {"t1": [20.0] * 4}, 100)
    other = {"lockfile_digest": "77" * 32, "suite_id": uuid(9)}
    rows += builds("birch", {"t1": [20.0] * 4}, 200, **other)
    labels = [b for _, b, _ in said(by(opened(tmp_path, rows), "lane", metric="wall"))]
    assert labels == ["birch (101010101010)", "birch (777777777777)"]


def test_groups_that_match_in_all_but_the_field_are_one_family(tmp_path: Path) -> None:
    rows = attempts(0, FAST) + attempts(100, SLOW, condition="warm")
    rows += attempts(200, FAST, max_steps=13) + attempts(300, FAST, condition="warm", max_steps=13)
    table = by(opened(tmp_path, rows), "condition")
    assert table.contexts == ("max_steps 12", "max_steps 13")
    assert [verdicts.decide(each).kind for each in table.findings] == [
        "worse",
        "no difference shown",
    ]
    assert {each.placed.size for each in table.findings} == {2}


def test_a_group_without_its_counterpart_is_judged_by_nothing_and_named(tmp_path: Path) -> None:
    rows = attempts(0, FAST) + attempts(100, SLOW, condition="warm")
    rows += attempts(200, FAST, profile_mode="isolated")
    table = by(opened(tmp_path, rows), "condition")
    assert len(table.findings) == 1
    assert table.alone == ("cold, profile_mode isolated",)


def test_an_arm_borrows_no_baseline_where_others_have_their_own(tmp_path: Path) -> None:
    rows = skills({"none": 0.2, "a/b@c": 0.8})
    rows += skills({"local:mine": 0.8}, first=100, model="acme/worker-1.0")
    table = by(opened(tmp_path, rows), "arm")
    assert [(a, b) for a, b, _ in said(table)] == [("none", "a/b@c")]
    assert [name.partition(",")[0] for name in table.alone] == ["local:mine"]


def test_synthetic_rows_prove_a_pipeline(tmp_path: Path) -> None:
    rows = attempts(0, FAST) + attempts(100, SLOW, condition="warm")
    rows = [row | {"region": "synthetic-lab"} for row in rows]
    assert said(by(opened(tmp_path, rows), "condition")) == [
        ("cold", "warm", "none (pipeline proof)")
    ]


def inputs(tmp_path: Path, a: Sequence[Row], b: Sequence[Row]) -> Table:
    first, second = opened(tmp_path, a, "old"), opened(tmp_path, b, "new")
    return tables.of_inputs(first, second, claims.of_contract(first.contract))


def test_b_is_judged_against_a_across_versions(tmp_path: Path) -> None:
    newer = {"jev_social_commit": "c" * 40, "jev_social_version": "0.5.0"}
    table = inputs(tmp_path, attempts(0, FAST), attempts(100, SLOW, **newer))
    assert said(table) == [("A old.ndjson", "B new.ndjson", "worse")]
    assert [pin.partition(" ")[0] for pin in table.findings[0].pins] == [
        "jev_social_commit",
        "jev_social_version",
    ]


def test_b_is_not_judged_against_a_of_another_region(tmp_path: Path) -> None:
    table = inputs(tmp_path, attempts(0, FAST), attempts(100, SLOW, region="lab-us"))
    assert said(table)[0][2] == "cannot tell: groups differ in region"


def test_a_row_is_in_one_input_only(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="2 rows of A in B as well"):
        inputs(tmp_path, attempts(0, FAST), attempts(3, SLOW))


def test_inputs_of_two_contracts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="rows of jev-social cannot be compared"):
        inputs(tmp_path, attempts(0, FAST), skills({"none": 0.5}))


def test_a_latency_verdict_ranks_failures_worst(tmp_path: Path) -> None:
    quick = [
        jev_social.failed_row(
            run_id=row["run_id"], region="lab-eu", condition="warm",
            started_at=row["started_at"], ended_at=row["ended_at"],
            timing_ms={"jev_total": 0, "socai_browser": 0, "media": 0,
                       "total": row["timing_ms"]["total"]},
        )
        for row in attempts(100, FAST)
    ]  # fmt: skip
    (finding,) = by(opened(tmp_path, attempts(0, SLOW) + quick), "condition").findings
    assert verdicts.decide(finding).kind == "worse"


def test_a_metric_of_no_direction_is_refused(tmp_path: Path) -> None:
    rows = builds("aster", {"t1": [10.0] * 4}, 0) + builds("birch", {"t1": [20.0] * 4}, 100)
    with pytest.raises(ContractError, match="lines_of_code has no better direction"):
        by(opened(tmp_path, rows), "lane", metric="lines_of_code")


def test_the_first_in_order_is_the_older_version_and_nobody_chose_it(tmp_path: Path) -> None:
    rows = skills({"none": 0.2}, agent_version="1.9.0")
    rows += skills({"none": 0.8}, first=100, agent_version="1.10.0")
    table = by(opened(tmp_path, rows), "agent_version")
    assert (table.baseline, table.first) == ("1.9.0", True)
    assert not by(opened(tmp_path, rows, "same"), "agent_version", "1.10.0").first
    arms = opened(tmp_path, skills({"none": 0.2, "a/b@c": 0.8}), "arms")
    assert not by(arms, "arm").first


def test_a_field_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="no field is named: name one of arm, "):
        by(opened(tmp_path, skills({"none": 0.2, "a/b@c": 0.8})), "")


def test_inputs_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    files = [tmp_path / name / "rows.ndjson" for name in ("old", "new")]
    for file, rows in zip(files, (attempts(0, FAST), attempts(100, SLOW)), strict=True):
        file.parent.mkdir()
        write(file, rows)
    first, second = map(benchdata.open, files)
    table = tables.of_inputs(first, second, claims.of_contract(first.contract))
    assert said(table) == [("A old/rows.ndjson", "B new/rows.ndjson", "worse")]


def test_rows_without_a_value_are_told_the_score_that_they_have(tmp_path: Path) -> None:
    rows = [
        trial_rows.valid_row(
            trial_id=uuid(number), task_id=f"t{number // 2}", arm=("none", "curated")[number % 2],
            repeat=1, planned_tasks=8, planned_repeats=1, passed=None,
            score=0.1 * (number % 5),
        )
        for number in range(16)
    ]  # fmt: skip
    dataset = opened(tmp_path, rows)
    ((_, _, verdict),) = said(by(dataset, "arm"))
    assert verdict == (
        "cannot tell: fewer than 2 units: no task has a value in both arms;"
        " every run has score: --metric score"
    )
    assert "fewer than 2 units" not in said(by(dataset, "arm", metric="score"))[0][2]
