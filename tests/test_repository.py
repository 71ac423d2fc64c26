"""What must never be committed: registry addresses, paths of one machine, stray files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

TOP_LEVEL = {
    "LICENSE",
    "Makefile",
    "README.md",
    "benchdata",
    "collectors",
    "datasets",
    "docs",
    "notebooks",
    "pyproject.toml",
    "reports",
    "requirements.lock",
    "tests",
}

# These patterns are written so that they do not match their own text.
REGISTRY = re.compile(
    r"""
    --(?:extra-)?index-url | ^\s*(?:extra-)?index-url\s*=  # an installer's option or setting
    | registry\s*[=:]\s*["']?http | \[\[(?:tool\.uv\.)?index\]\]
    | "resolved":\s*"http                                 # npm's lock file
    | source\s*=\s*\{\s*(?:registry|url)                  # uv's lock file
    | python[h]osted\.org | pypi[.]org | registry\.[n]pmjs
    """,
    re.VERBOSE | re.MULTILINE,
)
MACHINE_PATH = re.compile(
    r"(?<![\w.:/])(?:/(?:home|Users)/[A-Za-z0-9_]|/(?:work|root)/|[A-Za-z]:\\Users\\\w)"
)


def matches(root: Path, files: tuple[Path, ...], pattern: re.Pattern[str]) -> list[str]:
    """Give `FILE:LINE: text` of each match in the text files."""
    found = []
    for path in files:
        content = (root / path).read_bytes()
        if b"\0" in content:
            continue
        text = content.decode("utf-8", "replace")
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{path}:{line}: {match.group()}")
    return found


def test_no_file_names_a_registry(root: Path, project_files: tuple[Path, ...]) -> None:
    assert matches(root, project_files, REGISTRY) == []


def test_no_file_holds_a_path_of_one_machine(root: Path, project_files: tuple[Path, ...]) -> None:
    assert matches(root, project_files, MACHINE_PATH) == []


def test_the_pins_are_hashed_and_hold_no_address(root: Path) -> None:
    pins = (root / "requirements.lock").read_text("utf-8")
    names = re.findall(r"^[\w.-]+(?:\[.*\])?==", pins, re.MULTILINE)
    entries = re.findall(r"^[^\s#].*\\\n {4}--hash=sha256:", pins, re.MULTILINE)
    assert len(names) == len(entries) > 0
    assert "://" not in pins


def test_the_pins_meet_every_requirement_of_the_project(root: Path) -> None:
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    texts = [
        *settings["build-system"]["requires"],
        *settings["project"]["dependencies"],
        *settings["project"]["optional-dependencies"]["render"],
        *settings["dependency-groups"]["dev"],
    ]
    wanted = [Requirement(text) for text in texts]
    pins = (root / "requirements.lock").read_text("utf-8")
    pinned = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", pins, re.MULTILINE))
    unmet = [str(need) for need in wanted if pinned.get(need.name, "0") not in need.specifier]
    assert not unmet, f"run `make pins` for {unmet}"


def test_no_lock_file_that_records_a_registry(project_files: tuple[Path, ...]) -> None:
    assert not {path.name for path in project_files} & {"uv.lock", "pylock.toml", "poetry.lock"}


def test_the_top_level_holds_only_what_belongs_there(project_files: tuple[Path, ...]) -> None:
    top = {path.parts[0] for path in project_files}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (REGISTRY, "pip install --extra-" + "index-url=https://mirror.example/simple polars"),
        (REGISTRY, "[global]\nindex" + "-url = https://mirror.example/simple"),
        (REGISTRY, "source = { reg" + 'istry = "https://mirror.example" }'),
        (REGISTRY, '"resolved"' + ': "https://mirror.example/left-pad.tgz"'),
        (REGISTRY, "reg" + "istry=https://mirror.example"),
        (MACHINE_PATH, "open('/home" + "/ada/rows.jsonl')"),
        (MACHINE_PATH, "cwd: /Users" + "/ada"),
        (MACHINE_PATH, "/root" + "/.cache/rows"),
        (MACHINE_PATH, "C:\\" + "Users\\ada"),
    ],
)
def test_a_fault_is_found_with_its_line(
    tmp_path: Path, pattern: re.Pattern[str], text: str
) -> None:
    (tmp_path / "file.txt").write_text(f"\n{text}\n", "utf-8")
    assert matches(tmp_path, (Path("file.txt"),), pattern) != []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (REGISTRY, "uv pip compile --no-emit-index-url"),
        (REGISTRY, "registry = {}\nindex = 3"),
        (MACHINE_PATH, "https://example.org/home/page and docs/home/page"),
        (MACHINE_PATH, "re.compile(r'/(?:home|Users)/')"),
    ],
)
def test_harmless_text_is_left_alone(tmp_path: Path, pattern: re.Pattern[str], text: str) -> None:
    (tmp_path / "file.txt").write_text(text, "utf-8")
    assert matches(tmp_path, (Path("file.txt"),), pattern) == []
