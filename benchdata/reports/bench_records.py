"""A build bench as a small record: scores, cells with their spread and runs, what was read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchdata import __version__, queries
from benchdata.comparisons import composites
from benchdata.comparisons.axes import by_field
from benchdata.comparisons.composites import NO_COSTS, Composites
from benchdata.comparisons.entities import is_result
from benchdata.contracts import Contract
from benchdata.contracts.meaning import Metric
from benchdata.dataset import Dataset, grouping
from benchdata.errors import InputError, counted
from benchdata.gates.bars import bar_of
from benchdata.numbers import display
from benchdata.reports.baselines import names, orders
from benchdata.reports.data import number_data
from benchdata.reports.lane_answers import BAR, LANE
from benchdata.reports.notices import FOOTER
from benchdata.reports.score_formats import score_data
from benchdata.reports.scores import Scores, scores
from benchdata.stats.percentiles import nearest_rank, spread
from benchdata.stats.ranks import Worst, median
from benchdata.stats.results import CannotTell
from benchdata.stats.scoring import Composite, Preset

SCHEMA_VERSION = 1
KIND = "build-bench-record"
QUARTILES = {"p25": 25, "p75": 75}
COLUMNS = (
    *("run_id", "started_at", "repeat", "turns_to_green", "wall_s", "test_pass_rate", "stop_cause"),
    *("total_cost_usd", "rubric_pass_rate", "lines_of_code"),
)

Group = Mapping[str, Any]


def record(
    name: str, dataset: Dataset, preset: Preset, manifest: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what is kept of a report: everything in it is computed from the rows, in their order.

    `name` is the report's, `manifest` says what it was made of. Reference runs are left out.

    Raises:
        InputError: No row is a run of an agent.
    """
    groups = _groups(dataset)
    if not groups:
        raise InputError("no run of an agent, so there is nothing to keep a history of")
    scored = _scores(dataset, preset)
    costs = NO_COSTS if isinstance(scored, dict) or not scored.repriced else scored.repriced.costs
    cells = [*_cells(dataset, groups, composites.of_each_row(dataset, preset, costs))]
    runs = [run for cell in cells for run in cell["runs"]]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "kind": KIND,
        "report": name,
        "asOf": manifest["asOf"],
        "lastStart": max(run["startedAt"] for run in runs),
        "benchdata": __version__,
        "synthetic": any(group["synthetic"] for group in groups.values()),
        "provisional": any(run["provisional"] for run in runs),
        "scores": scored if isinstance(scored, dict) else score_data(scored),
        "orders": [] if isinstance(scored, dict) else [*_orders(scored)],
        "cells": cells,
        "manifest": dict(manifest),
        "remark": FOOTER,
    }


def _scores(dataset: Dataset, preset: Preset) -> Scores | dict[str, Any]:
    try:
        return scores(dataset, preset)
    except InputError as error:
        return {"preset": preset.name, "cannotTell": str(error)}


def _orders(found: Scores) -> Iterator[dict[str, Any]]:
    called = dict(
        zip(
            map(id, found.baselines),
            names([each.fields for each in found.baselines]),
            strict=True,
        )
    )
    for order in orders(found.baselines):
        yield {
            "baselines": [called[id(each)] for each in order.baselines],
            "order": order.word,
            "statistic": order.statistic,
            "differing": list(order.differing),
        }


def _groups(dataset: Dataset) -> dict[str, Group]:
    """Return the groups of runs by id: what tells them apart, and whether they measure anything."""
    found = {}
    for line in dataset.sql(queries.text("groups")).iter_rows(named=True):
        fields = grouping.fields(dataset.contract, line)
        if line["synthetic"] or is_result(dataset.contract, fields):
            found[line["group_id"]] = {"synthetic": line["synthetic"], "fields": fields}
    axis = by_field(dataset.contract, LANE)
    called = names([axis.context(group["fields"]) for group in found.values()])
    return {
        id_: {**group, "baseline": baseline}
        for (id_, group), baseline in zip(found.items(), called, strict=True)
    }


