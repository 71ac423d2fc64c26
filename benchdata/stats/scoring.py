"""Composite scores of build runs: each axis on a scale from worst to best, weighted by a preset."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from benchdata.errors import InputError, RowError, did_you_mean
from benchdata.rows.strict_json import decode
from benchdata.stats.rationals import rational
from benchdata.stats.results import CannotTell
from benchdata.stats.samples import LARGEST

# What a value that is not there means: `worst` counts as the worst end (never green), `lost`
# forfeits the weight and makes the score provisional (not judged), `refused` leaves no score.
Missing = Literal["worst", "lost", "refused"]
MISSING: tuple[Missing, ...] = ("worst", "lost", "refused")


@dataclass(frozen=True, slots=True)
class Axis:
    """One component: its weight, the anchors that score 0 and 1, and what its absence means."""

    name: str
    worst: float
    best: float
    weight: float = 0.0
    missing: Missing = "refused"

    def share(self, value: float) -> Fraction:
        """Return where `value` lies from worst (0) to best (1), beyond both as well; exact."""
        worst, best = rational(self.worst), rational(self.best)
        return (rational(value) - worst) / (best - worst) if best != worst else Fraction(0)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of axes whose weights sum to 1."""

    name: str
    axes: tuple[Axis, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """What one axis gave: its normalized value (0-1, None: lost) and whether it was clipped."""

    name: str
    weight: float
    normalized: float | None
    clipped: bool


@dataclass(frozen=True, slots=True)
class Composite:
    """A score from 0 to 1 and its parts, in the preset's order."""

    exact_value: Fraction
    preset: str
    parts: tuple[Part, ...]

    @property
    def value(self) -> float:
        """Return the score as a double."""
        return float(self.exact_value)

    @property
    def clipped(self) -> tuple[str, ...]:
        """Return the axes whose value lay beyond an anchor, which a report names."""
        return tuple(part.name for part in self.parts if part.clipped)

    @property
    def lost(self) -> tuple[str, ...]:
        """Return the axes without a value whose weight was forfeited."""
        return tuple(part.name for part in self.parts if part.normalized is None)

    @property
    def provisional(self) -> bool:
        """Return whether a weight was forfeited: the score cannot reach 1."""
        return bool(self.lost)


AXES = {
    axis.name: axis
    for axis in (
        Axis("test_pass_rate", 0.0, 1.0),
        Axis("turns_to_green", 80.0, 5.0, missing="worst"),
        Axis("cost_usd", 2.0, 0.05),
        Axis("wall_s", 900.0, 60.0),
        Axis("rubric_pass_rate", 0.0, 1.0, missing="lost"),
    )
}
WEIGHTS = {
    "default": {
        "test_pass_rate": 0.45,
        "turns_to_green": 0.15,
        "cost_usd": 0.10,
        "wall_s": 0.10,
        "rubric_pass_rate": 0.20,
    },
    "encore-parity": {
        "test_pass_rate": 0.50,
        "turns_to_green": 0.20,
        "cost_usd": 0.15,
        "wall_s": 0.15,
    },
}
PRESETS = {
    name: Preset(name, tuple(replace(AXES[axis], weight=weight) for axis, weight in each.items()))
    for name, each in WEIGHTS.items()
}


def composite(values: Mapping[str, float | None], preset: Preset) -> Composite | CannotTell:
    """Return sum(weight * normalized) over the axes of a preset; weights are never rescaled.

    normalized = (value - worst) / (best - worst), clipped to 0..1. `values` holds a number or None
    under the name of each axis; others are left alone. None where a `refused` axis has no value.

    Raises:
        ValueError: A value is not finite.
    """
    parts: list[Part] = []
    total = Fraction(0)
    for axis in preset.axes:
        value = values.get(axis.name)
        if value is None and axis.missing == "refused":
            return CannotTell(f"{axis.name} has no value")
        if value is None and axis.missing == "lost":
            parts.append(Part(axis.name, axis.weight, None, clipped=False))
            continue
        share = axis.share(axis.worst if value is None else value)
        held = min(max(share, Fraction(0)), Fraction(1))
        total += rational(axis.weight) * held
        parts.append(Part(axis.name, axis.weight, float(held), clipped=held != share))
    return Composite(total, preset.name, tuple(parts))


def preset(name: str) -> Preset:
    """Return a shipped preset.

    Raises:
        InputError: There is none of that name.
    """
    if name not in PRESETS:
        hint = did_you_mean(name, tuple(PRESETS)) or f"; there are {', '.join(PRESETS)}"
        raise InputError(f"no preset is named `{name}`{hint}, or give a .toml or .json file")
    return PRESETS[name]


def read_preset(path: Path) -> Preset:
    """Return the preset of a user's TOML or JSON file, as `preset_of` reads it.

    Raises:
        InputError: The file cannot be read, or is no preset.
    """
    try:
        content = path.read_bytes()
        found = tomllib.loads(content.decode()) if path.suffix == ".toml" else decode(content)
    except OSError as error:
        raise InputError(f"{path.name}: cannot be read: {error.strerror}") from error
    except RowError as error:
        raise InputError(f"{path.name}: {error.message}") from error
    except ValueError as error:
        raise InputError(f"{path.name}: no TOML in UTF-8: {error}") from error
    return preset_of(found, path.name)


def preset_of(found: object, source: str) -> Preset:
    """Return a preset from `{"name": ..., "axes": {AXIS: {"weight": ...}}}`.

    An axis may give its anchors `worst` and `best`, and `missing`; a shipped one has them already.

    Raises:
        InputError: `source: PLACE: what is wrong`.
    """
    if not isinstance(found, Mapping) or set(found) != {"name", "axes"}:
        raise InputError(f"{source}: a preset has `name` and `axes`, and nothing else")
    name, axes = found["name"], found["axes"]
    if not isinstance(name, str) or not name or name in PRESETS:
        raise InputError(f"{source}: name: a text that is no shipped preset's name")
    if not isinstance(axes, Mapping) or not axes:
        raise InputError(f"{source}: axes: at least one axis")
    chosen = tuple(_axis(str(axis), fields, source) for axis, fields in axes.items())
    total = sum((rational(axis.weight) for axis in chosen), Fraction(0))
    if total != 1:
        raise InputError(f"{source}: axes: the weights sum to {float(total):g}, not 1")
    return Preset(name, chosen)


def _axis(name: str, fields: object, source: str) -> Axis:
    place = f"{source}: axes.{name}"
    known = {"weight", "worst", "best", "missing"}
    if not isinstance(fields, Mapping) or not set(fields) <= known:
        raise InputError(f"{place}: an axis has {', '.join(sorted(known))}, and nothing else")
    shipped = AXES.get(name)
    values: dict[Any, Any] = {
        "worst": shipped and shipped.worst,
        "best": shipped and shipped.best,
        "missing": shipped.missing if shipped else "refused",
        **fields,
    }
    for field in ("weight", "worst", "best"):
        value: object = values.get(field)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (number and abs(values[field]) <= LARGEST):  # refuses NaN as well
            raise InputError(f"{place}.{field}: a finite number is needed")
    if values["weight"] < 0:
        raise InputError(f"{place}.weight: a weight is 0 or more")
    if values["missing"] not in MISSING:
        raise InputError(f"{place}.missing: one of {', '.join(MISSING)}")
    return Axis(
        name,
        float(values["worst"]),
        float(values["best"]),
        float(values["weight"]),
        values["missing"],
    )
