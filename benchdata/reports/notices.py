"""What stands on every page and above every number of rows that measure nothing."""

from __future__ import annotations

FOOTER = (
    "The interval covers sampling of these tasks and runs. It does not cover judge bias,"
    " training-data overlap, or other models and agents."
)
# The labels of banners from which a program can tell how rows stand.
SYNTHETIC, NO_GATE, INCOMPLETE = "SYNTHETIC", "NO GATE", "INCOMPLETE"
PROOF = f"{SYNTHETIC}: scripted, stand-in or synthetic rows. A pipeline proof, not a measurement."
