"""The catalog's search: asked in the place of the `skills` program, its answer without exclusions.

The program is led here, so that what it prints is made of what is left.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import benchdata
from benchdata.errors import BenchdataError, InputError
from collectors.harness.gateway.upstream import FAULTS, Line, Upstream
from collectors.skill_eval.router.exclusion import Exclusion
from collectors.skill_eval.router.retrieval import Retrieval

ENDPOINT = "SKILLS_API_URL"
"""The variable of the `skills` program itself that leads it to another catalog."""
PUBLIC = "https://skills.sh"
PATH = "/api/search"
ANSWER_S = 30.0
LARGEST = 1024 * 1024
TRIAL = f"{PATH}?q=skills&limit=1"


def endpoint(environment: Mapping[str, str]) -> str:
    """Return the catalog's base URL.

    Raises:
        InputError: It is none.
    """
    url = environment.get(ENDPOINT) or PUBLIC
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query:
        raise InputError(f"{ENDPOINT}: must be such as {PUBLIC}")
    return url.rstrip("/")


@dataclass(slots=True)
class Listing:
    """Searches of one attempt; to be used in one event loop, and closed there."""

    line: Line
    exclusion: Exclusion
    retrieval: Retrieval

    @classmethod
    def at(cls, url: str, exclusion: Exclusion, retrieval: Retrieval) -> Listing:
        """Return the search of the catalog at a base URL."""
        return cls(Line(Upstream(url)), exclusion, retrieval)

    async def tried(self) -> None:
        """See that the catalog answers.

        Raises:
            BenchdataError: It does not.
        """
        await self._answered(TRIAL)

    async def found(self, target: str) -> list[dict[str, Any]]:
        """Return the skills that a search finds, none where it fails; either is written down."""
        query = " ".join(parse_qs(urlsplit(target).query).get("q", []))
        try:
            skills = await self._answered(target)
        except BenchdataError as fault:
            self.retrieval.failure(query, str(fault))
            return []
        kept = [each for each in skills if not self._is_excluded(each)]
        withheld = [each for each in skills if self._is_excluded(each)]
        self.retrieval.search(query, [*map(_reference, kept)], [*map(_reference, withheld)])
        return kept

    def _is_excluded(self, skill: Mapping[str, Any]) -> bool:
        return any(map(self.exclusion.names_one, _names(skill)))

    async def _answered(self, target: str) -> list[dict[str, Any]]:
        """Ask the catalog, or raise BenchdataError."""
        headers = [(b"user-agent", f"benchdata/{benchdata.__version__}".encode())]
        body = b""
        try:
            async with (
                asyncio.timeout(ANSWER_S),
                self.line.asked("GET", target, headers, b"") as answer,
            ):
                async for piece in answer.pieces:
                    body += piece
                    if len(body) > LARGEST:
                        raise BenchdataError("the catalog's answer is too large")
        except (*FAULTS, TimeoutError) as fault:
            raise BenchdataError(f"the catalog does not answer: {type(fault).__name__}") from None
        if answer.status != 200:
            raise BenchdataError(f"the catalog answers with status {answer.status}")
        return _skills(body)


def _skills(body: bytes) -> list[dict[str, Any]]:
    """Return the skills of an answer, or raise BenchdataError."""
    try:
        found = json.loads(body)["skills"]
        if all(isinstance(each["name"], str) for each in found):
            return [*found]
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise BenchdataError("the catalog's answer is no list of skills")


def _names(skill: Mapping[str, Any]) -> Iterator[str]:
    """Give what the program would show of a skill."""
    yield _reference(skill)
    yield from (str(skill[key]) for key in ("name", "id") if skill.get(key))


def _reference(skill: Mapping[str, Any]) -> str:
    return f"{skill.get('source') or skill.get('id')}@{skill['name']}"
