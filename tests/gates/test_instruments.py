"""The gate of a judge: its check recomputed, both orders of a pair, no artefact without a row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import benchdata
from benchdata.gates import Gate, judge, judge_each
from tests.support import judgment
from tests.support.armed import uuid
from tests.support.drawn import Row, write
from tests.support.planned import CHECK, plan, rubric_plan, verdicts

SINGLE, COPY, BLANK, BARE, PAIR = "pointwise", "repeat", "blank", "stripped", "pairwise"
CHECKED = "instrument check: "


def gates_of(folder: Path, runs: list[Row], judged: list[Row]) -> dict[str, Gate]:
    files = [write(folder / "runs.ndjson", runs), write(folder / "judged.ndjson", judged)]
    return {each.name: gate for each, gate in judge_each(benchdata.open(files))}


def reasons(gate: Gate) -> list[str]:
    return list(dict.fromkeys(reason for group in gate.groups for reason in group.reasons))


def of_kind(rows: list[Row], kind: str) -> list[Row]:
    return [row for row in rows if row["kind"] == kind]


def test_runs_and_their_checked_judge_are_ready_together(tmp_path: Path) -> None:
    runs = rubric_plan()
    gates = gates_of(tmp_path, runs, verdicts(runs))
    assert {name: gate.verdict for name, gate in gates.items()} == {
        "skill-run": "READY",
        "judgment": "READY",
    }
    assert [group.label.split()[:3] for group in gates["judgment"].groups] == [
        ["G1", "check", BLANK],
        ["G2", "check", COPY],
        ["G3", "check", BARE],
        ["G4", "heldout", PAIR],
        ["G5", "heldout", SINGLE],
    ]
    (shows,) = gates["judgment"].groups[0].shows
    assert shows == (
        "READY says that this judge agrees with itself on its check, not that it is right:"
        " judge bias is in no interval"
    )


def test_rubric_runs_without_judgments_are_not_ready(tmp_path: Path) -> None:
    gate = judge(benchdata.open(write(tmp_path / "runs.ndjson", rubric_plan())))
    assert reasons(gate) == ["24 rows scored by a judge: give the judgment rows too"]


def test_judgments_without_runs_cannot_show_that_none_is_missing(tmp_path: Path) -> None:
    gate = judge(benchdata.open(write(tmp_path / "judged.ndjson", verdicts(rubric_plan()))))
    assert reasons(gate) == [
        "whether every artefact has a row cannot be told: give the skill-run rows too"
    ]
    assert [group.ready for group in gate.groups] == [True, True, True, False, False]


def test_runs_that_no_judge_scores_need_none(tmp_path: Path) -> None:
    assert judge(benchdata.open(write(tmp_path / "runs.ndjson", plan()))).ready


Change = Callable[[list[Row]], None]


def without(kind: str) -> Change:
    def change(rows: list[Row]) -> None:
        rows[:] = [row for row in rows if row["kind"] != kind]

    return change


def with_first(kind: str, **fields: object) -> Change:
    def change(rows: list[Row]) -> None:
        of_kind(rows, kind)[0].update(fields)

    return change


def scored(quality: float) -> dict[str, object]:
    """Return four grades with that mean."""
    total = int(4 * quality)
    grades = [total // 4 + (place < total % 4) for place in range(4)]
    names = ("brief_fidelity", "hierarchy_readability", "usability", "craft")
    return dict(zip(names, grades, strict=True)) | {"quality": quality, "critical_failures": []}


UNJUDGED = {**judgment.NO_SCORES, "outcome": "malformed"}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (without(COPY), "no repeat row"),
        (without(BLANK), "no blank row"),
        (without(BARE), "no stripped row"),
        (
            with_first(COPY, **scored(2.75)),
            "1 repeat row more than 0.25 from the verdict on the same artefact",
        ),
        (
            with_first(COPY, artefact_digest="12" * 32),
            "1 repeat row of an artefact that was never judged, so no copy of one",
        ),
        (with_first(COPY, **UNJUDGED), "1 repeat artefact never judged (of task-1)"),
        (with_first(BLANK, **scored(0.25)), "1 blank row not scored 0"),
        (
            with_first(BLANK, artefact_digest="00000000000040008000000000000000" * 2),
            "1 blank row of the artefact itself, so of no blank page",
        ),
        (
            with_first(BARE, **scored(2.25)),
            "1 stripped row not scored below the artefact that they were stripped from",
        ),
        (
            with_first(BARE, artefact_digest="00000000000040008000000000000000" * 2),
            "1 stripped row of the artefact itself, so of no stripped one",
        ),
    ],
)
def test_a_check_that_fails_holds_back_judge_and_runs(
    tmp_path: Path, change: Change, fault: str
) -> None:
    runs = rubric_plan()
    rows = verdicts(runs)
    change(rows)
    gates = gates_of(tmp_path, runs, rows)
    assert reasons(gates["skill-run"]) == [CHECKED + fault]
    assert reasons(gates["judgment"]) == [CHECKED + fault]


def test_a_copy_within_the_tolerance_passes(tmp_path: Path) -> None:
    runs = rubric_plan()
    rows = verdicts(runs)
    of_kind(rows, COPY)[0].update(scored(2.5))
    assert gates_of(tmp_path, runs, rows)["skill-run"].ready


@pytest.mark.parametrize(
    ("pin", "other"),
    [
        ("judge_model", "acme/judge-4"),
        ("prompt_version", "2-0a1b2c3d4e5f"),
        ("render_version", "3.2-a0b1c2d3e4f5"),
    ],
)
def test_the_check_of_another_instrument_says_nothing(tmp_path: Path, pin: str, other: str) -> None:
    runs = rubric_plan()
    rows = verdicts(runs)
    for row in rows:
        if row["check_id"] is None:
            row[pin] = other
    gates = gates_of(tmp_path, runs, rows)
    none = "no instrument check of the same judge: judge_model, prompt_version, render_version"
    assert reasons(gates["skill-run"]) == [none]
    assert none in reasons(gates["judgment"])


def checked_again(rows: list[Row], at: str) -> list[Row]:
    """Return the check among verdicts once more, with an id of its own, on that day."""
    return [
        row
        | {
            "judgment_id": uuid(600_000 + n),
            "check_id": uuid(1),
            "judged_at": f"2026-{at}T00:00:{n:02d}.000Z",
        }
        for n, row in enumerate(rows)
        if row["check_id"] == CHECK
    ]


@pytest.mark.parametrize(
    ("at", "fault"),
    [
        ("03-06", "1 repeat row more than 0.25 from the verdict on the same artefact"),
        ("03-01", "1 of 1 earlier check of this judge failed"),
    ],
)
def test_a_check_that_fails_is_outweighed_by_none_that_passes(
    tmp_path: Path, at: str, fault: str
) -> None:
    runs = rubric_plan()
    rows = verdicts(runs)
    again = checked_again(rows, at)
    both = gates_of(tmp_path, runs, rows + again)
    assert both["skill-run"].ready
    again[0] |= scored(0.5)
    gates = gates_of(tmp_path, runs, rows + again)
    assert reasons(gates["skill-run"]) == [CHECKED + fault]
    assert reasons(gates["judgment"]) == [CHECKED + fault]


def test_an_earlier_check_that_was_never_finished_has_not_failed(tmp_path: Path) -> None:
    runs = rubric_plan()
    rows = verdicts(runs)
    begun = checked_again(rows, "03-01")[:1]
    begun[0] |= UNJUDGED
    assert gates_of(tmp_path, runs, rows + begun)["skill-run"].ready


def test_a_pair_needs_both_orders(tmp_path: Path) -> None:
    runs = rubric_plan()
    rows = verdicts(runs)
    rows.remove(of_kind(rows, PAIR)[0])
    (reason,) = reasons(gates_of(tmp_path, runs, rows)["judgment"])
    pair = " and ".join((runs[0]["run_id"], runs[1]["run_id"]))
    assert reason == f"1 pair judged in one order only (such as {pair})"


def test_a_pair_told_from_the_other_side_is_the_other_order(tmp_path: Path) -> None:
    runs = rubric_plan()
    rows = verdicts(runs)
    second = of_kind(rows, PAIR)[1]
    assert second["order"] == "ba"
    swapped = {"run_id": "other_run_id", "artefact_digest": "other_artefact_digest"}
    one, two = dict(second), dict(second)
    for name, other in swapped.items():
        one[name], one[other] = two[other], two[name]
    rows[rows.index(second)] = one | {"order": "ab"}
    assert gates_of(tmp_path, runs, rows)["judgment"].ready


def test_an_order_that_was_refused_is_not_judged(tmp_path: Path) -> None:
    runs = rubric_plan()
    rows = verdicts(runs)
    of_kind(rows, PAIR)[0].update(outcome="refused", winner=None)
    (reason,) = reasons(gates_of(tmp_path, runs, rows)["judgment"])
    assert reason.startswith("1 pair judged in one order only")


def test_every_artefact_needs_a_row(tmp_path: Path) -> None:
    runs = rubric_plan()
    alone = runs[-1]["run_id"]
    rows = [row for row in verdicts(runs) if alone not in (row["run_id"], row["other_run_id"])]
    gates = gates_of(tmp_path, runs, rows)
    assert reasons(gates["judgment"]) == [f"1 artefact without a row (such as {alone})"]
    assert reasons(gates["skill-run"]) == [f"1 artefact without a judgment row (such as {alone})"]


def test_an_artefact_that_could_not_be_rendered_has_its_row(tmp_path: Path) -> None:
    runs = rubric_plan()
    rows = verdicts(runs)
    of_kind(rows, SINGLE)[-1].update({**judgment.NO_SCORES, "outcome": "render_failed"})
    gates = gates_of(tmp_path, runs, rows)
    assert (gates["judgment"].ready, gates["skill-run"].ready) == (True, True)


def test_a_run_leaves_one_artefact(tmp_path: Path) -> None:
    runs = rubric_plan()
    rows = verdicts(runs)
    of_kind(rows, SINGLE)[-1]["artefact_digest"] = "34" * 32
    run = runs[-1]["run_id"]
    assert reasons(gates_of(tmp_path, runs, rows)["judgment"]) == [
        f"1 run with several artefacts (such as {run})"
    ]


def test_a_judged_run_must_be_among_the_runs(tmp_path: Path) -> None:
    runs = rubric_plan()
    rows = verdicts(runs)
    strange = of_kind(rows, SINGLE)[-1] | {
        "judgment_id": uuid(5),
        "run_id": uuid(555),
        "artefact_digest": "56" * 32,
    }
    assert reasons(gates_of(tmp_path, runs, [*rows, strange])["judgment"]) == [
        f"1 judged run without a skill-run row (such as {uuid(555)})"
    ]


def test_a_stand_in_judge_is_never_ready(tmp_path: Path) -> None:
    runs = rubric_plan()
    rows = [row | {"endpoint": "stand_in"} for row in verdicts(runs)]
    gates = gates_of(tmp_path, runs, rows)
    assert reasons(gates["judgment"]) == ["the rows are synthetic: no measurement"]
    assert reasons(gates["skill-run"]) == ["the judgment rows are synthetic: no measurement"]


def test_what_is_judged_for_a_check_is_of_the_judge_alone(tmp_path: Path) -> None:
    runs = rubric_plan()
    original = judgment.valid_row(
        judgment_id=uuid(650_000),
        kind=SINGLE,
        check_id=CHECK,
        stage="check",
        run_id=uuid(999_999),  # an artefact that no run of the stage left
        artefact_digest="fe" * 32,
    )
    gates = gates_of(tmp_path, runs, [original, *verdicts(runs)])
    assert {gate.verdict for gate in gates.values()} == {"READY"}
    only = [original | {"run_id": runs[0]["run_id"]}]
    others = [row for row in verdicts(runs) if row["run_id"] != runs[0]["run_id"]]
    gates = gates_of(tmp_path, runs, only + others)
    assert any("1 artefact without a" in each for each in reasons(gates["skill-run"]))
