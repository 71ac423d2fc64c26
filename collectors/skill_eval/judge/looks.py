"""What can be seen of a picture without understanding it, and marks by that.

Words are found as small connected outlines. Of them, of the colours and of the free space a few
measures are taken that tell well-set work from bad: each lies on a ramp from bad to good. What a
text says is no part of it. This is no judge of design: it stands in for one where the way to the
judge and the instrument around it are tried.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from benchdata.contracts.judgment import BEST, DIMENSIONS
from collectors.skill_eval.renderers import pictures

Picture = NDArray[np.uint8]
"""Height x width x red, green, blue."""
Numbers = NDArray[np.float64]

EDGE = 28
"""How far neighbouring pixels lie apart, of 255, where something is drawn."""
BLANK = 0.0002
"""The share of such pixels below which a picture is empty."""
TALL = (8, 120)
"""Heights of words in pixels."""
LONG = 0.5
"""The width of a word at least, in its heights: what is slimmer is a stroke."""
DENSE = 0.17
"""The share of a word's box that is drawn at least: a frame is no word."""
GAP = 24
"""The widest gap within a line of text, in pixels."""
SIDE = 0.015
"""How near to the sides of a picture is too near, as a share of its width."""
TILES = (6, 8)
FULL = 0.004
"""The share of edges in a tile that has something in it."""
LINEAR = (np.arange(256) / 255) ** 2.2
WEIGHTS = (0.2126, 0.7152, 0.0722)

RAMPS: Mapping[str, tuple[float, float]] = {
    "scale": (1.5, 3.0),
    "contrast": (2.0, 4.5),
    "crowding": (0.12, 0.02),
    "clutter": (0.2, 0.12),
    "measure": (0.97, 0.75),
    "glare": (0.03, 0.003),
    "colour": (0.0, 0.02),
    "filled": (0.15, 0.5),
    "text": (0.002, 0.015),
}
"""Of each measure what is worst and what is best."""
COUNTED: Mapping[str, tuple[str, ...]] = {
    "brief_fidelity": ("filled", "text", "contrast"),
    "hierarchy_readability": ("scale", "contrast", "text"),
    "usability": ("contrast", "crowding", "measure"),
    "craft": ("glare", "clutter", "colour", "crowding"),
}
"""The measures that make the mark of a dimension, all alike."""


def opened(raw: bytes) -> Picture:
    """Return the picture of a file, laid on white where it is transparent.

    Raises:
        OSError: It is none.
    """
    with Image.open(io.BytesIO(raw)) as picture:
        return np.asarray(pictures.opaque(picture))


def marks(seen: Sequence[Picture]) -> dict[str, Any]:
    """Return the marks of one artefact, as the judge is to answer them."""
    looks = [look for look in map(Look, seen) if not look.blank]
    if not looks:
        none = dict.fromkeys(DIMENSIONS, 0)
        return {"seen": "nothing", **none, "critical_failures": ["blank_or_not_loading"]}
    found = {
        name: float(np.mean([_share(getattr(look, name), *ramp) for look in looks]))
        for name, ramp in RAMPS.items()
    }
    said = ", ".join(f"{name} {share:.2f}" for name, share in found.items())
    marked = {
        dimension: round(BEST * float(np.mean([found[name] for name in names])))
        for dimension, names in COUNTED.items()
    }
    return {"seen": said, **marked, "critical_failures": []}


def _share(value: float, worst: float, best: float) -> float:
    """Return where on a ramp a value lies, from 0 to 1."""
    return min(1.0, max(0.0, (value - worst) / (best - worst)))


