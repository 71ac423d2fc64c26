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
from collectors.harness import endpoints
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


def tried(url: str) -> None:
    """See that the catalog at a base URL answers.

    Raises:
        BenchdataError: It does not.
    """

    async def ask() -> None:
        search = Search.at(url)
        try:
            await search.tried()
        finally:
            await search.line.close()

    asyncio.run(ask())


@dataclass(slots=True)
class Search:
    """The search of the catalog at an address; its line is used in one event loop, closed there."""

    shown: str
    line: Line

    @classmethod
    def at(cls, url: str) -> Search:
        """Return the search of the catalog at a base URL."""
        return cls(endpoints.shown(url), Line(Upstream(url)))

    async def tried(self) -> None:
        """See that the catalog answers.

        Raises:
            BenchdataError: It does not.
        """
        await self.answered(TRIAL)

    async def answered(self, target: str) -> list[dict[str, Any]]:
        """Return the skills that a search finds.

        Raises:
            BenchdataError: The catalog does not answer, or not with a list of skills.
        """
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
                        raise self._fault("its answer is too large")
        except (*FAULTS, TimeoutError) as fault:
            raise self._fault(f"does not answer: {type(fault).__name__}") from None
        if answer.status != 200:
            raise self._fault(f"answers with status {answer.status}")
        found = _skills(body)
        if found is None:
            raise self._fault("its answer is no list of skills")
        return found

    def _fault(self, words: str) -> BenchdataError:
        return BenchdataError(f"the catalog {self.shown}: {words}")


@dataclass(slots=True)
class Listing:
    """Searches of one attempt, with what they find but for what is excluded."""

    search: Search
    exclusion: Exclusion
    retrieval: Retrieval

    async def found(self, target: str) -> list[dict[str, Any]]:
        """Return the skills that a search finds, none where it fails; either is written down."""
        query = " ".join(parse_qs(urlsplit(target).query).get("q", []))
        try:
            skills = await self.search.answered(target)
        except BenchdataError as fault:
            self.retrieval.failure(query, str(fault))
            return []
        kept = [each for each in skills if not self._is_excluded(each)]
        withheld = [each for each in skills if self._is_excluded(each)]
        self.retrieval.search(query, [*map(_reference, kept)], [*map(_reference, withheld)])
        return kept

    def _is_excluded(self, skill: Mapping[str, Any]) -> bool:
        return any(map(self.exclusion.names_one, _names(skill)))


def _skills(body: bytes) -> list[dict[str, Any]] | None:
    """Return the skills of an answer, None where it is no list of them."""
    try:
        found = json.loads(body)["skills"]
        if all(isinstance(each["name"], str) for each in found):
            return [*found]
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return None


def _names(skill: Mapping[str, Any]) -> Iterator[str]:
    """Give what the program would show of a skill."""
    yield _reference(skill)
    yield from (str(skill[key]) for key in ("name", "id") if skill.get(key))


def _reference(skill: Mapping[str, Any]) -> str:
    return f"{skill.get('source') or skill.get('id')}@{skill['name']}"
