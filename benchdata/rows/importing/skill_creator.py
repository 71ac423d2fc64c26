"""skill-creator: a `benchmark.json`, with `runs[]` or with `configurations[]`; each run is a row.

Its `tokens` are left out: one number of no known kind, and characters where no tokens were told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchdata.contracts.trial import CONTROL
from benchdata.rows.importing import files
from benchdata.rows.importing.labels import label
from benchdata.rows.importing.mapping import Format, Reading, Record, Told
from benchdata.rows.importing.nodes import Node
from benchdata.rows.importing.scores import pass_rate, unit_score

NAME = "benchmark.json"
NOUN = "run"
WITHOUT, WITH = "without_skill", "with_skill"
PLACEHOLDER = "<"
"""How the program's own words begin that stand where nothing was filled in."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run; `result` is where its counts stand, `arm` where its configuration is named."""

    benchmark: Node
    run: Node
    result: Node
    arm: Node

    @property
    def meta(self) -> Node:
        """Return what is told of the whole benchmark."""
        return self.benchmark["metadata"] if self.benchmark["metadata"].value else self.benchmark


def records(source: Path, reading: Reading) -> Iterator[Record[Run]]:
    """Yield every run of every benchmark."""
    for path in files.under(source, (NAME,), reading.left_out):
        made = partial(_records, path)
        yield from reading.records(str(path), partial(files.content, path), made, NOUN)


def _records(path: Path, benchmark: Node) -> Iterator[Record[Run]]:
    for run in _runs(benchmark):
        yield Record(f"{path}: {run.run.path}", run)


def _runs(benchmark: Node) -> Iterator[Run]:
    for run in benchmark["runs"].items():
        yield Run(benchmark, run, run["result"], run["configuration"])
    for configuration in benchmark["configurations"].items():
        for run in configuration["evals"].items():
            yield Run(benchmark, run, run, configuration["name"])


def filled(node: Node) -> Node:
    """Return a node, null where the program's placeholder stands."""
    if (node.text() or "").startswith(PLACEHOLDER):
        node.leave("a placeholder")
        return Node(None, node.path)
    return node


def arm(run: Run) -> str | None:
    """Return the arm: without the skill it is `none`."""
    return CONTROL if run.arm.text() == WITHOUT else label(run.arm)


def installed(run: Run) -> bool | None:
    """Tell whether the skill was there, of the configurations whose name says it."""
    return {WITHOUT: False, WITH: True}.get(run.arm.text() or "")


def score(run: Run) -> float | None:
    """Return the share of expectations that were met, from the counts where they are told.

    A rate of nothing counted is what the program writes of a run that was not graded.
    """
    rate, total = run.result["pass_rate"], _count(run, "total")
    if total.value is None:
        return unit_score(rate)
    found = pass_rate(_count(run, "passed").whole(), total.whole())
    if found is not None:
        rate.number()  # the same, rounded
    return found


def _count(run: Run, what: str) -> Node:
    """Return a count, which the two shapes name differently."""
    node = run.result[what]
    return run.result[f"assertions_{what}"] if node.value is None else node


def seconds(run: Run) -> float | None:
    """Return the time; the program writes 0 where none was told."""
    return run.result["time_seconds"].number() or None


def name(run: Run) -> str:
    """Return what tells a run from every other one."""
    parts = (
        *(run.meta["timestamp"], run.meta["iteration"], run.meta["skill_name"]),
        *(run.run["eval_id"], run.arm, run.run["run_number"]),
    )
    return "/".join(each.name() or "" for each in parts)


FIELDS: Mapping[str, Told[Run]] = {
    "study": Told("`skill_name`", lambda run: label(filled(run.meta["skill_name"]))),
    "task_id": Told("`eval_id`", lambda run: run.run["eval_id"].name()),
    "arm": Told("the configuration: `none` of `without_skill`, else its name", arm),
    "model": Told(
        "`metadata.executor_model`", lambda run: filled(run.meta["executor_model"]).text()
    ),
    "repeat": Told("`run_number`", lambda run: run.run["run_number"].whole()),
    "outcome": Told("always `completed`: no other ending is told", lambda _: "completed"),
    "score": Told("`passed` / `total`, else `pass_rate`", score),
    "wall_s": Told("`time_seconds` but for 0", seconds),
    "skill_installed": Told("true of `with_skill`, false of `without_skill`", installed),
}

FORMAT = Format(
    key="skill-creator",
    noun=NOUN,
    records=records,
    name=name,
    fields=FIELDS,
    hint=f"name a {NAME} with `runs` or `configurations`, or a folder of such",
)
