"""What a row of sample-bench holds, and what it means."""

from typing import Annotated, Literal

from benchdata.contracts import Contract
from benchdata.contracts.checks import Rule
from benchdata.contracts.fields import Count, Label, Real, Timestamp, Uuid4, flat_row
from benchdata.contracts.gate import ArmNeeds, Gate
from benchdata.contracts.meaning import Design, Metric, Outcome

FIELDS = {
    "schema_version": Literal[1],
    "run_id": Uuid4,
    "python task arm": Label,
    "repeat planned_tasks planned_repeats": Count,
    "outcome": Literal["passed", "failed", "timeout", "lost"],
    "passed": bool | None,
    "wall_ms": Annotated[float, Real(low=0)] | None,
    "started_at": Timestamp,
}
LOST = "outcome == 'lost'"  # the machine failed, not what was measured
CONTRACT = Contract(
    name="sample-bench",
    models={1: flat_row(FIELDS)},
    checks=(Rule("passed", f"passed is not None or {LOST}", "must be known unless lost"),),
    identity=("run_id",),
    group=("python",),
    metrics=(
        Metric("passed", "passed", "", "higher", bounds=(0, 1)),
        Metric("wall", "wall_ms", "ms", failure_ranks="worst"),
    ),
    outcome=Outcome(success="passed", unscored=LOST, reason="outcome"),
    order="started_at",
    design=Design(("arm",), ("baseline",), "task", "repeat", "planned_tasks", "planned_repeats"),
    gate=Gate(rows=10, arms=ArmNeeds(tasks=6, repeats=3)),
)
