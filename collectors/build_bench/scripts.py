"""What the model of the scripted agent answers: the lane's reference, written in some turns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchdata.errors import BenchdataError
from collectors.build_bench import references
from collectors.build_bench.lanes import Lane
from collectors.build_bench.tasks import Task

FOLDER = Path(__file__).parent / "scripted"


def script(task: Task, lane: Lane) -> dict[str, Any]:
    """Return the script of a task in a lane, in which `{"reference": NAME}` stands for a text.

    Raises:
        BenchdataError: There is none.
    """
    path = FOLDER / lane.id / f"{task.id}.json"
    if not path.is_file():
        known = ", ".join(f"{found.stem} in {found.parent.name}" for found in FOLDER.glob("*/*"))
        raise BenchdataError(
            f"--agent scripted: has no script for {task.id} in lane {lane.id}, only for {known}"
        )
    files = references.files(lane.id, task.id)

    def filled(value: dict[str, Any]) -> Any:
        name = value.get("reference")
        return value if name is None else files[name].read_text("utf-8")

    script: dict[str, Any] = json.loads(path.read_text("utf-8"), object_hook=filled)
    return script
