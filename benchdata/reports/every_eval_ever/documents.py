"""The aggregate document of one context: who, which model, and a result an arm and metric.

The format has no place for an arm, a skill or an agent: they stand among the additional details,
which are text. What is unknown is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchdata import __version__
from benchdata.comparisons import axes, sides
from benchdata.contracts import Contract
from benchdata.contracts.fields import instant_text
from benchdata.reports.every_eval_ever.crosswalks import MODEL, Crosswalk
from benchdata.reports.every_eval_ever.publishers import Publisher
from benchdata.reports.every_eval_ever.results import Result
from benchdata.reports.notices import FOOTER, PROOF
from benchdata.stats.results import CannotTell, Interval

SCHEMA_VERSION = "0.3.0"
HOSTED = {"vendor": "externally_managed"}
"""Who runs the model, by the endpoint that was asked; of any other it is not known."""

Details = dict[str, str]


@dataclass(frozen=True, slots=True)
class Source:
    """What all documents of an export share.

    `title` names the rows, `digest` is theirs, `standing` is what gate and review say of them.
    """

    contract: Contract
    crosswalk: Crosswalk
    publisher: Publisher
    title: str
    digest: str
    standing: Details


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One document: the results of one context that have a score."""

    source: Source
    results: Sequence[Result]

    @property
    def context(self) -> Mapping[str, Any]:
        """Return the fields that all its arms share."""
        return self.results[0].context

    @property
    def name(self) -> str:
        """Return the name of what was evaluated."""
        return str(self.context.get(self.source.crosswalk.evaluation) or self.source.contract.name)

    @property
    def model_id(self) -> str:
        """Return the id of the model with who makes it before it."""
        return self.source.publisher.model_id(self.context[MODEL])

    @property
    def id(self) -> str:
        """Return the evaluation's id: its name, model and date, and what tells it from others."""
        apart = hashlib.sha256(sides.key(self.context).encode()).hexdigest()[:8]
        return "/".join((self.name, self.model_id, self.source.publisher.timestamp, apart))

    def result_id(self, result: Result) -> str:
        """Return the id by which the line of a run names one result."""
        return f"{self.id}#{result.name}"


def document(evaluation: Evaluation) -> dict[str, Any]:
    """Return the aggregate document without its reference to the lines of runs."""
    source = evaluation.source
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation.id,
        **_last_start(evaluation),
        "retrieved_timestamp": source.publisher.timestamp,
        "source_metadata": {
            "source_name": source.title,
            "source_type": "evaluation_run",
            "source_organization_name": source.publisher.organization,
            "evaluator_relationship": source.publisher.relationship,
            "additional_details": {
                "contract": source.contract.name,
                "rows_blake3": source.digest,
                "exported_by": f"benchdata {__version__}",
                "remark": FOOTER,
                **source.standing,
                **_proof(evaluation),
            },
        },
        "eval_library": _library(evaluation),
        "model_info": _model(evaluation),
        "evaluation_results": [_result(evaluation, result) for result in evaluation.results],
    }


def _proof(evaluation: Evaluation) -> Details:
    synthetic = any(result.arm.synthetic for result in evaluation.results)
    return {"synthetic": PROOF} if synthetic else {}


def _last_start(evaluation: Evaluation) -> Details:
    runs = (run for result in evaluation.results for run in result.arm.runs)
    starts = [run.start for run in runs if isinstance(run.start, datetime)]
    return {"evaluation_timestamp": instant_text(max(starts))} if starts else {}


def _library(evaluation: Evaluation) -> Details:
    crosswalk, fields = evaluation.source.crosswalk, evaluation.context
    return {
        "name": str(fields.get(crosswalk.library) or "benchdata"),
        "version": str(fields.get(crosswalk.version) or "unknown"),
    }


def _model(evaluation: Evaluation) -> dict[str, Any]:
    fields = evaluation.context
    return {
        "name": fields[MODEL],
        "id": evaluation.model_id,
        "developer": evaluation.model_id.partition("/")[0],
        "additional_details": {
            "deployment_type": HOSTED.get(fields.get("endpoint") or "", "unknown"),
            "model_availability": "unknown",
        },
    }


def _result(evaluation: Evaluation, result: Result) -> dict[str, Any]:
    return {
        "evaluation_result_id": evaluation.result_id(result),
        "evaluation_name": evaluation.name,
        "source_data": {"dataset_name": evaluation.source.title, "source_type": "other"},
        "metric_config": _metric(evaluation, result),
        "score_details": _score(result),
        "generation_config": {"additional_details": _ran(result)},
    }


def _metric(evaluation: Evaluation, result: Result) -> dict[str, Any]:
    claim = result.claim
    owner = result.judge.contract if result.judge else evaluation.source.contract.name
    low, high = claim.bounds
    return {
        "metric_id": f"{owner}.{claim.metric.name}",
        "metric_name": claim.metric.label,
        "lower_is_better": not claim.upwards,
        "score_type": "continuous",
        "min_score": low,
        "max_score": high,
        "additional_details": {"statistic": result.summary.statistic, **_judge(result)},
    }


def _judge(result: Result) -> Details:
    """Return which instrument gave the scores, and whether it passes its checks."""
    if result.judge is None:
        return {}
    checked = "passed" if result.judge.checked else "; ".join(result.judge.faults)
    return {**details(result.judge.pins), "judge_check": checked}


def _score(result: Result) -> dict[str, Any]:
    summary, bounds = result.summary, result.summary.interval
    counts = {
        "runs": summary.runs,
        "runs_scored": summary.scored,
        "runs_not_scored": summary.runs - summary.scored,
        "runs_succeeded": summary.succeeded,
        "samples_are": "tasks" if result.claim.tasks == "sampled" else "runs",
        "interval": str(bounds) if isinstance(bounds, CannotTell) else None,
        "synthetic": True if result.arm.synthetic else None,
    }
    return {
        "score": summary.estimate,
        "uncertainty": {**_interval(bounds), "num_samples": summary.n},
        "details": details(counts),
    }


def _interval(found: Interval | CannotTell) -> dict[str, Any]:
    """Return an interval with both ends, nothing of any other."""
    if isinstance(found, CannotTell) or found.low is None or found.high is None:
        return {}
    return {
        "confidence_interval": {
            "lower": found.low,
            "upper": found.high,
            "confidence_level": found.level,
            "method": ", ".join(filter(None, (found.method, found.note))),
        }
    }


def _ran(result: Result) -> Details:
    """Return what was run, under which conditions: the arm, and every field that its rows share."""
    named = {"arm_label": result.arm.label, **result.arm.fields}
    return details({path: value for path, value in named.items() if path != MODEL})


def details(fields: Mapping[str, Any]) -> Details:
    """Return fields as text, without those that are not known."""
    known = {path: value for path, value in fields.items() if value is not None}
    return {path: axes.text(value) for path, value in known.items()}
