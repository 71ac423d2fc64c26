"""What `make bench` measures, each a function of the row file that runs in a process of its own.

A case prints nothing: its wall time, CPU time and peak memory are taken by `measure.py`, which has
imported what any of them needs. Ratios are to the bare DuckDB reads of the same run, which parse
the same bytes and check nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

EXPORTED = "rows.parquet"
"""Where `exported` puts rows and `requeried` finds them."""
FEW = "{'schema_version': 'BIGINT', 'platform': 'VARCHAR', 'condition': 'VARCHAR', \
'outcome': 'VARCHAR', 'timing_ms': 'STRUCT(total BIGINT)'}"
TIMING = "STRUCT(jev_total BIGINT, socai_browser BIGINT, media BIGINT, total BIGINT)"
EVIDENCE = (
    "STRUCT(records BIGINT, comments BIGINT, downloaded_media_count BIGINT,"
    " downloaded_media_bytes BIGINT)"
)
ALL: Mapping[str, str] = {
    "schema_version": "BIGINT",
    "run_id": "VARCHAR",
    "task_id": "VARCHAR",
    "started_at": "TIMESTAMP",
    "ended_at": "TIMESTAMP",
    "platform": "VARCHAR",
    "outcome": "VARCHAR",
    "jev_model": "VARCHAR",
    "socai_version": "VARCHAR",
    "socai_commit": "VARCHAR",
    "result_limit": "BIGINT",
    "max_steps": "BIGINT",
    "profile_mode": "VARCHAR",
    "region": "VARCHAR",
    "condition": "VARCHAR",
    "jev_social_version": "VARCHAR",
    "jev_social_commit": "VARCHAR",
    "jev_step_latency_ms": "BIGINT[]",
    "timing_ms": TIMING,
    "evidence": EVIDENCE,
    "stop_reason": "VARCHAR",
    "failure_category": "VARCHAR",
}
GROUP = (
    "schema_version, task_id, platform, jev_social_version, jev_social_commit, jev_model,"
    " socai_version, socai_commit, result_limit, max_steps, profile_mode, region, condition"
)
METRICS = (
    *("timing_ms_total", "timing_ms_jev_total", "timing_ms_socai_browser", "timing_ms_media"),
    *("evidence_records", "evidence_comments", "evidence_downloaded_media_count"),
)


def ranks(column: str) -> str:
    """Return p50 and p95 of a column, exact in DuckDB."""
    return f"quantile_disc({column}, [0.5, 0.95])"


def _summary(columns: Mapping[str, str]) -> str:
    """Return the aggregates of the summary; `columns` maps a metric to how it is read."""
    return ", ".join(
        [
            "count(*)",
            *(f"count(*) filter (outcome = '{word}')" for word in ("success", "partial", "failed")),
            *("min(started_at)", "max(ended_at)"),
            *(ranks(column) for column in columns.values()),
        ]
    )


def _duckdb(sql: str) -> None:
    import duckdb

    with duckdb.connect(config={"threads": "2"}) as connection:
        connection.execute(sql).fetchall()


def bare_five(file: Path) -> None:
    """Read five columns with DuckDB, unchecked; p50 and p95 by platform and condition."""
    _duckdb(
        f"select platform, condition, count(*), count(*) filter (outcome = 'failed'),"
        f" max(schema_version), {ranks('timing_ms.total')}"
        f" from read_json('{file}', format='newline_delimited', columns={FEW})"
        " group by platform, condition order by all"
    )


def bare_all(file: Path) -> None:
    """Read all columns with DuckDB, unchecked, with the grouping of the summary."""
    read = {name: name.replace("timing_ms_", "timing_ms.", 1) for name in METRICS}
    read = {name: path.replace("evidence_", "evidence.", 1) for name, path in read.items()}
    rest = "count(run_id), sum(len(jev_step_latency_ms)), max(evidence.downloaded_media_bytes),"
    rest += " max(stop_reason), max(failure_category)"
    _duckdb(
        f"select {GROUP}, {_summary(read)}, {rest}"
        f" from read_json('{file}', format='newline_delimited', columns={dict(ALL)!r})"
        f" group by {GROUP} order by all"
    )


def _opened(file: Path, sql: str) -> None:
    import benchdata

    benchdata.open(file, "jev-social").sql(sql)


def validated_five(file: Path) -> None:
    """Validate every row, then what `bare five` answers."""
    os.environ["BENCHDATA_NO_CACHE"] = "1"
    _opened(
        file,
        f"select platform, condition, count(*), count(*) filter (outcome = 'failed'),"
        f" max(schema_version), {ranks('timing_ms_total')}"
        " from rows group by platform, condition order by all",
    )


def validated_all(file: Path) -> None:
    """Validate every row, then what `bare all` answers."""
    os.environ["BENCHDATA_NO_CACHE"] = "1"
    _opened(file, _all_groups())


def refused(file: Path) -> None:
    """Validate rows of which some are bad, to the last error."""
    import benchdata
    from benchdata.errors import RowsInvalid

    os.environ["BENCHDATA_NO_CACHE"] = "1"
    try:
        benchdata.open(file, "jev-social")
    except RowsInvalid:
        return
    raise AssertionError("bad rows were let through")


def cached_open(file: Path) -> None:
    """Open rows validated before, digest included, and ask nothing."""
    import benchdata

    benchdata.open(file, "jev-social")


def cached_all(file: Path) -> None:
    """Open rows validated before (digest included), then what `bare all` answers."""
    _opened(file, _all_groups())


def _all_groups() -> str:
    summary = _summary({name: name for name in METRICS})
    return f"select {GROUP}, {summary} from rows group by {GROUP} order by all"


def summarized(file: Path) -> None:
    """Open rows validated before and make the whole summary, gate included."""
    import benchdata
    from benchdata.reports.summary import summarize_each

    summarize_each(benchdata.open(file, "jev-social"))


def exported(files: Path) -> None:
    """Validate every row and export all to one Parquet file beside the files."""
    import benchdata
    from benchdata.rows import parquet
    from benchdata.rows.tables import scan_all

    dataset = benchdata.open(files, "jev-social")
    rows = scan_all(dataset.tables)
    parquet.write(rows, files.with_name(EXPORTED), dataset.contract, dataset.tables)


def requeried(file: Path) -> None:
    """Open exported rows (digest included), then what `bare all` answers."""
    _opened(file, _all_groups())


def polars_all(file: Path) -> None:
    """Scan all columns with polars, unchecked, and group."""
    import polars as pl

    timing = pl.col("timing_ms").struct.field("total")
    pl.scan_ndjson(file).group_by("platform", "condition").agg(
        pl.len(),
        timing.quantile(0.5, "nearest").alias("p50"),
        timing.quantile(0.95, "nearest").alias("p95"),
    ).collect(engine="streaming")


def pandas_all(file: Path) -> None:
    """Read all columns with pandas, unchecked and in memory, and group."""
    import pandas as pd

    parts = (pd.read_json(one, lines=True) for one in sorted(file.parent.glob(file.name)))
    rows = pd.concat(parts, ignore_index=True)
    rows["total"] = [timing["total"] for timing in rows["timing_ms"]]
    groups = rows.groupby(["platform", "condition"])["total"]
    for share in (0.5, 0.95):
        groups.quantile(share, "nearest")


def pydantic_rows(file: Path) -> None:
    """Decode each line with pydantic's models, without repeated keys, privacy or rules."""
    from pydantic import TypeAdapter

    from benchdata.contracts.jev_social import RowV2

    adapter = TypeAdapter(RowV2)
    with file.open("rb") as lines:
        for line in lines:
            adapter.validate_json(line)


