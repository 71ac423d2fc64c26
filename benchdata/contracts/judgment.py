"""judgment: one verdict of the blind judge on one artefact, or on a pair of them in one order.

No arm stands here: labels never reach the judge, so they come from joining `run_id`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from benchdata.contracts.base import Contract
from benchdata.contracts.checks import Check, Rule
from benchdata.contracts.fields import Count, ModelId, Real, Row, Timestamp, Uuid4
from benchdata.contracts.gate import Gate, Judging
from benchdata.contracts.grammar import (
    Amount,
    DigestedVersion,
    Endpoint,
    FaultId,
    Positive,
    Sha256,
    Slug,
    Stage,
)
from benchdata.contracts.meaning import Design, Metric, Outcome, Pin
from benchdata.contracts.usage import COST

WORST, BEST = 0, 3
CHECK_TOLERANCE = 0.25
"""How far the quality of a byte-identical copy may lie from its original's: the smallest M."""
DIMENSIONS = ("brief_fidelity", "hierarchy_readability", "usability", "craft")
SCORES = (*DIMENSIONS, "critical_failures", "quality")
"""What the judge says of one artefact."""
PAIRED = ("other_run_id", "other_artefact_digest", "order")
"""What a pair alone has, whatever the judge made of it."""
RENDERS = ".renders"
"""The folder beside the rows with the pictures that the judge saw."""
RENDER_DIGITS = 16
"""Of an artefact's digest, in the name of the folder of its pictures."""

Grade = Literal[0, 1, 2, 3]
Quality = Annotated[float, Real(WORST, BEST)]


class Judgment(Row):
    """Version 1."""

    schema_version: Literal[1]
    judgment_id: Uuid4
    judged_at: Timestamp
    run_id: Uuid4
    other_run_id: Uuid4 | None
    check_id: Uuid4 | None
    stage: Stage
    task_id: Slug
    task_digest: Sha256
    kind: Literal["pointwise", "pairwise", "repeat", "blank", "stripped"]
    attempt: Positive
    outcome: Literal["judged", "malformed", "refused", "render_failed", "error", "timeout"]
    judge_model: ModelId
    prompt_version: DigestedVersion
    render_version: DigestedVersion
    endpoint: Endpoint
    artefact_digest: Sha256
    other_artefact_digest: Sha256 | None
    brief_fidelity: Grade | None
    hierarchy_readability: Grade | None
    usability: Grade | None
    craft: Grade | None
    critical_failures: list[FaultId] | None
    quality: Quality | None
    order: Literal["ab", "ba"] | None
    winner: Literal["a", "b", "tie"] | None
    total_cost_usd: Amount | None
    duration_ms: Count


CHECKS: tuple[Check, ...] = (
    Rule(
        "check_id",
        "check_id is not None or kind in ('pointwise', 'pairwise')",
        "must be set in a row of an instrument check",
    ),
    *(
        Rule(
            path,
            f"({path} is not None) == (kind == 'pairwise')",
            "must be set exactly when the kind is pairwise",
        )
        for path in PAIRED
    ),
    *(
        Rule(
            path,
            f"({path} is not None) == (kind != 'pairwise' and outcome == 'judged')",
            "must be set exactly when the outcome is judged and the kind is not pairwise",
        )
        for path in SCORES
    ),
    Rule(
        "winner",
        "(winner is not None) == (kind == 'pairwise' and outcome == 'judged')",
        "must be set exactly when the outcome is judged and the kind is pairwise",
    ),
    Rule(
        "quality",
        "quality is None or len(critical_failures) == 0 or quality == 0",
        "must be 0 when a critical failure stands",
    ),
    Rule(
        "quality",
        "quality is None or len(critical_failures) > 0"
        f" or quality * {len(DIMENSIONS)} == {' + '.join(DIMENSIONS)}",
        f"must be the mean of {', '.join(DIMENSIONS)}",
    ),
)

JUDGING = Judging(
    of="skill-run",
    pins=("judge_model", "prompt_version", "render_version"),
    score="quality",
    tolerance=CHECK_TOLERANCE,
    worst=WORST,
    unshown="render_failed",
)

JUDGMENT = Contract(
    name="judgment",
    models={1: Judgment},
    checks=CHECKS,
    identity=("judgment_id",),
    group=("stage", "kind", "judge_model", "prompt_version", "render_version", "endpoint"),
    unit="task",
    tasks="sampled",
    metrics=(
        Metric(
            *("quality", "quality", "", "higher"),
            min_effect=0.25,
            bounds=(WORST, BEST),
            title="Quality",
        ),
        *(Metric(name, name, "", "higher", bounds=(WORST, BEST)) for name in DIMENSIONS),
        COST,
        Metric("duration", "duration_ms", "ms", min_effect=0.05, title="Duration"),
    ),
    primary="quality",
    outcome=Outcome(success="outcome == 'judged'", reason="outcome"),
    order="judged_at",
    followed="prompt_version",
    # judgments of one artefact are averaged before artefacts, and those before tasks
    design=Design(task="task_id", repeat="artefact_digest"),
    synthetic="endpoint == 'stand_in'",
    gate=Gate(judging=JUDGING),
    shown=("stage", "kind", "judge_model"),
    pins=(
        Pin("Judge", "{judge_model}"),
        Pin("Prompt", "{prompt_version}"),
        Pin("Renderer", "{render_version}"),
        Pin("Endpoint", "{endpoint}"),
    ),
    remark="A judge's bias is in no number here: the interval covers sampling alone.",
)
