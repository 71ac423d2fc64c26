"""The page of the shipped contracts: every field with its kind and limits, every rule, the gate."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchdata import contracts
from benchdata.contracts import Contract
from benchdata.contracts.checks import Rule
from benchdata.contracts.fields import SAFE_INTEGER
from benchdata.contracts.schema import json_schema

INTRODUCTION = """\
# Contracts

What a row of each shipped contract may hold. Objects and fields are closed: what is not listed is
an error, and so is what is missing. `a.b` is a field of an object, `a[].b` one of each object in a
list. `benchdata validate --schema NAME` prints the same as JSON Schema. A contract of your own is
[a Python object](../your-own-contract.md). `python -m tests.reference.run` writes this page again.
"""
SPACE = re.compile(r"\s+")
Schema = Mapping[str, Any]
Line = tuple[str, ...]


def document() -> str:
    """Return the page."""
    return INTRODUCTION + "".join(_section(contracts.get(name)) for name in contracts.names())


def said(contract: Contract) -> str:
    """Return what the module of a contract says it is, as one sentence."""
    text = sys.modules[contract.newest.__module__].__doc__ or ""
    return SPACE.sub(" ", text.partition(":")[2].partition("\n\n")[0]).strip()


def fields(contract: Contract) -> Iterator[tuple[str, str, str]]:
    """Yield (field, versions, what it may be) of every field, the newest version's order first."""
    schema = json_schema(contract)
    versions = dict(zip(sorted(contract.models, reverse=True), schema["oneOf"], strict=True))
    found: dict[tuple[str, str], list[int]] = {}
    for version, model in versions.items():
        for path, limits in _of_object(model, schema.get("$defs", {}), ""):
            found.setdefault((path, limits), []).append(version)
    for (path, limits), have in found.items():
        yield path, ", ".join(map(str, sorted(have))), limits


def _of_object(model: Schema, definitions: Schema, prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in model["properties"].items():
        yield from _of_value(f"{prefix}{name}", value, definitions)


def _of_value(path: str, value: Schema, definitions: Schema) -> Iterator[tuple[str, str]]:
    kinds = value.get("anyOf", [value])
    (kind,) = (each for each in kinds if each.get("type") != "null")
    null = " or null" if len(kinds) > 1 else ""
    if reference := kind.get("$ref"):
        if null:
            yield path, f"an object{null}"
        model = definitions[reference.rpartition("/")[2]]
        yield from _of_object(model, definitions, f"{path}.")
    elif kind.get("type") == "array":
        yield path, f"a list{_size(kind)}{null}"
        yield from _of_value(f"{path}[]", kind["items"], definitions)
    else:
        yield path, f"{_words(kind)}{null}"


def _words(kind: Schema) -> str:
    """Return the limits of a plain value."""
    if "const" in kind:
        return f"`{kind['const']}`"
    if "enum" in kind:
        return ", ".join(f"`{each}`" for each in kind["enum"])
    if kind.get("format") == "date-time":
        return "a UTC time to the millisecond"
    if "description" in kind:
        return f"{kind['description']}, at most {kind['maxLength']} characters"
    noun = {"integer": "a whole number", "number": "a number", "boolean": "`true` or `false`"}
    return f"{noun[kind['type']]}{_bounds(kind)}"


def _bounds(kind: Schema) -> str:
    low, high = kind.get("minimum"), kind.get("maximum")
    if low is None:
        return ""
    return f" from {low:,}" if high in {None, SAFE_INTEGER} else f" from {low:,} to {high:,}"


def _size(kind: Schema) -> str:
    low, high = kind.get("minItems"), kind.get("maxItems")
    if high is None:
        return f" of at least {low}" if low else ""
    return f" of {low} to {high}" if low else f" of at most {high}"


def _section(contract: Contract) -> str:
    sentence = said(contract)
    return "".join(
        [
            f"\n## {contract.name}\n\n{sentence[:1].upper()}{sentence[1:]}\n\n",
            _table(("", ""), _facts(contract)),
            "\n",
            _fields(contract),
            "\n",
            _table(("metric", "of", "better", "smallest effect that counts"), _metrics(contract)),
            *_rules(contract),
        ]
    )


def _metrics(contract: Contract) -> Iterator[Line]:
    for metric in contract.metrics:
        share = "" if metric.bounds else " of the value"
        yield (
            f"`{metric.name}`{' (primary)' * (metric.name == contract.primary)}",
            f"`{metric.path}`{f', {metric.unit}' * bool(metric.unit)}",
            metric.better,
            f"{metric.min_effect:g}{share}" if metric.min_effect else "any",
        )


def _fields(contract: Contract) -> str:
    head = ("field", "versions", "what it may be")
    lines = ((f"`{path}`", versions, limits) for path, versions, limits in fields(contract))
    step = 1 if len(contract.models) > 1 else 2
    return _table(head[::step], (line[::step] for line in lines))


def _facts(contract: Contract) -> Iterator[tuple[str, str]]:
    outcome, gate = contract.outcome, contract.gate
    compared = ", ".join(f"`{name}`" for name in contract.design.compared)
    yield "unique", ", ".join(f"`{name}`" for name in contract.identity)
    yield "pooled when equal", ", ".join(f"`{name}`" for name in contract.group)
    if compared:
        yield "compared", compared
    yield "unit of replication", f"{contract.unit}, tasks are {contract.tasks}"
    yield "not scored when", f"`{outcome.unscored}`" if outcome.unscored != "False" else "never"
    yield "success when", f"`{outcome.success}`"
    if outcome.partial != "False":
        yield "partial when", f"`{outcome.partial}`"
    yield "synthetic when", f"`{contract.synthetic}`" if contract.synthetic != "False" else "never"
    if gate:
        yield (
            "READY from",
            f"{gate.rows} scored {'row' if gate.rows == 1 else 'rows'} a group"
            + (
                f", {gate.arms.tasks} tasks and {gate.arms.repeats} repeats an arm"
                if gate.arms
                else ""
            ),
        )
        for bar in gate.bars:
            yield f"`--bar {bar.name}`", f"`{bar.metric}` of at least {bar.at_least:g}"
    else:
        yield "READY from", "no gate is declared"


def _rules(contract: Contract) -> Iterator[str]:
    rules = [check for check in contract.checks if isinstance(check, Rule)]
    if rules:
        yield "\nWhat holds between fields:\n\n"
        yield _table(("field", ""), ((f"`{rule.path}`", rule.message) for rule in rules))


def _table(head: Line, lines: Iterable[Line]) -> str:
    every = [head, tuple("---" for _ in head), *lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in every)
