"""What lies beside the rows: the datasheet that explains them, the review that vouches for them."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchdata
from benchdata.dataset import Dataset, datasheets
from benchdata.dataset.datasheets import Datasheet, Review
from benchdata.errors import InputError
from tests.support.drawn import DEMO, drawn, write
from tests.support.jev_social import numbered_row

REVIEW = (
    "---\ndate: 2026-03-09\nreviewer: A. Reader\ndigest: {digest}\n---\n\nLooked at all of it.\n"
)


def dataset_in(folder: Path, numbers: list[int]) -> Dataset:
    return benchdata.open(write(folder / "rows.ndjson", [numbered_row(n) for n in numbers]))


def sheet_of(folder: Path, text: str) -> Datasheet:
    (folder / "datasheet.md").write_text(text, "utf-8")
    return datasheets.datasheet(folder)


def test_the_demo_set_explains_its_regions() -> None:
    (sheet,) = benchdata.open(DEMO).datasheets
    assert sheet.title == "Synthetic Jev Social runs"
    assert list(sheet.regions) == ["synthetic-lab", "synthetic-lab-far"]
    assert all(sheet.regions.values())


def test_a_folder_without_notes_has_an_empty_datasheet_and_no_review(tmp_path: Path) -> None:
    dataset = dataset_in(tmp_path, [1])
    assert dataset.datasheets == (Datasheet(),)
    assert dataset.review is None


@pytest.mark.parametrize(
    ("text", "title", "regions"),
    [
        ("---\ntitle: T\nregions:\n  lab: a room\n---\n# Prose\n", "T", {"lab": "a room"}),
        ("---\ntitle: T\n---\n", "T", {}),
        ("---\nregions: {a: b}\n---", "", {"a": "b"}),
        ("---\n---\n", "", {}),
        ("---\ntitle:\nregions:\n---\n", "", {}),
        ("\ufeff---\r\ntitle: T\r\n---\r\n", "T", {}),
        ("# No front matter\n\n---\ntitle: T\n---\n", "", {}),
        ("", "", {}),
        # nothing is taken for a number, a truth value or a date
        (
            "---\ntitle: 1.10\nregions:\n  no: off\n  1.10: 2026-01-01\n---\n",
            "1.10",
            {"no": "off", "1.10": "2026-01-01"},
        ),
    ],
)
def test_front_matter_is_read_as_text(
    tmp_path: Path, text: str, title: str, regions: dict[str, str]
) -> None:
    assert sheet_of(tmp_path, text) == Datasheet(title, regions)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("---\ntitle: T\n", "no YAML between two lines of ---"),
        ("---\n{\n---\n", "no YAML between two lines of ---"),
        ("---\na: b: c\n---\n", "no YAML between two lines of ---"),
        ("---\n!!python/object:os.system x\n---\n", "must be `name: value` lines"),
        ("---\njust text\n---\n", "must be `name: value` lines"),
        ("---\n- a\n---\n", "must be `name: value` lines"),
        ("---\ntitle: [a]\n---\n", "title must be one line of text"),
        ("---\nregions: lab\n---\n", "regions must map each label to its meaning"),
        ("---\nregions: [lab]\n---\n", "regions must map each label to its meaning"),
        ("---\nregions: {lab: }\n---\n", "regions must map each label to its meaning"),
        ("---\nregions: {lab: {a: b}}\n---\n", "regions must map each label to its meaning"),
        (f"---\ntitle: {'[' * 2000}\n---\n", "no YAML between two lines of ---"),
    ],
)
def test_a_malformed_datasheet_is_one_clear_error(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as raised:
        sheet_of(tmp_path, text)
    message = str(raised.value)
    assert words in message
    assert message.startswith(f"{tmp_path / 'datasheet.md'}: ")
    assert "\n" not in message


def test_a_datasheet_that_is_no_text_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "datasheet.md").write_bytes(b"---\ntitle: \xff\n---\n")
    with pytest.raises(InputError, match="no YAML"):
        datasheets.datasheet(tmp_path)


def test_a_review_of_exactly_these_rows_counts(tmp_path: Path) -> None:
    dataset = dataset_in(tmp_path, [1, 2])
    digest = dataset.digest
    (tmp_path / "review.md").write_text(REVIEW.format(digest=digest), "utf-8")
    assert dataset.review == Review("2026-03-09", "A. Reader", digest)


def test_a_review_of_other_rows_does_not_count(tmp_path: Path) -> None:
    dataset = dataset_in(tmp_path, [1, 2])
    (tmp_path / "review.md").write_text(REVIEW.format(digest="0" * 64), "utf-8")
    assert dataset.review is None
    (tmp_path / "review.md").write_text(REVIEW.format(digest=dataset.digest), "utf-8")
    assert dataset_in(tmp_path, [1, 2, 3]).review is None


def test_a_review_covers_all_the_files_of_its_folder_or_none(tmp_path: Path) -> None:
    rows = drawn([4])
    both = [write(tmp_path / f"{n}.ndjson", rows[n::2]) for n in range(2)]
    digest = benchdata.open(both).digest
    (tmp_path / "review.md").write_text(REVIEW.format(digest=digest), "utf-8")
    assert benchdata.open(tmp_path).review is not None
    assert benchdata.open(both[0]).review is None


def test_every_folder_needs_its_own_review_and_the_latest_is_given(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    parts = [dataset_in(folder, [number]) for number, folder in enumerate(folders)]
    for day, folder, part in zip("82", folders, parts, strict=True):
        assert benchdata.open(folders).review is None
        note = REVIEW.format(digest=part.digest).replace("03-09", f"03-0{day}")
        (folder / "review.md").write_text(note, "utf-8")
    review = benchdata.open(folders).review
    assert review is not None
    assert review.date == "2026-03-08"


def test_datasheets_come_from_every_folder(tmp_path: Path) -> None:
    for number, name in enumerate("ba"):
        dataset_in(tmp_path / name, [number])
        sheet_of(tmp_path / name, f"---\ntitle: {name}\n---\n")
    assert [sheet.title for sheet in benchdata.open(tmp_path).datasheets] == ["a", "b"]


def test_one_folder_by_two_names_is_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = drawn([4])
    both = [write(tmp_path / "a" / f"{n}.ndjson", rows[n::2]) for n in range(2)]
    note = REVIEW.format(digest=benchdata.open(both).digest)
    (tmp_path / "a" / "review.md").write_text(note, "utf-8")
    monkeypatch.chdir(tmp_path)
    dataset = benchdata.open([both[0], "a/../a/1.ndjson"])
    assert dataset.review is not None
    assert len(dataset.datasheets) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the front matter lacks date, reviewer, digest"),
        ("---\ndate: 2026-03-09\n---\n", "the front matter lacks reviewer, digest"),
        (REVIEW.format(digest=""), "the front matter lacks digest"),
        (REVIEW.format(digest="[a]"), "the front matter lacks digest"),
        (REVIEW.format(digest="0").replace("2026-03-09", "last week"), "the date must be written"),
        (REVIEW.format(digest="0").replace("2026-03-09", "2026-02-30"), "the date must be written"),
    ],
)
def test_a_malformed_review_is_one_clear_error(tmp_path: Path, text: str, words: str) -> None:
    dataset = dataset_in(tmp_path, [1])
    (tmp_path / "review.md").write_text(text, "utf-8")
    with pytest.raises(InputError) as raised:
        _ = dataset.review
    assert str(raised.value).startswith(f"{tmp_path / 'review.md'}: {words}")
