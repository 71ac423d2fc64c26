"""A chart of each kind over given names: its numbers come from a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import altair as alt
import polars as pl

from benchdata import charts

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}text"
Chart = alt.TopLevelMixin
Draw = Callable[[Sequence[Any]], Chart]


def frame(names: str, rows: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
    """Return a table of the columns `names`, separated by blanks."""
    return pl.DataFrame(rows, names.split(), orient="row", infer_schema_length=None)


def data(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every record inside a spec."""
    return [row for rows in spec.get("datasets", {}).values() for row in rows]


def marks(spec: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    """Give the layers of `spec`, or the spec itself, that draw marks of a kind."""
    for layer in spec.get("layer", [spec.get("spec", spec)]):
        if layer["mark"]["type"] == kind:
            yield layer


def said(chart: Chart) -> list[str]:
    """Return every text of the drawn chart, blanks made one."""
    root = ElementTree.fromstring(charts.static_svg(charts.compact_spec(chart)))
    return [" ".join("".join(each.itertext()).split()) for each in root.iter(SVG)]


def notes(chart: Chart) -> str:
    """Return the notes under the title."""
    return " ".join(charts.compact_spec(chart)["title"].get("subtitle", ()))


def dice(name: str) -> random.Random:
    """Return a generator of its own for each chart."""
    return random.Random(name)


def values(groups: Sequence[Any], each: int = 7) -> pl.DataFrame:
    """Return skewed values, one in ten not reached."""
    drawn = dice("values")
    rows = [
        (group, None if drawn.random() < 0.1 else round(drawn.lognormvariate(5, 0.5), 1))
        for group in groups
        for _ in range(each)
    ]
    return pl.DataFrame(rows, {"group": pl.String, "value": pl.Float64}, orient="row")


def medians(groups: Sequence[Any], key: str = "group") -> pl.DataFrame:
    """Return a median a group, every fifth without a high end, every seventh without any."""
    ends = [(110.0, None if at % 5 == 4 else 210.0, 0.961) for at in range(len(groups))]
    rows = [
        (group, 150.0, *((None, None, None) if at % 7 == 6 else ends[at]))
        for at, group in enumerate(groups)
    ]
    return frame(f"{key} p50 low high level", rows)


def outcomes(groups: Sequence[Any]) -> Chart:
    rows = [(group, outcome, 3) for group in groups for outcome in ("success", "failed")]
    return charts.outcomes(frame("group outcome n", rows))


def stop_reasons(groups: Sequence[Any]) -> Chart:
    rows = [(group, reason, 2) for group in groups for reason in ("step_limit", "a:b")]
    return charts.stop_reasons(frame("group stop_reason n", rows))


def percentile_ranges(groups: Sequence[Any]) -> Chart:
    rows = [(group, "cold", 12, 100.0, 900.0, 80.0, 120.0, True) for group in groups]
    table = frame("group condition n p50 p95 low high p95_is_max", rows)
    return charts.percentile_ranges(table, subject="Total time by group", unit="ms")


def evidence(groups: Sequence[Any]) -> Chart:
    rows = [(group, what, 2, 9) for group in groups for what in ("records", "comments")]
    return charts.evidence(frame("group measure p50 p95", rows))


def ecdf(groups: Sequence[Any]) -> Chart:
    return charts.ecdf(values(groups), subject="Total time", unit="ms")


def share_green(groups: Sequence[Any]) -> Chart:
    table = values(groups, 6).with_columns(pl.col("value") // 8)
    return charts.share_green(table, 80)


def strip(groups: Sequence[Any]) -> Chart:
    return charts.strip(values(groups), medians(groups), subject="Total time", unit="ms")


def strip_with_curves(groups: Sequence[Any]) -> Chart:
    return charts.strip(
        values(groups), medians(groups), subject="Total time", unit="ms", curves=True, name="curves"
    )


def timeline(groups: Sequence[Any]) -> Chart:
    rows = [
        (NOON + timedelta(minutes=at), group, 50.0 + at, "cold", "success")
        for group in groups
        for at in range(2)
    ]
    table = frame("time group value condition outcome", rows)
    return charts.timeline(table, subject="Total time by start", unit="ms")


def components(groups: Sequence[Any]) -> Chart:
    rows = [(group, part, 40) for group in groups for part in ("jev", "a:b", "media")]
    return charts.components(frame("group component p50", rows))


def composites(groups: Sequence[Any]) -> Chart:
    drawn = dice("composites")
    rows = [
        (group, preset, part, round(drawn.random(), 3), 0.61, 6)
        for group in groups
        for preset in ("default", "encore-parity")
        for part in ("test_pass_rate", "rubric_pass_rate", "turns", "cost", "wall")
    ]
    return charts.composites(frame("group preset component score composite n", rows))


def forest(groups: Sequence[Any]) -> Chart:
    drawn = dice("forest")
    rows = []
    for at, group in enumerate(groups):
        middle, half = drawn.gauss(0.08, 0.12), 0.05 + 0.1 * drawn.random()
        ends = (None, None) if at % 7 == 2 else (middle - half, middle + half)
        verdict = "better" if middle - half > 0 else "no difference shown"
        rows.append((group, middle, *ends, 12, 0.03125, verdict))
    table = frame("group estimate low high n p verdict", rows)
    return charts.forest(table, subject="Lift by skill", unit="points", min_effect=0.05)


def forest_of_ratios(groups: Sequence[Any]) -> Chart:
    rows = [
        (group, arm, 1.1, 0.96, 1.27, 10, 0.11, "cannot tell: interim")
        for group in groups
        for arm in ("plain", "context")
    ]
    table = frame("group series estimate low high n p verdict", rows)
    look: dict[str, Any] = {"unit": "ratio", "ratio": True, "min_effect": 0.05}
    return charts.forest(table, subject="Time, B / A", name="ratios", **look)


def dumbbell(groups: Sequence[Any]) -> Chart:
    drawn = dice("dumbbell")
    rows = []
    for at, task in enumerate(groups):
        k, j = drawn.randint(0, 3), drawn.randint(0, 3)
        after = (None, None, None) if at % 9 == 4 else (j / 3, j, 3)
        rows.append(("acme/tools@pdf", task, k / 3, k, 3, *after))
    names = "group task baseline baseline_k baseline_n treatment treatment_k treatment_n"
    return charts.dumbbell(
        frame(names, rows), subject="Pass rate by task", unit="share", arms=("none", "the skill")
    )


def slopes(groups: Sequence[Any]) -> Chart:
    drawn = dice("slopes")
    rows = [
        (task, drawn.randint(0, 4) / 4, None if at % 11 == 7 else drawn.randint(1, 4) / 4)
        for at, task in enumerate(groups)
    ]
    table = frame("task baseline treatment", rows)
    return charts.slopes(table, subject="Pass rate by task", unit="share", arms=("A", "B"))


def differences(groups: Sequence[Any]) -> Chart:
    drawn = dice("differences")
    rows = [
        (task, None if at % 13 == 5 else drawn.choice((-1, 0, 0, 0, 1, 1, 2)) / 3)
        for at, task in enumerate(groups)
    ]
    mean = frame("estimate low high", [(0.14, 0.03, 0.25)])
    return charts.differences(
        frame("task difference", rows), mean, subject="Lift", unit="points", min_effect=0.05
    )


def heatmap(groups: Sequence[Any]) -> Chart:
    drawn = dice("heatmap")
    rows = [
        (task, arm, 3, drawn.randint(0, 3))
        for task in groups
        for arm in ("none", "acme/tools@pdf", "local:notes")
        if drawn.random() > 0.08
    ]
    return charts.heatmap(frame("row column n k", rows), subject="Passed trials by task and arm")


def heatmap_of_scores(groups: Sequence[Any]) -> Chart:
    drawn = dice("scores")
    rows = [
        (task, arm, drawn.randint(0, 6), drawn.random()) for task in groups for arm in ("A", "B")
    ]
    table = frame("row column n value", rows)
    return charts.heatmap(table, subject="Mean score by probe and lane", rows="probes", name="grid")


def tradeoff(groups: Sequence[Any]) -> Chart:
    drawn = dice("tradeoff")
    rows = []
    for group in groups:
        ratio, lift = drawn.lognormvariate(0.2, 0.3), drawn.gauss(0.1, 0.1)
        ends = (ratio / 1.2, ratio * 1.2), (lift - 0.08, lift + 0.08)
        rows.append((group, ratio, *ends[0], lift, *ends[1]))
    names = "group ratio ratio_low ratio_high lift lift_low lift_high"
    return charts.tradeoff(frame(names, rows), unit="points")


def cost_against_wall(groups: Sequence[Any]) -> Chart:
    drawn = dice("cost")
    rows = [
        (group, drawn.lognormvariate(6, 0.3), drawn.lognormvariate(0.5, 0.4), drawn.random() > 0.3)
        for group in groups
        for _ in range(6)
    ]
    return charts.cost_against_wall(frame("group wall cost green", rows))


def collection_order(groups: Sequence[Any]) -> Chart:
    drawn = dice("order")
    ranks = drawn.sample(range(1, 4 * len(groups) + 1), 4 * len(groups))
    rows = [
        (NOON + timedelta(minutes=3 * (4 * at + each)), group, float(ranks[4 * at + each]))
        for at, group in enumerate(groups)
        for each in range(4)
    ]
    table = frame("time group rank", rows) if rows else timeless()
    return charts.collection_order(table, "Independent of order: p 0.41 (lag 1, 12 rows).")


def timeless() -> pl.DataFrame:
    """Return the columns of a collection order without rows."""
    return pl.DataFrame(schema={"time": pl.Datetime("ms"), "group": pl.String, "rank": pl.Float64})


def version_runs(groups: Sequence[Any]) -> Chart:
    table = values(groups, 5).rename({"group": "version"})
    return charts.version_runs(
        table, medians(groups, "version"), subject="Total time by version", unit="ms"
    )


def version_shifts(groups: Sequence[Any]) -> Chart:
    drawn = dice("shifts")
    rows = []
    for at, version in enumerate(groups):
        shift = drawn.gauss(2, 8)
        ends = (None, None) if at % 8 == 5 else (shift - 9, shift + 9)
        rows.append((version, shift, *ends, "worse" if shift > 9 else "no difference shown"))
    return charts.version_shifts(
        frame("version estimate low high verdict", rows),
        subject="Shift of total time against 1.0.0",
        unit="ms",
        min_effect=5,
    )


def version_changes(groups: Sequence[Any]) -> Chart:
    drawn = dice("changes")
    rows = [
        (version, 100.0 + 40 * (at > len(groups) / 2) + drawn.gauss(0, 5))
        for at, version in enumerate(groups)
    ]
    turns = [(groups[len(groups) // 2], 100.2, 140.9)] if len(groups) > 5 else []
    return charts.version_changes(
        frame("version p50", rows),
        frame("version before after", turns),
        ["Mann-Kendall over all versions: p 0.004, rising."],
        subject="Median total time by version",
        unit="ms",
    )


def version_spread(groups: Sequence[Any]) -> Chart:
    drawn = dice("spread")
    rows = [
        (version, None if at % 10 == 9 else 1 + drawn.lognormvariate(-0.6, 0.7))
        for at, version in enumerate(groups)
    ]
    return charts.version_spread(frame("version spread", rows))


def power_curve(groups: Sequence[Any]) -> Chart:
    rows = [
        (group, effect / 40, min(1.0, (effect / 20) ** 2 / (1 + at / 3)))
        for at, group in enumerate(groups)
        for effect in range(21)
    ]
    return charts.power_curve(frame("group effect chance", rows), unit="points", min_effect=0.05)


def reach(groups: Sequence[Any]) -> Chart:
    rows = [
        (tasks, min(1.0, 2.0**-tasks * 2), None if tasks < 6 else 1.1 / tasks**0.5)
        for tasks in range(1, len(groups) + 1)
    ]
    return charts.reach(frame("tasks smallest_p effect", rows), 10, unit="points")


DRAWN: tuple[Draw, ...] = (
    outcomes,
    stop_reasons,
    percentile_ranges,
    evidence,
    ecdf,
    share_green,
    strip,
    strip_with_curves,
    timeline,
    components,
    composites,
    forest,
    forest_of_ratios,
    dumbbell,
    slopes,
    differences,
    heatmap,
    heatmap_of_scores,
    tradeoff,
    cost_against_wall,
    collection_order,
    version_runs,
    version_shifts,
    version_changes,
    version_spread,
    power_curve,
)
"""Every chart of named things; `reach` alone has none."""