def _place(group: Group) -> dict[str, Any]:
    fields = group["fields"]
    return {
        "task": fields["task_id"],
        "lane": fields["lane"],
        "frameworkVersion": fields["framework_version"],
        "baseline": group["baseline"],
        "suiteDigest": fields["suite_digest"],
        "taskDigest": fields["task_digest"],
    }


def _cells(
    dataset: Dataset, groups: Mapping[str, Group], scored: Composites
) -> Iterator[dict[str, Any]]:
    """Yield each lane in each task under each baseline: the metrics of its scored runs, its runs.

    A run that was lost to the infrastructure is among the runs, and in no metric.
    """
    values: dict[tuple[str, str], list[float | None]] = defaultdict(list)
    for line in dataset.sql(queries.text("cells")).iter_rows(named=True):
        if line["row_result"] != "unscored":
            values[line["group_id"], line["metric"]].append(line["value"])
    contract, rows = dataset.contract, _rows(dataset)
    for id_, group in groups.items():
        runs = [_run(row, scored) for row in rows[id_]]
        yield {
            **_place(group),
            "scored": sum(run["scored"] for run in runs),
            "green": sum(run["stopCause"] == "green" for run in runs),
            "metrics": {
                metric.name: _metric(contract, metric, values[id_, metric.name])
                for metric in contract.metrics
            },
            "runs": runs,
        }


def _rows(dataset: Dataset) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return the rows of each group by repeat and start."""
    columns = f"group_id, row_result, {', '.join(COLUMNS)}"
    query = f"select {columns} from grouped order by repeat, row_start, row_id"
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in dataset.sql(query).iter_rows(named=True):
        found[row["group_id"]].append(row)
    return found


def _run(row: Mapping[str, Any], scored: Composites) -> dict[str, Any]:
    _, found = scored.get(row["run_id"], ("", CannotTell("not scored")))
    whole = found if isinstance(found, Composite) else None
    return {
        "repeat": row["repeat"],
        "runId": row["run_id"],
        "startedAt": row["started_at"].isoformat(timespec="milliseconds"),
        "passRate": row["test_pass_rate"],
        "turnsToGreen": row["turns_to_green"],
        "costUsd": row["total_cost_usd"],
        "wallS": row["wall_s"],
        "rubricPassRate": row["rubric_pass_rate"],
        "linesOfCode": row["lines_of_code"],
        "composite": found.value if isinstance(found, Composite) else number_data(found),
        "provisional": whole is not None and whole.provisional,
        "clipped": [] if whole is None else list(whole.clipped),
        "stopCause": row["stop_cause"],
        "scored": row["row_result"] != "unscored",
    }


def _metric(contract: Contract, metric: Metric, values: Sequence[float | None]) -> dict[str, Any]:
    """Return the median and the quartiles of a metric, and for what a bar watches its verdict."""
    present = [value for value in values if value is not None]
    nulls: Worst = "lowest" if metric.better == "higher" else "highest"
    ranked = values if metric.null_ranks == "worst" else present
    quartiles = {name: nearest_rank(present, rank) for name, rank in QUARTILES.items()}
    low, high = quartiles.values()
    known = isinstance(low, float) and isinstance(high, float)
    return {
        "n": len(present),
        "null": len(values) - len(present),
        "median": number_data(median(ranked, nulls=nulls)),
        **{name: number_data(value) for name, value in quartiles.items()},
        "iqr": high - low if known else None,  # type: ignore[operator]
        "variance": _variance(contract, metric, present, len(values) - len(present)),
    }


def _variance(
    contract: Contract, metric: Metric, present: Sequence[float], lost: int
) -> str | None:
    """Return whether a metric that the bar watches is steady: p75/p25 of at most 2.

    Runs without a value are counted beside it.
    """
    bar = bar_of(contract, BAR)
    if metric.name not in bar.steady:
        return None
    found = spread(present)
    if isinstance(found, CannotTell) or len(present) < bar.repeats:
        return f"cannot tell: {len(present)} of {counted(bar.repeats, 'value')}"
    beside = "".join((f", {found.swing}" * bool(found.swing), f", {lost:,} null" * bool(lost)))
    ratio = "none over 0" if found.p75_over_p25 is None else display(found.p75_over_p25)
    return f"{'unstable' if found.unstable else 'steady'} (p75/p25 {ratio}{beside})"
