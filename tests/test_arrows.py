"""Which module may import which: read from the source text, so that no import is run or missed."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

import pytest

# A module imports from its own layer and the layers above it in this table, never from below.
LAYERS = (
    ("errors", "numbers", "shipped", "startup"),
    ("contracts",),
    ("rows", "engine"),
    ("dataset",),
    ("queries", "stats"),
    ("comparisons",),
    ("verdicts", "gates", "charts"),
    ("rankings", "histories", "leaderboards"),
    ("reports",),
    ("site",),
    ("cli", "mcp", "server", "lab", "scaffold", "__main__", "benchdata"),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

# `benchdata` itself imports from every layer, so no layer imports it but for this.
CONSTANTS = {"benchdata.__version__"}

# Each costs tens to hundreds of milliseconds at start-up: a command imports them when it is called.
HEAVY = {
    "altair",
    "duckdb",
    "great_tables",
    "nbclient",
    "nbconvert",
    "nbformat",
    "numpy",
    "pandas",
    "papermill",
    "polars",
    "pyarrow",
    "pydantic",
    "pyspark",
    "scipy",
    "vl_convert",
}
MAX_LINES = 400


class Import(NamedTuple):
    """One imported module or name, and where it stands."""

    target: str
    line: int
    at_start: bool  # runs when the module is imported, not when a function is called


def imports(source: str, module: str, *, is_package: bool) -> Iterator[Import]:
    """Give every import of a source text as an absolute dotted name."""
    package = module if is_package else module.rpartition(".")[0]
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(source), True)]
    while pending:
        node, at_start = pending.pop()
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno, at_start) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = resolve_name("." * node.level + (node.module or ""), package)
            yield from (
                Import(f"{origin}.{alias.name}", node.lineno, at_start) for alias in node.names
            )
        for child in ast.iter_child_nodes(node):
            deferred = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            checked_only = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            pending.append((child, at_start and not deferred and not checked_only))


def layer_of(target: str) -> str:
    """Give the name in LAYERS that a dotted name belongs to; without one it is benchdata's own."""
    name = target.split(".")[1] if "." in target else "benchdata"
    return name if name in LEVEL else "benchdata"


def complaint(module: str, imported: Import) -> str | None:
    """Say what is wrong with one import of a module, if anything is."""
    target = imported.target
    package, top = (name.partition(".")[0] for name in (module, target))
    if module.startswith("benchdata.cli") and imported.at_start and top in HEAVY:
        return f"{module} imports {top} at module level; move it into the command"
    if package == "benchdata" and top == "collectors":
        return f"{module} -> {target}: nothing in benchdata imports a collector"
    if package == top == "collectors":
        own, other = (name.split(".")[1] for name in (module, target))
        apart = other not in {own, "harness"}
        return f"{module} -> {target}: collectors share by collectors.harness" if apart else None
    if top != "benchdata" or target in CONSTANTS:
        return None
    if package == "collectors":
        private = any(part.startswith("_") for part in target.split("."))
        return f"{module} -> {target}: not a public module" if private else None
    home, away = layer_of(module), layer_of(target)
    if LEVEL[away] > LEVEL[home]:
        return f"{module} -> {target}: {home} may not import {away}"
    return None


