"""The files of an export: `data/EVALUATION/DEVELOPER/MODEL/UUID.json` and its lines of runs."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import polars as pl

from benchdata import gates
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError
from benchdata.leaderboards.judged import subject
from benchdata.reports.data import json_text
from benchdata.reports.every_eval_ever import crosswalks
from benchdata.reports.every_eval_ever.documents import (
    Details,
    Evaluation,
    Source,
    details,
    document,
)
from benchdata.reports.every_eval_ever.instances import QUERY, lines
from benchdata.reports.every_eval_ever.publishers import Publisher
from benchdata.reports.every_eval_ever.results import by_context, results
from benchdata.rows.strict_json import encode
from benchdata.rows.writing import whole_file
from benchdata.stats.results import CannotTell

RESERVED = {
    *("CON", "PRN", "AUX", "NUL", "DATA"),
    *(f"{port}{number}" for port in ("COM", "LPT") for number in range(1, 10)),
}
"""What no folder may be called: the store keeps the last of the first line, Windows the others."""

NOT_SCORED = "not scored (lost or not graded)"
NO_SCORE = "scored, but no metric between bounds has a value for them"
NO_MODEL = "of no known model"
NO_RESULT = "of a kind that is no result, such as conformance runs"
"""Why a row is in no document."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The documents that were written, below the folder; and how many rows are in none, and why."""

    documents: list[PurePosixPath] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


def write(given: Dataset, publisher: Publisher, folder: Path, accept_rejects: int = 0) -> Exported:
    """Write a document for each model and its conditions below `folder`: none without a score.

    The same rows and publisher give the same files. `accept_rejects` is the number of rows set
    aside that the publisher knows of.

    Raises:
        ContractError: The contract has no crosswalk.
        BenchdataError: No row has a score of a known model, or nothing says who makes one.
    """
    rows = subject(given)
    source = _source(given, rows, publisher, accept_rejects)
    done = Exported()
    every = rows.sql(QUERY)
    planned = list(_planned(rows, given, source, every, done.left_out))
    if not planned:
        raise BenchdataError(f"no row of {rows.contract.name} has a score of a known model")
    for place, evaluation, ids in planned:
        own = every.filter(pl.col("row_id").is_in(ids)).iter_rows(named=True)
        _write(folder, place, evaluation, _lines(evaluation, own, done.left_out))
        done.documents.append(place)
    return done


def _planned(
    rows: Dataset, given: Dataset, source: Source, every: pl.DataFrame, left_out: Counter[str]
) -> Iterator[tuple[PurePosixPath, Evaluation, frozenset[str]]]:
    """Yield each document with its place and its rows, and count the rows that are in none."""
    left_out[NO_RESULT] = rows.rows
    for found in by_context(results(rows, given)):
        ids = frozenset[str]().union(*(each.rows for each in found))
        left_out[NO_RESULT] -= len(ids)
        scored = [each for each in found if not isinstance(each.summary.estimate, CannotTell)]
        if found[0].context[crosswalks.MODEL] is None:
            left_out[NO_MODEL] += len(ids)
        elif not scored:
            own = every.filter(pl.col("row_id").is_in(ids))
            left_out.update(map(_why, own["row_result"]))
        else:
            evaluation = Evaluation(source, scored)
            yield _place(evaluation), evaluation, ids


def _source(given: Dataset, rows: Dataset, publisher: Publisher, accepted: int) -> Source:
    contract = rows.contract
    crosswalk = crosswalks.of(contract)
    titles = (sheet.title for sheet in rows.datasheets if sheet.title)
    return Source(
        contract=contract,
        crosswalk=crosswalk,
        publisher=publisher,
        title=next(titles, f"{contract.name} rows"),
        digest=given.digest,
        standing=_standing(given, accepted),
    )


def _standing(given: Dataset, accepted: int) -> Details:
    """Return what must be known of rows before any score of theirs."""
    gate = [
        f"{contract.name}: {answer.verdict if contract.gate else 'NO GATE'}"
        for contract, answer in gates.judge_each(given, accept_rejects=accepted)
    ]
    return details(
        {
            "gate": ", ".join(gate),
            "rows_set_aside": given.set_aside,
            "reviewed": given.review.date if given.review else "no",
        }
    )


def _write(
    folder: Path, place: PurePosixPath, evaluation: Evaluation, runs: Iterable[bytes]
) -> None:
    """Write one document and its lines of runs, these first."""
    beside = place.with_name(f"{place.stem}_samples.jsonl")
    digest, count = hashlib.sha256(), 0
    with whole_file(folder / beside) as part, part.open("wb") as file:
        for line in runs:
            file.write(line)
            digest.update(line)
            count += 1
    reference = {
        "format": "jsonl",
        "file_path": str(beside),
        "hash_algorithm": "sha256",
        "checksum": digest.hexdigest(),
        "total_rows": count,
    }
    whole = document(evaluation) | {"detailed_evaluation_results": reference}
    with whole_file(folder / place) as part:
        part.write_text(json_text(whole), encoding="utf-8")


def _lines(
    evaluation: Evaluation, rows: Iterable[Mapping[str, Any]], left_out: Counter[str]
) -> Iterator[bytes]:
    for row in rows:
        made = [encode(line) for line in lines(evaluation, row)]
        if not made:
            left_out[_why(row["row_result"])] += 1
        yield from made


def _why(result: str) -> str:
    """Return why a row that ended so has no score in any document."""
    return NOT_SCORED if result == "unscored" else NO_SCORE


def _place(evaluation: Evaluation) -> PurePosixPath:
    """Return the path of a document: exported again from the same rows it takes its own place."""
    source = evaluation.source
    told = "\n".join((evaluation.id, source.digest, *astuple(source.publisher)))
    digest = hashlib.sha256(told.encode()).digest()
    name = f"{uuid.UUID(bytes=digest[:16], version=4)}.json"
    developer, _, model = evaluation.model_id.partition("/")
    folders = (evaluation.name, developer, model.replace("/", "_"))
    return PurePosixPath("data", *map(_portable, folders), name)


def _portable(name: str) -> str:
    """Return a name that any system can give a folder."""
    plain = name.replace(":", "-").rstrip(".")
    return f"_{plain}" if plain.partition(".")[0].upper() in RESERVED else plain
