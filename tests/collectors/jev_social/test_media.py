"""Media: distinct, real files of the known kinds below the roots of socai's runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from collectors.jev_social.media import SUFFIXES, Media, found, roots_of


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    (tmp_path / "runs" / "site_media").mkdir(parents=True)
    return tmp_path / "runs"


def file(path: Path, content: bytes = b"made up") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return str(path)


def counted(runs: Path, *items: Any) -> Media:
    return found(items, [runs], most=10)


def test_files_are_counted_with_their_sizes(runs: Path) -> None:
    first = file(runs / "site_media" / "a.mp4", b"12345")
    second = file(runs / "b.webm", b"123")
    assert counted(runs, {"local_path": first}, {"local_path": second}) == (2, 8)


@pytest.mark.parametrize(
    ("item", "count"),
    [
        ({"local_path": "{}"}, 1),
        ({"LOCAL_PATH": "{}"}, 1),
        ({"video_local_path": "{}"}, 1),
        ({"Video_Local_Path": "{}"}, 1),
        ({"video": [{"x": {"local_path": "{}"}}]}, 1),
        ({"poster_local_path": "{}"}, 0),
        ({"Poster_Local_Path": "{}"}, 0),
        ({"video": {"big_poster_local_path": "{}"}}, 0),
        ({"path": "{}"}, 0),
        ({"local_path_of": "{}"}, 0),
        ({"mylocal_path": "{}"}, 0),
        ({"local_path": ["{}"]}, 0),
    ],
)
def test_only_the_keys_of_local_paths_name_files(
    runs: Path, item: dict[str, Any], count: int
) -> None:
    name = file(runs / "a.mp4")

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: filled(child) for key, child in value.items()}
        return [filled(child) for child in value] if isinstance(value, list) else name

    assert counted(runs, filled(item)).files == count


def test_a_video_with_its_poster_is_one_file(runs: Path) -> None:
    video = {"local_path": file(runs / "a.mp4"), "poster_local_path": file(runs / "a.jpg")}
    assert counted(runs, {"video": video}).files == 1


@pytest.mark.parametrize("suffix", [*sorted(SUFFIXES), ".MP4"])
def test_the_known_kinds_count(runs: Path, suffix: str) -> None:
    assert counted(runs, {"local_path": file(runs / f"a{suffix}")}).files == 1


@pytest.mark.parametrize("name", ["a.txt", "a", "a.mp4.part", ".mp4", "a.json"])
def test_no_other_kind_counts(runs: Path, name: str) -> None:
    assert counted(runs, {"local_path": file(runs / name)}) == (0, 0)


def test_what_is_no_regular_file_with_something_in_it_is_left_out(runs: Path) -> None:
    os.mkfifo(runs / "pipe.mp4")
    (runs / "folder.mp4").mkdir()
    names = [
        *(str(runs / "pipe.mp4"), str(runs / "folder.mp4"), file(runs / "empty.mp4", b"")),
        *(str(runs / "missing.mp4"), "", "\0", "a" * 5000, "\ud800.mp4"),
    ]
    assert counted(runs, *({"local_path": name} for name in names)) == (0, 0)


def test_a_file_counts_once_under_all_its_names(runs: Path) -> None:
    name = file(runs / "a.mp4")
    os.link(name, runs / "hard.mp4")
    (runs / "soft.mp4").symlink_to(name)
    names = [name, str(runs / "hard.mp4"), str(runs / "soft.mp4"), f"{runs}/../runs/a.mp4"]
    assert counted(runs, *({"local_path": each} for each in names)) == (1, 7)


def test_only_what_is_really_below_a_root_counts(runs: Path, tmp_path: Path) -> None:
    outside = file(tmp_path / "runs-other" / "a.mp4")
    (runs / "out.mp4").symlink_to(outside)
    names = [outside, str(runs / "out.mp4"), f"{runs}/../runs-other/a.mp4"]
    assert counted(runs, *({"local_path": each} for each in names)) == (0, 0)
    assert found([{"local_path": outside}], [], most=1) == (0, 0)
    (tmp_path / "link").symlink_to(runs)
    inside = file(runs / "a.mp4")
    roots = roots_of({"SOCAI_RUNS_DIR": str(tmp_path / "link"), "HOME": str(tmp_path)}, None)
    assert found([{"local_path": inside}], roots, most=1).files == 1


def test_more_files_than_records_have_no_place_in_a_row(runs: Path) -> None:
    items = [{"local_path": file(runs / f"{number}.mp4")} for number in range(2)]
    assert found(items, [runs], most=2).files == 2
    with pytest.raises(ValueError, match="more files than records"):
        found(items, [runs], most=1)


def test_the_roots_are_those_of_socai(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("dir", "socai/runs", "home/.socai/runs", "set")}
    variables = {
        "SOCAI_RUNS_DIR": str(tmp_path / "dir"),
        "SOCAI_HOME": str(tmp_path / "socai"),
        "HOME": str(tmp_path / "home"),
    }
    assert roots_of(variables, folders["set"]) == []
    for folder in folders.values():
        folder.mkdir(parents=True)
    assert roots_of(variables, folders["set"]) == [path.resolve() for path in folders.values()]
    assert roots_of({"HOME": str(tmp_path / "home")}, None) == [folders["home/.socai/runs"]]
