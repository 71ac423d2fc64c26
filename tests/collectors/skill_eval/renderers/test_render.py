"""The key `render` of task.json: what it may say, and what a fault is called."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchdata.errors import BenchdataError
from collectors.harness import documents
from collectors.skill_eval.renderers.render import BOUNDS, Render


def parsed(**told: Any) -> Render:
    return documents.parsed(json.dumps(told).encode(), Render, "task.json")


@pytest.mark.parametrize("kind", BOUNDS)
def test_kind_and_entry_are_enough(kind: str) -> None:
    found = parsed(kind=kind, entry="index.html")
    assert (found.width, found.height) == (1280, 800)
    assert found.pictures == BOUNDS[found.kind].most


def test_most_lowers_the_bound_of_a_kind_and_never_raises_it() -> None:
    assert parsed(kind="pdf", entry="a.pdf", most=2).pictures == 2
    assert parsed(kind="pdf", entry="a.pdf", most=16).pictures == BOUNDS["pdf"].most


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"kind": "slides", "entry": "a"}, "kind: must be"),
        ({"kind": "pdf"}, "entry"),
        ({"kind": "pdf", "entry": ""}, "entry: must not be empty"),
        ({"kind": "pdf", "entry": "/etc/passwd"}, "entry: must be a path within the artefact"),
        ({"kind": "pdf", "entry": "a/../../b"}, "entry: must be a path within the artefact"),
        ({"kind": "pdf", "entry": "a", "height": 5000}, "height: must be"),
        ({"kind": "pdf", "entry": "a", "most": 0}, "most: must be"),
        ({"kind": "pdf", "entry": "a", "wide": 5}, "wide: is not a key here"),
        ({"kind": "pdf", "entry": "a", "tabs": 1}, "tabs: only kind `keyboard` has this setting"),
        ({"kind": "svg", "entry": "a", "sections": "g"}, "only kind `stacked` has this setting"),
        ({"kind": "keyboard", "entry": "a", "key": "Enter"}, "key: must be"),
    ],
)
def test_a_fault_names_its_key(told: dict[str, Any], words: str) -> None:
    with pytest.raises(BenchdataError) as caught:
        parsed(**told)
    assert words in str(caught.value)
    assert str(caught.value).startswith("task.json: ")
