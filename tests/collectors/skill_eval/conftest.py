"""Repositories with skills, as a catalog has them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SKILL = "---\nname: {name}\ndescription: Says how {name} is done.\n---\nDo it well.\n"


def skill(folder: Path) -> Path:
    """Make a skill of the folder's name."""
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL.format(name=folder.name))
    return folder


def commit(repository: Path) -> str:
    """Commit all that lies in a folder and return the commit."""
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for step in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "skills")):
        subprocess.run(["git", *step], cwd=repository, check=True)
    head = ["git", "rev-parse", "HEAD"]
    return subprocess.run(head, cwd=repository, check=True, capture_output=True).stdout.decode()[
        :40
    ]


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """A mirror with one repository of three skills, two of them of one name."""
    root = tmp_path / "mirror"
    repository = root / "acme" / "skills"
    for place in ("skills/reader", "skills/twice", "more/twice"):
        skill(repository / place)
    return root