def msgspec_rows(file: Path) -> None:
    """Decode each line with msgspec into typed objects, types only."""
    import msgspec

    kinds = {"BIGINT": int, "VARCHAR": str, "TIMESTAMP": str, "BIGINT[]": list[int]}
    timing = dict[str, int]
    fields: list[Any] = [(name, kinds.get(kind, timing)) for name, kind in ALL.items()]
    fields[-1] = ("failure_category", str | None)
    row = msgspec.defstruct("Row", fields, forbid_unknown_fields=True)
    decoder = msgspec.json.Decoder(row, strict=True)
    with file.open("rb") as lines:
        for line in lines:
            decoder.decode(line)


def per_row(file: Path) -> None:
    """Check each line with the contract, row by row: what the columns must agree with."""
    from benchdata.contracts import get
    from benchdata.rows.examining import examine
    from benchdata.rows.sources import Input

    for found in sorted(file.parent.glob(file.name)):
        for one in examine(Input(str(found), found), get("jev-social")):
            if one.fault:
                raise one.fault


CASES: Mapping[str, Callable[[Path], None]] = {
    function.__name__: function
    for function in (
        *(bare_five, bare_all, validated_five, validated_all, refused),
        *(cached_open, cached_all, summarized, exported, requeried),
        *(polars_all, pandas_all, msgspec_rows, pydantic_rows, per_row),
    )
}
