"""A task's own rubric, decided by a model that reads the sources and knows nothing of the agent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchdata.errors import BenchdataError
from collectors.build_bench import changes
from collectors.build_bench.examination import Finding
from collectors.build_bench.snapshots import Snapshot
from collectors.build_bench.tasks import Item
from collectors.harness import judging
from collectors.harness.agents.driver import Call, Report
from collectors.harness.documents import Document
from collectors.harness.judging import Question, Unjudged

PROMPT = Path(__file__).with_name("reading.md")
LONGEST = 300_000
"""Characters of sources that a model is given."""


class Unread(BenchdataError):
    """A rubric that was not decided; the message says why."""


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
) -> dict[str, Finding]:
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
        raise Unread(f"the verdict is {verdict.failure}: {verdict.words}")
    found = {opinion.id: opinion for opinion in verdict.answer.items}
    if len(found) != len(verdict.answer.items) or found.keys() != {item.id for item in items}:
        raise Unread("the verdict does not name every statement once")
    return {name: _finding(opinion, sources) for name, opinion in found.items()}


def _finding(opinion: Opinion, sources: Mapping[str, str]) -> Finding:
    lines = sources.get(opinion.file, "").splitlines()
    if not 1 <= opinion.line <= len(lines):
        return Finding(met=False, evidence="a place that is not there")
    return Finding(opinion.met, f"{opinion.file}:{opinion.line}")


def _numbered(text: str) -> str:
    return "\n".join(f"{number} {line}" for number, line in enumerate(text.splitlines(), 1))
