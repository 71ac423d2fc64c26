"""The command aggregate: what it prints and writes, when a stage may be published, how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchdata.reports import open_visual_judge
from benchdata.reports.notices import FOOTER
from collectors.harness import trees
from tests.support import judged_stage, skill_run
from tests.support.command import Done, refused, run
from tests.support.drawn import Row, write
from tests.support.judged_stage import HIGH
from tests.support.planned import SKILL

LABEL = "Scored blind by an AI judge (Claude Opus 5), 0-3 rubric"


def aggregate(folder: Path, *options: str | Path) -> Done:
    return run("collect", "skill-eval", "aggregate", folder, *options)


def document(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "summary.json").read_bytes())
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = judged_stage.runs()
    return judged_stage.stage(tmp_path / "stage", rows, judged_stage.judged(rows))


@pytest.fixture
def check(tmp_path: Path) -> Path:
    return judged_stage.check(tmp_path / "check", judged_stage.runs()[1])


def test_a_stage_whose_judge_was_checked_may_be_published(folder: Path, check: Path) -> None:
    # dQ is the mean over tasks of means over runs; the same stage gives the same bytes
    done = aggregate(folder, "--instrument-check", check)
    assert (done.code, done.err) == (0, "")
    assert done.out == (folder / "summary.md").read_text("utf-8")
    assert done.out.startswith("# Stage heldout: PUBLISHABLE\n\n- With acme/skills@reader, ")
    assert f"- {LABEL}.\n" in done.out
    assert done.out.endswith(f"\n\n{FOOTER}\n")
    told = document(folder)
    assert (told["publishable"], told["reasons"], told["stage"]) == (True, [], "heldout")
    assert [judge["label"] for judge in told["judges"]] == [LABEL]
    assert not list(folder.glob(".summary*")), "both files were put in their place in one step"

    (lift,) = told["dQ"]
    low, high = (1.25 + 1.0) / 2, (2.5 + 2.25) / 2
    assert (lift["arm"], lift["baseline"]) == (SKILL, "none")
    assert lift["estimate"] == high - low
    assert (lift["verdict"], lift["exactP"], lift["n"]) == ("better", "1/32", [6, 6])
    assert lift["interval"]["low"] <= high - low <= lift["interval"]["high"]
    first = {name: (folder / name).read_bytes() for name in ("summary.md", "summary.json")}
    assert aggregate(folder, "--instrument-check", check).code == 0
    assert first == {name: (folder / name).read_bytes() for name in first}


def test_without_a_check_nothing_is_publishable(folder: Path) -> None:
    done = aggregate(folder)
    assert done.code == 3
    assert done.out.startswith("# Stage heldout: NOT PUBLISHABLE\n\n- ")
    assert "no instrument check of the same judge" in done.out
    (lift,) = document(folder)["dQ"]
    assert lift["verdict"].startswith("cannot tell: instrument check missing")


def test_each_condition_is_computed_anew_whatever_the_file_claims(
    folder: Path, tmp_path: Path
) -> None:
    grades = {"repeat": (1, 3, 2, 2), "blank": (0, 0, 0, 1), "stripped": HIGH}
    check = judged_stage.check(tmp_path / "check", judged_stage.runs()[1], grades)
    assert json.loads(check.read_bytes())["passed"] is True
    assert aggregate(folder, "--instrument-check", check).code == 3
    copies, blanks, bare = document(folder)["reasons"]
    assert copies == (
        "instrument check: 1 repeat row more than 0.25 from the verdict on the same artefact"
    )
    assert blanks == "instrument check: 1 blank row not scored 0"
    assert bare.startswith("instrument check: 1 stripped row not scored below the artefact")


Change = Callable[[Path], None]


def changed(**fields: Any) -> Change:
    """Return what changes every row of a check."""

    def change(check: Path) -> None:
        file = check / "judgments.ndjson"
        rows = [json.loads(line) | fields for line in file.read_text("utf-8").splitlines()]
        write(file, rows)

    return change


def meddled(check: Path) -> None:
    """Call a blank page something else, and change a copy."""
    (check / ".made" / "blank-page-tile").rename(check / ".made" / "blank-pdf")
    (copy,) = check.glob(".made/*/copy/index.html")
    copy.write_text("<p>No copy.</p>", "utf-8")


PINS = {
    "judge_model": "claude-opus-4-1",
    "prompt_version": "2-0a1b2c3d4e5f",
    "render_version": "9-0a1b2c3d4e5f",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            changed(**PINS),
            (
                "the check is of another judge: judge_model claude-opus-4-1, not"
                " claude-opus-5-20260901, prompt_version 2-0a1b2c3d4e5f, not 1-0a1b2c3d4e5f,"
                " render_version 9-0a1b2c3d4e5f, not 3.1-a0b1c2d3e4f5"
            ),
        ),
        (changed(endpoint="stand_in"), "the check is of another judge: a stand-in"),
        (
            meddled,
            (
                "not in its folder (such as COPY) instrument check: no blank artefact of kind"
                " page-tile, which the stage has"
            ),
        ),
    ],
)
def test_a_check_that_does_not_bear_out_this_judge_is_none(
    folder: Path, check: Path, change: Change, reason: str
) -> None:
    (page,) = check.parent.glob(".made/*/copy")
    digest = trees.digest(page)[:12]
    change(check.parent)
    assert aggregate(folder, "--instrument-check", check).code == 3
    assert reason.replace("COPY", digest) in " ".join(document(folder)["reasons"])


@pytest.mark.slow
def test_a_screen_is_no_publication(tmp_path: Path, check: Path) -> None:
    rows = judged_stage.runs(repeats=1, stage="screen")
    said = [row | {"stage": "screen"} for row in judged_stage.judged(rows, pairs=False)]
    done = aggregate(judged_stage.stage(tmp_path / "s", rows, said), "--instrument-check", check)
    assert (done.code, done.out.partition("\n")[0]) == (3, "# Stage screen: NOT PUBLISHABLE")
    assert "Preferred in both orders" not in done.out, "nobody asked for pairs"


@pytest.mark.slow
def test_a_stand_in_proves_the_pipeline_alone(tmp_path: Path, check: Path) -> None:
    rows = judged_stage.runs()
    said = [row | {"endpoint": "stand_in"} for row in judged_stage.judged(rows)]
    changed(endpoint="stand_in")(check.parent)
    folder = judged_stage.stage(tmp_path / "s", rows, said)
    done = aggregate(folder, "--instrument-check", check)
    assert done.code == 3
    assert "the rows are synthetic: no measurement" in document(folder)["reasons"]
    assert document(folder)["dQ"][0]["verdict"] == "none (pipeline proof)"


def failing(rows: list[Row]) -> list[Row]:
    """Return verdicts of which one was malformed twice, and one timed out first."""
    gone = dict.fromkeys(("quality", "critical_failures", *judged_stage.NAMES))
    lost, late = [row for row in rows if row["kind"] == "pointwise"][:2]
    again = {"judgment_id": "0a0b0c0d-1111-4222-8333-abcdefabcdef"}
    return [
        *(row for row in rows if row is not lost),
        lost | gone | {"outcome": "malformed"},
        late | gone | again | {"outcome": "timeout", "judged_at": "2026-03-04T00:00:00.000Z"},
    ]


@pytest.mark.slow
def test_failures_of_the_judge_are_counted_by_how_they_ended(tmp_path: Path, check: Path) -> None:
    rows = judged_stage.runs()
    folder = judged_stage.stage(tmp_path / "s", rows, failing(judged_stage.judged(rows)))
    aggregate(folder, "--instrument-check", check)
    told = {one["kind"]: one for one in document(folder)["judges"][0]["asked"]}
    assert told["pointwise (check)"]["rows"] == 1, "an original of the check is none of a run"
    assert told["pointwise"] == {
        "kind": "pointwise",
        "rows": 25,
        "ended": {"judged": 23, "malformed": 1, "timeout": 1},
        "things": 24,
        "unjudged": 1,
        "cost_usd": pytest.approx(25 * 0.013),
        "priced": 25,
    }


@pytest.mark.slow
def test_a_conflict_is_no_tie(tmp_path: Path, check: Path) -> None:
    rows = judged_stage.runs()
    said = judged_stage.judged(rows)
    for row in (row for row in said if row["kind"] == "pairwise" and row["task_id"] == "task-1"):
        row["winner"] = row["order"][0]  # whatever was shown first
    folder = judged_stage.stage(tmp_path / "s", rows, said)
    aggregate(folder, "--instrument-check", check)
    told = document(folder)
    (preference,) = told["boards"][0]["preferences"]
    assert (preference["better"], preference["tied"], preference["conflicts"]) == (5, 0, 2)
    bias = told["judges"][0]["orderBias"]
    assert (bias["to_first"], bias["to_second"]) == (2, 0)
    assert (bias["pairs"], bias["decided"], bias["p"]) == (12, 24, 0.5)


@pytest.mark.slow
def test_every_other_arm_of_a_router_stage_is_held_against_base(
    tmp_path: Path, check: Path
) -> None:
    made = judged_stage.runs(arms=("base", "find-skills", "edge"), tasks=7, stage="router")
    skill = {"find-skills": "ab" * 32}
    rows = [row | {"skill_digest": skill.get(row["arm"])} for row in made]
    said = [row | {"stage": "router"} for row in judged_stage.judged(rows, pairs=False)]
    folder = judged_stage.stage(tmp_path / "s", rows, said)
    done = aggregate(folder, "--instrument-check", check)
    assert done.code == 0, done.out
    lifts = document(folder)["dQ"]
    assert sorted((one["arm"], one["baseline"]) for one in lifts) == [
        ("edge", "base"),
        ("find-skills", "base"),
    ]
    assert [one["family"] for one in lifts] == [2, 2]
    assert [one["adjustedP"] for one in lifts] == [2 * one["p"] for one in lifts]


Rows = tuple[list[Row], list[Row]]


def lost() -> Rows:
    """Return a stage of which the infrastructure lost every run of an arm."""
    rows = [
        row | dict(skill_run.INFRASTRUCTURE if row["arm"] == SKILL else {})
        for row in judged_stage.runs()
    ]
    there = {row["run_id"] for row in rows if row["arm"] != SKILL}
    whole = judged_stage.judged(judged_stage.runs(), pairs=False)
    return rows, [row for row in whole if row["run_id"] in there]


def unjudged() -> Rows:
    """Return a stage of which nobody judged an arm."""
    _, said = lost()
    return judged_stage.runs(), said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lost, f"{SKILL}: 0 of 6 tasks with a scored row"),
        (unjudged, "12 artefacts without a judgment row (such as "),
    ],
)
def test_where_an_arm_has_no_score_nothing_is_publishable(
    tmp_path: Path, made: Callable[[], Rows], reason: str
) -> None:
    folder = judged_stage.stage(tmp_path / "s", *made())
    done = aggregate(folder)
    assert done.code == 3, done.err
    told = document(folder)
    assert any(one.startswith(reason) for one in told["reasons"])
    assert told["dimensions"] == []
    assert "## Dimensions" not in done.out
    (prose,) = open_visual_judge([str(folder)]).profile().parts
    assert "no dimension is compared" in str(prose)


@pytest.mark.slow
def test_where_every_call_failed_that_is_told(tmp_path: Path) -> None:
    rows = judged_stage.runs()
    gone = dict.fromkeys(("quality", "critical_failures", *judged_stage.NAMES))
    said = [row | gone | {"outcome": "error"} for row in judged_stage.judged(rows, pairs=False)[:5]]
    folder = judged_stage.stage(tmp_path / "s", rows, said)
    assert "of its runs none is judged; 5 could not be made: run `judge` again" in refused(
        aggregate(folder)
    )


@pytest.mark.slow
def test_a_check_is_named_by_its_file_or_its_folder(folder: Path, check: Path) -> None:
    assert aggregate(folder, "--instrument-check", check.parent).code == 0
    others: list[Row] = [{"passed": True}, {"check_id": "x"}, {"conditions": []}]
    for told in others:
        check.write_text(json.dumps(told), "utf-8")
        said = refused(aggregate(folder, "--instrument-check", check))
        assert "is no instrument-check.json" in said


def test_what_is_no_stage_or_check_is_refused(folder: Path, tmp_path: Path, check: Path) -> None:
    for folder_of, options, said in (
        (tmp_path / "nothing", (), "holds no rows.ndjson; name the --out of a stage"),
        (folder, (tmp_path / "none.json",), "none.json: cannot be read"),
        (folder, (folder / "rows.ndjson",), "is no instrument-check.json"),
    ):
        flags = ("--instrument-check", *options) if options else ()
        assert said in refused(aggregate(folder_of, *flags))
    (check.parent / "judgments.ndjson").unlink()
    said = refused(aggregate(folder, "--instrument-check", check))
    assert "no judgments.ndjson lies beside it" in said
    (folder / "judgments.ndjson").unlink()
    assert "judge its runs first" in refused(aggregate(folder))
