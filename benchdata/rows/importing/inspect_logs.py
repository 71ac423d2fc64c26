"""Inspect: `.eval` and `.json` logs, or a folder of them; each sample of an epoch is a row.

Whether its input tokens hold those of the cache depends on the provider and the version: they are
taken where the total shows that they do not, and are unknown else. The usage is that of every
model, a grader's too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchdata.contracts.trial import LOST
from benchdata.errors import InputError
from benchdata.rows.importing import files, tokens
from benchdata.rows.importing.archives import Archive, archive
from benchdata.rows.importing.labels import label
from benchdata.rows.importing.mapping import Format, Reading, Record, Told
from benchdata.rows.importing.names import shown
from benchdata.rows.importing.nodes import Node
from benchdata.rows.importing.scores import chosen, unit_score

ZIPPED, PLAIN = ".eval", ".json"
HEADER = ("header.json", "_journal/start.json")
"""Where an archive says what was run; of a run that was not finished there is the second only."""
SAMPLES = "samples/"
EMPTY = "a log without samples"

GRADES: Mapping[str, float] = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partially correct, incorrect, no answer."""
TIME_LIMITS = frozenset({"time", "working"})
OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of a log, what the log says of the run, and which of its scores counts."""

    sample: Node
    spec: Node
    reading: Reading

    def __getitem__(self, name: str) -> Node:
        return self.sample[name]


def records(source: Path, reading: Reading) -> Iterator[Record[Sample]]:
    """Yield every sample of every log."""
    for path in files.under(source, (ZIPPED, PLAIN), reading.left_out):
        if path.suffix == ZIPPED:
            yield from _archived(path, reading)
        else:
            made = partial(_plain, path, reading)
            yield from reading.records(str(path), partial(files.content, path), made)


def _plain(path: Path, reading: Reading, log: Node) -> Iterator[Record[Sample]]:
    """Yield the samples of a log that is one document; other documents may lie beside logs."""
    if log["eval"].value is None:
        log.leave("a document that is no log")
        return
    samples = log["samples"].items()
    reading.left_out.update([EMPTY] if not samples else [])
    for sample in samples:
        yield Record(f"{path}: {sample.path}", Sample(sample, log["eval"], reading))


def _archived(path: Path, reading: Reading) -> Iterator[Record[Sample]]:
    """Yield the samples of an archive, one in memory at a time."""
    try:
        with archive(path) as log:
            header = _header(log)
            made = partial(_members, path, log, reading)
            yield from reading.records(f"{path}: {header}", partial(log.read, header), made)
    except InputError as error:
        reading.fail(str(path), error)


def _header(log: Archive) -> str:
    """Return the member that says what was run."""
    for name in HEADER:
        if name in log.names():
            return name
    raise InputError("holds neither a header nor the journal of a run")


def _members(path: Path, log: Archive, reading: Reading, header: Node) -> Iterator[Record[Sample]]:
    names = sorted(name for name in log.names() if name.startswith(SAMPLES))
    reading.left_out.update([EMPTY] if not names else [])
    for name in names:
        place = f"{path}: {shown(name)}"
        made = partial(_one, place, header["eval"], reading)
        yield from reading.records(place, partial(log.read, name), made)


def _one(place: str, spec: Node, reading: Reading, sample: Node) -> Iterator[Record[Sample]]:
    yield Record(place, Sample(sample, spec, reading))


def outcome(sample: Sample) -> str:
    """Return how the sample ended: an error of Inspect is no answer of the model."""
    limit = sample["limit"]["type"].text()
    if sample["error"].value is not None or limit == OPERATOR:
        return LOST
    return "timeout" if limit in TIME_LIMITS else "completed"


def score(sample: Sample) -> float | None:
    """Return the score that counts: the one chosen, or the only one; none of an invalid sample."""
    counting = chosen(sample["scores"].members(), sample.reading)
    if counting is None:
        return None
    if sample["invalidation"].value is not None:
        counting.leave("of a sample that was declared invalid")
        return None
    value = counting["value"]
    if isinstance(value.value, bool):
        return float(value.flag() or False)
    grade = GRADES.get(value.value) if isinstance(value.value, str) else None
    if isinstance(value.value, str | list | dict) and grade is None:
        value.leave("no grade and no number")
        return None
    if grade is not None:
        value.text()
        return grade
    return unit_score(value)


def usage(sample: Sample) -> list[dict[str, Any]] | None:
    """Return the tokens by model."""
    return [_usage(*each) for each in sample["model_usage"].members().items()] or None


def _usage(name: str, counts: Node) -> dict[str, Any]:
    given, output, total, read, written = (
        counts[each].whole()
        for each in (
            *("input_tokens", "output_tokens", "total_tokens"),
            *("input_tokens_cache_read", "input_tokens_cache_write"),
        )
    )
    return tokens.usage(
        name,
        given=given if _apart(given, output, total, read, written) else None,
        output=output,
        written=written,
        read=read,
    )


def _apart(
    given: int | None, output: int | None, total: int | None, read: int | None, written: int | None
) -> bool:
    """Tell whether the input surely holds nothing of the cache: the total says it, or the sizes."""
    cached = (read or 0) + (written or 0)
    if not cached:
        return True
    sums = total is not None and total == (given or 0) + (output or 0) + cached
    return sums or cached > (given or 0)


def _place(sample: Sample) -> str:
    """Return what tells a sample from every other one, where it has no id of its own."""
    run = (sample.spec["run_id"], sample.spec["task_id"], sample["id"], sample["epoch"])
    return "/".join(each.name() or "" for each in run)


def cost(sample: Sample) -> float | None:
    """Return what all models cost, where each one's cost is told."""
    used = sample["model_usage"].members().values()
    return tokens.total([each["total_cost"].number() for each in used])


FIELDS: Mapping[str, Told[Sample]] = {
    "study": Told("`eval.task`", lambda sample: label(sample.spec["task"])),
    "task_id": Told("the sample's `id`", lambda sample: sample["id"].name()),
    "agent": Told("`eval.solver`", lambda sample: label(sample.spec["solver"])),
    "model": Told("`eval.model`", lambda sample: sample.spec["model"].text()),
    "repeat": Told("`epoch`", lambda sample: sample["epoch"].whole()),
    "planned_tasks": Told(
        "`eval.dataset.sample_ids`: their number",
        lambda sample: len(sample.spec["dataset"]["sample_ids"].items()) or None,
    ),
    "planned_repeats": Told(
        "`eval.config.epochs`", lambda sample: sample.spec["config"]["epochs"].whole()
    ),
    "outcome": Told("`error`, `limit.type`", outcome),
    "score": Told("`scores`: C 1, P 0.5, I and N 0, or a number; of `--score`", score),
    "usage": Told("`model_usage`", usage),
    "total_cost_usd": Told("`model_usage.*.total_cost`", cost),
    "wall_s": Told("`total_time`", lambda sample: sample["total_time"].number()),
    "started_at": Told("`started_at`", lambda sample: sample["started_at"].instant()),
}

FORMAT = Format(
    key="inspect",
    noun="sample",
    records=records,
    name=lambda sample: sample["uuid"].text() or _place(sample),
    fields=FIELDS,
    hint="name an .eval or .json log that has samples, or a folder of such",
)
