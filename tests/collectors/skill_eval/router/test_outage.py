"""A catalog that does not answer: nothing is begun, no cell is used up, and the reason is told."""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from collectors.harness import skills
from collectors.skill_eval.arms import Arm
from collectors.skill_eval.judge.resolving import ENDPOINT
from collectors.skill_eval.router import arms, listing, ways
from collectors.skill_eval.router.desk import Source
from collectors.skill_eval.router.exclusion import Exclusion
from collectors.skill_eval.stages import binding, commands
from collectors.skill_eval.stages.arms import StageArm
from collectors.skill_eval.stages.binding import Asked
from collectors.skill_eval.stages.staged import Staged
from tests.support import catalog_stand_in, open_tasks


@pytest.fixture
def staged(source: Source, exclusion: Exclusion, tmp_path: Path) -> Staged:
    """A router stage of one task, whose arm find-skills needs the catalog."""
    open_tasks.suite(tmp_path / "suite", ["one"])
    asked = Asked("router", str(tmp_path / "suite"), 2, "scripted", None, "openai", "stand-in-1")
    searched = StageArm(
        Arm("find-skills", skills.read(arms.SKILL)),
        ways.BySearch(source, exclusion),
        tried=partial(listing.tried, source.search),
    )
    compared = (StageArm(Arm("base"), ways.without), searched)
    return binding.bound(asked, compared, {ENDPOINT: f"{open_tasks.NOBODY}/v1"})


def carried_out(staged: Staged, out: Path) -> int:
    return commands.carry_out(staged, argparse.Namespace(out=out, seed=None, yes=True))


def test_before_anything_starts_it_is_refused_by_its_address(
    staged: Staged, catalog: catalog_stand_in.Catalog, tmp_path: Path
) -> None:
    catalog.status = 503
    with pytest.raises(BenchdataError, match=f"the catalog {catalog.url}: answers with status 503"):
        carried_out(staged, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_between_runs_it_stops_the_stage_and_uses_up_no_cell(
    staged: Staged,
    catalog: catalog_stand_in.Catalog,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    catalog.answers = 1  # that it is there at all
    assert carried_out(staged, out) == 2
    said = f"the catalog {catalog.url}: answers with status 503"
    told = capsys.readouterr().err
    assert f"stopped: {said}; mend that, then run the same command again" in told
    made = open_tasks.runs(out) if (out / "rows.ndjson").exists() else []
    assert {row["arm"] for row in made} <= {"base"}
    (lost,) = json.loads((out / "stage.json").read_text())["lost"]
    assert (out / ".runs" / lost["run_id"] / "harness-error.txt").read_text() == said
    catalog.answers = None
    assert carried_out(staged, out) == 0
    rows = open_tasks.runs(out)
    assert sorted((row["arm"], row["repeat"]) for row in rows) == [
        (arm, repeat) for arm in ("base", "find-skills") for repeat in (1, 2)
    ]
    assert {(row["outcome"], row["retry_of"]) for row in rows} == {("completed", None)}
