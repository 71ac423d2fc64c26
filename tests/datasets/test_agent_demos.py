"""The demo sets of agent benchmarks: reproducible, valid, synthetic, answered by every command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import benchdata
from benchdata import queries
from benchdata.dataset.datasheets import datasheet
from tests.support.cases import mostly_slow
from tests.support.command import run

DATASETS = Path(__file__).parents[2] / "datasets"
DEMOS = {name: f"{name}-demo" for name in ("skill-run", "judgment", "build-run")}
EACH = pytest.mark.parametrize("contract", DEMOS)


def rows_of(contract: str) -> Path:
    return DATASETS / DEMOS[contract] / "rows.ndjson"


@EACH
def test_committed_rows_are_what_the_generator_writes(contract: str, tmp_path: Path) -> None:
    generator = str(rows_of(contract).with_name("generate.py"))
    command = [sys.executable, generator, "--out", str(tmp_path / "x")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert (tmp_path / "x").read_bytes() == rows_of(contract).read_bytes()


@EACH
def test_rows_are_recognised_valid_in_normal_form_and_compact(contract: str) -> None:
    dataset = benchdata.open(rows_of(contract))
    assert dataset.contract.name == contract
    text = rows_of(contract).read_bytes().decode("ascii")
    rows = [json.loads(line) for line in text.splitlines()]
    assert text == "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    assert [row for row in rows if dataset.contract.validate(row) != row] == []
    example = rows_of(contract).with_name("valid-row.json").read_text("ascii")
    assert example in text.splitlines(keepends=True)


@EACH
def test_every_row_of_an_agent_is_synthetic_and_the_datasheet_says_so(contract: str) -> None:
    # conformance rows of build-run have no agent, so no endpoint
    query = "select bool_and(row_synthetic) from rows where endpoint is not null"
    assert benchdata.open(rows_of(contract)).sql(query).item()
    sheet = rows_of(contract).with_name("datasheet.md")
    assert datasheet(sheet.parent).title.startswith("Synthetic ")
    assert "**Every row is made up. Nothing here was measured**" in sheet.read_text("utf-8")


@EACH
@pytest.mark.parametrize("form", mostly_slow(["md", "json", "csv"]))
def test_a_summary_of_every_form_counts_every_row(contract: str, form: str) -> None:
    done = run("summarize", rows_of(contract), "--format", form)
    assert (done.code, done.err) == (0, "")
    assert contract in done.out if form == "md" else done.out


@EACH
def test_no_synthetic_set_passes_a_gate(contract: str) -> None:
    done = run("gate", rows_of(contract))
    assert (done.code, done.err) == (3, "")
    assert done.out.startswith("INCOMPLETE\n")


@EACH
def test_every_named_query_has_an_answer(contract: str) -> None:
    dataset = benchdata.open(rows_of(contract))
    for name in queries.names():
        assert dataset.sql(queries.text(name)).width > 1, name
