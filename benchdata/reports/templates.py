"""The notebooks that reports are made of: found by name or path, and what they take."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import nbformat
from blake3 import blake3
from nbformat import NotebookNode

from benchdata.errors import ReportError, did_you_mean
from benchdata.reports import cells
from benchdata.shipped import folder

# The parameters of every template that an order sets and a user does not.
OURS = ("inputs", "contract", "digest", "accept_rejects")


@dataclass(frozen=True, slots=True)
class Template:
    """A notebook as it was when it was read: `defaults` are its parameters as Python literals."""

    name: str
    file: str
    digest: str
    notebook: NotebookNode
    defaults: Mapping[str, str]

    def settled(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a user set, each value of the kind that the template has there.

        Raises ReportError for a parameter that it does not have: papermill would set it in vain.
        """
        free = sorted(set(self.defaults) - set(OURS))
        for name in parameters:
            if name not in free:
                there = ", ".join(free) or "none"
                raise ReportError(f"{self.file}: takes no parameter {name}; it takes {there}")
        return {name: _read(value, self.defaults[name]) for name, value in parameters.items()}

    @property
    def demo(self) -> list[Path]:
        """Return the shipped datasets that the template's own `inputs` name.

        Raises ReportError when they name none.
        """
        named = re.findall(r"datasets/([\w.-]+)", self.defaults["inputs"])
        there = [folder("datasets") / name for name in named]
        if not there or not all(one.is_dir() for one in there):
            raise ReportError(f"{self.file}: its `inputs` name no shipped dataset; name the FILEs")
        return there


def find(name: str) -> Template:
    """Return the template of this name (`-` and `_` alike) or path, or raise ReportError."""
    if name.endswith(".ipynb"):
        path = Path(name)
        if not path.is_file():
            raise ReportError(f"{name}: there is no such notebook")
        return _template(path)
    there = {_name(file): file for file in sorted(folder("notebooks").glob("*.ipynb"))}
    wanted = name.replace("_", "-")
    if wanted not in there:
        hint = did_you_mean(wanted, tuple(there)) or f"; there are {', '.join(there)}"
        raise ReportError(f"no report template is named {name}{hint}")
    return _template(there[wanted])


def _name(file: Path) -> str:
    return file.stem.replace("_", "-")


def _template(file: Path) -> Template:
    text = file.read_bytes()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an old notebook without cell ids is one too
            notebook: NotebookNode = nbformat.reads(text.decode(), as_version=4)
        defaults = cells.parameters(notebook)
    except (ValueError, KeyError, TypeError, AttributeError, nbformat.ValidationError):
        raise ReportError(f"{file.name}: is no Jupyter notebook") from None
    except ReportError as error:
        raise ReportError(f"{file.name}: {error}") from None
    tagged = sum("parameters" in cell.metadata.get("tags", ()) for cell in notebook.cells)
    if tagged != 1 or "inputs" not in defaults:
        message = "is no report template: it needs one cell tagged `parameters` that sets `inputs`"
        raise ReportError(f"{file.name}: {message}")
    return Template(_name(file), file.name, blake3(text).hexdigest(), notebook, defaults)


def _read(value: Any, default: str) -> Any:
    """Return text as text where the default is text, else what it says as JSON."""
    if not isinstance(value, str) or default.startswith(("'", '"')):
        return value
    try:
        return json.loads(value, parse_constant=_refuse)
    except ValueError:
        return value


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)  # NaN and infinities are no JSON
