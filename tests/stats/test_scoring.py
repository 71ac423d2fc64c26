"""Composite scores: the protocol's check cases, clipping, absence, and presets of one's own."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import InputError
from benchdata.stats.results import CannotTell
from benchdata.stats.scoring import (
    AXES,
    PRESETS,
    Axis,
    Composite,
    composite,
    preset,
    preset_of,
    read_preset,
)

NAMES = ("test_pass_rate", "turns_to_green", "cost_usd", "wall_s", "rubric_pass_rate")
BEST = (1, 5, 0.05, 60, 1)
SIX_DECIMALS = 5.1e-7
MINE = {"name": "mine", "axes": {"test_pass_rate": {"weight": 0.7}, "cost_usd": {"weight": 0.3}}}


def scored(values: tuple[float | None, ...], name: str = "default") -> Composite:
    found = composite(dict(zip(NAMES, values, strict=True)), preset(name))
    assert isinstance(found, Composite)
    return found


@pytest.mark.parametrize(
    ("values", "default", "parity"),
    [
        ((1, 5, 0.05, 60, 1), 1.0, 1.0),
        ((1, 5, 0.05, 60, None), 0.8, 1.0),
        ((0, None, 2.00, 900, None), 0, 0),
        ((0.9, None, 0.62, 310, 0.75), 0.696007, 0.661511),
        ((1, 12, 0.62, 310, 0.75), 0.877007, 0.892844),
        ((1, 3, 3.10, 30, 0.5), 0.8, 0.85),
    ],
)
def test_the_check_cases_of_the_protocol(
    values: tuple[float | None, ...], default: float, parity: float
) -> None:
    assert scored(values).value == pytest.approx(default, abs=SIX_DECIMALS)
    assert scored(values, "encore-parity").value == pytest.approx(parity, abs=SIX_DECIMALS)


@pytest.mark.parametrize(
    ("name", "value"), [("turns_to_green", 42.5), ("wall_s", 480), ("cost_usd", 1.025)]
)
def test_the_middle_of_the_anchors_is_one_half(name: str, value: float) -> None:
    assert AXES[name].share(value) == Fraction(1, 2)


def test_equal_anchors_score_nothing() -> None:
    assert Axis("flat", 3, 3).share(3) == 0


def test_scores_are_exact() -> None:
    assert scored(BEST).exact_value == 1
    assert scored((1, 5, 0.05, 60, None)).exact_value == Fraction(4, 5)


@pytest.mark.parametrize("name", PRESETS)
def test_the_weights_of_a_shipped_preset_sum_to_one(name: str) -> None:
    assert sum(Fraction(str(axis.weight)) for axis in preset(name).axes) == 1


def test_clipped_components_are_named() -> None:
    assert scored((1, 3, 3.10, 30, 0.5)).clipped == ("turns_to_green", "cost_usd", "wall_s")
    assert scored(BEST).clipped == ()


def test_a_missing_rubric_is_lost_and_makes_the_score_provisional() -> None:
    found = scored((1, 5, 0.05, 60, None))
    assert found.provisional
    assert found.lost == ("rubric_pass_rate",)
    assert not scored((1, 5, 0.05, 60, None), "encore-parity").provisional


def test_never_green_is_the_worst_and_not_provisional() -> None:
    found = scored((0.5, None, 1, 100, 0.5))
    assert found.parts[1].normalized == 0
    assert not found.provisional
    assert found.clipped == ()


@pytest.mark.parametrize("missing", ["test_pass_rate", "cost_usd", "wall_s"])
def test_other_missing_values_leave_no_score(missing: str) -> None:
    values: dict[str, float | None] = dict(zip(NAMES, BEST, strict=True))
    assert composite({**values, missing: None}, preset("default")) == CannotTell(
        f"{missing} has no value"
    )
    del values[missing]
    assert isinstance(composite(values, preset("default")), CannotTell)


def test_other_values_are_left_alone() -> None:
    values = dict(zip(NAMES, BEST, strict=True))
    found = composite({**values, "lines_of_code": 120.0}, preset("default"))
    assert found == scored(BEST)


def test_a_value_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        scored((float("nan"), 5, 0.05, 60, 1))


def test_a_misspelt_preset_is_suggested() -> None:
    with pytest.raises(InputError, match="did you mean `encore-parity`"):
        preset("encore_parity")


def test_a_preset_of_ones_own_takes_shipped_anchors() -> None:
    found = preset_of(MINE, "mine.json")
    assert [axis.worst for axis in found.axes] == [0, 2]
    score = composite({"test_pass_rate": 0.5, "cost_usd": 0.05}, found)
    assert isinstance(score, Composite)
    assert score.exact_value == Fraction(13, 20)
    assert score.preset == "mine"


def test_a_preset_of_ones_own_may_have_axes_of_its_own() -> None:
    own = {"weight": 1, "worst": 400, "best": 100, "missing": "lost"}
    found = preset_of({"name": "short", "axes": {"lines_of_code": own}}, "short.json")
    score = composite({"lines_of_code": 250}, found)
    assert isinstance(score, Composite)
    assert score.value == 0.5
    lost = composite({}, found)
    assert isinstance(lost, Composite)
    assert lost.provisional


@pytest.mark.parametrize("name", ["mine.json", "mine.toml"])
def test_a_preset_is_read_from_a_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    toml = 'name = "mine"\n[axes]\ntest_pass_rate.weight = 0.7\ncost_usd.weight = 0.3\n'
    path.write_text(toml if path.suffix == ".toml" else json.dumps(MINE, indent=1))
    assert read_preset(path) == preset_of(MINE, name)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ([], "mine.json: a preset has `name` and `axes`, and nothing else"),
        ({**MINE, "weights": {}}, "nothing else"),
        ({**MINE, "name": ""}, "name: a text"),
        ({**MINE, "name": "default"}, "no shipped preset's name"),
        ({**MINE, "axes": {}}, "at least one axis"),
        ({**MINE, "axes": {"wall_s": 1}}, "axes.wall_s: an axis has"),
        ({**MINE, "axes": {"wall_s": {"wieght": 1}}}, "axes.wall_s: an axis has"),
        ({**MINE, "axes": {"wall_s": {}}}, "axes.wall_s.weight: a finite number"),
        ({**MINE, "axes": {"wall_s": {"weight": True}}}, "a finite number"),
        ({**MINE, "axes": {"wall_s": {"weight": 10**400}}}, "a finite number"),
        ({**MINE, "axes": {"wall_s": {"weight": float("nan")}}}, "a finite number"),
        ({**MINE, "axes": {"new": {"weight": 1}}}, "axes.new.worst: a finite number"),
        ({**MINE, "axes": {"wall_s": {"weight": -1}}}, "a weight is 0 or more"),
        ({**MINE, "axes": {"wall_s": {"weight": 1, "missing": "zero"}}}, "worst, lost, refused"),
        ({**MINE, "axes": {"wall_s": {"weight": 1, "missing": []}}}, "worst, lost, refused"),
        ({**MINE, "axes": {"wall_s": {"weight": 0.9}}}, "the weights sum to 0.9, not 1"),
    ],
)
def test_a_wrong_preset_is_explained(found: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        preset_of(found, "mine.json")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.json", b"{", "a.json: no valid JSON"),
        ("a.json", b'{"name": "x", "name": "y"}', "a key stands twice"),
        ("a.json", b"\xff", "not UTF-8"),
        ("a.toml", b"name = ", "a.toml: no TOML"),
        ("a.toml", b"\xff", "a.toml: no TOML"),
    ],
)
def test_a_file_that_is_no_preset_is_explained(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_preset(path)


def test_a_file_that_is_not_there_is_explained(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json: cannot be read: No such file"):
        read_preset(tmp_path / "none.json")
