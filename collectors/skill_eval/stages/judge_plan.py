"""The plan of a judge's calls, shown before any is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchdata.errors import counted
from benchdata.stats.pricing import Prices
from collectors.harness.plan import hours, limit
from collectors.skill_eval import estimate
from collectors.skill_eval.judge.judge import Judge
from collectors.skill_eval.judge.resolving import LIMIT_S
from collectors.skill_eval.stages.judgments import Wanted
from collectors.skill_eval.stages.pins import Pins
from collectors.skill_eval.stages.staged import cost

AGAIN = "an answer that does not fit is asked for once more"


def lines(
    judge: Judge, pins: Pins, due: Sequence[Wanted], concurrency: int, prices: Prices | None
) -> list[str]:
    """Say what is to be asked, of whom, at whose expense, and with which instrument."""
    looks = [("look", prompt) for prompt in _prompts(due)]
    calls = counted(len(due), "call")
    at_once = "one at a time" if concurrency == 1 else f"{concurrency:,} at once"
    return [
        f"Judge: {judge.name}, model {judge.model}: {calls}, {at_once}; {AGAIN}.",
        f"Time: at most {limit(LIMIT_S)} each, so {hours(len(due) * LIMIT_S)} hours at worst.",
        f"Cost: {cost(estimate.mean(looks, len(due), judge.model, prices), len(due))}",
        judge.paid,
        f"Instrument: prompt {pins.prompt_version}, renderer {pins.render_version}.",
    ]


def _prompts(due: Sequence[Wanted]) -> Iterator[str]:
    """Yield what a task asks for once for every artefact that is shown: of a pair there are two."""
    for wanted in due:
        for artefact in filter(None, (wanted.one, wanted.other)):
            yield artefact.task.file.prompt
