"""What an agent's `npx skills` is told: searches and skills, and of excluded ones nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import BenchdataError, InputError
from collectors.skill_eval.router import desk as desks
from collectors.skill_eval.router.desk import Desk, Source
from collectors.skill_eval.router.exclusion import Exclusion
from collectors.skill_eval.router.listing import LARGEST, PUBLIC, endpoint
from collectors.skill_eval.router.retrieval import FILE, MOST_CALLS, Retrieval
from tests.collectors.skill_eval.router.conftest import (
    BODY,
    EXCLUDED,
    OPEN,
    SECRET,
    events,
    record,
)
from tests.support import catalog_stand_in


@pytest.fixture
def retrieval(tmp_path: Path) -> Iterator[Retrieval]:
    with Retrieval(tmp_path / FILE) as opened:
        yield opened


@pytest.fixture
def desk(source: Source, exclusion: Exclusion, retrieval: Retrieval) -> Iterator[Desk]:
    with Desk(source, exclusion, retrieval) as served:
        yield served


def ask(desk: Desk, *words: str) -> dict[str, Any]:
    return posted(desk.address(desk.url), json.dumps({"words": words}).encode())


def posted(url: str, body: bytes) -> dict[str, Any]:
    with urllib.request.urlopen(url, data=body, timeout=60) as answer:
        told: dict[str, Any] = json.load(answer)
    return told


def found(desk: Desk, query: str) -> list[dict[str, Any]]:
    """Search as the `skills` program does that the desk starts."""
    url = f"{desk.url}{desk._inner}/api/search?q={query}&limit=10"
    with urllib.request.urlopen(url, timeout=60) as answer:
        told: list[dict[str, Any]] = json.load(answer)["skills"]
    return told


def test_a_skill_comes_with_its_files(desk: Desk, tmp_path: Path) -> None:
    answer = ask(desk, "add", f"acme/skills@{OPEN}", "-g", "-y")
    assert (answer["code"], answer["name"]) == (0, OPEN)
    files = {path: base64.b64decode(held).decode() for path, held in answer["files"].items()}
    assert BODY in files["SKILL.md"]
    assert files["references/more.md"] == f"MORE-OF-{OPEN}\n"
    (line,) = record(tmp_path)
    assert (line["event"], line["asked"]) == ("load", f"acme/skills@{OPEN}")
    assert line["characters"] == len(files["SKILL.md"])
    assert line["digest"] == hashlib.sha256(files["SKILL.md"].encode()).hexdigest()


def test_use_prints_the_text_as_well(desk: Desk) -> None:
    answer = ask(desk, "use", f"acme/skills@{OPEN}")
    assert answer["said"].startswith("---\nname: chart-kit\n")
    assert BODY in answer["said"]


@pytest.mark.parametrize(
    "words",
    [
        f"add acme/skills@{EXCLUDED} -g -y",
        "use acme/skills@Slide-Maker",
        "install another/copy@slide-maker",
        "a acme/skills --skill SLIDE_MAKER",
        "add https://skills.sh/acme/skills/slide-maker",
        "add https://github.com/acme/skills/tree/main/slide-maker",
        "add acme/skills@slide-maker@1.2.0",
        "add acme/skills#main@slide%2Dmaker",
        "add git@github.com:acme/slide-maker.git",
    ],
)
def test_an_excluded_skill_is_refused(desk: Desk, tmp_path: Path, words: str) -> None:
    answer = ask(desk, *words.split())
    assert answer == {"code": 1, "said": desks.REFUSED["excluded"]}
    (line,) = record(tmp_path)
    assert (line["event"], line["because"]) == ("refusal", "excluded")
    assert line["asked"] == words.partition(" ")[2]


def test_a_skill_that_only_turns_out_to_be_excluded_is_refused(desk: Desk, tmp_path: Path) -> None:
    hidden = tmp_path / "mirror" / "acme" / "skills" / "innocent"
    hidden.mkdir()
    text = f"---\nname: {EXCLUDED}\ndescription: x\n---\n{SECRET}\n"
    (hidden / "SKILL.md").write_text(text)
    assert ask(desk, "add", "acme/skills@innocent")["said"] == desks.REFUSED["excluded"]
    within = tmp_path / "mirror" / "acme" / "skills" / OPEN / "more" / "Slide_Maker"
    within.mkdir(parents=True)
    (within / "SKILL.md").write_text(text)
    assert ask(desk, "add", f"acme/skills@{OPEN}")["said"] == desks.REFUSED["excluded"]
    assert [line["because"] for line in record(tmp_path)] == ["excluded", "excluded"]


@pytest.mark.parametrize("words", ["acme/skills", "acme/skills --all", "./here", "", "a@b c@d"])
def test_what_names_no_one_skill_is_refused(desk: Desk, tmp_path: Path, words: str) -> None:
    assert ask(desk, "add", *words.split()) == {"code": 1, "said": desks.ASKED_HOW}
    assert record(tmp_path)[0]["because"] == "form"


def test_a_skill_that_is_not_there_tells_of_no_other(desk: Desk, tmp_path: Path) -> None:
    answer = ask(desk, "add", "acme/skills@missing")
    assert answer == {"code": 1, "said": "acme/skills@missing: no such skill can be fetched.\n"}
    (line,) = record(tmp_path)
    assert line["event"] == "failure"
    assert "holds no such skill" in line["because"]


def test_a_skill_is_bounded(desk: Desk, tmp_path: Path) -> None:
    place = tmp_path / "mirror" / "acme" / "skills" / OPEN
    (place / "large.bin").write_bytes(b"\0" * (desks.MOST_BYTES + 1))
    assert ask(desk, "add", f"acme/skills@{OPEN}")["said"] == desks.REFUSED["size"]
    (place / "large.bin").unlink()
    for number in range(desks.MOST_FILES):
        (place / f"{number}.txt").write_text("x")
    assert ask(desk, "add", f"acme/skills@{OPEN}")["said"] == desks.REFUSED["size"]
    assert [line["because"] for line in record(tmp_path)] == ["size", "size"]


def test_other_commands_are_not_carried_out(desk: Desk, tmp_path: Path) -> None:
    for words in (["init", "x"], ["update"], ["list"], ["experimental_sync"], []):
        assert ask(desk, *words) == {"code": 2, "said": desks.NOT_HERE}
    assert record(tmp_path) == []


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b'{"words": "find"}', b'{"words": [1]}', b'{"words": ["a\\u0000"]}'),
        json.dumps({"words": ["find", "x" * desks.LARGEST_REQUEST]}).encode(),
    ],
)
def test_what_is_no_request_changes_nothing(desk: Desk, tmp_path: Path, body: bytes) -> None:
    assert posted(desk.address(desk.url), body) == {"code": 2, "said": desks.NOT_HERE}
    assert record(tmp_path) == []


def test_other_addresses_are_not_there(desk: Desk, tmp_path: Path) -> None:
    for url in (f"{desk.url}/api/search?q=x", f"{desk.url}/", desk.address(desk.url)):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(url, timeout=60)
    assert record(tmp_path) == []


def test_calls_are_bounded(desk: Desk, retrieval: Retrieval, tmp_path: Path) -> None:
    for _ in range(MOST_CALLS):
        assert retrieval.admits()
    for _ in range(3):
        assert ask(desk, "add", f"acme/skills@{OPEN}")["said"] == desks.REFUSED["limit"]
    assert events(tmp_path) == [("refusal", "")]


def test_a_search_is_without_what_is_excluded(
    desk: Desk, catalog: catalog_stand_in.Catalog, tmp_path: Path
) -> None:
    assert [skill["name"] for skill in found(desk, "bar+charts")] == [OPEN]
    assert record(tmp_path) == [
        {
            "event": "search",
            "asked": "bar charts",
            "found": [f"acme/skills@{OPEN}"],
            "withheld": [f"acme/skills@{EXCLUDED}"],
        }
    ]
    assert catalog.queries == ["skills", "bar charts"]
    assert all(agent.startswith("benchdata/") for agent in catalog.agents)


@pytest.mark.parametrize(
    "skill",
    [
        {"id": "x/y/slide-maker", "name": "x"},
        {"id": "x", "name": "Slide Maker", "source": "x/y"},
        {"name": "SLIDE_MAKER", "source": "fork/skills"},
    ],
)
def test_a_listed_skill_is_known_by_any_of_its_names(
    desk: Desk, catalog: catalog_stand_in.Catalog, skill: dict[str, str]
) -> None:
    catalog.answer = json.dumps({"skills": [skill, {"name": OPEN}]}).encode()
    assert found(desk, "x") == [{"name": OPEN}]


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        (b"<html>", 200, "is no list of skills"),
        (b'{"skills": [{"id": 1}]}', 200, "is no list of skills"),
        (b"[]", 200, "is no list of skills"),
        (b"{}", 503, "answers with status 503"),
        (b" " * (LARGEST + 1), 200, "is too large"),
    ],
)
def test_a_catalog_that_fails_finds_nothing_and_is_written_down(
    desk: Desk,
    catalog: catalog_stand_in.Catalog,
    tmp_path: Path,
    answer: bytes,
    status: int,
    said: str,
) -> None:
    catalog.answer, catalog.status = answer, status
    assert found(desk, "x") == []
    (line,) = record(tmp_path)
    assert (line["event"], line["asked"]) == ("failure", "x")
    assert said in line["because"]


def test_without_a_catalog_it_does_not_begin(
    source: Source,
    catalog: catalog_stand_in.Catalog,
    exclusion: Exclusion,
    retrieval: Retrieval,
) -> None:
    catalog.status = 500
    desk = Desk(source, exclusion, retrieval)
    with (
        pytest.raises(BenchdataError, match=f"the catalog {catalog.url}: answers with status 500"),
        desk,
    ):
        pytest.fail("it began")
    assert not desk.socket.parent.exists()


def test_the_catalog_is_the_public_one_or_a_variables() -> None:
    assert endpoint({}) == PUBLIC
    assert endpoint({"SKILLS_API_URL": "http://127.0.0.1:9/"}) == "http://127.0.0.1:9"
    for url in ("skills.sh", "ftp://skills.sh", "https://", "https://a?b"):
        with pytest.raises(InputError, match="SKILLS_API_URL: must be such as"):
            endpoint({"SKILLS_API_URL": url})


@pytest.mark.agents
def test_the_real_program_shows_what_is_left(
    searching: Source,
    catalog: catalog_stand_in.Catalog,
    exclusion: Exclusion,
    retrieval: Retrieval,
    tmp_path: Path,
) -> None:
    with Desk(searching, exclusion, retrieval) as desk:
        shown = ask(desk, "find", "bar", "charts", "--owner", "acme")
        nothing = ask(desk, "search")
        catalog.status = 500
        failed = ask(desk, "f", "again")
    assert shown["code"] == 0
    assert f"acme/skills@{OPEN} 40 installs" in shown["said"]
    for answer in (shown, nothing, failed):
        assert "\x1b" not in answer["said"]
        assert EXCLUDED not in answer["said"]
    assert "Usage" in nothing["said"]
    assert 'No skills found for "again"' in failed["said"]
    assert events(tmp_path) == [("search", "bar charts"), ("failure", "again")]
