"""A catalog, a connector's skills, and the agents before which they are put."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from collectors.harness import folders
from collectors.harness.agents import programs
from collectors.harness.failures import SetupFailed
from collectors.harness.folders import RunFolder
from collectors.harness.sandbox.probe import bubblewrap_fault
from collectors.skill_eval.catalog import Catalog
from collectors.skill_eval.router.desk import Source
from collectors.skill_eval.router.exclusion import Exclusion, excluding
from collectors.skill_eval.router.retrieval import FILE
from tests.collectors.harness.conftest import installed
from tests.support import catalog_stand_in, connector_stand_in
from tests.support.command import ROOT
from tests.support.whole import Whole

EXCLUDED, OPEN = "slide-maker", "chart-kit"
SECRET, BODY = "BODY-OF-THE-EXCLUDED", "BODY-OF-THE-OPEN"


@pytest.fixture
def exclusion() -> Exclusion:
    return excluding([f"acme/skills@{EXCLUDED}"])


@pytest.fixture
def catalog() -> Iterator[catalog_stand_in.Catalog]:
    with catalog_stand_in.serving({EXCLUDED: 900, OPEN: 40}) as served:
        yield served


@pytest.fixture
def skills_program() -> Path:
    """The real `skills` program."""
    try:
        return programs.find("skills")
    except SetupFailed as missing:
        pytest.skip(str(missing))


def source_of(folder: Path, search: str, program: Path = Path("not-installed")) -> Source:
    """Return a source with a repository of both skills in `folder`."""
    mirror = catalog_stand_in.mirror(folder / "mirror", {EXCLUDED: SECRET, OPEN: BODY})
    return Source(program, search, Catalog(folder / "cache", mirror))


@pytest.fixture
def source(catalog: catalog_stand_in.Catalog, tmp_path: Path) -> Source:
    """The catalog with its repository, for what needs no search."""
    return source_of(tmp_path, catalog.url)


@pytest.fixture
def searching(catalog: catalog_stand_in.Catalog, skills_program: Path, tmp_path: Path) -> Source:
    """The catalog with its repository, and the program that searches it."""
    return source_of(tmp_path, catalog.url, skills_program)


@dataclass(frozen=True)
class Connectable:
    """A connector's skills in a file, and what it noted of its clients."""

    file: Path
    notes: Path

    @property
    def command(self) -> str:
        """The command that serves them."""
        module = connector_stand_in.__name__
        return f"env PYTHONPATH={ROOT} {sys.executable} -m {module} {self.file}"

    def noted(self) -> list[dict[str, Any]]:
        """Return what was called, with who called it."""
        return [json.loads(line) for line in self.notes.read_text().splitlines()]


def connectable(folder: Path, form: str = "both") -> Connectable:
    """Write the skills of a connector: one that is excluded, and one that mentions it."""
    skills = [
        {"id": 17, "name": EXCLUDED, "description": "Makes slides.", "body": SECRET},
        {"id": 4, "name": OPEN, "description": "Draws charts.", "body": f"{BODY} not {EXCLUDED}"},
    ]
    file, notes = folder / "connector.json", folder / "notes.jsonl"
    file.write_text(json.dumps({"skills": skills, "form": form, "notes": str(notes)}))
    return Connectable(file, notes)


@pytest.fixture
def connector(tmp_path: Path) -> Connectable:
    return connectable(tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[RunFolder]:
    """The folder of a new run."""
    made = folders.create(tmp_path / "run")
    yield made
    made.remove()


def record(folder: Path) -> list[dict[str, Any]]:
    """Return a run's record without its times, which must rise."""
    lines = [json.loads(line) for line in (folder / FILE).read_text().splitlines()]
    times = [line.pop("at") for line in lines]
    assert times == sorted(times)
    return lines


def events(folder: Path) -> list[tuple[str, str]]:
    """Return what happened, and what was asked for."""
    return [(line["event"], line["asked"]) for line in record(folder)]


@pytest.fixture
def scripted() -> Whole:
    """The scripted agent, with bubblewrap around it."""
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    return Whole(installed("scripted"))
