"""`benchdata summarize`: the summary on standard output, in three formats."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import benchdata
from benchdata.reports import formats
from benchdata.reports.summary import summarize_each
from tests.support.command import Done, refused, run
from tests.support.drawn import DEMO, DEMO_ROWS, drawn, write
from tests.support.probe import probe_row

PROBE = "tests.support.probe:PROBE"


@pytest.mark.parametrize("form", ["md", "json", "csv"])
def test_the_answer_is_the_summary_and_nothing_else(form: str) -> None:
    expected = formats.FORMATS[form](summarize_each(benchdata.open(DEMO_ROWS))[0])
    assert run("summarize", DEMO, "--format", form) == Done(0, expected, "")


def test_markdown_is_what_is_printed_by_default() -> None:
    assert run("summarize", DEMO).out.startswith("# jev-social summary\n\nPublication gate: ")


def test_rows_that_are_not_ready_are_no_error_here(tmp_path: Path) -> None:
    assert run("summarize", write(tmp_path / "a.ndjson", drawn([1]))).code == 0


def test_rejects_are_said_and_can_be_accepted(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", [*drawn([10]), {}])
    good = tmp_path / "good.ndjson"
    run("validate", file, "--keep-valid", good, "--rejects", tmp_path / "bad.ndjson")
    first = json.loads(run("summarize", good, "--format", "json").out)
    assert (first["rowsSetAside"], first["publicationReady"]) == (1, False)
    options = ("--accept-rejects", "1", "--format", "json")
    second = json.loads(run("summarize", good, *options).out)
    assert (second["rowsSetAside"], second["publicationReady"]) == (1, True)


def test_a_contract_of_ones_own_is_named(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", [probe_row(1), probe_row(2, skipped=True)])
    assert "fit no contract" in refused(run("summarize", file))
    done = run("summarize", file, "--contract", PROBE)
    assert done.code == 0
    assert done.out.startswith("# probe-run summary\n\nPublication gate: none is declared\n")


def test_rows_of_which_none_is_scored_are_summarized(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", [probe_row(1, skipped=True)])
    for form in formats.FORMATS:
        assert run("summarize", file, "--contract", PROBE, "--format", form).code == 0


@pytest.mark.parametrize("command", ["summarize", "gate", "validate"])
def test_what_draws_nothing_loads_no_charts(command: str, root: Path) -> None:
    code = (
        "import sys; from benchdata.cli import main\n"
        f"sys.argv = ['benchdata', {command!r}, 'datasets/jev-social-demo']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'altair', 'papermill', 'nbformat', 'scipy.stats'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
