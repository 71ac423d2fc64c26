"""Harbor: a folder of jobs, one job or one trial; each trial's `result.json` is a row.

Its input tokens hold those that were read from a cache or written to one, so these are taken out.
How many were written only the trajectory tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from benchdata.contracts.trial import CONTROL, LOST
from benchdata.errors import BenchdataError
from benchdata.rows.importing import files, tokens
from benchdata.rows.importing.labels import label, last_part, slug
from benchdata.rows.importing.mapping import Format, Reading, Record, Told
from benchdata.rows.importing.nodes import Node
from benchdata.rows.importing.scores import chosen, unit_score
from benchdata.rows.importing.tokens import total
from benchdata.rows.strict_json import decode_document

RESULT, CONFIG = "result.json", "config.json"
TRAJECTORY = Path("agent", "trajectory.json")
WRITTEN = ("total_cache_creation_input_tokens", "total_cache_write_input_tokens")
"""What the trajectories of claude and of codex call the tokens that were written to a cache."""
OWN = frozenset({"agent", "artifacts", "environment", "solution", "steps", "tests", "verifier"})
"""Folders of a trial: what lies there the agent may have written."""
REWARD = "reward"
UNKNOWN = "unknown"

EXIT = "NonZeroAgentExitCodeError"
"""Of the agent in versions that tell apart what else ends it so; those write a policy beside it."""
ENDINGS: Mapping[str, str] = {
    "AgentTimeoutError": "timeout",
    "AgentSafetyRefusalError": "agent_error",
    "ContentPolicyViolationError": "agent_error",
    "ContextLengthExceededError": "agent_error",
    "ContextWindowExceededError": "agent_error",
    "OutputLengthExceededError": "agent_error",
    "OutputTokenExceededError": "agent_error",
    EXIT: "agent_error",
}
"""The exceptions that tell of the agent; every other one is of what it ran on."""


@dataclass(frozen=True)
class Trial:
    """The result of a trial, where it lies, and which of its rewards counts."""

    result: Node
    folder: Path
    reading: Reading

    def __getitem__(self, name: str) -> Node:
        return self.result[name]

    @cached_property
    def parts(self) -> list[Node]:
        """Return what has a result of the agent: the trial itself, or each of its steps."""
        steps = self["step_results"].items()
        return steps if steps and self["agent_result"].value is None else [self.result]


def records(source: Path, reading: Reading) -> Iterator[Record[Trial]]:
    """Yield every trial below a folder; a job's own result says how many there must be."""
    top = source.parent if source.name == RESULT and source.is_file() else source
    for folder, folders, names in files.walk(top, reading.left_out):
        if RESULT in names:
            path = folder / RESULT
            made = partial(_trials, folder, folders, reading)
            yield from reading.records(str(path), partial(files.content, path), made)
        elif CONFIG in names:
            folders[:] = [name for name in folders if name not in OWN]


def _trials(
    folder: Path, folders: list[str], reading: Reading, result: Node
) -> Iterator[Record[Trial]]:
    """Yield the trial that a result is of; of a job's folders only its trials are entered."""
    if result["trial_name"].value is not None:
        folders.clear()
        yield Record(str(folder / RESULT), Trial(result, folder, reading))
    elif result["stats"].value is not None:
        result.leave("the totals of a job")
        ended = [name for name in folders if (folder / name / RESULT).is_file()]
        reading.left_out.update("a trial without a result" for name in folders if name not in ended)
        folders[:] = ended
    else:
        raise result.fault("is the result of no trial and of no job")


def arm(trial: Trial) -> str | None:
    """Return the arm that the skills of the agent make: `none` without, null where not told."""
    skills = trial["config"]["agent"]["skills"]
    if skills.value is None:
        return None
    names = [slug(each, last_part(each.text() or "")) for each in skills.items()]
    known = sorted(name for name in names if name)
    return ("-".join(known) or CONTROL) if len(known) == len(names) else None


def installed(trial: Trial) -> bool | None:
    """Tell whether the agent was given a skill."""
    skills = trial["config"]["agent"]["skills"]
    return None if skills.value is None else bool(skills.items())


def version(trial: Trial) -> str | None:
    """Return the agent's version, which Harbor calls unknown where it is."""
    found = trial["agent_info"]["version"].text()
    return None if found == UNKNOWN else found


