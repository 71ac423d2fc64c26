"""What lies in a report's folder: every file, the same bytes each time, nothing of a machine."""

from __future__ import annotations

import base64
import json
import re
import socket
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

import benchdata
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.reports import execution, formats
from benchdata.reports.page import _bundle
from benchdata.reports.summary import summarize_each
from tests.support.drawn import DEMO, DEMO_ROWS
from tests.support.rendered import User, files

CHARTS = ("components", "evidence", "outcomes", "stop_reasons", "strip", "timeline")
IMAGE = re.compile(r"data:image/[a-z+]+;base64,([A-Za-z0-9+/=]+)")


def texts(folder: Path) -> str:
    """Return every file of a report as one text, its images decoded, the chart library left out."""
    found = "\n".join(data.decode() for data in files(folder).values())
    images = [base64.b64decode(image).decode() for image in IMAGE.findall(found)]
    assert len(images) == len(CHARTS)
    return "\n".join([found.replace(_bundle(), ""), *images])


def test_every_file_is_there_and_no_other(demo_report: Path) -> None:
    assert re.fullmatch(r"2026-03-08-jev-social-[0-9a-f]{8}", demo_report.name)
    assert files(demo_report).keys() == {
        *("report.html", "report.ipynb", "summary.md", "summary.json", "manifest.json"),
        *(f"charts/{name}.svg" for name in CHARTS),
    }
    assert demo_report.stat().st_mode & 0o777 == 0o755
    assert {file.stat().st_mode & 0o777 for file in demo_report.glob("*.*")} == {0o644}


def test_the_summary_is_that_of_the_rows(demo_report: Path) -> None:
    summary = summarize_each(benchdata.open(DEMO_ROWS))[0]
    found = files(demo_report)
    assert found["summary.json"].decode() == formats.as_json(summary)
    assert found["summary.md"].decode() == formats.as_markdown(summary)


def test_the_manifest_says_what_the_report_was_made_of(demo_report: Path) -> None:
    manifest = json.loads(files(demo_report)["manifest.json"])
    digest = benchdata.open(DEMO_ROWS).digest
    assert manifest["benchdata"] == benchdata.__version__
    assert manifest["template"] == "jev-social"
    assert manifest["asOf"] == "2026-03-08"
    assert (manifest["parameters"], manifest["acceptRejects"]) == ({}, 0)
    assert (manifest["contract"], manifest["contractVersions"]) == ("jev-social", [1, 2])
    assert (manifest["rows"], manifest["seed"], manifest["review"]) == (122, 0, None)
    (one,) = manifest["inputs"]
    assert (one["name"], one["digest"], one["rows"]) == ("rows.ndjson", digest, 122)
    assert manifest["datasheets"][0]["regions"].keys() == {"synthetic-lab", "synthetic-lab-far"}


def test_the_notebook_is_run_and_shows_its_parameters(demo_report: Path) -> None:
    notebook = nbformat.reads(files(demo_report)["report.ipynb"].decode(), as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    (injected,) = (cell for cell in code if "injected-parameters" in cell.metadata.get("tags", ()))
    assert "inputs = ['rows.ndjson']" in injected.source
    assert f"digest = '{benchdata.open(DEMO_ROWS).digest}'" in injected.source
    assert all("papermill" not in cell.metadata for cell in notebook.cells)
    assert notebook.metadata.keys() == {"kernelspec", "language_info"}


@pytest.mark.parametrize("label", ["SYNTHETIC", "INCOMPLETE", "UNREVIEWED"])
def test_a_banner_stands_in_page_and_notebook(demo_report: Path, label: str) -> None:
    found = files(demo_report)
    assert (
        f'<p class="banner" role="note"><strong>{label}</strong>' in found["report.html"].decode()
    )
    notebook = nbformat.reads(found["report.ipynb"].decode(), as_version=4)
    headline = notebook.cells[3].outputs[0].data["text/markdown"]
    assert f"**{label}** " in headline


def test_the_page_tells_what_each_region_is(demo_report: Path) -> None:
    page = files(demo_report)["report.html"].decode().replace("<wbr>", "")
    for label, meaning in benchdata.open(DEMO).datasheets[0].regions.items():
        assert re.search(f"<td[^>]*>{label}</td><td[^>]*>{re.escape(meaning)}</td>", page)


def test_nothing_of_a_user_a_folder_or_a_machine_gets_out(
    eleonora: User, demo_report: Path, root: Path
) -> None:
    text = texts(demo_report)
    assert "jev-social" in text
    for secret in (eleonora.name, str(eleonora.work), str(root), sys.prefix, "/tmp/"):
        assert secret not in text, secret
    assert not re.search(rf"\b{re.escape(socket.gethostname())}\b", text)
    assert not re.search(r"traceback|ipykernel|execution_time", text, re.IGNORECASE)


def test_a_report_writes_nothing_into_the_home_folder(eleonora: User, demo_report: Path) -> None:
    assert demo_report.is_dir()
    found = {file.name for file in eleonora.home.rglob("*") if file.is_file()}
    assert found == {"00-mine.py", "kernel.json"}
    assert {file.name for file in eleonora.work.iterdir()} == {"polars.py", "out"}


@pytest.mark.slow
def test_the_same_order_gives_the_same_bytes(
    demo_report: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("two")
    other = User(folder, "bogdan", TZ="America/St_Johns", LC_ALL="C.UTF-8", PYTHONHASHSEED="7")
    again = other.report("jev_social", DEMO, "--contract", JEV_SOCIAL.name)
    assert again.name == demo_report.name
    first, second = files(demo_report), files(again)
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []


def test_cells_are_numbered_whatever_they_were_called() -> None:
    """A notebook of an old format gets other names of cells each time it is run."""
    v4: Any = nbformat.v4
    notebooks = [
        v4.new_notebook(cells=[v4.new_code_cell("1"), v4.new_markdown_cell("x")]) for _ in "12"
    ]
    assert notebooks[0].cells[0].id != notebooks[1].cells[0].id
    first, second = (execution.published(notebook, {}) for notebook in notebooks)
    assert first == second
    assert [cell.id for cell in first.cells] == ["cell-00", "cell-01"]
