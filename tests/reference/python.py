"""The pages of the Python API: signatures and docstrings, read from the source alone."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import griffe

from tests.support.command import ROOT


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its head and the modules that it is about, in order."""

    head: str
    modules: tuple[str, ...]


ROWS = Page(
    """\
# Python: rows, contracts, answers

What a notebook or a script imports to read rows, ask about them and declare a contract. The
[statistics](statistics.md) have a page of their own. `python -m tests.reference.run` writes both
from the docstrings.
""",
    (
        "benchdata.dataset",
        "benchdata.queries",
        "benchdata.contracts",
        "benchdata.contracts.base",
        "benchdata.contracts.fields",
        "benchdata.contracts.meaning",
        "benchdata.contracts.checks",
        "benchdata.contracts.gate",
        "benchdata.rows.writing",
        "benchdata.gates.judging",
        "benchdata.gates.states",
        "benchdata.verdicts",
        "benchdata.errors",
    ),
)
STATISTICS = Page(
    """\
# Python: statistics

Pure functions on numbers, each with its source. They need no rows of a contract: a list of values
is enough. What they are for is told in [statistics](../statistics.md).
""",
    tuple(
        f"benchdata.stats.{name}"
        for name in (
            *("percentiles", "order_statistics", "intervals", "bootstrap", "samples", "clusters"),
            *("paired", "cells", "sign_flips", "tables", "ranks", "shifts", "unpaired"),
            *("fixed_tasks", "families", "floors", "power", "detectable", "independence"),
            *("trends", "changes", "passes", "scoring", "pricing", "results"),
        )
    ),
)
ALIAS = re.compile(r"[A-Z][a-z]\w*")
"""What a type is called; other names of modules are constants and stay in the source."""
COMMENT = re.compile(r"  # noqa.*")
Member = griffe.Class | griffe.Function | griffe.Attribute


def document(page: Page) -> str:
    """Return a page."""
    return page.head + "".join(map(_module, page.modules))


@cache
def _loaded() -> griffe.Module:
    found = griffe.load("benchdata", search_paths=[ROOT], docstring_parser="google")
    assert isinstance(found, griffe.Module)
    return found


def _module(name: str) -> str:
    module = _loaded()[name.removeprefix("benchdata.")]
    parts = [f"\n## {name}\n\n{_text(module)}{_aliases(module)}"]
    parts += [_member(member, member.name, 3) for member in _members(module)]
    return "".join(parts)


def members(module: str) -> list[str]:
    """Return the public names of a module that a page tells of."""
    return [member.name for member in _members(_loaded()[module.removeprefix("benchdata.")])]


def _members(holder: griffe.Module | griffe.Class) -> list[Member]:
    """Return the public classes, functions and properties defined there, in their order."""
    return [
        member
        for member in holder.members.values()
        if isinstance(member, griffe.Class | griffe.Function | griffe.Attribute)
        and not member.name.startswith("_")
        and (not isinstance(member, griffe.Attribute) or "property" in member.labels)
    ]


def _aliases(module: griffe.Module) -> str:
    """Return the types of a module that are made of others, as its source has them."""
    found = [
        "\n".join(member.lines)
        for member in module.members.values()
        if isinstance(member, griffe.Attribute) and ALIAS.fullmatch(member.name)
    ]
    code = "\n".join(found)
    return f"\n```python\n{code}\n```\n" if found else ""


def _member(member: Member, name: str, level: int) -> str:
    parts = [f"\n{'#' * level} {name}\n\n```python\n{_head(member)}\n```\n\n{_text(member)}"]
    if isinstance(member, griffe.Class):
        parts += [_member(each, f"{name}.{each.name}", level + 1) for each in _members(member)]
    return "".join(parts)


def _head(member: Member) -> str:
    """Return how a member begins in the source: its signature, or its fields."""
    lines = textwrap.dedent("\n".join(member.lines)).splitlines()
    (node,) = ast.parse("\n".join(lines)).body
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    head = lines[: node.body[0].lineno - 1]
    if isinstance(node, ast.ClassDef):
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and not ast.unparse(field.target).startswith("_"):
                head += lines[field.lineno - 1 : field.end_lineno]
    return COMMENT.sub("", "\n".join(head)).removesuffix(":")


def _text(documented: griffe.Object) -> str:
    """Return a docstring as Markdown, what is raised as a list."""
    parts = []
    for section in documented.docstring.parsed if documented.docstring else ():
        if isinstance(section, griffe.DocstringSectionText):
            parts.append(section.value)
        elif isinstance(section, griffe.DocstringSectionRaises):
            parts.append(_raises(section.value))
        else:
            raise TypeError(f"{documented.path}: no such section is known: {section.kind}")
    return "".join(f"{part}\n\n" for part in parts).rstrip("\n") + "\n"


def _raises(raised: Sequence[griffe.DocstringRaise]) -> str:
    lines = [f"- `{each.annotation}`: {' '.join(each.description.split())}" for each in raised]
    return "Raises:\n\n" + "\n".join(lines)
