"""Rankings carry ranges: an arm is behind those that are shown better, of all pairs."""

from __future__ import annotations

from benchdata.rankings import ranking
from benchdata.stats.families import RankRange
from tests.support.arms import SCORE, arm


def test_rank_ranges_come_from_all_pairs_as_one_family() -> None:
    low, high = [i / 100 for i in range(12)], [0.5 + i / 50 for i in range(12)]
    arms = [arm("a", low), arm("b", high), arm("c", high[::-1])]
    found = ranking(arms, SCORE)
    assert found.ranges == (RankRange(3, 3), RankRange(1, 2), RankRange(1, 2))
    assert [(f.baseline.label, f.treatment.label) for f in found.pairs] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    assert {finding.placed.size for finding in found.pairs} == {3}


def test_arms_that_prove_a_pipeline_are_ranked_by_nothing() -> None:
    arms = [arm("a", [0.0] * 9, synthetic=True), arm("b", [0.9] * 8 + [0.5])]
    assert ranking(arms, SCORE).ranges == (RankRange(1, 2), RankRange(1, 2))
