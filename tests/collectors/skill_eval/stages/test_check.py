"""`check`: what the judge is shown, what it must hold, and what its folder says of that."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.judgment import DIMENSIONS
from collectors.harness import trees
from tests.support import chat_api
from tests.support.command import Done, refused
from tests.support.judge_stand_in import Judge, judging
from tests.support.open_tasks import (
    JUDGED_BY,
    NAMES,
    NOBODY,
    commanded,
    judgments,
    laid_out,
    marks,
    runs,
    staged,
    suite,
    task,
)

PAGE = """<!doctype html>
<html lang="en"><head><title>Tools</title>
<style>body {{ font: 22px/1.5 sans-serif; color: #14304a; background: #fbf9f4; margin: 48px }}
h1 {{ font-size: 56px; margin: 0 0 24px }} p {{ max-width: 30em }}
.shelf {{ background: #e8a33d; height: 90px; width: 420px }}</style></head>
<body><h1>Borrow a tool</h1>{body}<div class="shelf"></div></body></html>
"""
WEB = {"kind": "page-tile", "entry": "index.html"}


def checked(folder: Path, url: str, *attempts: str, yes: bool = True) -> Done:
    """Check a judge with some attempts on the tasks of a suite."""
    given = [part for attempt in attempts for part in ("--attempt", attempt)]
    given += [*JUDGED_BY, *(["--yes"] if yes else [])]
    flags = ("--suite", folder / "suite", "--out", folder / "check")
    return commanded("check", *flags, *given, judge=url)


def report(folder: Path) -> Any:
    """Return what the check's file says."""
    return json.loads((folder / "check" / "instrument-check.json").read_text())


def held(folder: Path) -> dict[str, bool]:
    """Return which conditions hold, by their kind."""
    return {one["kind"]: one["passed"] for one in report(folder)["conditions"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A suite with a task whose artefacts are pages, and one such page."""
    suite(tmp_path / "suite", ["picture"])
    task(tmp_path / "suite", "page", render=WEB)
    page = tmp_path / "page"
    page.mkdir()
    text = "The library lends two hundred tools to all who live in the street. " * 3
    (page / "index.html").write_text(PAGE.format(body=f"<p>{text}</p>" * 2))
    return tmp_path


@pytest.fixture(scope="module")
def looking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """A judge that looks."""
    with judging("chat", tmp_path_factory.mktemp("judge")) as judge:
        yield judge


@pytest.mark.slow
@pytest.mark.browser
def test_a_judge_that_looks_passes(folder: Path, looking: Judge) -> None:
    done = checked(folder, looking.url, f"page={folder / 'page'}")
    assert done.code == 0, done.out + done.err
    assert done.out == (
        "repeat: holds\nblank: holds\nstripped: holds\nThe check passes: n = 1 attempt.\n"
    )
    rows = judgments(folder / "check")
    assert Counter(row["kind"] for row in rows) == {
        "pointwise": 1,
        "repeat": 1,
        "stripped": 1,
        "blank": 2,
    }
    assert {row["check_id"] for row in rows} == {report(folder)["check_id"]}
    assert {row["stage"] for row in rows} == {"check"}
    by_kind = {row["kind"]: row for row in rows}
    original = by_kind["pointwise"]
    assert by_kind["repeat"]["artefact_digest"] == original["artefact_digest"]
    assert original["artefact_digest"] == trees.digest(folder / "page")
    assert by_kind["stripped"]["quality"] < original["quality"]
    assert [row["quality"] for row in rows if row["kind"] == "blank"] == [0, 0]
    names = ("judge_model", "prompt_version", "render_version")
    assert {tuple(row[name] for name in names) for row in rows} == {
        tuple(report(folder)[name] for name in names)
    }
    assert report(folder)["passed"] is True


BLIND: Mapping[str, Any] = {"side": marks(2)}
"""A judge that gives everything the same marks."""


@pytest.mark.slow
@pytest.mark.browser
def test_a_judge_that_does_not_look_fails(folder: Path) -> None:
    with chat_api.serving(BLIND) as server:
        done = checked(folder, server.url, f"page={folder / 'page'}")
    assert done.code == 3
    assert held(folder) == {"repeat": True, "blank": False, "stripped": False}
    assert report(folder)["passed"] is False
    assert "blank: 2 blank rows not scored 0" in done.out
    assert "stripped: 1 stripped row not scored below the artefact" in done.out
    assert done.out.endswith("\nThe check does not pass: n = 1 attempt.\n")


def test_without_a_page_nothing_passes(tmp_path: Path) -> None:
    laid_out(tmp_path, names=["one"])
    given = tmp_path / "left"
    trees.copy(tmp_path / "suite" / "one" / "input", given)
    (given / "good.png").rename(given / "page.png")
    with chat_api.serving(BLIND) as server:
        done = checked(tmp_path, server.url, f"one={given}")
    assert done.code == 3
    assert held(tmp_path) == {"repeat": True, "blank": False, "stripped": False}
    assert "stripped: no stripped row" in done.out


def test_copies_that_are_scored_apart_are_seen(tmp_path: Path) -> None:
    attempts = of_a_stage(tmp_path)
    with chat_api.serving({"side": marks(2)}) as server:
        assert checked(tmp_path, server.url, *attempts).code == 3
    assert held(tmp_path)["repeat"] is True
    rows = judgments(tmp_path / "check")
    file = tmp_path / "check" / "judgments.ndjson"
    other = {**dict.fromkeys(DIMENSIONS, 1), "quality": 1.0}
    changed = [{**row, **(other if row["kind"] == "repeat" else {})} for row in rows]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in changed))
    assert checked(tmp_path, server.url, *attempts).code == 3
    assert held(tmp_path)["repeat"] is False
    (condition,) = (one for one in report(tmp_path)["conditions"] if one["kind"] == "repeat")
    assert {(one["quality"], one["original"]) for one in condition["values"]} == {(1.0, 2.0)}


def of_a_stage(folder: Path) -> list[str]:
    """Make a screen and return one of its attempts."""
    out = staged(folder)
    row = runs(out)[0]
    return [f"{row['task_id']}={out / '.runs' / row['run_id']}"]


def test_an_attempt_of_a_stage_keeps_its_run(tmp_path: Path) -> None:
    attempts = of_a_stage(tmp_path)
    with chat_api.serving(BLIND) as server:
        checked(tmp_path, server.url, *attempts)
    assert {row["run_id"] for row in judgments(tmp_path / "check")} == {
        Path(attempts[0].partition("=")[2]).name
    }


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    attempts = of_a_stage(tmp_path)
    with chat_api.serving({"side": {"status": 500}}) as server:
        done = checked(tmp_path, server.url, *attempts)
    assert done.code == 2
    assert "3 verdicts still due; run the same command again to go on" in done.err
    assert not (tmp_path / "check" / "instrument-check.json").exists()
    with chat_api.serving(BLIND) as server:
        assert checked(tmp_path, server.url, *attempts).code == 3
        assert checked(tmp_path, server.url, *attempts).code == 3
    assert len(server.asked) == 3
    rows = judgments(tmp_path / "check")
    assert Counter((row["attempt"], row["outcome"]) for row in rows) == {
        (1, "error"): 3,
        (2, "judged"): 3,
    }
    assert len({row["check_id"] for row in rows}) == 1


def test_a_task_that_was_never_judged_is_named(tmp_path: Path) -> None:
    attempts = of_a_stage(tmp_path)
    task_id, _, run = attempts[0].partition("=")
    with chat_api.serving({"side": {"text": "Nice."}}) as server:
        done = checked(tmp_path, server.url, *attempts)
    assert f"repeat: 1 repeat artefact never judged (of {task_id})" in done.out
    assert f"{task_id}, pointwise: never judged: {run}/artefact\n" in done.err


def test_what_was_left_on_another_task_is_refused(tmp_path: Path) -> None:
    (attempt,) = of_a_stage(tmp_path)
    own, _, run = attempt.partition("=")
    other = next(name for name in NAMES if name != own)
    for place in (run, f"{run}/artefact"):
        said = refused(checked(tmp_path, NOBODY, f"{other}={place}"))
        assert (
            f"{place}: is a run on the task {own}, and not on {other}; give {own}={place}" in said
        )


def test_what_lacks_the_file_that_is_shown_is_refused_before_a_call(tmp_path: Path) -> None:
    attempts = of_a_stage(tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    with chat_api.serving(BLIND) as server:
        said = refused(checked(tmp_path, server.url, *attempts, f"two={empty}"))
        assert server.asked == []
    assert f"attempt: task two: {empty}: the artefact holds no file `page.png`" in said
    assert not (tmp_path / "check").exists()


def test_a_check_is_gone_on_with_by_the_attempts_that_it_was_begun_with(tmp_path: Path) -> None:
    out = staged(tmp_path)
    one, two = (f"{row['task_id']}={out / '.runs' / row['run_id']}" for row in runs(out)[:2])
    with chat_api.serving(BLIND) as server:
        assert checked(tmp_path, server.url, one).code == 3
        said = refused(checked(tmp_path, server.url, one, two))
        assert f"attempt: {two}/artefact: is none of those that the check in" in said
        trees.remove(tmp_path / "check")
        assert checked(tmp_path, server.url, one, two).code == 3
        said = refused(checked(tmp_path, server.url, one))
    assert f"was begun with the run {Path(two).name} on task {two.partition('=')[0]} too" in said


@pytest.mark.parametrize(
    ("attempt", "words"),
    [
        ("one", "one: is no TASK_ID=DIR of this suite"),
        ("on=.", "on: is no TASK_ID=DIR of this suite; did you mean `one`?"),
        ("one=nowhere", "nowhere: is no folder of a run"),
    ],
)
def test_what_is_no_attempt_is_refused(tmp_path: Path, attempt: str, words: str) -> None:
    laid_out(tmp_path, names=["one"])
    assert words in refused(checked(tmp_path, "http://127.0.0.1:9", attempt))


def test_an_attempt_is_given_once(tmp_path: Path) -> None:
    attempts = of_a_stage(tmp_path) * 2
    said = refused(checked(tmp_path, "http://127.0.0.1:9", *attempts))
    assert "is given twice; give each once" in said


def test_its_folder_is_no_part_of_what_it_judges(tmp_path: Path) -> None:
    (attempt,) = of_a_stage(tmp_path)
    out = Path(attempt.partition("=")[2], "artefact", "check")
    flags = ("--suite", tmp_path / "suite", "--attempt", attempt, "--out", out, *JUDGED_BY)
    assert "which is read; give another folder" in refused(commanded("check", *flags, "--yes"))
    assert not out.exists()


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    attempts = of_a_stage(tmp_path)
    (tmp_path / "check").mkdir()
    (tmp_path / "check" / "notes.txt").touch()
    assert "holds files and no check" in refused(checked(tmp_path, "http://127.0.0.1:9", *attempts))


def test_the_folder_of_another_instrument_is_refused(tmp_path: Path) -> None:
    attempts = of_a_stage(tmp_path)
    with chat_api.serving(BLIND) as server:
        assert checked(tmp_path, server.url, *attempts).code == 3
        file = tmp_path / "check" / "judgments.ndjson"
        file.write_text(file.read_text().replace("stand-in-1", "stand-in-2"))
        said = refused(checked(tmp_path, server.url, *attempts))
    assert "holds judgments of something else than this check; give a new folder" in said


def test_nothing_is_asked_without_a_yes(tmp_path: Path) -> None:
    attempts = of_a_stage(tmp_path)
    with chat_api.serving(BLIND) as server:
        done = checked(tmp_path, server.url, *attempts, yes=False)
        assert "--yes: is needed where nobody can be asked" in done.err
        assert "3 calls, one at a time" in done.err
        assert server.asked == []
        assert checked(tmp_path, server.url, *attempts).code == 3
