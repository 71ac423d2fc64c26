"""Why there is no picture."""

from __future__ import annotations

from benchdata.errors import BenchdataError


class RenderFailed(BenchdataError):
    """The artefact has no rendering, by its own fault: what was made is not there to be judged."""
