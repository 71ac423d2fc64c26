"""skill-validator: a `results.json`; each run of a scenario in each of its roles is a row.

A role holds averages over its runs. They are a run only where there was one; where the runs stand
beside them each is a row, and else nothing of them is a trial. Input tokens hold those that were
read from a cache or written to one, so these are taken out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchdata.contracts.trial import CONTROL, LOST
from benchdata.rows.importing import files, tokens
from benchdata.rows.importing.labels import label
from benchdata.rows.importing.mapping import Format, Reading, Record, Told
from benchdata.rows.importing.nodes import NOTHING, Node
from benchdata.rows.importing.scores import pass_rate

NAME = "results.json"
BASELINE, ISOLATED, PLUGIN, OLDER = "baseline", "skilledIsolated", "skilledPlugin", "withSkill"
ARMS: Mapping[str, str] = {
    BASELINE: CONTROL,
    ISOLATED: "isolated",
    PLUGIN: "plugin",
    OLDER: "isolated",
}
"""The roles of a scenario; the older name is that of the arm that has the one skill alone."""
HOLISTIC = frozenset({"holistic", "1"})
"""How the mode is written in which the isolated role is a placeholder."""
ACTIVATION: Mapping[str, str] = {
    OLDER: "skillActivation",
    ISOLATED: "skillActivationIsolated",
    PLUGIN: "skillActivationPlugin",
}
NOUN = "run"
RUNS = ("perRunScores", "trials")
"""The lists of a scenario that have an item a run."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a scenario in a role; `metrics` are its own, `number` counts from 1."""

    results: Node
    verdict: Node
    scenario: Node
    role: str
    metrics: Node
    number: int


def records(source: Path, reading: Reading) -> Iterator[Record[Run]]:
    """Yield every run that is told by itself."""
    for path in files.under(source, (NAME,), reading.left_out):
        made = partial(_records, path)
        yield from reading.records(str(path), partial(files.content, path), made, NOUN)


def _records(path: Path, results: Node) -> Iterator[Record[Run]]:
    for run in _runs(results):
        yield Record(f"{path}: {run.metrics.path}", run)


def _runs(results: Node) -> Iterator[Run]:
    for verdict in results["verdicts"].items():
        for scenario in verdict["scenarios"].items():
            for role in _roles(scenario):
                metrics = _apart(scenario, scenario[role]["metrics"])
                for number, each in enumerate(metrics, 1):
                    yield Run(results, verdict, scenario, role, each, number)


def _roles(scenario: Node) -> list[str]:
    """Return the roles that a scenario was run in."""
    out: dict[str, str] = {}
    if scenario[ISOLATED].value is not None:
        out[OLDER] = f"the same as {ISOLATED}"
    if str(scenario["evalMode"].value).lower() in HOLISTIC:
        out |= dict.fromkeys((ISOLATED, OLDER), "a placeholder")
    for role, why in out.items():
        if scenario[role].value is not None:
            scenario[role].leave(why)
    return [role for role in ARMS if scenario[role].value is not None and role not in out]


def _apart(scenario: Node, average: Node) -> list[Node]:
    """Return the metrics of each run, none where only their average is told."""
    if average["perRun"].value:
        return average["perRun"].items()
    counted = [len(scenario[name].items()) for name in RUNS if scenario[name].value]
    if {*counted} == {1}:
        return [average]
    average.leave("averages over runs")
    return []


def outcome(run: Run) -> str:
    """Return how the run ended: an error of the program is no answer of the agent."""
    if run.scenario["executionError"].value not in NOTHING:
        return LOST
    return "timeout" if run.metrics["timedOut"].flag() else "completed"


def score(run: Run) -> float | None:
    """Return the share of assertions that held, of those with a result."""
    total = run.metrics["assertionsTotal"].whole()
    if total is not None:
        return pass_rate(run.metrics["assertionsPassed"].whole(), total)
    held = [_held(each) for each in run.metrics["assertionResults"].items()]
    known = [each for each in held if each is not None]
    return pass_rate(sum(known), len(known))


def _held(assertion: Node) -> bool | None:
    """Tell whether an assertion held; one without a result counts neither way."""
    found = assertion["passed"].flag()
    if found is None:
        assertion.leave("an assertion without a result")
    return found


def usage(run: Run) -> list[dict[str, Any]] | None:
    """Return the tokens of the agent; none at all is what the program writes where none is told."""
    model = run.results["model"].text()
    given, output, read, written = (
        run.metrics[name].whole()
        for name in ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
    )
    if model is None or not (given or output):
        return None
    fresh = tokens.without(given, read, written or 0)
    return [tokens.usage(model, given=fresh, output=output, written=written, read=read)]


def seconds(run: Run) -> float | None:
    """Return the time of the run."""
    found = run.metrics["wallTimeMs"].number()
    return None if found is None else found / 1000


def read(run: Run) -> bool | None:
    """Tell whether the agent loaded the skill, where that is told of this run."""
    name = ACTIVATION.get(run.role)
    if name is None:
        return None
    each = run.scenario[f"{name}PerRun"].items()
    if each:
        return each[run.number - 1]["activated"].flag() if run.number <= len(each) else None
    return run.scenario[name]["activated"].flag() if _single(run) else None


def _single(run: Run) -> bool:
    """Tell whether the role has this run alone, so that what is said of the role is said of it."""
    return len(run.scenario[run.role]["metrics"]["perRun"].items()) <= 1


def name(run: Run) -> str:
    """Return what tells a run from every other one."""
    parts = (run.results["timestamp"], run.verdict["skillName"], run.scenario["scenarioName"])
    return "/".join((*(each.text() or "" for each in parts), ARMS[run.role], str(run.number)))


FIELDS: Mapping[str, Told[Run]] = {
    "study": Told("`skillName`", lambda run: label(run.verdict["skillName"])),
    "task_id": Told("`scenarioName`", lambda run: run.scenario["scenarioName"].text()),
    "arm": Told(
        "the role: `none` of `baseline`, `isolated` of `withSkill` and `skilledIsolated`,"
        " `plugin` of `skilledPlugin`",
        lambda run: ARMS[run.role],
    ),
    "model": Told("`model`", lambda run: run.results["model"].text()),
    "repeat": Told("the place among the runs", lambda run: run.number),
    "outcome": Told("`executionError`, `metrics.timedOut`", outcome),
    "score": Told("the share of assertions that held, of those with a result", score),
    "passed": Told("`taskCompleted`", lambda run: run.metrics["taskCompleted"].flag()),
    "usage": Told("`inputTokens`, `outputTokens`, `cacheReadTokens`, `cacheWriteTokens`", usage),
    "wall_s": Told("`wallTimeMs`", seconds),
    "skill_installed": Told("false of `baseline`, else true", lambda run: run.role != BASELINE),
    "skill_read": Told("`skillActivation….activated`", read),
}

FORMAT = Format(
    key="skill-validator",
    noun=NOUN,
    records=records,
    name=name,
    fields=FIELDS,
    hint=f"name a {NAME} whose scenarios tell of single runs, or a folder of such",
)