def broken_arrows(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """Give `LINE: what is wrong` for every import that a module must not have."""
    found = sorted(imports(source, module, is_package=is_package), key=lambda each: each.line)
    said = [(each.line, complaint(module, each)) for each in found]
    return [f"{line}: {words}" for line, words in said if words]


def modules_under(root: Path, package: str) -> Iterator[tuple[Path, str]]:
    """Give the path and dotted name of every module of a top-level package."""
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        yield path, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("package", ["benchdata", "collectors"])
def test_every_import_follows_the_arrows(root: Path, package: str) -> None:
    faults = [
        f"{path.relative_to(root)}:{fault}"
        for path, module in modules_under(root, package)
        for fault in broken_arrows(
            path.read_text("utf-8"), module, is_package=path.stem == "__init__"
        )
    ]
    assert not faults, "\n".join(faults)


def test_every_module_has_a_layer(root: Path) -> None:
    names = {(*module.split("."), "benchdata")[1] for _, module in modules_under(root, "benchdata")}
    assert names <= LEVEL.keys()


def test_starting_the_command_line_loads_nothing_heavy(root: Path) -> None:
    modules = [module for _, module in modules_under(root, "benchdata") if ".cli" in module]
    program = (
        f"import importlib, sys\nfor name in {modules}: importlib.import_module(name)\n"
        f"print(*sorted({HEAVY} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


def test_no_file_is_longer_than_a_reader_bears(root: Path, project_files: tuple[Path, ...]) -> None:
    lengths = {
        path: len((root / path).read_text("utf-8").splitlines())
        for path in project_files
        if path.suffix in {".py", ".sql"}
    }
    too_long = [f"{path}: {lines} lines" for path, lines in lengths.items() if lines > MAX_LINES]
    assert not too_long, "\n".join(too_long)


@pytest.mark.parametrize(
    ("module", "source", "words"),
    [
        (
            "benchdata.rows.reading",
            "from benchdata.dataset import open",
            "rows may not import dataset",
        ),
        ("benchdata.rows.reading", "import benchdata.reports.page", "rows may not import reports"),
        ("benchdata.rows.reading", "from benchdata import gates", "rows may not import gates"),
        ("benchdata.rows.reading", "from ..cli import main", "rows may not import cli"),
        ("benchdata.rows.reading", "import benchdata", "rows may not import benchdata"),
        (
            "benchdata.errors",
            "def f():\n    from benchdata import contracts",
            "errors may not import",
        ),
        ("benchdata.stats.ranks", "import benchdata.verdicts", "stats may not import verdicts"),
        ("benchdata.gates", "from benchdata import open", "gates may not import benchdata"),
        ("benchdata.cli.report", "import collectors.jev_social", "imports a collector"),
        ("benchdata.cli.report", "import polars as pl", "imports polars at module level"),
        (
            "benchdata.cli.report",
            "try:\n    from scipy import stats\nfinally: pass",
            "imports scipy",
        ),
        ("benchdata.cli.report", "class A:\n    import duckdb", "imports duckdb at module level"),
        ("collectors.jev_social.cli", "from benchdata.rows import _draft", "not a public module"),
        (
            "collectors.build_bench.cli",
            "from collectors.skill_eval import arms",
            "collectors share by collectors.harness",
        ),
        (
            "collectors.harness.plan",
            "import collectors.build_bench",
            "collectors share by collectors.harness",
        ),
    ],
)
def test_a_broken_arrow_is_named_with_its_line(module: str, source: str, words: str) -> None:
    (fault,) = broken_arrows(f"'''Docstring.'''\n{source}\n", module)
    assert words in fault
    assert fault.startswith("3:" if source.startswith(("def", "try", "class")) else "2:")


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("benchdata.cli.report", "from benchdata.reports import run"),
        ("benchdata.cli.report", "def report():\n    import polars"),
        ("benchdata.cli.report", "if TYPE_CHECKING:\n    import polars"),
        ("benchdata.reports.page", "from benchdata import __version__, charts"),
        ("benchdata.rows.reading", "from benchdata.rows import sources\nimport polars"),
        ("benchdata", "from benchdata.dataset import open"),
        ("collectors.jev_social.cli", "from benchdata import rows\nimport collectors.harness"),
    ],
)
def test_an_allowed_import_is_not_named(module: str, source: str) -> None:
    assert broken_arrows(source, module) == []


def test_a_relative_import_in_a_package_starts_at_the_package() -> None:
    (fault,) = broken_arrows(
        "from . import x\nfrom ..gates import y", "benchdata.rows", is_package=True
    )
    assert fault.startswith("2:")
    assert "rows may not import gates" in fault
