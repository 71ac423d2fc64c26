"""Deterministic generator of synthetic `judgment` rows on the rubric runs of `skill-run-demo`.

Nothing here was measured: no page was rendered and no judge asked. The runs are read from the other
set, so that `run_id` joins; what the judge makes of them is drawn from tables.
"""

import argparse
import hashlib
import json
import random
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

SEED = 20260317
RUNS = Path(__file__).resolve().parent.parent / "skill-run-demo" / "rows.ndjson"
GIVEN_THEIR_TASK = ("completed", "timeout", "agent_error")
FIRST = datetime(2026, 3, 17, 9, tzinfo=UTC)
DIMENSIONS = ("brief_fidelity", "hierarchy_readability", "usability", "craft")
LEVELS = {"none": (1.9, 1.5, 1.7, 1.3), "acme/skills@page-maker": (2.2, 2.2, 1.9, 2.1)}
"""The usual grade of each dimension, by arm."""
UNLIKE = 0.25  # how far grades of one artefact lie from its own level
FIRST_SHOWN = 0.2  # what being shown first is worth to an artefact
TIE = 0.15
FAILED_ATTEMPTS = {3: ("malformed",), 9: ("timeout",), 17: ("refused",), 40: ("malformed",)}
"""How the attempts before the last one ended, by the number of the verdict."""
UNRENDERED = 11
"""The artefact that was never rendered: its rows have no scores."""
CHECKED = (0, 5)
"""The artefacts that the instrument check judges again."""
INPUTS = ("prompt and rubric", "renderer")

Row = dict[str, Any]


def rows(runs: Sequence[Row], seed: int = SEED, endpoint: str = "stand_in") -> Iterator[Row]:
    """Yield the judgments in order of time: the check, each artefact, each pair in both orders."""
    draw = random.Random(seed)
    judged = [run for run in runs if run["grader"] == "rubric"]
    artefacts = [run for run in judged if run["outcome"] in GIVEN_THEIR_TASK]
    levels = [_levels(draw, run) for run in artefacts]
    verdicts = [
        *_check(draw, artefacts, levels),
        *_pointwise(draw, artefacts, levels),
        *_pairwise(draw, artefacts, levels),
    ]
    clock = FIRST
    for number, verdict in enumerate(verdicts):
        attempts = (*FAILED_ATTEMPTS.get(number, ()), verdict["outcome"])
        for attempt, outcome in enumerate(attempts, 1):
            duration = 4_000 + int(9_000 * draw.random())
            clock += timedelta(milliseconds=duration + 500)
            cost = None if outcome == "timeout" else round(0.01 + draw.random() / 50, 6)
            said = verdict if outcome == "judged" else _unsaid(verdict, outcome)
            yield (
                _row(endpoint)
                | said
                | {
                    "judgment_id": _uuid4(f"judgment {seed} {number} {attempt}"),
                    "judged_at": clock.replace(tzinfo=None).isoformat(timespec="milliseconds")
                    + "Z",
                    "attempt": attempt,
                    "total_cost_usd": cost,
                    "duration_ms": duration,
                }
            )


def _row(endpoint: str) -> Row:
    """Return every field of a row, in order, as it is when nothing was judged."""
    prompt, render = (hashlib.sha256(text.encode()).hexdigest()[:12] for text in INPUTS)
    return {
        "schema_version": 1,
        "judgment_id": "",
        "judged_at": "",
        "run_id": "",
        "other_run_id": None,
        "check_id": None,
        "stage": "",
        "task_id": "",
        "task_digest": "",
        "kind": "",
        "attempt": 1,
        "outcome": "judged",
        "judge_model": "acme/judge-3.0-20260201",
        "prompt_version": f"1-{prompt}",
        "render_version": f"3-{render}",
        "endpoint": endpoint,
        "artefact_digest": "",
        "other_artefact_digest": None,
        **dict.fromkeys(DIMENSIONS),
        "critical_failures": None,
        "quality": None,
        "order": None,
        "winner": None,
        "total_cost_usd": None,
        "duration_ms": 0,
    }


def _levels(draw: random.Random, run: Row) -> tuple[float, ...]:
    """Return the level of each dimension of a run's artefact, the same for every judgment of it."""
    shift = 1.2 * (draw.random() - 0.5) - (0.6 if run["outcome"] == "timeout" else 0)
    return tuple(level + shift for level in LEVELS[run["arm"]])


