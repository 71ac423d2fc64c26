"""Goals: what is searched for, which pages are named, and whether media is to be saved."""

from __future__ import annotations

import pytest

from collectors.jev_social.goals import pages_named, search_text, wants_media


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        ("Find kiln repair on TikTok", "kiln repair"),
        ("Please search for kiln repair in Instagram.", "kiln repair"),
        ("Can you look up \u201ckiln repair\u201d on LinkedIn please?", "kiln repair"),
        ("research 'kiln repair' from tiktok, then open the best one", "kiln repair"),
        ("Search TikTok for kiln repair", "kiln repair"),
        ("Search TikTok for kiln repair, please!", "kiln repair"),
        ("Search TikTok for kiln repair and download one video.", "kiln repair"),
        ("Search Instagram for kilns, read the comments and report", "kilns"),
        ("TikTok for kiln repair; open two", "kiln repair"),
        ("On TikTok find kiln repair", "kiln repair"),
        ("Find kilns and glazes on TikTok", "kilns and glazes"),
        ("\u5728TikTok\u4e0a\u641c\u7d22\u7a91\u7089\u7ef4\u4fee", "\u7a91\u7089\u7ef4\u4fee"),
        (
            "\u8bf7\u641c\u7d22 Instagram \u4e0a\u7684\u7a91\u7089\uff0c\u5e76\u6253\u5f00",
            "\u7a91\u7089",
        ),
        ("  Which kilns last?  ", "Which kilns last?"),
        ("Find kilns on Facebook", "Find kilns on Facebook"),
    ],
)
def test_the_topic_of_a_goal_is_searched_for(goal: str, text: str) -> None:
    assert search_text(goal) == text


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [
        ("download one video", True),
        ("Save the best clips", True),
        ("pick a video and archive it", True),
        ("record the video", True),
        ("make a local copy of the video", True),
        ("keep an offline copy of this clip", True),
        ("\u4e0b\u8f7d\u4e00\u4e2a\u89c6\u9891", True),
        ("\u628a\u89c6\u9891\u4fdd\u5b58", True),
        ("save links and download the video", True),
        ("download the comments of the video", False),
        ("save the video links", True),
        ("save captions of each video", False),
        ("archive the metadata of that file", False),
        ("read the video's comments", False),
        ("record sales of videos", False),
        ("download " + "x " * 30 + "video", False),
        ("\u4e0b\u8f7d\u8bc4\u8bba\u548c\u89c6\u9891", False),
        ("downloadable videos", False),
    ],
)
def test_a_goal_asks_for_media_or_not(goal: str, wanted: bool) -> None:
    assert wants_media(goal) is wanted


def test_the_pages_that_a_goal_names_are_found() -> None:
    goal = "open https://www.tiktok.com/@a/video/1, then (https://www.tiktok.com/@b) http://x.y"
    assert pages_named(goal) == ["https://www.tiktok.com/@a/video/1", "https://www.tiktok.com/@b"]


@pytest.mark.parametrize("goal", ["find " * 102, "a" * 512, "save " * 102, " on tiktok" * 51])
def test_no_goal_takes_long(goal: str) -> None:
    assert search_text(goal)
    assert not wants_media(goal)
