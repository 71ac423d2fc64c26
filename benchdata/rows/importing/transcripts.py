"""Transcripts of `codex exec --json` and `claude --output-format stream-json`: each file is a row.

Which program wrote a file shows in its lines. Codex counts cached input as input, so that is taken
out; claude does not. A transcript knows no task and no verdict, and codex names no model: what is
not set by the user stays unknown, and a row without a verdict is not scored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchdata.contracts.trial import LOST
from benchdata.errors import BenchdataError, RowError
from benchdata.rows.importing import files, tokens
from benchdata.rows.importing.mapping import Format, Reading, Record, Told
from benchdata.rows.importing.names import shown
from benchdata.rows.importing.nodes import Node
from benchdata.rows.strict_json import DOCUMENT, LONGEST_LINE, decode_document

SUFFIXES = (".jsonl", ".ndjson", ".json", ".txt")
CODEX, CLAUDE = "codex", "claude"
STARTS: Mapping[tuple[str, str], str] = {("thread.started", ""): CODEX, ("system", "init"): CLAUDE}
ENDS: Mapping[str, str] = {"turn.completed": CODEX, "turn.failed": CODEX, "result": CLAUDE}

CONTEXT = re.compile(r"\[\w+\]$")
"""What claude puts behind a model's id to say how long a context it has."""
OWN = frozenset({"error_max_turns", "error_max_budget_usd", "refusal"})
"""The ends with an error that are the agent's own; every other error is of what it ran on."""
FAILED = "error_"
"""How the kind of every end with an error begins."""
REFUSED = "reason: content_filter"
"""How codex says that the model declined."""


@dataclass
class Transcript:
    """What the lines of a run tell that count: how it was started, and how it ended."""

    reading: Reading
    program: str = ""
    starts: list[Node] = field(default_factory=list)
    ends: list[Node] = field(default_factory=list)

    @property
    def start(self) -> Node:
        """Return the first start, null where there is none."""
        return self.starts[0] if self.starts else Node(None)

    @property
    def end(self) -> Node:
        """Return the last end, null where the run did not come to it.

        Of several groups claude's last end tells all. What codex tells of one of several turns is
        not all, and whether its last one is cannot be known.
        """
        whole = len(self.ends) >= len(self.starts) and (
            self.program == CLAUDE or len(self.ends) == 1
        )
        return self.ends[-1] if self.ends and whole else Node(None)


def records(source: Path, reading: Reading) -> Iterator[Record[Transcript]]:
    """Yield every transcript."""
    for path in files.under(source, SUFFIXES, reading.left_out):
        try:
            found = _read(path, reading)
        except BenchdataError as error:
            reading.fail(str(path), error)
            continue
        yield Record(str(path), found)
        for line in (*found.starts, *found.ends):
            line["type"].text()
            reading.left_out.update(line.unread())


def _read(path: Path, reading: Reading) -> Transcript:
    """Return what the lines of a file tell; the other ones are counted by their type."""
    found = Transcript(reading)
    for event in _events(path, reading):
        kind = shown(str(event.get("type")))
        line = Node(event, kind)
        if program := STARTS.get((kind, line["subtype"].text() or "")):
            found.starts.append(line)
        elif program := ENDS.get(kind):
            found.ends.append(line)
        else:
            reading.left_out[f"lines of type {kind}"] += 1
        if program and found.program not in {"", program}:
            raise RowError(DOCUMENT, "holds lines of two programs")
        found.program = program or found.program
    if not found.program:
        raise RowError(DOCUMENT, "is no transcript of codex or claude")
    return found


def _events(path: Path, reading: Reading) -> Iterator[dict[str, Any]]:
    """Yield the objects that stand on a line each; other lines are what the run itself printed."""
    with files.opened(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE + 1), b""), 1):
            if len(line) > LONGEST_LINE:
                raise RowError(f"line {number}", f"is longer than {LONGEST_LINE // 1024**2} MiB")
            try:
                value = decode_document(line)
            except RowError:
                value = None
            if isinstance(value, dict):
                yield value
            elif line.strip():
                reading.left_out["lines that are no JSON object"] += 1


def model(run: Transcript) -> str | None:
    """Return the model that claude was started with."""
    found = run.start["model"].text()
    return None if found is None else CONTEXT.sub("", found)


def outcome(run: Transcript) -> str:
    """Return how the run ended; without an end of its own it was lost, whoever ended it."""
    end = run.end
    declined = REFUSED in (end["error"]["message"].text() or "")
    kind = end["subtype"].text() or ""
    if declined or {kind, end["stop_reason"].text()} & OWN:
        return "agent_error"
    failed = end["is_error"].flag() or kind.startswith(FAILED)
    if failed or end["type"].text() in {None, "turn.failed"}:
        return LOST
    return "completed"


def usage(run: Transcript) -> list[dict[str, Any]] | None:
    """Return the tokens by model; no tokens at all are what nobody measured."""
    if run.program == CODEX:
        return _codex_usage(run)
    used = run.end["modelUsage"].members().items()
    found = [_claude_usage(CONTEXT.sub("", name), counts) for name, counts in used]
    return found if any(map(tokens.spent, found)) else None


def _claude_usage(name: str, counts: Node) -> dict[str, Any]:
    return tokens.usage(
        name,
        given=counts["inputTokens"].whole(),
        output=counts["outputTokens"].whole(),
        written=counts["cacheCreationInputTokens"].whole(),
        read=counts["cacheReadInputTokens"].whole(),
    )


def _codex_usage(run: Transcript) -> list[dict[str, Any]] | None:
    counts, name = run.end["usage"], run.reading.given.get("model")
    if counts.value is None:
        return None
    if name is None:
        counts.leave("of a model that is not told: --set model=…")
        return None
    return [tokens.of_codex(name, {each: counts[each].whole() for each in tokens.CODEX_COUNTS})]


def cost(run: Transcript) -> float | None:
    """Return what claude's requests cost; 0 beside no tokens is not told."""
    found = run.end["total_cost_usd"].number()
    return None if found == 0 and not usage(run) else found


def seconds(run: Transcript) -> float | None:
    """Return how long claude took, of a run in one group."""
    found = run.end["duration_ms"].number() if len(run.ends) == 1 else None
    return None if found is None else found / 1000


def name(run: Transcript) -> str:
    """Return the id of the session."""
    found = run.start["thread_id" if run.program == CODEX else "session_id"].text()
    if found is None:
        raise RowError("session", "the lines do not name the session")
    return found


FIELDS: Mapping[str, Told[Transcript]] = {
    "agent": Told("the program that wrote the lines", lambda run: run.program),
    "agent_version": Told(
        "`claude_code_version`; codex tells none",
        lambda run: run.start["claude_code_version"].text(),
    ),
    "model": Told("`model` of claude's `init`; codex tells none", model),
    "outcome": Told("how the last line of the run ends", outcome),
    "usage": Told("`modelUsage` of claude; `usage` of codex, once the model is set", usage),
    "total_cost_usd": Told("`total_cost_usd` of claude", cost),
    "wall_s": Told("`duration_ms` of claude", seconds),
}

FORMAT = Format(
    key="transcripts",
    noun="transcript",
    records=records,
    name=name,
    fields=FIELDS,
    hint="name files of JSON lines that codex or claude printed, or a folder of such",
)
