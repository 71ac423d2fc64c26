"""The read-only operations that may be chosen next: exact arguments, decided here and not by it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from collectors.jev_social import goals
from collectors.jev_social.task import Task
from collectors.jev_social.urls import canonical, page_of

Kind = Literal[
    "search", "read_post", "read_profile", "read_company", "history", "page_state", "finish"
]
MOST_OPTIONS = 255
"""What a local decision server takes, by its example set-up."""
LONGEST_QUERY = 512
READS_POST = {
    "instagram": ("get-posts", "--post"),
    "tiktok": ("get-videos", "--video"),
    "linkedin": ("get-posts", "--post"),
}
COMMENTS = ("--num-comments", "8")
RESULT_TYPES = ("people", "content", "companies")
SECTIONS = ("experience", "education")
LINKS = ("url", "web_url", "share_url", "profile_url", "author_url")
TITLES = ("caption", "title", "name", "text")


@dataclass(frozen=True, slots=True)
class Action:
    """One operation; `arguments` follow the program's name."""

    kind: Kind
    arguments: tuple[str, ...] = ()
    target: str | None = None
    download: bool = False
    words: str = ""

    @property
    def id(self) -> str:
        """The name under which it is offered: the same arguments have the same name."""
        if self.kind == "finish":
            return "finish"
        text = json.dumps(self.arguments, ensure_ascii=False, separators=(",", ":"))
        return f"{self.kind}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"

    @property
    def label(self) -> str:
        """What the decider reads about it."""
        return {
            "search": f"Search for: {self.words}",
            "read_post": f"Open this post with its comments: {self.target} {self.words}",
            "read_profile": f"Open this profile: {self.target} {self.words}",
            "read_company": f"Open this company page: {self.target} {self.words}",
            "history": f"Read the {self.words} of {self.target}",
            "page_state": "See whether the page asks for a login, loads or is blocked",
            "finish": "Stop here with what was captured",
        }[self.kind] + (" and download its video" if self.download else "")


FINISH = Action("finish")


def options(
    task: Task,
    items: Iterable[Mapping[str, Any]],
    tried: Sequence[Action],
    subcommands: Collection[str],
) -> list[Action]:
    """Return what may be done next: nothing twice, nothing that this socai cannot do."""
    closing = [FINISH] if tried else []
    done = {action.id for action in tried}
    read = {action.target for action in tried if action.kind == "read_post"}
    found: dict[str, Action] = {}
    for action in _all(task, items, tried):
        if len(found) + len(closing) == MOST_OPTIONS:
            break
        again = action.id in done or (action.kind == "read_post" and action.target in read)
        if action.arguments[1] in subcommands and not again:
            found.setdefault(action.id, action)
    return [*found.values(), *closing]


def may_download(task: Task) -> bool:
    """Return whether media is among what a task asks for and socai can save."""
    return task.platform == "tiktok" and goals.wants_media(task.goal)


def _all(
    task: Task, items: Iterable[Mapping[str, Any]], tried: Sequence[Action]
) -> Iterator[Action]:
    yield from _searches(task, searched=any(action.kind == "search" for action in tried))
    # before the pages, which may be more than can be offered
    yield _action(task, "page_state", "page_state")
    for url, words in _pages(task, items):
        yield from _reads(task, url, words)


def _searches(task: Task, *, searched: bool) -> Iterator[Action]:
    """Give a search for the goal's topic; on Instagram later also for it as one word."""
    text = goals.search_text(task.goal)
    queries = [text]
    if searched and task.platform == "instagram":
        queries.append(re.sub(r"[^A-Za-z0-9_]+", "", text))
    number = ("--num", str(task.result_limit))
    for query in queries:
        if not query.strip() or len(query) > LONGEST_QUERY or query.startswith("-"):
            continue
        if task.platform != "linkedin":
            yield _action(task, "search", "search", query, *number, words=query)
            continue
        for kind in RESULT_TYPES:
            typed = (*number, "--type", kind)
            yield _action(task, "search", "search", query, *typed, words=f"{query} ({kind})")


def _pages(task: Task, items: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Give the pages that were seen or that the goal names, each with a word about it."""
    for item in items:
        author = item.get("author")
        links = [item.get(name) for name in LINKS]
        links.append(author.get("url") if isinstance(author, dict) else None)
        for link in links:
            if url := canonical(link, task.platform):
                yield url, about(item, 220)
    for link in goals.pages_named(task.goal):
        if url := canonical(link, task.platform):
            yield url, ""


def _reads(task: Task, url: str, words: str) -> Iterator[Action]:
    """Give the ways to read a page."""
    number = () if task.platform == "linkedin" else ("--num", str(task.result_limit))
    match page_of(url, task.platform):
        case "post":
            post = (*READS_POST[task.platform], url, *COMMENTS)
            yield _action(task, "read_post", *post, target=url, words=words)
            if may_download(task):
                saved = (*post, "--download-media")
                yield _action(task, "read_post", *saved, target=url, words=words, download=True)
        case "profile":
            command = "author" if task.platform == "tiktok" else "profile"
            yield _action(task, "read_profile", command, url, *number, target=url, words=words)
            if task.platform == "linkedin":
                for section in SECTIONS:
                    history = ("history", url, "--section", section)
                    yield _action(task, "history", *history, target=url, words=section)
        case "company":
            yield _action(task, "read_company", "company", url, target=url, words=words)


def _action(task: Task, kind: Kind, *arguments: str, **fields: Any) -> Action:
    return Action(kind, (task.platform, *arguments, "--pretty"), **fields)


def about(item: Mapping[str, Any], longest: int) -> str:
    """Return the first words that an item has about itself."""
    texts = (item.get(name) for name in TITLES)
    return next((text[:longest] for text in texts if isinstance(text, str) and text), "")
