"""Tables of a conformance run: what passed, and how long boots, suites and probes took."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from benchdata.numbers import MISSING, display
from benchdata.reports.tables import Align, Table
from benchdata.stats.percentiles import rank_of

FRESH, RESTART = "fresh store", "restart"
PASS = "pass"
GREEN, LOST = "success", "unscored"  # of a whole attempt, by its contract
BROWSER = "browser"
SPREAD = ("Min", "p50", "Max")


def attempts(rows: pl.DataFrame) -> Table:
    """Return the attempts of each lane and task, and how many were all green or lost."""
    head = (
        "Task",
        "Lane",
        "Framework",
        "Runtime",
        "Attempts",
        "All green",
        "Lost",
        "Boots",
        "Lines",
    )
    by = ("task_id", "lane", "framework_version", "runtime_version")
    lines = [
        (
            *map(str, key),
            f"{part.height:,}",
            *(f"{int((part['row_result'] == result).sum()):,}" for result in (GREEN, LOST)),
            f"{int(part['boot_ms'].list.len().sum()):,}",
            " or ".join(map(display, part["lines_of_code"].drop_nulls().unique().sort()))
            or MISSING,
        )
        for key, part in rows.group_by(*by, maintain_order=True)
    ]
    return Table("Attempts", head, tuple(lines), _sides(head, 4))


def boots(rows: pl.DataFrame) -> pl.DataFrame:
    """Return `task_id, lane, store, value`: every boot in ms, and what it found."""
    long = rows.with_columns(place=pl.int_ranges(pl.col("boot_ms").list.len()))
    long = long.explode("boot_ms", "place").drop_nulls("boot_ms")
    store = pl.when(pl.col("place") == 0).then(pl.lit(FRESH)).otherwise(pl.lit(RESTART))
    return long.select("task_id", "lane", store=store, value="boot_ms")


def suites(rows: pl.DataFrame) -> pl.DataFrame:
    """Return `task_id, lane, value`: every run of a suite in ms."""
    return rows.explode("suite_ms").select("task_id", "lane", value="suite_ms").drop_nulls("value")


def probes(rows: pl.DataFrame) -> pl.DataFrame:
    """Return `task_id, lane, id, set, verdict, value`: every probe, those in a browser too."""
    asked = _unnested(rows, "probes", pl.col("set"))
    seen = _unnested(rows, "extended_probes", pl.lit(BROWSER).alias("set"))
    return pl.concat((asked, seen))


def failed(rows: pl.DataFrame) -> list[str]:
    """Return the probes that did not pass, each with its lane, task and how often, in order."""
    red = probes(rows).filter(pl.col("verdict") != PASS)
    found = red.group_by("task_id", "lane", "id", maintain_order=True).len()
    return [f"{probe} of {task} in {lane} ×{n:,}" for task, lane, probe, n in found.iter_rows()]


def times(values: pl.DataFrame, caption: str, by: Sequence[tuple[str, str]]) -> Table:
    """Return the spread of `value` by columns; `by` names each with its head."""
    columns, heads = zip(*by, strict=True)
    head = (*heads, "n", *SPREAD)
    ordered = values.sort(*columns)
    lines = [
        (*map(str, key), f"{part.height:,}", *map(display, spread(part["value"])))
        for key, part in ordered.group_by(*columns, maintain_order=True)
    ]
    return Table(caption, head, tuple(lines), _sides(head, len(heads)))


def probe_times(task: str, asked: pl.DataFrame) -> Table:
    """Return p50 and the largest value of each probe of one task, a column a lane."""
    lanes = asked["lane"].unique().sort().to_list()
    head = ("Probe", "Set", *lanes)
    lines = []
    for (probe, kind), part in asked.group_by("id", "set", maintain_order=True):
        cells = {str(lane): _middle_and_most(one) for (lane,), one in part.group_by("lane")}
        lines.append((str(probe), str(kind), *(cells.get(lane, MISSING) for lane in lanes)))
    return Table(f"Probes of {task}, ms: p50 / max", head, tuple(lines), _sides(head, 2))


def spread(values: pl.Series) -> tuple[int, int, int]:
    """Return the smallest value, the p50 by nearest rank, the largest."""
    ordered = values.sort()
    return ordered[0], ordered[rank_of(len(ordered), 50) - 1], ordered[-1]


def _middle_and_most(part: pl.DataFrame) -> str:
    _, middle, most = spread(part["value"])
    return f"{display(middle)} / {display(most)}"


def _unnested(rows: pl.DataFrame, column: str, kind: pl.Expr) -> pl.DataFrame:
    long = rows.select("task_id", "lane", column).explode(column).drop_nulls(column).unnest(column)
    return long.select("task_id", "lane", "id", kind, "verdict", value="duration_ms")


def _sides(head: Sequence[str], texts: int) -> tuple[Align, ...]:
    sides: list[Align] = ["left" if place < texts else "right" for place in range(len(head))]
    return tuple(sides)
