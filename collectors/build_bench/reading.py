"""A task's own rubric, decided by a model that reads the sources and knows nothing of the agent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchdata.errors import BenchdataError
from collectors.build_bench import changes
from collectors.build_bench.examination import Finding
from collectors.build_bench.snapshots import Snapshot
from collectors.build_bench.tasks import Item
from collectors.harness import judging
from collectors.harness.agents.driver import Call, Report
from collectors.harness.documents import Document
from collectors.harness.judging import Question, Spent, Unjudged

PROMPT = Path(__file__).with_name("reading.md")
LONGEST = 300_000
"""Characters of sources that a model is given."""
NOTHING = Spent(0, 0, 0.0)


class Unread(BenchdataError):
    """A rubric that was not decided; the message says why, `spent` what it took all the same."""

    def __init__(self, message: str, spent: Spent = NOTHING) -> None:
        super().__init__(message)
        self.spent = spent


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found of every item, and what it took."""

    findings: Mapping[str, Finding]
    spent: Spent


class Opinion(Document):
    """What is said of one statement, and the place that shows it."""

    id: str
    met: bool
    file: str
    line: int


class Opinions(Document):
    """The whole answer."""

    items: list[Opinion]


def prompt_digest() -> str:
    """Return the SHA-256 of what the reader is told besides sources and statements."""
    return hashlib.sha256(PROMPT.read_bytes()).hexdigest()


def read(
    snapshot: Snapshot, items: Sequence[Item], model: str, ask: Callable[[Call], Report]
) -> Reading:
    """Return what a model finds of every item; without a place that is there an item is not met.

    Raises:
        Unread: There is no verdict.
    """
    sources = changes.sources(snapshot)
    texts = {
        "sources": json.dumps({name: _numbered(text) for name, text in sources.items()}),
        "statements": json.dumps({item.id: item.met for item in items}),
    }
    if len(texts["sources"]) > LONGEST:
        raise Unread(f"the sources are longer than {LONGEST:,} characters")
    question = Question(judging.prompt(PROMPT, texts), model, Opinions)
    verdict = judging.judge(question, ask)
    if isinstance(verdict, Unjudged):
        raise Unread(f"the verdict is {verdict.failure}: {verdict.words}", verdict.spent)
    found = {opinion.id: opinion for opinion in verdict.answer.items}
    if len(found) != len(verdict.answer.items) or found.keys() != {item.id for item in items}:
        raise Unread("the verdict does not name every statement once", verdict.spent)
    findings = {name: _finding(opinion, sources) for name, opinion in found.items()}
    return Reading(findings, verdict.spent)


def _finding(opinion: Opinion, sources: Mapping[str, str]) -> Finding:
    lines = sources.get(opinion.file, "").splitlines()
    if not 1 <= opinion.line <= len(lines):
        return Finding(met=False, evidence="a place that is not there")
    return Finding(opinion.met, f"{opinion.file}:{opinion.line}")


def _numbered(text: str) -> str:
    return "\n".join(f"{number} {line}" for number, line in enumerate(text.splitlines(), 1))
