"""Releases in order of first start, each judged alone; confirmation, drift, a thin baseline."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

import benchdata
from benchdata.comparisons import claims
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError, ContractError, InputError
from benchdata.histories.series import History, history
from tests.support import trial_rows
from tests.support.armed import builds, skills
from tests.support.drawn import Row, write
from tests.support.releases import FAST, SLOW, release

A, B, C = (letter * 40 for letter in "abc")


def opened(folder: Path, rows: Sequence[Row], name: str = "rows") -> Dataset:
    return benchdata.open(write(folder / f"{name}.ndjson", rows))


def found(
    folder: Path,
    rows: Sequence[Row],
    *,
    metric: str | None = None,
    over: str | None = None,
    baseline: str | None = None,
) -> History:
    dataset = opened(folder, rows)
    return history(dataset, claims.of_contract(dataset.contract, metric), over, baseline)


def three() -> list[Row]:
    """Return three releases whose names and places in the file are not in order of start."""
    return [*release("b", SLOW, 9), *release("c", FAST, 2), *release("a", SLOW, 5)]


def test_releases_stand_in_order_of_their_first_start(tmp_path: Path) -> None:
    (series,) = found(tmp_path, three()).series
    assert [one.label for one in series.releases] == [C, A, B]
    assert series.baseline.label == C
    assert [judged.release.label for judged in series.judged] == [A, B]
    assert series.newest.release.label == B
    assert f"{series.baseline.first:%m-%d %H:%M}" == "03-02 08:00"


def test_every_release_is_one_comparison_without_holm(tmp_path: Path) -> None:
    (series,) = found(tmp_path, three()).series
    for judged in series.judged:
        assert judged.finding.placed.adjusted_p == judged.finding.p == Fraction(2, 252)
        assert judged.finding.placed.size == 1
        assert judged.word == "worse (unconfirmed)"


def test_a_pinned_baseline_judges_earlier_releases_too(tmp_path: Path) -> None:
    (series,) = found(tmp_path, three(), baseline=A).series
    words = {judged.release.label: judged.word for judged in series.judged}
    assert words == {C: "better", B: "no difference shown"}


def test_releases_that_took_turns_are_told_from_those_that_did_not(tmp_path: Path) -> None:
    turns = [*release("a", FAST, 2), *release("b", SLOW, 2, first=50), *release("c", SLOW, 3)]
    (series,) = found(tmp_path, turns).series
    assert {judged.release.label: judged.drift for judged in series.judged} == {B: False, C: True}


@pytest.mark.parametrize(
    ("repeats", "words"), [(29, "the baseline has 29 repeats, fewer than 30"), (30, "")]
)
def test_a_baseline_of_fewer_than_30_repeats_says_so(
    tmp_path: Path, repeats: int, words: str
) -> None:
    rows = [*release("a", [9000 + n for n in range(repeats)], 2), *release("b", FAST, 3)]
    assert found(tmp_path, rows).series[0].thin == words


def test_the_repeats_of_a_baseline_are_those_of_its_poorest_task(tmp_path: Path) -> None:
    rows = [
        *builds("aster", {"t1": [9.0] * 40, "t2": [9.5] * 4}, 0),
        *builds("aster", {"t1": [9.0], "t2": [9.5]}, 90, framework_version="9.9.9"),
    ]
    (series,) = found(tmp_path, rows, metric="wall").series
    assert series.thin == "the baseline has 4 repeats in a task, fewer than 30"


@pytest.mark.parametrize(
    ("old", "new", "state", "alarm"),
    [
        (FAST, SLOW, "confirmed", True),
        (FAST, FAST, "unconfirmed", True),
        (FAST, [total - 5000 for total in FAST], "not confirmed", False),
        (range(10000, 10600, 20), range(10001, 10601, 20), "not confirmed", False),
        (FAST, SLOW[:2], "unconfirmed", True),
        (FAST, [], "unconfirmed", True),
    ],
)
def test_worse_stands_until_fresh_repeats_could_tell_otherwise(
    tmp_path: Path, old: list[int], new: list[int], state: str, alarm: bool
) -> None:
    rows = opened(tmp_path, [*release("a", FAST, 2), *release("b", SLOW, 3)])
    fresh = opened(tmp_path, [*release("a", old, 8), *release("b", new, 9)], "fresh")
    result = history(rows, claims.of_contract(rows.contract), confirm=fresh)
    confirmation = result.series[0].newest.confirmation
    assert confirmation is not None
    assert (confirmation.state, result.alarm) == (state, alarm)
    if old is FAST and new is FAST:
        assert confirmation.reason.startswith(
            "fresh repeats do not show it and do not exclude it; fresh repeats: no difference shown"
        )
    if not new:
        assert confirmation.reason == f"no fresh repeats of {B}"


def test_fresh_repeats_are_new_rows_of_the_same_contract(tmp_path: Path) -> None:
    rows = opened(tmp_path, [*release("a", FAST, 2), *release("b", SLOW, 3)])
    claim = claims.of_contract(rows.contract)
    with pytest.raises(InputError, match="5 rows of the fresh repeats in the history as well"):
        history(rows, claim, confirm=opened(tmp_path, release("a", FAST, 2), "same"))
    other = opened(tmp_path, skills({"none": 0.5}), "other")
    with pytest.raises(ContractError, match="fresh repeats of skill-run cannot confirm"):
        history(rows, claim, confirm=other)


def test_pins_that_move_with_a_release_are_named_and_other_fields_part_series(
    tmp_path: Path,
) -> None:
    rows = [
        *builds("aster", {"t1": [9.0, 9.1]}, 0),
        *builds(
            "aster", {"t1": [9.0, 9.1]}, 20, framework_version="9.9.9", lockfile_digest="e" * 64
        ),
        *builds("birch", {"t1": [9.0, 9.1]}, 40),
    ]
    result = found(tmp_path, rows)
    (series,) = result.series
    assert series.context == "lane aster"
    assert [pin.split()[0] for pin in series.newest.finding.pins] == ["lockfile_digest"]
    assert series.newest.finding.hidden == ()
    (alone,) = result.alone
    assert alone.endswith("lane birch, the only one")


def test_arms_are_followed_from_the_contracts_baseline(tmp_path: Path) -> None:
    rows = skills({"a/b@c": 0.5, "none": 0.5, "local:mine": 0.5})
    (series,) = found(tmp_path, rows, over="arm").series
    assert series.releases[0].label == "a/b@c"
    assert series.baseline.label == "none"
    assert [judged.release.label for judged in series.judged] == ["a/b@c", "local:mine"]
    pinned = found(tmp_path, rows, over="arm", baseline="a/b@c").series[0]
    assert pinned.baseline.label == "a/b@c"


def test_another_field_may_be_followed(tmp_path: Path) -> None:
    rows = skills({"none": 0.5, "a/b@c": 0.5})
    (series,) = found(tmp_path, rows, over="arm").series
    assert [one.label for one in series.releases] == ["none", "a/b@c"]


@pytest.mark.parametrize(
    ("rows", "options", "error", "words"),
    [
        (
            three(),
            {"baseline": "x"},
            BenchdataError,
            f"no row has jev_social_commit x; there are {A}",
        ),
        (three(), {"over": "outcome"}, ContractError, "no field that jev-social rows are grouped"),
        (release("a", FAST, 2), {}, BenchdataError, f"has only {A}: a history needs two"),
        (
            [
                *skills({"none": 0.5}),
                *skills({"none": 0.5}, first=90, agent_version="9", model="m/n"),
            ],
            {},
            BenchdataError,
            "share all other fields: .* differ in model",
        ),
        (
            [trial_rows.numbered_row(n, agent_version=f"{n}", started_at=None) for n in range(2)],
            {},
            BenchdataError,
            "without a start time, and a history needs the order",
        ),
    ],
)
def test_what_has_no_history_is_said(
    tmp_path: Path, rows: list[Row], options: dict[str, str], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        found(tmp_path, rows, **options)
