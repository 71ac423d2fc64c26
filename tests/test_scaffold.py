"""The scaffold: what a benchmark may be called, and that all of its files are renamed."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
import yaml

from benchdata import scaffold
from benchdata.errors import BenchdataError
from benchdata.scaffold import LONGEST, TEMPLATE, Name
from tests.support.options import unknown

SAMPLE = re.compile(r"sample.?bench", re.IGNORECASE)


def files_of(folder: Path) -> set[str]:
    """Return the names of all files in a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_hyphen_and_underscore_are_one_name() -> None:
    assert scaffold.named("lamp-bench") == scaffold.named("lamp_bench") == Name("lamp-bench")
    assert Name("lamp-bench-2").forms == ("lamp-bench-2", "lamp_bench_2", "Lamp bench 2")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Lamp Bench", "letter first, with one - between words; did you mean `lamp-bench`?"),
        ("2-lamps", "did you mean `lamps`?"),
        ("lamp--bench", "did you mean `lamp-bench`?"),
        ("../lamp", "did you mean `lamp`?"),
        ("", "small letters and digits"),
        ("\x1b[31m", "\N{REPLACEMENT CHARACTER}[31m: a benchmark's name is"),
        ("l" * (LONGEST + 1), f"at most {LONGEST} characters"),
        ("class", "is a word of Python"),
        ("jev_social", "is a contract that is there already"),
        ("rows", "is a view that every dataset has"),
        ("tests", "is a folder that every benchmark has"),
        ("json", "is a module that is installed here"),
        ("polars", "is a module that is installed here"),
        ("benchdata", "is a module that is installed here"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused_with_its_reason(name: str, reason: str) -> None:
    with pytest.raises(BenchdataError) as refused:
        scaffold.named(name)
    assert reason in str(refused.value)


def test_every_file_is_renamed_inside_and_out(tmp_path: Path) -> None:
    folder = scaffold.create(Name("b"), tmp_path / "new")
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.*")}
    assert {"b/contract.py", "notebooks/b.ipynb", ".github/workflows/gate.yml"} <= files.keys()
    left = [
        name
        for name, path in files.items()
        if path.is_file() and SAMPLE.search(path.read_text("utf-8"))
    ]
    assert (left, list(filter(SAMPLE.search, files))) == ([], [])
    assert [path.name for path in folder.parent.iterdir()] == ["b"]


def test_what_tools_leave_is_no_part_of_a_benchmark_wherever_the_package_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = tmp_path / ".pytest_cache" / "template"
    shutil.copytree(TEMPLATE, template)
    (template / "tests" / ".ruff_cache").mkdir()
    (template / "tests" / ".ruff_cache" / "sample").write_text("left")
    here = scaffold.create(Name("b"), tmp_path / "here")
    monkeypatch.setattr(scaffold, "TEMPLATE", template)
    assert files_of(scaffold.create(Name("b"), tmp_path / "there")) == files_of(here) != set()


def test_what_is_there_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "lamp-bench").symlink_to(tmp_path / "nowhere")
    with pytest.raises(BenchdataError, match="is there already: choose another name or --into"):
        scaffold.create(Name("lamp-bench"), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["lamp-bench"]


def test_the_contract_is_short() -> None:
    assert len((TEMPLATE / "sample_bench" / "contract.py").read_text("utf-8").splitlines()) < 40


def test_makefile_and_workflow_name_commands_that_exist() -> None:
    makefile = (TEMPLATE / "Makefile").read_text("utf-8")
    commands = [shlex.split(line) for line in re.findall(r"\$\(BENCHDATA\) (.*)", makefile)]
    assert {arguments[0] for arguments in commands} == {
        *("collect", "validate", "gate", "compare", "report"),
    }
    others = [arguments for arguments in commands if arguments[0] != "collect"]
    assert [(each, gone) for each in others if (gone := unknown(each))] == []
    targets = set(re.findall(r"^(\w+):", makefile, re.MULTILINE))
    workflow = yaml.safe_load((TEMPLATE / ".github/workflows/gate.yml").read_text("utf-8"))
    steps = [
        step["run"].split()[1]
        for job in workflow["jobs"].values()
        for step in job["steps"]
        if "run" in step
    ]
    assert steps == ["install", "test", "gate", "report"]
    assert set(steps) <= targets
