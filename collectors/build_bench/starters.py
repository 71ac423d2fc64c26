"""Prepared dependencies: each lane's pins are installed once into the user's cache."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchdata.errors import BenchdataError, shorten
from benchdata.rows.scratch import locked
from collectors.build_bench.lanes import Lane
from collectors.harness import user_settings

READY = ".ready"
MODULES = "node_modules"
VERSION = re.compile(r"\d+(?:\.\d+)+")
INSTALL_S = 600


class NotPrepared(BenchdataError):
    """A lane's runtime is not on this machine, or its dependencies cannot be installed."""


@dataclass(frozen=True, slots=True)
class Starter:
    """What a service of a lane finds in place.

    `path` is searched for programs, `modules` is linked into the work folder, and a sandbox shows
    `readable` at the same paths.
    """

    path: tuple[Path, ...]
    modules: Path | None
    readable: tuple[Path, ...]
    lockfile_digest: str
    framework_version: str
    runtime_version: str

    def link(self, work: Path) -> None:
        """Put the dependencies into a work folder, where Node's lookup needs them."""
        if self.modules is not None:
            (work / MODULES).symlink_to(self.modules)


def prepare(lane: Lane) -> Starter:
    """Return a lane's starter, installed now if it is not in the cache.

    Raises:
        NotPrepared: The lane cannot be had at all, a program is missing, or installing fails.
    """
    if lane.unobtainable is not None:
        raise NotPrepared(f"lane {lane.id}: {lane.unobtainable}")
    if lane.dependencies == "none":
        return _starter(lane, None)
    folder = cache_folder() / f"{lane.id}-{lane.lockfile_digest[:12]}-{_interpreter_tag(lane)}"
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder, fcntl.LOCK_EX):  # two processes install it once
        if not (folder / READY).exists():
            _INSTALLERS[lane.dependencies](lane, folder)
            (folder / READY).touch()
    return _starter(lane, folder)


def cache_folder() -> Path:
    """Return where starters are kept."""
    return user_settings.cache_folder(os.environ) / "build-bench"


def _starter(lane: Lane, folder: Path | None) -> Starter:
    path = _programs(lane, folder)
    runtime_version = _version(lane, path)
    return Starter(
        path=path,
        modules=None if folder is None or lane.dependencies != "npm" else folder / MODULES,
        readable=(*((folder,) if folder else ()), *_system(lane)),
        lockfile_digest=lane.lockfile_digest,
        framework_version=lane.pinned_version() or runtime_version,
        runtime_version=runtime_version,
    )


def _programs(lane: Lane, folder: Path | None) -> tuple[Path, ...]:
    """Return the folders of a lane's programs, its own before those of the machine."""
    own: list[Path] = []
    if folder is not None:
        bins = {"pip": "bin", "npm": f"{MODULES}/.bin"}[lane.dependencies]
        own = [match for tool in (*lane.tools, bins) for match in sorted(folder.glob(tool))]
    node = [Path(_program(lane, "node")).parent] if lane.runtime == "node" else []
    return (*own, *node)


def _system(lane: Lane) -> tuple[Path, ...]:
    """Return what a lane needs of the machine that may lie outside the system's folders."""
    if lane.runtime == "python":
        return (Path(sys.base_prefix),)
    return (Path(_program(lane, "node")).resolve(),) if lane.runtime == "node" else ()


def _version(lane: Lane, path: Sequence[Path]) -> str:
    """Return what the runtime says its version is."""
    program = shutil.which(lane.runtime, path=os.pathsep.join(map(str, path)))
    if program is None:
        raise NotPrepared(
            f"lane {lane.id}: there is no {lane.runtime} for this machine among what is installed;"
            f" remove {cache_folder()} to install it again"
        )
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = VERSION.search(said.stdout)
    if found is None:
        raise NotPrepared(f"lane {lane.id}: `{lane.runtime} --version` prints no version")
    return found[0]


def _program(lane: Lane, name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise NotPrepared(f"lane {lane.id}: {name} is not on PATH; install it first")
    return found


def _interpreter_tag(lane: Lane) -> str:
    """Return what else the installed files depend on: a venv is made for one interpreter."""
    if lane.runtime == "python":
        place = hashlib.sha256(sys.base_prefix.encode()).hexdigest()[:8]
        return f"py{sys.version_info.major}.{sys.version_info.minor}-{place}"
    return lane.dependencies


def _pip(lane: Lane, folder: Path) -> None:
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}"
    python = str(folder / "bin" / "python")
    _run(lane, [str(base), "-m", "venv", "--clear", "--without-pip", str(folder)])
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-input"]
    exact = ["--no-deps", "--require-hashes", "--only-binary=:all:"]
    _run(lane, [*pip, *exact, "--requirement", str(lane.lock_files[0])])


def _npm(lane: Lane, folder: Path) -> None:
    for file in lane.lock_files:
        shutil.copy(file, folder)
    npm = _program(lane, "npm")
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    _run(lane, [npm, "ci", f"--prefix={folder}", *quiet])


_INSTALLERS = {"pip": _pip, "npm": _npm}


def _run(lane: Lane, argv: Sequence[str]) -> None:
    """Run an installer with the user's own settings; it says where packages come from.

    Raises:
        NotPrepared: It fails; the message ends in its last line.
    """
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=INSTALL_S)
    except subprocess.TimeoutExpired:
        raise NotPrepared(f"lane {lane.id}: installing took over {INSTALL_S} s") from None
    if done.returncode != 0:
        last = shorten((done.stderr.strip() or "no message").splitlines()[-1])
        raise NotPrepared(f"lane {lane.id}: its dependencies cannot be installed: {last}")
