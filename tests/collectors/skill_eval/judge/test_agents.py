"""The real claude and codex as judges: pictures go through them to a judge that only looks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchdata.contracts.judgment import DIMENSIONS
from collectors.skill_eval.judge import looks
from collectors.skill_eval.judge.judge import Judge, fields, pairwise, pointwise
from collectors.skill_eval.judge.resolving import ENDPOINT, resolve
from tests.collectors.harness.conftest import installed
from tests.collectors.skill_eval.judge.test_judge import BRIEF
from tests.support.drawn_pages import badly_set, blank, saved, well_set
from tests.support.judge_stand_in import Judge as StandIn
from tests.support.judge_stand_in import judging

pytestmark = pytest.mark.agents

ARM = "local-kestrel-notes"


@dataclass(frozen=True)
class Bench:
    """A judge that is a real program, and the stand-in that its model is."""

    judge: Judge
    stand_in: StandIn


@pytest.fixture(
    scope="module",
    params=[("claude", "messages", ""), ("codex", "responses", "/v1")],
    ids=["claude", "codex"],
)
def bench(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Bench]:
    name, shape, suffix = request.param
    installed(name)
    with judging(shape, tmp_path_factory.mktemp(name)) as stand_in:
        yield Bench(resolve(name, None, {ENDPOINT: stand_in.url + suffix}), stand_in)


def test_a_program_marks_what_it_is_shown(bench: Bench, tmp_path: Path) -> None:
    """The marks are those of the very pictures, in their order, and the row is whole."""
    page = well_set()
    good = [saved(page, tmp_path / ARM / f"{ARM}-{number}.png") for number in (1, 2)]
    found = fields(pointwise(bench.judge, BRIEF, good))
    seen = looks.marks([looks.opened(path.read_bytes()) for path in good])
    assert found["outcome"] == "judged", found
    assert [found[name] for name in DIMENSIONS] == [seen[name] for name in DIMENSIONS]
    assert found["total_cost_usd"] > 0
    assert bench.judge.endpoint == "stand_in"
    assert "Nobody pays" in bench.judge.paid
    told = json.dumps(bench.stand_in.asked())
    for word in (ARM, "kestrel", str(tmp_path), BRIEF.id, BRIEF.title):
        assert word not in told
    assert json.dumps(json.dumps(BRIEF.prompt))[1:-1] in told


def test_good_beats_bad_and_blank_is_worth_nothing(bench: Bench, tmp_path: Path) -> None:
    bad, none = saved(badly_set(), tmp_path / "1.png"), saved(blank(), tmp_path / "2.png")
    good = saved(well_set(), tmp_path / "3.png")
    worth = [fields(pointwise(bench.judge, BRIEF, [each]))["quality"] for each in (good, bad, none)]
    assert worth[0] >= worth[1] + 1
    assert worth[1] > worth[2] == 0


def test_a_pair_in_both_orders(bench: Bench, tmp_path: Path) -> None:
    good, bad = saved(well_set(), tmp_path / "x.png"), saved(badly_set(), tmp_path / "y.png")
    for order in ("ab", "ba"):
        found = fields(pairwise(bench.judge, BRIEF, [good], [bad, bad], order))
        assert (found["outcome"], found["winner"]) == ("judged", "a")


def test_a_large_picture_arrives_as_it_is_worth(bench: Bench, tmp_path: Path) -> None:
    """Programs make pictures of more than 2000 pixels smaller; ours have at most 1800."""
    page = well_set().resize((1280, 1800))
    found = fields(pointwise(bench.judge, BRIEF, [saved(page, tmp_path / "1.png")]))
    assert found["outcome"] == "judged", found
    seen = looks.marks([looks.opened((tmp_path / "1.png").read_bytes())])
    assert [found[name] for name in DIMENSIONS] == [seen[name] for name in DIMENSIONS]
