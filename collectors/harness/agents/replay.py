"""A tiny agent for the standard library alone: it asks a Messages API and does what it answers.

It runs inside the sandbox, where nothing of this project but this file can be read. The request
comes on standard input as one JSON object; the lines that it prints are like those of Claude Code.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import uuid
from pathlib import Path
from typing import Any, NoReturn

ANSWER_S = 600.0
LONGEST = 30_000
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""The gateway is asked itself, also where there is a proxy for the agent's commands."""
COUNTS = {
    "inputTokens": "input_tokens",
    "outputTokens": "output_tokens",
    "cacheCreationInputTokens": "cache_creation_input_tokens",
    "cacheReadInputTokens": "cache_read_input_tokens",
}


def write(given: dict[str, Any], _: str) -> str:
    """Write a file."""
    path = Path(given["file_path"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(given["content"], encoding="utf-8")
    return f"wrote {path}"


def read(given: dict[str, Any], _: str) -> str:
    """Return what a file holds."""
    return Path(given["file_path"]).read_text(encoding="utf-8")


def bash(given: dict[str, Any], _: str) -> str:
    """Run a command and return what it says; one that fails is an answer like any other."""
    with tempfile.TemporaryFile() as said:  # and no pipe, which whatever it leaves running holds
        done = subprocess.run(
            ["/bin/bash", "-c", given["command"]],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            check=False,
        )
        said.seek(0)
        return f"{said.read(LONGEST).decode(errors='replace')}\n[exit {done.returncode}]"


def skill(given: dict[str, Any], skills: str) -> str:
    """Return the text of a skill."""
    return Path(skills, given["skill"], "SKILL.md").read_text(encoding="utf-8")


TOOLS = {
    "Write": (write, ("file_path", "content")),
    "Read": (read, ("file_path",)),
    "Bash": (bash, ("command",)),
    "Skill": (skill, ("skill",)),
}


class Refused(Exception):
    """The model's API gave no answer; `status` is None when there was no response at all."""

    def __init__(self, status: int | None) -> None:
        self.status = status
        super().__init__(f"no answer: {status}")


class Run:
    """One run: the conversation so far and what it has cost."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.asked = asked
        self.session = str(uuid.uuid4())
        self.turns = 0
        self.stop_reason: str | None = None
        self.usage: dict[str, dict[str, int | None]] = {}
        self.messages: list[dict[str, Any]] = [
            {"role": "user", "content": [*self._surroundings(), *asked["content"]]}
        ]

    def _surroundings(self) -> list[dict[str, Any]]:
        """Return what the model is told besides: the folder, and by name the skills it may load."""
        told = [f"Working directory: {Path.cwd()}\n"]
        if "Skill" in self.asked["tools"] and (names := self.skills()):
            told.append(f"Skills: {', '.join(names)}\n")
        return [{"type": "text", "text": text} for text in told]

    def skills(self) -> list[str]:
        """Return the names of the skills that are installed."""
        folder = Path(self.asked["skills"])
        return sorted(path.parent.name for path in folder.glob("*/SKILL.md"))

    def say(self, kind: str, **fields: Any) -> None:
        """Print one line."""
        line = {"type": kind, **fields, "session_id": self.session}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()

    def answer(self) -> list[dict[str, Any]]:
        """Ask for the next message, take it in, and return its blocks.

        Raises:
            Refused: There is no answer.
        """
        body = {
            "model": self.asked["model"],
            "max_tokens": 32_000,
            "messages": self.messages,
            "system": self.asked["system"] or "You are a scripted agent.",
        }
        if self.asked["tools"]:
            body["tools"] = [_described(name) for name in self.asked["tools"]]
        message = _post(body)
        self.turns += 1
        self.stop_reason = message["stop_reason"]
        _add(self.usage.setdefault(message["model"], dict.fromkeys(COUNTS, 0)), message)
        self.messages.append({"role": "assistant", "content": message["content"]})
        self.say("assistant", message=message, parent_tool_use_id=None)
        blocks: list[dict[str, Any]] = message["content"]
        return blocks

    def use(self, calls: list[dict[str, Any]]) -> None:
        """Do what the model asked for, one after the other, and tell it."""
        results = [self._used(call) for call in calls]
        self.messages.append({"role": "user", "content": results})

    def _used(self, call: dict[str, Any]) -> dict[str, Any]:
        try:
            function, _ = TOOLS[call["name"]]
            said, failed = function(call["input"], self.asked["skills"]), False
        except (OSError, KeyError, ValueError) as error:
            said, failed = f"{type(error).__name__}: {error}", True
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": said}
        result |= {"is_error": True} if failed else {}
        self.say("user", message={"role": "user", "content": [result]})
        return result

    def end(self, subtype: str, text: str | None = None, status: int | None = None) -> int:
        """Print the last line and return the exit code."""
        failed = subtype != "success" or text is None
        told: dict[str, Any] = {"result": text}
        if self.asked["structured"] and text is not None:
            told["structured_output"] = _parsed(text)
        self.say(
            "result",
            subtype=subtype,
            is_error=failed,
            api_error_status=status,
            num_turns=self.turns,
            stop_reason=self.stop_reason,
            modelUsage=self.usage,
            **told,
        )
        return int(failed)


def main() -> int:
    """Run the agent on what standard input asks."""
    run = Run(json.loads(sys.stdin.buffer.read()))
    signal.signal(signal.SIGINT, _interrupt)
    run.say(
        "system",
        subtype="init",
        cwd=str(Path.cwd()),
        model=run.asked["model"],
        tools=run.asked["tools"],
        skills=run.skills(),
        claude_code_version=run.asked["version"],
    )
    try:
        while True:
            blocks = run.answer()
            calls = [block for block in blocks if block["type"] == "tool_use"]
            if not calls:
                spoken = (block["text"] for block in blocks if block["type"] == "text")
                return run.end("success", "\n".join(spoken))
            run.use(calls)
    except Refused as refused:
        return run.end("success", status=refused.status)
    except KeyboardInterrupt:
        return run.end("error_during_execution")


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _described(name: str) -> dict[str, Any]:
    function, fields = TOOLS[name]
    properties = {field: {"type": "string"} for field in fields}
    schema = {"type": "object", "properties": properties, "required": list(fields)}
    return {"name": name, "description": function.__doc__, "input_schema": schema}


def _post(body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages",
        data=json.dumps(body).encode(),
        headers={
            "content-type": "application/json",
            "anthropic-version": "2023-06-01",
            "x-api-key": os.environ["ANTHROPIC_API_KEY"],
        },
    )
    try:
        with OPENER.open(request, timeout=ANSWER_S) as response:
            message: dict[str, Any] = json.load(response)
    except urllib.error.HTTPError as error:
        raise Refused(error.code) from None
    except (OSError, ValueError):
        raise Refused(None) from None
    return message


def _add(totals: dict[str, int | None], message: dict[str, Any]) -> None:
    """Add what a message used; a count that was once not told stays unknown."""
    told = message.get("usage", {})
    for ours, theirs in COUNTS.items():
        total, more = totals[ours], told.get(theirs)
        totals[ours] = None if total is None or more is None else total + more


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


if __name__ == "__main__":
    sys.exit(main())
