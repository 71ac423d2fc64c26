"""Answers the `npx skills` of one attempt: searches and loads skills outside of its sandbox.

The real `skills` program does the work. A search of it goes by way of `listing`, so that excluded
skills are never in what it prints.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import secrets
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchdata.errors import BenchdataError, RowError
from benchdata.rows.strict_json import decode
from collectors.harness import skills, trees
from collectors.harness.gateway.answering import answering
from collectors.harness.gateway.asgi import Message, Receive, Send
from collectors.harness.gateway.server import Server
from collectors.harness.skills import FILE, Skill
from collectors.skill_eval.catalog import Catalog, quiet
from collectors.skill_eval.router import requests
from collectors.skill_eval.router.exclusion import Exclusion
from collectors.skill_eval.router.listing import ENDPOINT, PATH, Listing, Search
from collectors.skill_eval.router.retrieval import Because, Retrieval

SEARCH_S = 60.0
LARGEST_REQUEST = 16 * 1024
MOST_FILES, MOST_BYTES = 300, 4 * 1024 * 1024
"""Of a skill that is loaded."""
COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
ASKED_HOW = "Name one skill as owner/repo@skill, as `npx skills find` prints it.\n"
REFUSED: Mapping[Because, str] = {
    "excluded": "This skill is not available.\n",
    "form": ASKED_HOW,
    "size": "This skill is too large to load.\n",
    "limit": "No more requests are answered.\n",
}
NOT_HERE = "Only `find`, `add` and `use` of one skill work here.\n"

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """Where skills come from: the `skills` program, a catalog's search, and their files."""

    program: Path
    search: str
    catalog: Catalog


class Desk(Server):
    """Serves one attempt from entering to leaving, at `address` for who knows the way.

    Raises:
        BenchdataError: The catalog does not answer, when it is entered.
    """

    def __init__(self, source: Source, exclusion: Exclusion, retrieval: Retrieval) -> None:
        self._source = source
        self._exclusion = exclusion
        self._retrieval = retrieval
        self._way, self._inner = (f"/{secrets.token_urlsafe(12)}" for _ in range(2))
        self._listing = Listing(Search.at(source.search), exclusion, retrieval)
        super().__init__()

    def address(self, base_url: str) -> str:
        """Return where the agent's `npx` asks, when this server is at `base_url`."""
        return base_url + self._way

    @asynccontextmanager
    async def serving(self, listeners: list[socket.socket]) -> AsyncIterator[None]:
        """See that the catalog answers, then serve."""
        try:
            await self._listing.search.tried()
            async with answering(self, listeners):
                yield
        finally:
            await self._listing.search.line.close()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer the agent, or the `skills` program that works for it."""
        if scope["path"] == self._way and scope["method"] == "POST":
            words = await _words(receive)
            answer = {"code": 2, "said": NOT_HERE} if words is None else await self._said(words)
            await _send(send, answer)
        elif scope["path"] == self._inner + PATH:
            target = f"{PATH}?{scope['query_string'].decode('latin-1')}"
            await _send(send, {"skills": await self._listing.found(target)})
        else:
            await _send(send, {}, status=404)

    async def _said(self, words: Sequence[str]) -> Answer:
        """Return what the agent is told of a request, and the files of what it loads."""
        if not self._retrieval.admits():
            return {"code": 1, "said": REFUSED["limit"]}
        command = requests.COMMANDS.get(words[0]) if words else None
        match command:
            case "find":
                return await asyncio.to_thread(self._found, words)
            case "add" | "use":
                return await asyncio.to_thread(self._loaded, command, words[1:])
        return {"code": 2, "said": NOT_HERE}

    def _found(self, words: Sequence[str]) -> Answer:
        """Let the program search; the search itself is written down where it arrives."""
        with tempfile.TemporaryDirectory(prefix="desk-") as home:
            inside = {"HOME": home, ENDPOINT: self.url + self._inner}
            try:
                done = subprocess.run(
                    [self._source.program, *words],
                    cwd=home,
                    env=quiet(os.environ) | inside,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    timeout=SEARCH_S,
                    check=False,
                )
            except (OSError, subprocess.TimeoutExpired) as fault:
                self._retrieval.failure(" ".join(words), type(fault).__name__)
                return {"code": 1, "said": "The search did not end.\n"}
        said = COLOURS.sub("", done.stdout.decode(errors="replace"))
        return {"code": done.returncode, "said": said}

    def _loaded(self, command: requests.Command, words: Sequence[str]) -> Answer:
        """Fetch a skill; one that turns out to be excluded is refused after that."""
        asked = " ".join(words)
        reference = requests.reference_of(words)
        if any(map(self._exclusion.names_one, [reference] if reference else words)):
            return self._refused(asked, "excluded")
        if reference is None:
            return self._refused(asked, "form")
        try:
            fetched = self._source.catalog.fetch(reference)
            skill = skills.read(fetched.folder)
        except BenchdataError as fault:  # it may name other skills, so the agent is not told it
            self._retrieval.failure(asked, str(fault))
            return {"code": 1, "said": f"{reference}: no such skill can be fetched.\n"}
        files = _files(skill)
        if files is None:
            return self._refused(asked, "size")
        within = (Path(path).parent.name for path in files if Path(path).name == FILE)
        if any(map(self._exclusion.names_one, (skill.name, fetched.folder.name, *within))):
            return self._refused(asked, "excluded")
        text = files[FILE].decode(errors="replace")
        self._retrieval.load(reference, text)
        said = "Installed. Read this file, and follow it:\n"
        if command == "use":
            said = f"{text}\nThis is the text of a skill; what it refers to lies beside its file:\n"
        held = {path: base64.b64encode(content).decode() for path, content in files.items()}
        return {"code": 0, "said": said, "name": skill.name, "files": held}

    def _refused(self, asked: str, because: Because) -> Answer:
        self._retrieval.refusal(asked, because)
        return {"code": 1, "said": REFUSED[because]}


def _files(skill: Skill) -> dict[str, bytes] | None:
    """Return the files of a skill by their path; None when they are too many or too large."""
    found = trees.entries(skill.folder)
    if len(found) > MOST_FILES or sum(file.stat().st_size for _, file in found) > MOST_BYTES:
        return None
    return {path: file.read_bytes() for path, file in found}


async def _words(receive: Receive) -> list[str] | None:
    """Return the words of a request; None when it is no request of words, or too long."""
    body = b""
    while len(body) <= LARGEST_REQUEST:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    try:
        words = decode(body[: LARGEST_REQUEST + 1])["words"]
    except (RowError, KeyError, TypeError):
        return None
    if not isinstance(words, list) or len(body) > LARGEST_REQUEST:
        return None
    fits = all(isinstance(word, str) and "\0" not in word for word in words)
    return words if fits else None


async def _send(send: Send, answer: Answer, status: int = 200) -> None:
    body = json.dumps(answer).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
