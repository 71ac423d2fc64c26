"""What an agent left, kept beside its row: bounded, and with nothing that leads elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

from collectors.harness import trees
from collectors.harness.folders import keep as keep_text

ARTEFACT = "artefact"
LEFT_OUT = "left-out.json"
MOST_FILES = 2_000
LARGEST = 64 * 1024**2
"""Bytes of all files together."""


def keep(work: Path, root: Path) -> None:
    """Copy a work folder to `artefact` in `root`, and say beside it what was left out and why.

    Raises:
        OSError: The disk takes no more.
    """
    left_out = trees.salvage(work, root / ARTEFACT, most_files=MOST_FILES, most_bytes=LARGEST)
    if left_out:
        keep_text(root, LEFT_OUT, json.dumps(left_out, indent=2))
