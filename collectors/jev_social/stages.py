"""The stage lines on standard error: all that is said while an attempt runs."""

from __future__ import annotations

from collectors.harness.progress import tell


class Stages:
    """Says each stage once, however often it is named in a row."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, label: str) -> None:
        """Write the stage; a standard error that is missing, closed or full stops nothing."""
        if label == self._last:
            return
        self._last = label
        tell(f"[benchmark] {label}")
