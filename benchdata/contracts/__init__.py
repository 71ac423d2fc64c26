"""Contracts by name: the shipped ones, other packages' by entry point, and `module:object`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from benchdata.contracts.base import Contract
from benchdata.errors import ContractError

__all__ = ["Contract", "get", "names", "recognise"]

GROUP = "benchdata.contracts"


@cache
def _registered() -> dict[str, EntryPoint]:
    """Return the entry points of the group, by name."""
    return {point.name: point for point in entry_points(group=GROUP)}


def names() -> tuple[str, ...]:
    """Return the names of all registered contracts, sorted."""
    return tuple(sorted(_registered()))


@cache
def get(name: str) -> Contract:
    """Return a contract by its registered name (`-` and `_` alike) or as `module:object`."""
    if ":" in name:
        return _checked(name, _load(*name.split(":", 1)))
    point = _registered().get(name.replace("_", "-"))
    if point is None:
        raise ContractError(
            f"no contract is named {name}; there are {', '.join(names())}, or give module:object"
        )
    return _checked(name, point.load())


def _load(module: str, attribute: str) -> object:
    """Return an object of a module found on the path or in the working directory."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ContractError(f"contract {module}:{attribute} cannot be loaded: {error}") from None
    finally:
        sys.path.remove(here)


def _checked(name: str, loaded: object) -> Contract:
    """Return `loaded` if it is a contract."""
    if not isinstance(loaded, Contract):
        raise ContractError(f"{name} is a {type(loaded).__name__}, not a Contract")
    return loaded


def recognise(keys: Iterable[str]) -> Contract:
    """Return the registered contract whose field names fit `keys` best, or raise ContractError."""
    have = frozenset(keys)
    scores = {name: _likeness(get(name), have) for name in names()}
    best = max(scores.values(), default=0.0)
    fitting = [name for name, score in scores.items() if score == best]
    if best < 0.5:
        raise ContractError(
            f"the rows fit no contract ({', '.join(names())}); name one with --contract"
        )
    if len(fitting) > 1:
        raise ContractError(f"the rows fit {' and '.join(fitting)}; name one with --contract")
    return get(fitting[0])


def _likeness(contract: Contract, keys: frozenset[str]) -> float:
    """Return the share of field names that `keys` and the nearest version have in common."""
    return max(
        len(keys & model.model_fields.keys()) / len(keys | model.model_fields.keys())
        for model in contract.models.values()
    )
