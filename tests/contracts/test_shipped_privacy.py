"""Shipped contracts of one version: no string is free text, no secret stands in any place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel

from benchdata.contracts import fields, grammar, privacy
from benchdata.contracts.columns import unwrap
from benchdata.contracts.fields import Instant, Text, declared
from tests.support.faults import error_of
from tests.support.secrets import FOUND
from tests.support.shipped import SHIPPED, Shipped
from tests.support.trees import changed

EACH = pytest.mark.parametrize("shipped", SHIPPED, ids=lambda shipped: shipped.name)
KINDS = {**vars(fields), **vars(grammar)}.values()
GRAMMAR = {get_args(kind)[1] for kind in KINDS if get_args(kind)[:1] == (str,)}
"""Every kind of string that the two files of shared types define."""
FREE = get_args(fields.Label)[1]
"""The one of them that is no part of the grammar: it serves the protocol of `jev-social`."""


def strings(annotation: Any) -> Iterator[Any]:
    """Yield what is said of each string inside a type: None for a list of values."""
    base, metadata, _ = unwrap(annotation)
    if isinstance(base, type) and issubclass(base, BaseModel):
        for info in base.model_fields.values():
            yield from strings(declared(info))
    elif get_origin(base) is list:
        yield from strings(get_args(base)[0])
    elif base is str:
        yield metadata[0] if metadata else ""
    elif get_origin(base) is Literal:
        yield None


@EACH
def test_every_string_is_of_the_shared_grammar(shipped: Shipped) -> None:
    kinds = list(strings(shipped.contract.newest))
    assert len(kinds) > 3
    assert set(kinds) <= {None, *GRAMMAR} - {FREE}
    assert all(isinstance(kind, Text | Instant) for kind in kinds if kind is not None)


@EACH
@pytest.mark.parametrize("family", privacy.FAMILIES)
def test_a_secret_or_path_is_refused_wherever_a_string_stands(
    shipped: Shipped, family: str
) -> None:
    texts = FOUND[family]
    for row in shipped.rows:
        places = [path for path, _ in privacy.strings(row, "") if "[" not in path and path in row]
        assert len(places) > 3
        for number, path in enumerate(places):
            text = texts[number % len(texts)]
            error = error_of(shipped.contract, row | {path: text})
            assert error is not None
            assert error.path == path
            assert error.message.startswith("looks like a")
            assert text not in error.message


@EACH
def test_a_refused_name_comes_before_everything_else(shipped: Shipped) -> None:
    row = shipped.valid_row({"schema_version": 9})
    objects = ["", *(f"{path}." for path, value in row.items() if isinstance(value, dict))]
    for name in sorted(privacy.REFUSED_NAMES):
        for prefix in objects:
            for spelt in (name, name.upper()):
                error = error_of(shipped.contract, changed(row, {f"{prefix}{spelt}": None}))
                assert error is not None
                assert error.path == f"row.{prefix}{spelt}"
