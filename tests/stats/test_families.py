"""Holm, Benjamini-Hochberg, members that leave a family, and rank ranges."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from benchdata.stats import floors
from benchdata.stats.families import (
    Comparison,
    RankRange,
    benjamini_hochberg,
    family,
    holm,
    rank_ranges,
)

some_ps = st.lists(st.floats(1e-9, 1), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("ps", "by_holm", "by_rate"),
    [
        (
            [0.04, 0.001, 0.03, 0.5, 0.011],
            [0.09, 0.005, 0.09, 0.5, 0.044],
            [0.05, 0.005, 0.05, 0.5, 0.0275],
        ),
        ([0.02, 0.02, 0.04, 0.9], [0.08, 0.08, 0.08, 0.9], [0.04, 0.04, 0.16 / 3, 0.9]),
        ([0.01, 0.02, 0.03, 0.04], [0.04, 0.06, 0.06, 0.06], [0.04] * 4),
        ([], [], []),
        ([0.3], [0.3], [0.3]),
        ([0.9, 0.8], [1.0, 1.0], [0.9, 0.9]),
    ],
)
def test_reference_values(ps: list[float], by_holm: list[float], by_rate: list[float]) -> None:
    assert holm(ps) == by_holm
    assert benjamini_hochberg(ps) == by_rate


@settings(deadline=None)
@given(some_ps)
def test_benjamini_hochberg_equals_statsmodels(ps: list[float]) -> None:
    theirs = multipletests(ps, method="fdr_bh")[1].tolist()
    assert benjamini_hochberg(ps) == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_holm_equals_statsmodels(seed: int) -> None:
    ps = (np.random.default_rng(seed).random(20) ** 3).tolist()
    assert holm(ps) == pytest.approx(multipletests(ps, method="holm")[1].tolist(), rel=1e-12)


@settings(deadline=None)
@given(some_ps)
def test_the_order_of_a_family_does_not_matter(ps: list[float]) -> None:
    assert sorted(holm(ps)) == holm(sorted(ps))
    assert all(raw <= adjusted <= 1 for raw, adjusted in zip(ps, holm(ps), strict=True))


def test_products_are_made_of_fractions() -> None:
    assert holm([Fraction(1, 60), Fraction(1, 2), Fraction(1, 2)])[0] == Fraction(1, 20)
    assert all(holm([1 / (20 * m)] + [1.0] * (m - 1))[0] == 0.05 for m in range(1, 200))


@pytest.mark.parametrize("p", [-0.1, 1.1])
def test_a_p_outside_the_range_is_refused(p: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([p])


def test_six_tasks_and_two_skills_cannot_tell() -> None:
    """The smallest p is 1/32, after Holm 1/16; seven tasks suffice."""
    six = [Comparison(key, Fraction(1, 32), floors.sign_flip(6)) for key in "ab"]
    assert [member.reachable for member in family(six)] == [False, False]
    assert [member.adjusted_p for member in family(six)] == [Fraction(1, 16), Fraction(1, 16)]
    seven = [Comparison(key, Fraction(1, 64), floors.sign_flip(7)) for key in "ab"]
    assert all(member.reachable and member.shown for member in family(seven))


def test_a_comparison_whose_own_floor_is_too_high_leaves_the_family() -> None:
    members = family(
        [
            Comparison("small", Fraction(1, 10), floors.mann_whitney(3, 3)),
            Comparison("large", Fraction(1, 30), floors.mann_whitney(6, 6)),
        ]
    )
    assert (members[0].left, members[0].reachable, members[0].shown) == (True, False, False)
    assert (members[1].adjusted_p, members[1].size, members[1].shown) == (Fraction(1, 30), 1, True)


def test_floors_are_adjusted_step_by_step() -> None:
    """The weaker design decides last: its floor is not multiplied when the other one is shown."""
    members = family(
        [
            Comparison("a", Fraction(1, 32), Fraction(1, 32)),
            Comparison("b", Fraction(1, 512), Fraction(1, 512)),
        ]
    )
    assert [member.adjusted_floor for member in members] == [Fraction(1, 32), Fraction(1, 256)]
    assert all(member.shown for member in members)


def test_no_comparison_is_no_family() -> None:
    assert family([]) == []


def test_rank_ranges_need_no_transitive_order() -> None:
    ranges = rank_ranges("ABCD", {("A", "C"), ("A", "D"), ("B", "D")})
    assert ranges == {
        "A": RankRange(1, 2),
        "B": RankRange(1, 3),
        "C": RankRange(2, 4),
        "D": RankRange(3, 4),
    }
    answers = [ranges[entry].among_first(2) for entry in "ABCD"]
    assert answers == ["yes", "cannot tell", "cannot tell", "no"]


def test_without_pairs_every_rank_is_possible() -> None:
    assert rank_ranges([1, 2, 3], []) == dict.fromkeys([1, 2, 3], RankRange(1, 3))
    assert rank_ranges(["only"], []) == {"only": RankRange(1, 1)}


@pytest.mark.parametrize("pair", [[("A", "A")], [("A", "Z")], [("A", "B"), ("B", "A")]])
def test_pairs_that_say_nothing_are_refused(pair: list[tuple[str, str]]) -> None:
    with pytest.raises(ValueError, match="two different entries"):
        rank_ranges("AB", pair)


@pytest.mark.parametrize(("ranks", "text"), [((1, 1), "1"), ((2, 5), "2 to 5")])
def test_a_rank_range_is_written_in_one_way(ranks: tuple[int, int], text: str) -> None:
    assert str(RankRange(*ranks)) == text
