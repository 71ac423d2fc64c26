"""A stage folder with its verdicts and pictures, and the folder of a check that bears it out."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from collectors.harness import trees
from collectors.skill_eval.stages import blanks, stripped
from collectors.skill_eval.stages.checking import MADE, REPORT
from tests.support import judgment, skill_run
from tests.support.armed import uuid
from tests.support.drawn import Row, write
from tests.support.planned import CHECK, artefact, plan, verdicts

KIND = "page-tile"
PAGE = "<!doctype html><style>p { color: navy }</style><p>A page.</p>"
NAMES = ("brief_fidelity", "hierarchy_readability", "usability", "craft")
LEVELS = {"none": (1, 1, 2, 1), "base": (1, 1, 2, 1)}
HIGH = (2, 3, 2, 3)
"""The grades of the baselines, and of every other arm on average."""
MODEL = "claude-opus-5-20260901"


def png(width: int = 8, height: int = 6, grey: int = 128) -> bytes:
    """Return a grey picture."""
    lines = (b"\0" + bytes([grey]) * width) * height
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines)),
        (b"IEND", b""),
    )
    framed = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


def graded(grades: Sequence[int]) -> dict[str, Any]:
    """Return the fields of a verdict with these grades."""
    return dict(zip(NAMES, grades, strict=True)) | {"quality": sum(grades) / len(grades)}


def runs(**chosen: Any) -> list[Row]:
    """Return the runs of a held-out stage: six tasks twice in two arms, unless chosen otherwise."""
    return plan(**{**skill_run.RUBRIC, **chosen})


def judged(made: Sequence[Row], *, pairs: bool = True) -> list[Row]:
    """Return a verdict on each run and on each pair in both orders: every arm beats the baseline.

    The grades of the second repeat are one lower in brief fidelity.
    """
    by_id = {run["run_id"]: run for run in made}
    kinds = ("pointwise", "pairwise") if pairs else ("pointwise",)
    return [
        row | _said(row["kind"], by_id[row["run_id"]])
        for row in verdicts(list(made))
        if row["kind"] in kinds
    ]


def _said(kind: str, run: Row) -> dict[str, Any]:
    if kind == "pairwise":
        return {"winner": "b", "judge_model": MODEL}
    first, *rest = LEVELS.get(run["arm"], HIGH)
    return graded((first - (run["repeat"] > 1), *rest)) | {"judge_model": MODEL}


def stage(folder: Path, rows: Sequence[Row], said: Sequence[Row]) -> Path:
    """Write a stage's rows, verdicts and pictures, and return its folder."""
    write(folder / "rows.ndjson", rows)
    write(folder / "judgments.ndjson", said)
    for place, run in enumerate(rows):
        drawn(folder / ".renders" / artefact(run)[:16], artefact(run), 1 + place % 3)
    return folder


def drawn(folder: Path, digest: str, pictures: int, kind: str = KIND) -> None:
    """Write the pictures of an artefact and what they follow from."""
    folder.mkdir(parents=True)
    for number in range(1, pictures + 1):
        (folder / f"{number:02}.png").write_bytes(png(grey=40 * number))
    facts = {"artefact_digest": digest, "render": {"kind": kind}}
    (folder / "render.json").write_text(json.dumps(facts), "utf-8")


def check(folder: Path, run: Row, grades: Mapping[str, Sequence[int]] | None = None) -> Path:
    """Make what a check shows a judge, write what it says, and return the file of the check.

    It passes, unless other `grades` are given by kind.
    """
    said = {"pointwise": HIGH, "repeat": HIGH, "blank": (0,) * 4, "stripped": (0, 1, 1, 0)}
    page = folder / "left"
    page.mkdir(parents=True)
    (page / "index.html").write_text(PAGE, "utf-8")
    made = folder / MADE / str(run["run_id"])
    trees.copy(page, made / "copy")
    stripped.make(page, made / "bare")
    blank = folder / MADE / f"blank-{KIND}"
    blank.mkdir(parents=True)
    (blank / "index.html").write_text(blanks.PAGE, "utf-8")
    places = {"pointwise": page, "repeat": made / "copy", "blank": blank, "stripped": made / "bare"}
    rows = []
    for number, (kind, place) in enumerate(places.items()):
        about = {name: run[name] for name in ("run_id", "task_id", "task_digest")}
        fields = {
            "judgment_id": uuid(600_000 + number),
            "judged_at": f"2026-03-06T10:00:0{number}.000Z",
            "check_id": CHECK,
            "stage": "check",
            "kind": kind,
            "judge_model": MODEL,
            "artefact_digest": trees.digest(place),
        }
        marks = graded((said | dict(grades or {}))[kind])
        rows.append(judgment.valid_row(about | fields | marks))
    write(folder / "judgments.ndjson", rows)
    told = {"check_id": CHECK, "passed": True, "conditions": []}
    (folder / REPORT).write_text(json.dumps(told), "utf-8")
    return folder / REPORT
