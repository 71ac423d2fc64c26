"""The rows of a task dispatcher's benchmark: the `exec` lines, each with its file's `meta` line."""

from benchdata.contracts import Contract
from benchdata.contracts.fields import Count, Label, Number, Timestamp, flat_row
from benchdata.contracts.meaning import Design, Metric, Outcome, Source, Throughput

FIELDS = {
    "series_id mode subject workload status": Label,
    "concurrency warmup_rows measure iterations seed seq": Count,
    "exit_code adapter_duration_ms acc vm_hwm_kb": Count | None,
    "enqueued_at_ms completed_at_ms end_to_end_ms executor_wall_ms": Number | None,
    "started_at": Timestamp,
    "warmup": bool,
}

DISPATCH = Contract(
    name="dispatch",
    models={1: flat_row(FIELDS)},
    source=Source(
        kind="kind",
        rows="exec",
        header="meta",
        ignore=("hostRss", "summary"),
        drop=("kvPath",),  # a path on the machine that measured
        rename={"meta.warmup": "warmup_rows"},  # the `exec` lines have a `warmup` of their own
        snake_case=True,
    ),
    identity=("series_id", "seq"),
    group=("mode", "subject", "workload", "concurrency", "iterations", "seed", "warmup_rows"),
    shown=("mode", "subject", "workload", "concurrency"),
    metrics=tuple(
        Metric(name, f"{name}_ms", "ms")
        for name in ("end_to_end", "executor_wall", "adapter_duration")
    ),
    outcome=Outcome(unscored="warmup", success="status == 'completed'", reason="status"),
    throughput=Throughput("tasks_per_s", "enqueued_at_ms", "completed_at_ms"),
    order="started_at",
    design=Design(sequence="seq"),  # the start is that of a whole series
)
