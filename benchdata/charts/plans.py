"""What a plan can find: by its number of tasks, and by the size of the effect."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.lanes import GROUP_LIMIT, left_out, names_alone
from benchdata.charts.records import Record, inline, off_scale, records
from benchdata.charts.references import band, line_at
from benchdata.charts.theme import DASHES, TICK, WIDTH, finish, in_unit, series_labels
from benchdata.errors import counted
from benchdata.numbers import TOOLTIP_FORMAT, display, p_text
from benchdata.stats.detectable import POWER
from benchdata.stats.results import ALPHA

HEIGHT = 260
FEW = 60  # rows that are drawn as dots too
TOP = 1.15  # the chance axis ends above 1, so that a line at 1 is seen whole


def reach(
    table: pl.DataFrame,
    planned: int,
    *,
    subject: str = "Reach of the plan: effect found 8 times in 10",
    unit: str,
    name: str = "reach",
) -> alt.LayerChart:
    """Draw `tasks, smallest_p, effect` as a line over the number of tasks, the plan marked.

    `smallest_p` is the smallest p that so many tasks can reach, after the family's correction;
    where it is above .05 the chart is grey: no verdict can come of it. `effect`, in `unit`, is
    found 8 times in 10; null where none is. `planned` is the plan's number of tasks.
    """
    rows = [
        row | {"p": p_text(row["smallest_p"])}
        for row in records(table, ("tasks", "smallest_p", "effect"))
        if None not in (row["tasks"], row["smallest_p"])
    ]
    rows.sort(key=lambda row: row["tasks"])
    found = [row for row in rows if row["effect"] is not None]
    unfit = off_scale(row["effect"] for row in found)
    look: dict[str, Any] = {
        "name": name,
        "title": in_unit(subject, unit),
        "notes": [*unfit, _plan_note(rows, planned, unit)],
        "description": f"The effect found 8 times in 10 in {unit}, by number of tasks",
    }
    if unfit or not rows:
        return finish(names_alone(()), **look)
    blind = [row["tasks"] for row in rows if row["smallest_p"] > ALPHA]
    numbers = [*(row["tasks"] for row in rows), planned]
    x = alt.Scale(domain=[min(numbers) - 0.5, max(numbers) + 0.5], nice=False, zero=False)
    top = max((row["effect"] for row in found), default=1.0) * TOP
    y = alt.Scale(domain=[0, top or 1.0], nice=False)
    encoded = {
        "x": alt.X("tasks:Q", axis=alt.Axis(title="tasks", tickMinStep=1, format="d"), scale=x),
        "tooltip": [
            alt.Tooltip("tasks:Q"),
            alt.Tooltip("p:N", title="smallest p"),
            alt.Tooltip("effect:Q", title=in_unit("effect", unit), format=TOOLTIP_FORMAT),
        ],
    }
    height = alt.Y("effect:Q", axis=alt.Axis(title=unit), scale=y)
    curve = (
        alt.Chart(inline(found))
        .mark_line(strokeWidth=2, point={"size": 45, "filled": True} if len(rows) <= FEW else False)
        .encode(y=height, **encoded)
    )
    # A tick for every number of tasks, so that those without an effect have a place to ask about.
    counted = (
        alt.Chart(inline(rows))
        .mark_point(style="reference", shape=TICK, size=40)
        .encode(y=alt.value(HEIGHT), **encoded)
    )
    layers = [
        *([band("x", min(numbers) - 0.5, max(blind) + 0.5)] if blind else []),
        line_at("x", planned, dashed=True),
        counted,
        *([curve] if found else []),
    ]
    return finish(alt.LayerChart(layer=layers, width=WIDTH, height=HEIGHT), **look)


def _plan_note(rows: list[Record], planned: int, unit: str) -> str:
    """Say what the plan reaches, and from which number of tasks on a verdict can come at all."""
    plan = next((row for row in rows if row["tasks"] == planned), None)
    parts = [f"Dashed: the plan, {counted(planned, 'task')}."]
    if plan is not None:
        effect = plan["effect"]
        finds = "no effect is" if effect is None else f"{display(effect)} {unit} is"
        parts = [f"Dashed: {_smallest(plan)}, the plan; {finds} found 8 times in 10."]
    short = [row for row in rows if row["smallest_p"] > ALPHA]
    enough = [row for row in rows if row["smallest_p"] <= ALPHA]
    if short:
        parts.append(f"Grey: never significant; {_smallest(short[-1])}.")
    if enough:
        parts.append(f"The fewest that can be: {_smallest(enough[0])}.")
    return " ".join(parts)


def _smallest(row: Record) -> str:
    return f"{counted(int(row['tasks']), 'task')} with a smallest p of {row['p']}"


def power_curve(
    table: pl.DataFrame,
    *,
    unit: str,
    min_effect: float = 0.0,
    subject: str = "Chance to find an effect by its size",
    name: str = "power_curve",
) -> alt.LayerChart:
    """Draw `effect, chance, [group]`: a line a group over the size of the effect.

    `effect` is in `unit`, `chance` (0 to 1) how often the comparison finds it. Lines mark 80% and
    `min_effect`, which is M in `unit`.
    """
    rows = records(table, ("effect", "chance"), ("group",))
    rows = [row for row in rows if None not in (row["effect"], row["chance"])]
    unfit = off_scale(row["effect"] for row in rows)
    grouped = any(row["group"] is not None for row in rows)
    groups = list(dict.fromkeys(row["group"] for row in rows))
    drawn = groups[:GROUP_LIMIT]
    names = series_labels(drawn) if grouped else {None: ""}
    smallest = [f"Dashed upright: the minimum effect of {display(min_effect)} {unit}."]
    look: dict[str, Any] = {
        "name": name,
        "title": in_unit(subject, unit),
        "notes": [
            *unfit,
            f"Level line: found {display(100 * POWER)}% of the time.",
            *(smallest if min_effect else []),
            *left_out(len(drawn), len(groups) - len(drawn)),
        ],
        "description": f"Chance to find an effect, by its size in {unit}",
        "legend": list(dict.fromkeys(names.values())) if grouped and not unfit else (),
    }
    if unfit or not rows:
        return finish(names_alone(()), **look)
    order = list(dict.fromkeys(names.values()))
    marks = [
        row | {"group": names[row["group"]], "line": drawn.index(row["group"])}
        for row in rows
        if row["group"] in names
    ]
    lines = (
        alt.Chart(inline(marks))
        .mark_line(strokeWidth=2, point=len(rows) == 1)
        .encode(
            x=alt.X("effect:Q", axis=alt.Axis(title=in_unit("effect", unit))),
            y=alt.Y(
                "chance:Q",
                axis=alt.Axis(title="chance to find it", format="%"),
                scale=alt.Scale(domain=[0, 1]),
            ),
            detail="line:N",
            tooltip=[
                *([alt.Tooltip("group:N")] if grouped else []),
                alt.Tooltip("effect:Q", title=in_unit("effect", unit), format=TOOLTIP_FORMAT),
                alt.Tooltip("chance:Q", format=".1%"),
            ],
        )
    )
    if grouped:
        dashes = alt.Scale(domain=order, range=[list(dash) for dash in DASHES[: len(order)]])
        lines = lines.encode(
            color=alt.Color("group:N", title=None, scale=alt.Scale(domain=order)),
            strokeDash=alt.StrokeDash("group:N", title=None, scale=dashes),
        )
    layers = [
        line_at("y", POWER),
        *([line_at("x", min_effect, dashed=True)] if min_effect else []),
        lines,
    ]
    return finish(alt.LayerChart(layer=layers, width=WIDTH, height=HEIGHT), **look)
