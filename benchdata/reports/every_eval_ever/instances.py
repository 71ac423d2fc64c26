"""The lines of runs: one for each scored run and each result that it is part of.

Rows hold no prompt and no answer, so that a line has neither; the format asks for the fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchdata.contracts.columns import column_name
from benchdata.contracts.fields import instant_text
from benchdata.contracts.usage import TOKEN_FIELDS
from benchdata.reports.every_eval_ever.documents import (
    SCHEMA_VERSION,
    Evaluation,
    details,
)
from benchdata.reports.every_eval_ever.results import Result

Row = Mapping[str, Any]

QUERY = """select * exclude (row_content, row_likeness) from grouped
order by row_task, row_arm, row_start, row_id"""
"""The rows in an order that does not hang on the order of the inputs."""


def lines(evaluation: Evaluation, row: Row) -> Iterator[dict[str, Any]]:
    """Yield the lines of one row of `QUERY`; one that is not scored has none."""
    for result in evaluation.results:
        score = result.score(row) if row["row_id"] in result.rows else None
        if score is not None:
            yield _line(evaluation, result, row, score)


def _line(evaluation: Evaluation, result: Result, row: Row, score: float) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation.id,
        "model_id": evaluation.model_id,
        "evaluation_name": evaluation.name,
        "evaluation_result_id": evaluation.result_id(result),
        "sample_id": row["row_task"],
        "interaction_type": "agentic",
        "input": {"raw": "", "reference": []},
        "messages": [],
        "answer_attribution": [],
        "evaluation": {
            "score": score,
            "is_correct": row["row_result"] == "success",
            **_turns(evaluation, row),
        },
        **_tokens(row["usage"]),
        **_performance(evaluation, row),
        **_error(evaluation, row),
        "metadata": _metadata(evaluation, result, row),
    }


def _turns(evaluation: Evaluation, row: Row) -> dict[str, int]:
    """Return the number of turns; of an agent that took none the format has no word."""
    turns = row.get(evaluation.source.crosswalk.turns)
    return {"num_turns": turns} if turns else {}


def _tokens(usage: Sequence[Row] | None) -> dict[str, Any]:
    """Return the tokens of all models, nothing when any is unknown; input is without the cache."""
    used = [[model[name] for model in usage or ()] for name in TOKEN_FIELDS]
    if not usage or any(tokens is None for kind in used for tokens in kind):
        return {}
    fresh, output, written, read = map(sum, used)
    return {
        "token_usage": {
            "input_tokens": fresh,
            "output_tokens": output,
            "total_tokens": fresh + output + written + read,
            "input_tokens_cache_write": written,
            "input_tokens_cache_read": read,
        }
    }


def _performance(evaluation: Evaluation, row: Row) -> dict[str, Any]:
    crosswalk = evaluation.source.crosswalk
    duration, cost = row[column_name(crosswalk.duration)], row["total_cost_usd"]
    found: dict[str, Any] = {}
    if duration is not None:
        found["latency_ms"] = duration * crosswalk.ms
    if cost is not None:
        found["additional_details"] = details({"total_cost_usd": cost})
    return {"performance": found} if found else {}


def _error(evaluation: Evaluation, row: Row) -> dict[str, str]:
    crosswalk = evaluation.source.crosswalk
    reason = row[column_name(crosswalk.failure)]
    return {} if reason is None or reason in crosswalk.answers else {"error": reason}


def _metadata(evaluation: Evaluation, result: Result, row: Row) -> dict[str, str]:
    told = {path: row[column_name(path)] for path in evaluation.source.crosswalk.told}
    own = {
        "row": row["row_id"],
        "arm": result.arm.label,
        "repeat": row["row_repeat"],
        "batch": row["row_batch"],
        "started_at": row["row_start"] and instant_text(row["row_start"]),
        "outcome": row["row_result"],
        "transcript": "not kept",
    }
    return details(own | told)