def model(trial: Trial) -> str | None:
    """Return `provider/name`."""
    info = trial["agent_info"]["model_info"]
    parts = (info["provider"].text(), info["name"].text())
    return "/".join(part for part in parts if part) or None


def outcome(trial: Trial) -> str:
    """Return how the trial ended: an exception may stand beside rewards, and then decides."""
    steps = trial["step_results"].items()
    endings = {_ending(each["exception_info"]) for each in (trial.result, *steps)}
    worst = (LOST, "timeout", "agent_error")
    return next((ending for ending in worst if ending in endings), "completed")


def _ending(exception: Node) -> str:
    if exception.value is None:
        return "completed"
    kind = exception["exception_type"].text() or ""
    valid = exception["policy"]["has_valid_reward"].flag()
    if valid is False or (kind == EXIT and valid is None):
        return LOST
    return ENDINGS.get(kind, LOST)


def score(trial: Trial) -> float | None:
    """Return the reward that counts: the one chosen, `reward`, or the only one."""
    return unit_score(chosen(trial["verifier_result"]["rewards"].members(), trial.reading, REWARD))


def usage(trial: Trial) -> list[dict[str, Any]] | None:
    """Return the tokens by model; no tokens at all is what Harbor writes where none were told."""
    told: dict[str, list[Node]] = {}
    for part in trial.parts:
        whole, named = part["agent_result"], model(trial)
        by_model = whole["model_usage"].members() or ({named: whole} if named else {})
        for name, counts in by_model.items():
            told.setdefault(name, []).append(counts)
        _counts([whole])  # the same in one sum
    written = _written(trial) if len(told) == len(trial.parts) == 1 else None
    found = []
    for name, nodes in told.items():
        given, read, output = _counts(nodes)
        fresh = tokens.without(given, read, written or 0)
        found.append(tokens.usage(name, given=fresh, output=output, written=written, read=read))
    return [each for each in found if each["input_tokens"] or each["output_tokens"]] or None


def _counts(nodes: list[Node]) -> list[int | None]:
    names = ("n_input_tokens", "n_cache_tokens", "n_output_tokens")
    return [total([node[name].whole() for node in nodes]) for name in names]


def _written(trial: Trial) -> int | None:
    """Return the tokens that were written to a cache, None without a trajectory that tells."""
    try:
        trajectory = Node(decode_document(files.content(trial.folder / TRAJECTORY)))
        extra = trajectory["final_metrics"]["extra"]
        told = [extra[name].whole() for name in WRITTEN]
    except BenchdataError:
        return None
    return next((each for each in told if each is not None), None)


def cost(trial: Trial) -> float | None:
    """Return what the agent's requests cost; 0 beside no tokens is not told."""
    found = total([part["agent_result"]["cost_usd"].number() for part in trial.parts])
    return None if found == 0 and not usage(trial) else found


def seconds(trial: Trial) -> float | None:
    """Return how long the agent took."""
    spans = [part["agent_execution"].seconds("started_at", "finished_at") for part in trial.parts]
    return total(spans)


FIELDS: Mapping[str, Told[Trial]] = {
    "study": Told("`source`, the data set", lambda trial: label(trial["source"])),
    "task_id": Told("`task_name`", lambda trial: trial["task_name"].text()),
    "arm": Told("`config.agent.skills`: their names, or `none` of an empty list", arm),
    "agent": Told("`agent_info.name`", lambda trial: label(trial["agent_info"]["name"])),
    "agent_version": Told("`agent_info.version` but for `unknown`", version),
    "model": Told("`agent_info.model_info`: `provider/name`", model),
    "outcome": Told("`exception_info` of the trial and of its steps", outcome),
    "score": Told("`verifier_result.rewards.reward`, the only one, or that of `--score`", score),
    "usage": Told("`agent_result.model_usage`, else `agent_result`", usage),
    "total_cost_usd": Told("`agent_result.cost_usd`", cost),
    "wall_s": Told("the time of `agent_execution`, of all steps", seconds),
    "skill_installed": Told("whether `config.agent.skills` names one", installed),
    "started_at": Told("`started_at` with a zone", lambda trial: trial["started_at"].instant()),
}

FORMAT = Format(
    key="harbor",
    noun="trial",
    records=records,
    name=lambda trial: trial["id"].text() or trial["trial_name"].text() or "",
    fields=FIELDS,
    hint="name a folder of jobs, a job or a trial",
)
