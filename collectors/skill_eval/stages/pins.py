"""What a stage is measured with, and the refusal to go on with another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from benchdata.contracts.grammar import DigestedVersion
from benchdata.errors import BenchdataError, shorten
from collectors.skill_eval.judge.judge import Judge, prompt_version
from collectors.skill_eval.renderers.rendering import render_version

VERSION: TypeAdapter[str] = TypeAdapter(DigestedVersion)
PROTOCOL = 1
"""Goes up when stages come to mean something else: other numbers of tasks or runs, other rules."""


@dataclass(frozen=True, slots=True)
class Pins:
    """The instrument: two verdicts compare only where all of it is the same."""

    judge: str
    judge_model: str
    prompt_version: str
    render_version: str

    @classmethod
    def of(cls, judge: Judge) -> Pins:
        """Return what a judge, the prompts and the renderer here make up.

        Raises:
            BenchdataError: Nothing can be rendered here.
        """
        return cls(judge.name, judge.model, prompt_version(), render_version())

    @property
    def of_row(self) -> dict[str, str]:
        """The fields of a judgment that name the instrument, in their normal form."""
        versions = {
            name: VERSION.validate_python(getattr(self, name))
            for name in ("prompt_version", "render_version")
        }
        return {"judge_model": self.judge_model, **versions}


REMEDIES: Mapping[str, str] = {
    "protocol": "use the benchdata that made it, or begin with a new screen",
    "skill": "give the skill as it was screened, or screen this one",
    "agent": "give --agent {was}, or begin with a new screen",
    "model": "give --model {was}, or begin with a new screen",
    "judge": "give --judge {was}, or run the stage again for this judge",
    "judge_model": "give --judge-model {was}, or run the stage again for this model",
    "prompt_version": "use the benchdata that has these prompts, or run the stage again",
    "render_version": "use the benchdata, browser and fonts that it was planned with, or run the"
    " stage again",
    "suite": "give the --suite that it was run on",
}
"""What to do where a stage and this command differ in a field."""


def refuse_changes(place: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to go on where anything in `now` is not as a stage has it.

    Raises:
        BenchdataError: Naming the first field that differs, both values, and what to do.
    """
    for name, wanted in now.items():
        if (there := was.get(name)) != wanted:
            remedy = REMEDIES[name].format(was=shorten(str(there), 80))
            raise BenchdataError(
                f"{name}: {place} has {shorten(str(there), 80)}, and this is"
                f" {shorten(str(wanted), 80)}: {remedy}"
            )
