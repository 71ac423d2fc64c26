"""Actions: which are offered, with which arguments, and never twice."""

from __future__ import annotations

import hashlib
import json
from itertools import count
from typing import Any

import pytest

from collectors.jev_social.actions import FINISH, MOST_OPTIONS, Action, options
from collectors.jev_social.socai import SUBCOMMANDS
from collectors.jev_social.task import Task
from tests.support.collecting import TASK

VIDEO = "https://www.tiktok.com/@kilns/video/71"
URLS = {
    "instagram": ("https://www.instagram.com/p/AbC/", "https://www.instagram.com/kilns/"),
    "tiktok": (VIDEO, "https://www.tiktok.com/@kilns"),
    "linkedin": ("https://www.linkedin.com/posts/kilns-1", "https://www.linkedin.com/in/kilns"),
}


def task(platform: str, goal: str = "kiln repair", **changes: Any) -> Task:
    fields: dict[str, Any] = {**TASK, "platform": platform, "goal": goal, **changes}
    return Task(**fields)


def offered(task: Task, *urls: str, tried: tuple[Action, ...] = (), **more: Any) -> list[str]:
    """Return the arguments of what is offered, a blank between two."""
    items = [{"url": url} for url in urls]
    actions = options(task, items, tried, more.get("subcommands", SUBCOMMANDS))
    return [" ".join(action.arguments) or action.id for action in actions]


@pytest.mark.parametrize(
    ("platform", "arguments"),
    [
        (
            "instagram",
            [
                "instagram search kiln repair --num 4 --pretty",
                "instagram page_state --pretty",
                "instagram get-posts --post {0} --num-comments 8 --pretty",
                "instagram profile {1} --num 4 --pretty",
            ],
        ),
        (
            "tiktok",
            [
                "tiktok search kiln repair --num 4 --pretty",
                "tiktok page_state --pretty",
                "tiktok get-videos --video {0} --num-comments 8 --pretty",
                "tiktok author {1} --num 4 --pretty",
            ],
        ),
        (
            "linkedin",
            [
                "linkedin search kiln repair --num 4 --type people --pretty",
                "linkedin search kiln repair --num 4 --type content --pretty",
                "linkedin search kiln repair --num 4 --type companies --pretty",
                "linkedin page_state --pretty",
                "linkedin get-posts --post {0} --num-comments 8 --pretty",
                "linkedin profile {1} --pretty",
                "linkedin history {1} --section experience --pretty",
                "linkedin history {1} --section education --pretty",
            ],
        ),
    ],
)
def test_each_platform_has_the_protocols_commands(platform: str, arguments: list[str]) -> None:
    assert offered(task(platform), *URLS[platform]) == [
        text.format(*URLS[platform]) for text in arguments
    ]


def test_a_company_page_can_be_read() -> None:
    url = "https://www.linkedin.com/company/kilns"
    assert f"linkedin company {url} --pretty" in offered(task("linkedin"), url)


def test_a_download_is_offered_only_where_the_goal_asks_for_it() -> None:
    saving = f"tiktok get-videos --video {VIDEO} --num-comments 8 --download-media --pretty"
    assert saving in offered(task("tiktok", "download one video"), VIDEO)
    assert saving not in offered(task("tiktok"), VIDEO)
    instagram = offered(task("instagram", "download one video"), URLS["instagram"][0])
    assert "--download-media" not in " ".join(instagram)


@pytest.mark.parametrize("missing", ["search", "get-videos", "author", "page_state"])
def test_a_command_that_socai_does_not_have_is_not_offered(missing: str) -> None:
    there = {name for name in SUBCOMMANDS if name != missing}
    found = offered(task("tiktok"), *URLS["tiktok"], subcommands=there)
    assert len(found) == 3
    assert not [text for text in found if text.split()[1] == missing]


def test_an_id_is_the_digest_of_the_arguments() -> None:
    (search, *_) = options(task("tiktok"), [], (), SUBCOMMANDS)
    arguments = ["tiktok", "search", "kiln repair", "--num", "4", "--pretty"]
    text = json.dumps(arguments, separators=(",", ":"))
    assert search.id == "search_" + hashlib.sha256(text.encode()).hexdigest()[:16]
    assert FINISH.id == "finish"


def test_what_was_tried_is_not_offered_again_and_then_the_end_is() -> None:
    first = options(task("tiktok"), [], (), SUBCOMMANDS)
    assert FINISH not in first
    rest = options(task("tiktok"), [], tuple(first), SUBCOMMANDS)
    assert rest == [FINISH]


def test_a_post_that_was_read_is_not_read_again_in_the_other_way() -> None:
    saver = task("tiktok", "download one video")
    (read,) = (
        action
        for action in options(saver, [{"url": VIDEO}], (), SUBCOMMANDS)
        if action.kind == "read_post" and not action.download
    )
    assert VIDEO not in " ".join(offered(saver, VIDEO, tried=(read,)))


def test_instagram_is_searched_for_one_word_too_after_a_search() -> None:
    first = options(task("instagram"), [], (), SUBCOMMANDS)
    assert "instagram search kilnrepair --num 4 --pretty" in offered(
        task("instagram"), tried=tuple(first)
    )
    assert "kilnrepair" not in " ".join(offered(task("instagram")))


@pytest.mark.parametrize("goal", ["-x", "--download-media"])
def test_no_query_can_be_taken_for_a_flag(goal: str) -> None:
    assert offered(task("tiktok", goal)) == ["tiktok page_state --pretty"]


def test_every_address_of_an_item_and_of_the_goal_is_a_target() -> None:
    item = {
        "url": "https://www.tiktok.com/@a/video/1",
        "web_url": "https://www.tiktok.com/@a/video/2",
        "share_url": "https://www.tiktok.com/@a/video/3?x=1",
        "profile_url": "https://www.tiktok.com/@p",
        "author_url": "https://www.tiktok.com/@b",
        "author": {"url": "https://www.tiktok.com/@c"},
        "other": "https://www.tiktok.com/@no",
        "video": {"url": "https://www.tiktok.com/@no"},
    }
    goal = "see https://www.tiktok.com/@g/video/9 and https://example.org/@no"
    targets = {action.target for action in options(task("tiktok", goal), [item], (), SUBCOMMANDS)}
    places = ["@a/video/1", "@a/video/2", "@a/video/3", "@p", "@b", "@c", "@g/video/9"]
    assert targets == {None, *(f"https://www.tiktok.com/{place}" for place in places)}


def test_there_are_never_more_than_a_server_takes() -> None:
    urls = [f"https://www.tiktok.com/@a/video/{number}" for number in range(300)]
    first = offered(task("tiktok"), *urls)
    assert len(first) == MOST_OPTIONS
    later = offered(task("tiktok"), *urls, tried=(Action("search", ("tiktok", "search")),))
    assert len(later) == MOST_OPTIONS
    assert later[-1] == "finish"


def test_pages_without_end_are_not_all_looked_at() -> None:
    urls = ({"url": f"https://www.tiktok.com/@a/video/{number}"} for number in count())
    assert len(options(task("tiktok"), urls, [], SUBCOMMANDS)) == MOST_OPTIONS
