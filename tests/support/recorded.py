"""Streams that the real agent programs printed in a sandbox, against a stand-in."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "collectors" / "harness" / "agents" / "recorded"


def recorded(name: str) -> list[bytes]:
    """Return the lines of the stream `name`."""
    return (FOLDER / f"{name}.jsonl").read_bytes().splitlines()