@dataclass(frozen=True)
class Look:
    """One picture and what is measured of it, as far as it is asked for."""

    picture: Picture

    @property
    def blank(self) -> bool:
        """Whether there is nothing to be seen."""
        return float(self._edges.mean()) < BLANK

    @property
    def scale(self) -> float:
        """How many times as high as most text the largest is."""
        height, width = self._words.height, self._words.width
        return _middle(height, width, 0.98) / _middle(height, width, 0.4)

    @property
    def contrast(self) -> float:
        """The ratio of contrast that nine tenths of all text reach, from 1 to 21."""
        places = self._labels[self._edges]
        order = np.argsort(places, kind="stable")
        light = self._light[self._edges][order]
        starts = np.searchsorted(places[order], np.arange(1, places.max(initial=0) + 1))
        ratios = (np.maximum.reduceat(light, starts) + 0.05) / (
            np.minimum.reduceat(light, starts) + 0.05
        )
        return _middle(ratios[self._words.label - 1], self._words.area, 0.1)

    @property
    def crowding(self) -> float:
        """The share of lines of text that lie at a side of the picture."""
        width, lines = self.picture.shape[1], self._lines
        near = (lines.left < SIDE * width) | (lines.right > (1 - SIDE) * width)
        return float(near.mean()) if len(near) else 0.0

    @property
    def clutter(self) -> float:
        """The share of the picture where something begins or ends."""
        return float(self._edges.mean())

    @property
    def measure(self) -> float:
        """The length of the longest lines, as a share of the width."""
        return _middle(self._lines.width, self._lines.width, 0.9) / len(self.picture[0])

    @property
    def glare(self) -> float:
        """The share of pure loud colours."""
        highest, lowest = self._extremes
        return float(((highest > 225) & (lowest < 30)).mean())

    @property
    def colour(self) -> float:
        """The share of colours that are no greys."""
        highest, lowest = self._extremes
        return float((highest - lowest > 40).mean())

    @property
    def filled(self) -> float:
        """The share of the picture's tiles that have something in them."""
        rows, columns = TILES
        tiles = (
            tile.mean() > FULL
            for band in np.array_split(self._edges, rows)
            for tile in np.array_split(band, columns, axis=1)
        )
        return float(np.mean(list(tiles)))

    @property
    def text(self) -> float:
        """The share of the picture that words take."""
        return float(self._words.area.sum() / self._edges.size)

    @cached_property
    def _channels(self) -> list[NDArray[np.int16]]:
        return [self.picture[:, :, number].astype(np.int16) for number in range(3)]

    @cached_property
    def _extremes(self) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """The highest and the lowest channel of every fourth pixel."""
        red, green, blue = (channel[::2, ::2] for channel in self._channels)
        return np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)

    @cached_property
    def _light(self) -> Numbers:
        """The relative luminance of every pixel, from 0 to 1."""
        total = np.zeros(self.picture.shape[:2])
        for channel, weight in zip(self._channels, WEIGHTS, strict=True):
            total += weight * LINEAR[channel]
        return total

    @cached_property
    def _edges(self) -> NDArray[np.bool_]:
        """Where something is drawn, in whatever colours."""
        drawn = np.zeros(self.picture.shape[:2], bool)
        for channel in self._channels:
            across = abs(np.diff(channel, axis=1)) > EDGE
            down = abs(np.diff(channel, axis=0)) > EDGE
            drawn[:, 1:] |= across
            drawn[:, :-1] |= across
            drawn[1:] |= down
            drawn[:-1] |= down
        return drawn

    @cached_property
    def _labels(self) -> NDArray[np.int64]:
        return _labelled(self._edges)

    @cached_property
    def _words(self) -> Boxes:
        """Every outline that may be a word or a letter."""
        return _boxes(self._labels)

    @cached_property
    def _lines(self) -> Boxes:
        """Words that stand side by side."""
        return _boxes(_labelled(ndimage.maximum_filter1d(self._edges, GAP, axis=1)))


@dataclass(frozen=True)
class Boxes:
    """The places of outlines, and their labels."""

    top: NDArray[np.int64]
    bottom: NDArray[np.int64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    label: NDArray[np.int64]

    @property
    def height(self) -> NDArray[np.int64]:
        """Their heights in pixels."""
        return self.bottom - self.top

    @property
    def width(self) -> NDArray[np.int64]:
        """Their widths in pixels."""
        return self.right - self.left

    @property
    def area(self) -> NDArray[np.int64]:
        """Their areas in pixels."""
        return self.height * self.width


def _labelled(drawn: NDArray[np.bool_]) -> NDArray[np.int64]:
    labels, _ = ndimage.label(drawn, np.ones((3, 3)))
    return np.asarray(labels, np.int64)


def _boxes(labels: NDArray[np.int64]) -> Boxes:
    """Return the outlines that are as high, as wide and as densely drawn as text."""
    found = [
        (rows.start, rows.stop, columns.start, columns.stop, label)
        for label, (rows, columns) in enumerate(ndimage.find_objects(labels), 1)
    ]
    table = np.array(found, np.int64).reshape(-1, 5)
    boxes = Boxes(*table.T)
    fits = (boxes.height >= TALL[0]) & (boxes.height <= TALL[1])
    fits &= boxes.width >= LONG * boxes.height
    fits &= np.bincount(labels.ravel())[1:] >= DENSE * boxes.area
    return Boxes(*table[fits].T)


def _middle(values: NDArray[Any], weights: NDArray[Any], share: float) -> float:
    """Return the value that `share` of all weight lies below; 1 where there is nothing."""
    if not len(values):
        return 1.0
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(sums, share * sums[-1])])
