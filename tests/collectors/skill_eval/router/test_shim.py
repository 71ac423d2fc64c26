"""The agent's `npx`: what it takes to the desk, and that all else is the machine's own npx."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from collectors.skill_eval.router.shim import words_of
from collectors.skill_eval.router.ways import NPX, SHIM


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("skills find x", ["find", "x"]),
        ("-y skills find -y", ["find", "-y"]),
        ("--yes skills@latest add a/b@c", ["add", "a/b@c"]),
        ("SKILLS@1.5.18 use a/b@c", ["use", "a/b@c"]),
        ("-p skills skills find x", ["find", "x"]),
        ("--package=skills skills", []),
        ("add-skill a/b", ["a/b"]),
        ("-- skills find", ["find"]),
        ("prettier --check skills", None),
        ("--version", None),
        ("", None),
    ],
)
def test_what_is_asked_of_skills(given: str, words: list[str] | None) -> None:
    assert words_of(given.split()) == words


def npx(folder: Path, *arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run the shim as an agent would, without a desk."""
    own = folder / "bin"
    own.mkdir()
    (own / "npx").write_text(NPX.format(sys.executable, SHIM))
    (own / "npx").chmod(0o755)
    environment = {"PATH": f"{own}{os.pathsep}{path}", "SKILLS_DESK": "http://127.0.0.1:9/x"}
    return subprocess.run(
        [own / "npx", *arguments], env=environment, capture_output=True, text=True, check=False
    )


def test_other_programs_are_run_by_the_machines_npx(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "npx").write_text('#!/bin/sh\necho "real: $*"; exit 7\n')
    (real / "npx").chmod(0o755)
    done = npx(tmp_path, "prettier", "--check", "a b", path=str(real))
    assert (done.returncode, done.stdout) == (7, "real: prettier --check a b\n")


def test_without_one_it_says_so(tmp_path: Path) -> None:
    done = npx(tmp_path, "prettier")
    assert (done.returncode, done.stderr) == (127, "npx: not found\n")


def test_without_a_desk_it_fails_in_one_line(tmp_path: Path) -> None:
    done = npx(tmp_path, "skills", "find", "x")
    assert done.returncode == 1
    assert done.stderr.startswith("skills: no answer: ")
    assert done.stderr.count("\n") == 1
