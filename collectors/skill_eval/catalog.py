"""The catalog: `owner/repo@skill` is fetched at its newest commit, which the rows' digest pins."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchdata.errors import BenchdataError, shorten
from collectors.harness import skills
from collectors.harness.agents import programs
from collectors.harness.failures import SetupFailed

MIRROR = "BENCHDATA_SKILLS_MIRROR"
"""The variable that names a folder with `OWNER/REPO` in it, read in the place of the network."""
HOST = "https://github.com"
LIMIT_S = 120.0
PASSED_ON = ("PATH", "HOME", "LANG", "GIT_CONFIG_GLOBAL", "HTTPS_PROXY", "SSL_CERT_FILE")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A skill's folder, and the commit it is of where there is one."""

    folder: Path
    commit: str | None


@dataclass(frozen=True, slots=True)
class Catalog:
    """Where skills come from: a mirror when there is one, else the network by way of `cache`."""

    cache: Path
    mirror: Path | None = None

    def fetch(self, reference: str) -> Fetched:
        """Return the skill that `owner/repo@skill` names.

        Raises:
            BenchdataError: There is no such repository or skill, or it cannot be fetched.
        """
        repository, _, name = reference.partition("@")
        if self.mirror is not None:
            return _mirrored(self.mirror / repository, name, reference)
        url = f"{HOST}/{repository}"
        commit = _said("git", "ls-remote", url, "HEAD", reference=reference).partition("\t")[0]
        if not commit:
            raise BenchdataError(f"skills: {reference}: the repository has no commit")
        folder = self.cache / repository / commit / name
        if not (folder / skills.FILE).is_file():
            _install(url, commit, name, folder, reference)
        return Fetched(folder, commit)


def _mirrored(repository: Path, name: str, reference: str) -> Fetched:
    """Find a skill in a mirrored repository: the one folder of its name that has a SKILL.md."""
    found = [path.parent for path in sorted(repository.rglob(skills.FILE))]
    named = [folder for folder in found if folder.name == name]
    if len(named) != 1:
        there = ", ".join(sorted({folder.name for folder in found})) or "there is none"
        what = "holds no such skill" if not named else "holds several skills of that name"
        raise BenchdataError(f"skills: {reference}: the mirror {what}; its skills: {there}")
    is_checkout = (repository / ".git").exists()
    head = ("git", "-C", os.fspath(repository), "rev-parse", "HEAD")
    return Fetched(named[0], _said(*head, reference=reference) if is_checkout else None)


def _install(url: str, commit: str, name: str, target: Path, reference: str) -> None:
    """Let the `skills` program choose the skill's files of a commit, and keep them at `target`."""
    try:
        program = os.fspath(programs.find("skills"))
    except SetupFailed as missing:
        raise BenchdataError(
            f"skills: {reference}: {missing}, or set {MIRROR} to a folder with OWNER/REPO in it"
        ) from None
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch-") as place:
        source, project = Path(place, "source"), Path(place, "project")
        project.mkdir()
        for step in (
            ("git", "init", "--quiet", os.fspath(source)),
            ("git", "-C", os.fspath(source), "fetch", "--quiet", "--depth=1", url, commit),
            ("git", "-C", os.fspath(source), "checkout", "--quiet", "FETCH_HEAD"),
        ):
            _said(*step, reference=reference)
        add = (program, "add", os.fspath(source), "--skill", name, "-a", "claude-code")
        try:
            _said(*add, "-y", "--copy", reference=reference, folder=project)
        except BenchdataError:
            raise BenchdataError(
                f"skills: {reference}: `skills add` finds no skill {name} in commit {commit}"
            ) from None
        installed = project / ".claude" / "skills" / name
        skills.read(installed)
        try:
            installed.rename(target)
        except OSError:  # another process was first
            skills.read(target)


def _said(*argv: str, reference: str, folder: Path | None = None) -> str:
    """Run a program and return what it says; telemetry is off, and no credential is asked for."""
    try:
        done = subprocess.run(
            argv,
            cwd=folder,
            env=quiet(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or f"it took more than {LIMIT_S:g} s"
        raise BenchdataError(f"skills: {reference}: {argv[0]} did not run: {reason}") from None
    if done.returncode != 0:
        raise BenchdataError(f"skills: {reference}: {_fault(argv, done.stderr or done.stdout)}")
    return done.stdout.decode("utf-8", "replace").strip()


def _fault(argv: Sequence[str], said: bytes) -> str:
    last = said.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return f"`{' '.join(argv[:2])}` failed: {shorten(last) or 'without a word'}"


def quiet(given: Mapping[str, str]) -> dict[str, str]:
    """Return what git and the `skills` program are to know of an environment."""
    kept = {name: given[name] for name in PASSED_ON if name in given}
    return kept | {"DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1", "GIT_TERMINAL_PROMPT": "0"}
