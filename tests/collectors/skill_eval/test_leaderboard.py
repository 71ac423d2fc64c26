"""`--leaderboard FILE`: each result once, the newer one, by several processes at once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError
from benchdata.leaderboards.boards import leaderboards
from benchdata.reports.leaderboard_data import board_data
from collectors.skill_eval.leaderboard import merge
from tests.support.armed import skills
from tests.support.drawn import write

ARMS = {"none": 0.2, "acme/skills@reader": 0.5, "local:mine": 0.7}
PROGRAM = """
import sys
from pathlib import Path
import benchdata
from collectors.skill_eval.leaderboard import merge
datasets = [benchdata.open(path) for path in sys.argv[2:]]
print("ready", flush=True)
sys.stdin.read()
for rows in datasets:
    merge(Path(sys.argv[1]), rows)
"""


def opened(folder: Path, name: str = "rows", **fields: Any) -> Dataset:
    return benchdata.open(write(folder / f"{name}.ndjson", skills(ARMS, **fields)))


def read(file: Path) -> list[dict[str, Any]]:
    found = json.loads(file.read_bytes())
    assert (found["format"], found["version"]) == ("benchdata-leaderboard", 1)
    return list(found["benchmarks"])


def test_the_content_is_what_summarize_says_of_the_arms(tmp_path: Path) -> None:
    rows, file = opened(tmp_path), tmp_path / "deep" / "board.json"
    merge(file, rows)
    (found,) = read(file)
    said = board_data(leaderboards(rows)[0])
    assert found["key"] == {
        name: said["fields"][name]
        for name in ("category", "stage", "spec_digest", "agent", "model", "endpoint")
    }
    assert found["latestRun"] == "2026-03-02T00:23:00.000Z"
    result = found["result"]
    assert (result["baseline"], result["pipelineProof"]) == ("none", False)
    assert result["firstLines"] == said["firstLines"]
    assert [entry["arm"] for entry in result["entries"]] == [
        *("local:mine", "acme/skills@reader", "none")
    ]
    for entry, whole in zip(result["entries"], said["entries"], strict=True):
        for name in ("bestRank", "worstRank", "mean", "interval", "descriptiveInterval", "runs"):
            assert entry[name] == whole[name]
        assert {"tokens", "cost", "agent_time"} <= entry["otherMetrics"].keys()
        assert entry["descriptiveInterval"]["method"] == "percentile bootstrap"
        if entry["arm"] == "none":
            assert entry["lift"] is None
        else:
            assert entry["lift"].items() <= whole["lift"].items()
            # 8 tasks, all better: 2 of the 256 ways to draw their signs are as extreme
            assert (entry["lift"]["exactP"], entry["lift"]["verdict"]) == ("1/128", "better")


def test_the_same_result_twice_changes_nothing(tmp_path: Path) -> None:
    rows, file = opened(tmp_path), tmp_path / "board.json"
    merge(file, rows)
    before = file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino
    merge(file, rows)
    assert (file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.json", "rows.ndjson"]


@pytest.mark.slow
def test_a_newer_result_takes_the_place_of_an_older_one_in_any_order(tmp_path: Path) -> None:
    old = opened(tmp_path, "old")
    new = opened(tmp_path, "new", first=100, harness_version="0.2.0")
    other = opened(tmp_path, "other", model="acme/other-1")
    for number, order in enumerate(((old, new, other), (other, new, old))):
        for rows in order:
            merge(tmp_path / f"{number}.json", rows)
    first, second = (tmp_path / f"{number}.json" for number in range(2))
    assert first.read_bytes() == second.read_bytes()
    found = {each["key"]["model"]: each for each in read(first)}
    assert len(found) == 2
    versions = found["acme/worker-2.1-20260105"]["result"]["versions"]
    assert versions["harness_version"] == "0.2.0"


@pytest.mark.slow
def test_processes_that_merge_at_once_lose_nothing(tmp_path: Path) -> None:
    each, processes = 3, 4
    names = [f"acme/model-{number}" for number in range(each * processes)]
    files = [
        write(tmp_path / f"{number}.ndjson", skills(ARMS, tasks=3, model=name))
        for number, name in enumerate(names)
    ]
    board = tmp_path / "board.json"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, board, *files[number::processes]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for number in range(processes)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.close()
    for process in started:
        with process:
            assert process.wait(120) == 0
    assert sorted(each["key"]["model"] for each in read(board)) == sorted(names)


@pytest.mark.parametrize(
    "text",
    [
        "mine",
        "[]",
        "{}",
        '{"format": "benchdata-leaderboard", "version": 2, "benchmarks": []}',
        '{"format": "benchdata-leaderboard", "version": 1, "benchmarks": [{}]}',
        '{"format": "benchdata-leaderboard", "version": 1, "benchmarks": [], "mine": 1}',
    ],
)
def test_a_file_that_is_no_leaderboard_is_refused_and_untouched(tmp_path: Path, text: str) -> None:
    file = tmp_path / "board.json"
    file.write_text(text)
    before = file.stat().st_mtime_ns
    with pytest.raises(BenchdataError, match=r"^board\.json: "):
        merge(file, opened(tmp_path))
    assert (file.read_text(), file.stat().st_mtime_ns) == (text, before)


def test_what_a_link_points_to_is_merged_into(tmp_path: Path) -> None:
    file, link = tmp_path / "board.json", tmp_path / "link.json"
    link.symlink_to(file.name)
    merge(link, opened(tmp_path))
    assert link.is_symlink()
    assert len(read(file)) == 1


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BenchdataError, match="Is a directory"):
        merge(tmp_path, opened(tmp_path))
