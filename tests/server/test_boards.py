"""The board as data and as a page: what it says, who may read it, how often it is made."""

from __future__ import annotations

import asyncio
import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path

from benchdata.server.boards import SHORTEST_S, Publisher, publish
from benchdata.server.standings import Context, Latest, Tally
from tests.support.serving import Serving
from tests.support.shared_result import numbered_row

SKILL = "acme/skills@invoice-reader"
MARKUP = '<script>alert("x")</script><img src=x>'


class Page(HTMLParser):
    """The tags of a page with their attributes, and its visible text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_server_gives_the_board_as_data_and_as_a_page(tmp_path: Path) -> None:
    with Serving(tmp_path / "data") as server:
        empty = server.ask("GET", "/")
        assert "No results yet." in empty.body.decode()
        for number in range(3):
            server.post(numbered_row(number))
        server.post(numbered_row(3, internal=True))
        time.sleep(SHORTEST_S)  # until then the empty one may be given
        answer = server.ask("GET", "/api/leaderboard.json")
        page = server.ask("GET", "/")
        assert server.ask("HEAD", "/").body == b""

    assert answer.headers["content-type"] == "application/json"
    found = json.loads(answer.body)
    assert found["results"] == 4
    assert [board["internal"] for board in found["boards"]] == [False, True]
    skill, local = found["boards"][0]["skills"]
    assert skill == {
        "skill": SKILL,
        "ranked": True,
        "installations": 3,
        "runs": 90,
        "mean": 0.75,
        "interval": {"cannotTell": "all values are equal, so their spread is not known"},
    }
    assert (local["ranked"], local["installations"]) == (False, 3)

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["x-content-type-options"] == "nosniff"
    text = Page(page.body.decode()).text
    assert "4 results accepted." in text
    assert "invoice-extraction: claude, acme/worker-2.1-20260105, internal" in text
    assert re.search(r"INTERNAL\s", text)


def test_nobody_can_be_told_from_the_board() -> None:
    tally = Tally()
    row = numbered_row(7, key_id="8fab5e96-4a81-4c2e-9b6b-9d5a2e1cae45")
    tally.add(row)
    for form in publish(1, tally.latests()):
        assert row["install_id"] not in form.decode()
        assert row["key_id"] not in form.decode()


def test_no_text_of_a_row_is_markup_on_the_page() -> None:
    # no row can hold it: the contract takes no such text
    context = Context(MARKUP, MARKUP, MARKUP, internal=False)
    made = publish(1, {context: {MARKUP: [Latest(0.5, 1)]}})
    page = Page(made.page.decode())
    names = [tag for tag, _ in page.tags]
    assert "img" not in names
    assert [attrs for tag, attrs in page.tags if tag == "script"] == [
        {"type": "application/json", "id": "dark-theme"}
    ]
    assert page.text.count('alert("x")') == 4
    assert json.loads(made.json)["boards"][0]["category"] == MARKUP


def test_the_page_asks_for_nothing_and_is_a_table_to_every_reader() -> None:
    tally = Tally()
    tally.add(numbered_row(1))
    page = Page(publish(1, tally.latests()).page.decode())
    attributes = [(tag, name) for tag, attrs in page.tags for name in attrs]
    assert not [pair for pair in attributes if pair[1] in {"src", "srcset", "action"}]
    links = [attrs.get("href") for tag, attrs in page.tags if tag in {"a", "link"}]
    assert links == ["data:,", "#content"]
    policy = next(
        attrs["content"] for _, attrs in page.tags if "Policy" in (attrs.get("http-equiv") or "")
    )
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "script-src 'none'" in policy
    assert [attrs["scope"] for tag, attrs in page.tags if tag == "th"] == ["col"] * 5
    assert [attrs["aria-label"] for tag, attrs in page.tags if tag == "table"] == [
        "invoice-extraction: claude, acme/worker-2.1-20260105"
    ]
    assert ("meta", {"name": "color-scheme", "content": "light dark"}) in page.tags


def test_the_board_is_made_at_most_once_a_second_and_only_when_rows_came() -> None:
    async def scene() -> None:
        now, tally = [100.0], Tally()
        publisher = Publisher(tally, lambda: now[0])
        first, same = await asyncio.gather(publisher.published(), publisher.published())
        assert same is first
        tally.add(numbered_row(1))
        assert await publisher.published() is first
        now[0] += 1
        second = await publisher.published()
        assert json.loads(second.json)["results"] == 1
        now[0] += 100
        assert await publisher.published() is second

    asyncio.run(scene())
