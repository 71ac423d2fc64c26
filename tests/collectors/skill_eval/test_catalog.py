"""The catalog: a mirror folder, or the network by way of the `skills` program and a cache."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from collectors.harness import skills
from collectors.harness.agents import programs
from collectors.harness.failures import SetupFailed
from collectors.skill_eval.catalog import HOST, MIRROR, Catalog, Fetched
from tests.collectors.skill_eval.conftest import SKILL, commit


def test_a_mirror_that_is_no_checkout_has_no_commit(mirror: Path, tmp_path: Path) -> None:
    found = Catalog(tmp_path / "cache", mirror).fetch("acme/skills@reader")
    assert found == Fetched(mirror / "acme" / "skills" / "skills" / "reader", None)


def test_a_checkout_in_a_mirror_has_its_commit(mirror: Path, tmp_path: Path) -> None:
    head = commit(mirror / "acme" / "skills")
    assert Catalog(tmp_path / "cache", mirror).fetch("acme/skills@reader").commit == head


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("acme/skills@none", "holds no such skill; its skills: reader, twice"),
        ("acme/skills@twice", "holds several skills of that name"),
        ("acme/other@reader", "holds no such skill; its skills: there is none"),
    ],
)
def test_says_what_a_mirror_lacks(mirror: Path, tmp_path: Path, reference: str, said: str) -> None:
    with pytest.raises(BenchdataError, match=f"skills: {reference}: the mirror {said}"):
        Catalog(tmp_path / "cache", mirror).fetch(reference)


@pytest.fixture
def github(mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The mirror's repository, where git finds it in the place of the real host."""
    repository = mirror / "acme" / "skills"
    settings = tmp_path / "gitconfig"
    settings.write_text(
        f'[url "file://{mirror}/"]\n\tinsteadOf = {HOST}/\n[protocol "file"]\n\tallow = always\n'
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    return repository


@pytest.fixture
def skills_program() -> None:
    try:
        programs.find("skills")
    except SetupFailed as missing:
        pytest.skip(str(missing))


def only_git(folder: Path) -> Path:
    """Return a folder that holds git and no other program."""
    place = folder / "programs"
    place.mkdir()
    (place / "git").symlink_to(str(shutil.which("git")))
    return place


@pytest.mark.agents
@pytest.mark.usefixtures("skills_program")
def test_the_skills_program_chooses_and_the_cache_keeps(
    github: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = commit(github)
    catalog = Catalog(tmp_path / "cache")
    found = catalog.fetch("acme/skills@reader")
    assert found.commit == head
    assert skills.read(found.folder).digest == skills.read(github / "skills" / "reader").digest

    monkeypatch.setattr(programs, "PINNED", tmp_path)
    monkeypatch.setenv("PATH", str(only_git(tmp_path)))
    assert catalog.fetch("acme/skills@reader") == found
    (github / "skills" / "reader" / "SKILL.md").write_text(SKILL.format(name="reader") + "More.\n")
    commit(github)
    with pytest.raises(BenchdataError, match="skills: not found on PATH"):
        catalog.fetch("acme/skills@reader")


@pytest.mark.agents
@pytest.mark.usefixtures("skills_program")
def test_a_skill_that_is_not_there(github: Path, tmp_path: Path) -> None:
    head = commit(github)
    with pytest.raises(BenchdataError, match=f"`skills add` finds no skill none in commit {head}"):
        Catalog(tmp_path / "cache").fetch("acme/skills@none")
    assert not [*tmp_path.glob("cache/*/*/*/*")]


def test_without_the_program_it_says_how_to_get_it(
    github: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(github)
    monkeypatch.setattr(programs, "PINNED", tmp_path)
    monkeypatch.setenv("PATH", str(only_git(tmp_path)))
    with pytest.raises(BenchdataError, match=f"or set {MIRROR} to a folder with OWNER/REPO in it"):
        Catalog(tmp_path / "cache").fetch("acme/skills@reader")


@pytest.mark.usefixtures("github")
def test_a_repository_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BenchdataError, match="acme/gone@reader: `git ls-remote` failed"):
        Catalog(tmp_path / "cache").fetch("acme/gone@reader")
