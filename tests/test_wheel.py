"""What the wheel holds, and that it works in a clean environment, away from the checkout."""

from __future__ import annotations

import fnmatch
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from configparser import ConfigParser
from pathlib import Path, PurePosixPath

import pytest

MAX_DATASET_BYTES = 8_000_000


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command, give what it prints, and show everything it said if it fails."""
    environment = {name: os.environ[name] for name in os.environ if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def dist(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution and, built from nothing else, the wheel."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, root, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    """The built wheel."""
    (path,) = dist.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def members(wheel: Path) -> dict[str, int]:
    """The size in bytes of every file in the wheel, by name."""
    with zipfile.ZipFile(wheel) as archive:
        return {info.filename: info.file_size for info in archive.infolist()}


def place_in_wheel(path: Path) -> str | None:
    """Say where a file of the checkout lies in the wheel, if it belongs there."""
    top = path.parts[0]
    if top in {"benchdata", "collectors"}:
        return path.as_posix()
    if top == "notebooks" or (top == "datasets" and path.suffix != ".py"):
        return f"benchdata/{path.as_posix()}"
    return None


def test_the_wheel_holds_every_shipped_file_and_no_other(
    members: dict[str, int], project_files: tuple[Path, ...]
) -> None:
    expected = {place for path in project_files if (place := place_in_wheel(path))}
    metadata = re.compile(r"benchdata-[^/]+\.dist-info/")
    assert {name for name in members if not metadata.match(name)} == expected


def test_the_wheel_holds_notebooks_collectors_and_the_licence(members: dict[str, int]) -> None:
    for pattern in ("benchdata/notebooks/*.ipynb", "collectors/*", "*/licenses/LICENSE"):
        assert fnmatch.filter(members, pattern), pattern


def test_every_dataset_is_small_and_has_its_datasheet(members: dict[str, int]) -> None:
    shipped = [name for name in members if name.startswith("benchdata/datasets/")]
    folders = {PurePosixPath(name).parts[2] for name in shipped}
    assert folders
    for folder in folders:
        home = f"benchdata/datasets/{folder}/"
        assert f"{home}datasheet.md" in members
        assert sum(members[name] for name in shipped if name.startswith(home)) < MAX_DATASET_BYTES


def test_the_entry_points_name_the_command_and_the_contracts(wheel: Path) -> None:
    parser = ConfigParser()
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        parser.read_string(archive.read(name).decode())
    assert parser["console_scripts"]["benchdata"] == "benchdata.cli:main"
    assert parser["benchdata.contracts"]["jev-social"].startswith("benchdata.contracts.")


def test_the_source_distribution_leaves_rendered_reports_out(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        tops = {PurePosixPath(name).parts[1] for name in archive.getnames()}
    assert {"benchdata", "notebooks", "datasets", "tests", "requirements.lock"} <= tops
    assert "reports" not in tops


class Clean:
    """An environment that holds the wheel and what it asks for, and nothing else."""

    def __init__(self, folder: Path, pins: str) -> None:
        # As constraints, without hashes: only what the wheel itself asks for may be installed.
        self.constraints = folder / "constraints.txt"
        self.constraints.write_text(re.sub(r" \\\n {4}--hash=\S+", "", pins), "utf-8")
        run(sys.executable, "-m", "venv", "--without-pip", "clean", cwd=folder)
        self.commands = folder / "clean" / "bin"
        self.folder = folder

    def pip(self, *arguments: str | Path) -> None:
        """Run pip for this environment, away from the checkout."""
        python = self.commands / "python"
        run(sys.executable, "-m", "pip", "--python", python, *arguments, cwd=self.folder)

    def install(self, *what: str | Path) -> None:
        """Install packages of the pinned versions."""
        self.pip("install", "--quiet", "--constraint", self.constraints, *what)


@pytest.fixture(scope="module")
def clean(wheel: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Clean:
    """A clean environment with the wheel."""
    pins = (root / "requirements.lock").read_text("utf-8")
    made = Clean(tmp_path_factory.mktemp("environment"), pins)
    made.install(wheel)
    return made


@pytest.mark.slow
def test_a_new_benchmark_is_installed_by_name_in_a_clean_environment(
    clean: Clean, tmp_path: Path
) -> None:
    run(clean.commands / "benchdata", "init", "lamp-bench", cwd=tmp_path)
    made = tmp_path / "lamp-bench"
    clean.install("editables", "hatchling", "pytest", "ruff")
    clean.pip("install", "--quiet", "--no-build-isolation", "--no-deps", "--editable", made)
    for target in ("test", "gate", "report"):
        run("make", target, f"PYTHON={clean.commands / 'python'}", cwd=made)
    assert list(made.glob("reports/*/report.html"))


@pytest.mark.slow
def test_the_wheel_reports_in_a_clean_environment(clean: Clean, tmp_path: Path) -> None:
    clean.pip("check")
    out = tmp_path / "out"
    said = run(
        clean.commands / "benchdata", "report", "jev-social", "--demo", "--out", out, cwd=tmp_path
    )
    (folder,) = out.iterdir()
    assert folder.name in said
    assert {"report.html", "report.ipynb", "summary.md", "summary.json", "manifest.json"} <= {
        path.name for path in folder.iterdir()
    }
