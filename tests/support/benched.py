"""A folder in which an agent can ask for a benchmark of known outcome."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.benchmarks import skill, written

USAGE = {"input_tokens": 100, "output_tokens": 5}
READS = {"tool_calls": [{"name": "Skill", "input": {"skill": "adder"}}], "usage": USAGE}


def answers(delay_s: float = 0) -> Mapping[str, Any]:
    """Return what the model says: who has the skill reads it and is right, others are wrong."""
    right, wrong = ({"text": text, "usage": USAGE, "delay_s": delay_s} for text in ("42", "5"))
    return {"routes": [{"when": "adder", "replies": [READS, right]}], "default": wrong}


def place(folder: Path) -> dict[str, Any]:
    """Fill a folder and return the arguments that ask for its benchmark."""
    skill(folder / "adder")
    written(folder, script=answers(), skills=["adder"])
    return {"skills": ["adder"], "task_file": "cases.jsonl", "agent": "scripted"}


def delay(folder: Path, seconds: float) -> None:
    """Let the model of a folder's benchmark take its time."""
    (folder / "scripted.json").write_text(json.dumps(answers(seconds)))
