"""What a task says about its rendering: the key `render` of task.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from collectors.harness.documents import Document
from collectors.skill_eval.renderers.pictures import LARGEST_SIDE

Kind = Literal[
    "reveal",
    "keyboard",
    "stacked",
    "scroll-frame",
    "page-tile",
    "svg",
    "pdf",
    "office",
    "video",
    "image",
]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a kind may take: pictures, and seconds from the start of its process to its end."""

    most: int
    seconds: float


BOUNDS: Mapping[Kind, Bounds] = {
    "reveal": Bounds(16, 180),
    "keyboard": Bounds(12, 180),
    "stacked": Bounds(12, 180),
    "scroll-frame": Bounds(8, 180),
    "page-tile": Bounds(6, 180),
    "svg": Bounds(2, 180),
    "pdf": Bounds(12, 120),
    "office": Bounds(16, 180),
    "video": Bounds(12, 180),  # frames of the one contact sheet
    "image": Bounds(8, 120),
}
ONLY: Mapping[str, Kind] = {"key": "keyboard", "tabs": "keyboard", "sections": "stacked"}
"""Settings that one kind has; the others would not look at them."""


def _relative(entry: str) -> str:
    path = PurePosixPath(entry)
    if path.is_absolute() or ".." in path.parts or "\0" in entry:
        raise ValueError("must be a path within the artefact's folder")
    return entry


class Render(Document):
    """How an artefact is shown. Every kind but `image` shows the first file that `entry` names."""

    kind: Kind
    entry: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_relative)]
    """A path in the artefact's folder, or a pattern with `*` (which crosses folders), `?` or `[`; a
    pattern names only files whose suffix the kind can show (`entries.SUFFIXES`)."""
    width: Annotated[int, Field(ge=320, le=LARGEST_SIDE)] = 1280
    height: Annotated[int, Field(ge=240, le=LARGEST_SIDE)] = 800
    """The browser's window, in CSS pixels, each of which is a pixel of the picture."""
    most: Annotated[int, Field(ge=1, le=16)] | None = None
    """Pictures (frames, of a video); never more than the kind's own bound."""
    wait_ms: Annotated[int, Field(ge=0, le=10_000)] = 2000
    """How long a page has run before its first picture, by the page's own clock."""
    key: Literal["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"] = "ArrowRight"
    tabs: Annotated[int, Field(ge=0, le=20)] = 0
    """How often Tab is pressed before the first arrow key."""
    sections: Annotated[str, Field(min_length=1, max_length=200)] = "section"
    """The CSS selector of what is shown one by one."""

    @model_validator(mode="after")
    def _of_its_kind(self) -> Render:
        for name in sorted(self.model_fields_set & ONLY.keys()):
            if self.kind != ONLY[name]:
                raise ValueError(f"{name}: only kind `{ONLY[name]}` has this setting")
        return self

    @property
    def pictures(self) -> int:
        """How many pictures are made at most."""
        bound = BOUNDS[self.kind].most
        return bound if self.most is None else min(self.most, bound)