def _pointwise(
    draw: random.Random, runs: Sequence[Row], levels: Sequence[tuple[float, ...]]
) -> Iterator[Row]:
    """Yield one verdict an artefact; one of them was never rendered, one lacks its content."""
    for number, (run, level) in enumerate(zip(runs, levels, strict=True)):
        about = _about(run) | {"kind": "pointwise"}
        if number == UNRENDERED:
            yield about | {"outcome": "render_failed"}
        else:
            critical = ("content-missing",) if run["outcome"] == "timeout" else ()
            yield about | _graded(draw, level, critical)


def _pairwise(
    draw: random.Random, runs: Sequence[Row], levels: Sequence[tuple[float, ...]]
) -> Iterator[Row]:
    """Yield both orders of each pair of one task and repeat, with the skill and without."""
    by_cell: dict[tuple[str, int], list[int]] = {}
    for index, run in enumerate(runs):
        if index != UNRENDERED:
            by_cell.setdefault((run["task_id"], run["repeat"]), []).append(index)
    for pair in by_cell.values():
        if len(pair) < 2:
            continue
        first, second = sorted(pair, reverse=draw.random() < 0.5)
        lead = (sum(levels[first]) - sum(levels[second])) / len(DIMENSIONS)
        for order in ("ab", "ba"):
            seen = lead + (FIRST_SHOWN if order == "ab" else -FIRST_SHOWN)
            seen += UNLIKE * 2 * (draw.random() - 0.5)
            yield _about(runs[first]) | {
                "kind": "pairwise",
                "other_run_id": runs[second]["run_id"],
                "other_artefact_digest": _artefact(runs[second]),
                "order": order,
                "winner": "tie" if abs(seen) < TIE else ("a" if seen > 0 else "b"),
            }


def _check(
    draw: random.Random, runs: Sequence[Row], levels: Sequence[tuple[float, ...]]
) -> Iterator[Row]:
    """Yield the instrument check: copies judged again, a blank page, a page without its styles."""
    check = {"check_id": _uuid4("instrument check"), "stage": "check"}
    for index in CHECKED:
        run, level = runs[index], levels[index]
        for _ in range(2):
            yield _about(run) | check | {"kind": "repeat"} | _graded(draw, level)
        blank = {"kind": "blank", "artefact_digest": _sha256("blank page")}
        yield _about(run) | check | blank | _graded(draw, (0, 0, 0, 0), ("blank-page",))
        bare = {"kind": "stripped", "artefact_digest": _sha256(f"stripped {run['run_id']}")}
        low = tuple(grade - 1.2 for grade in level)
        yield _about(run) | check | bare | _graded(draw, low)


def _about(run: Row) -> Row:
    """Return what a judgment takes over from the run it is about."""
    same = {name: run[name] for name in ("run_id", "stage", "task_id", "task_digest")}
    return same | {"outcome": "judged", "artefact_digest": _artefact(run)}


def _graded(draw: random.Random, level: Sequence[float], critical: Sequence[str] = ()) -> Row:
    """Return four grades near `level` and their mean, or 0 when a critical failure stands."""
    drawn = [grade + UNLIKE * 2 * (draw.random() - 0.5) for grade in level]
    grades = [min(max(round(grade), 0), 3) for grade in drawn]
    return dict(zip(DIMENSIONS, grades, strict=True)) | {
        "critical_failures": list(critical),
        "quality": 0.0 if critical else sum(grades) / len(grades),
    }


def _unsaid(verdict: Row, outcome: str) -> Row:
    """Return a verdict of which the judge said nothing that counts."""
    said = dict.fromkeys((*DIMENSIONS, "critical_failures", "quality", "winner"))
    return verdict | said | {"outcome": outcome}


def _artefact(run: Row) -> str:
    return _sha256(f"artefact {run['run_id']}")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _uuid4(text: str) -> str:
    return str(uuid.UUID(_sha256(text)[:32], version=4))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the demo set, or judgments of other runs, to a file."""
    parser = argparse.ArgumentParser(description="Write synthetic judgment rows (NDJSON).")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--runs", type=Path, default=RUNS, help="skill-run rows to judge")
    parser.add_argument("--seed", type=int, default=SEED, help="default %(default)s")
    options = parser.parse_args(arguments)
    try:
        runs = [json.loads(line) for line in options.runs.read_bytes().splitlines()]
        made = (json.dumps(row, separators=(",", ":")) for row in rows(runs, options.seed))
        options.out.write_bytes("".join(f"{line}\n" for line in made).encode())
    except OSError as error:
        parser.error(f"cannot read or write {error.filename}: {error.strerror}")


if __name__ == "__main__":
    main()
