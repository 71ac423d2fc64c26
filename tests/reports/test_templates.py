"""Templates: found by name or path, refused when no report can be made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import ReportError
from benchdata.reports import templates
from benchdata.shipped import folder
from tests.support.templates import PARAMETERS, written

THERE = (
    "there are build-bench, compare, conformance, explore, history, jev-social, samples,"
    " skill-leaderboard, visual-judge"
)


@pytest.mark.parametrize("name", ["jev-social", "jev_social"])
def test_a_shipped_template_is_found_by_its_name(name: str) -> None:
    found = templates.find(name)
    assert (found.name, found.file) == ("jev-social", "jev_social.ipynb")
    assert {"inputs", "contract", "title", "digest", "accept_rejects"} == found.defaults.keys()


def test_a_template_is_found_by_its_path(tmp_path: Path) -> None:
    here = templates.find(str(written(tmp_path / "{my} own_view.ipynb")))
    assert (here.name, here.file) == ("{my} own-view", "{my} own_view.ipynb")
    shipped = folder("notebooks") / "samples.ipynb"
    assert templates.find(str(shipped)) == templates.find("samples")


def test_every_shipped_notebook_is_a_template() -> None:
    for file in folder("notebooks").glob("*.ipynb"):
        assert templates.find(file.stem).file == file.name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("jev-sociel", "no report template is named jev-sociel; did you mean `jev-social`?"),
        ("mine", f"no report template is named mine; {THERE}"),
        ("", f"no report template is named ; {THERE}"),
        ("there/is/none.ipynb", "there/is/none.ipynb: there is no such notebook"),
    ],
)
def test_a_template_that_is_not_there(name: str, message: str) -> None:
    with pytest.raises(ReportError) as raised:
        templates.find(name)
    assert str(raised.value) == message


UNTAGGED = "is no report template: it needs one cell tagged `parameters` that sets `inputs`"


@pytest.mark.parametrize(
    ("parameters", "tags", "message"),
    [
        (PARAMETERS, (), UNTAGGED),
        ("title = ''", ("parameters",), UNTAGGED),
        (PARAMETERS, ("injected-parameters",), UNTAGGED),
        (
            "%matplotlib inline\ninputs = []",
            ("parameters",),
            "the cell tagged `parameters` must hold assignments in plain Python only",
        ),
    ],
)
def test_a_notebook_without_parameters_is_no_template(
    tmp_path: Path, parameters: str, tags: tuple[str, ...], message: str
) -> None:
    file = written(tmp_path / "mine.ipynb", parameters=parameters, tags=tags)
    with pytest.raises(ReportError) as raised:
        templates.find(str(file))
    assert str(raised.value) == f"mine.ipynb: {message}"


def test_two_cells_of_parameters_are_none(tmp_path: Path) -> None:
    """Values are set after the first; the second would set them back."""
    file = written(tmp_path / "mine.ipynb", "title = 'reset'")
    notebook = json.loads(file.read_text("utf-8"))
    notebook["cells"][1]["metadata"]["tags"] = ["parameters"]
    file.write_text(json.dumps(notebook), "utf-8")
    with pytest.raises(ReportError, match="needs one cell tagged `parameters`"):
        templates.find(str(file))


@pytest.mark.parametrize("text", [b"", b"hello", b"[]", b"{}", b"\xff\xfe", b'{"nbformat": 4}'])
def test_what_is_no_notebook_is_refused(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "mine.ipynb"
    file.write_bytes(text)
    with pytest.raises(ReportError) as raised:
        templates.find(str(file))
    assert str(raised.value) == "mine.ipynb: is no Jupyter notebook"


@pytest.mark.parametrize(
    ("name", "value", "settled"),
    [
        ("title", "1.10", "1.10"),
        ("title", "null", "null"),
        ("title", '"quoted"', '"quoted"'),
        ("title", "a=b", "a=b"),
        ("times", "3", 3),
        ("times", "[1, 2.5]", [1, 2.5]),
        ("times", "true", True),
        ("times", "NaN", "NaN"),
        ("times", "often", "often"),
        ("times", 4, 4),
    ],
)
def test_a_parameter_is_what_its_default_is(
    tmp_path: Path, name: str, value: Any, settled: Any
) -> None:
    template = templates.find(str(written(tmp_path / "mine.ipynb")))
    found = template.settled({name: value})
    assert found == {name: settled}
    assert type(found[name]) is type(settled)


@pytest.mark.parametrize("name", ["speed", "inputs", "digest", "contract", "accept_rejects", ""])
def test_a_parameter_that_a_user_cannot_set_is_refused(tmp_path: Path, name: str) -> None:
    template = templates.find(str(written(tmp_path / "mine.ipynb")))
    with pytest.raises(ReportError) as raised:
        template.settled({name: "1"})
    assert str(raised.value) == f"mine.ipynb: takes no parameter {name}; it takes times, title"
