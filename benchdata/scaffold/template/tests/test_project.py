"""The project: its entry points lead somewhere, its gate opens, its notebook makes a report."""

import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from sample_bench import collector
from sample_bench.contract import CONTRACT

ROOT = Path(__file__).parents[1]
NOTEBOOK = "notebooks/sample_bench.ipynb"
NAMED = ("--contract", "sample_bench.contract:CONTRACT")


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rows of one whole collection."""
    file = tmp_path_factory.mktemp("collected") / "rows.ndjson"
    assert collector.main(["--out", str(file)]) == 0
    return file


def benchdata(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchdata", *map(str, arguments), *NAMED]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_entry_points_lead_to_the_contract_and_the_collector() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found = [
        EntryPoint(name, target, group).load()
        for group, points in settings["project"]["entry-points"].items()
        for name, target in points.items()
    ]
    assert found == [CONTRACT, collector.main]


def test_a_whole_collection_passes_the_gate(rows: Path) -> None:
    done = benchdata("gate", rows)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "READY"), done


def test_half_a_collection_does_not(rows: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.ndjson"
    lines = rows.read_bytes().splitlines(keepends=True)
    half.write_bytes(b"".join(lines[: len(lines) // 2]))
    assert benchdata("gate", half).returncode == 3


def test_the_notebook_makes_a_report(rows: Path, tmp_path: Path) -> None:
    done = benchdata("report", NOTEBOOK, rows, "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    (report,) = tmp_path.iterdir()
    assert "Sample bench" in (report / "report.html").read_text("utf-8")
