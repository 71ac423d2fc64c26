"""Contracts by name: the shipped ones, other packages' by entry point, `FILE.py:OBJECT`."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from benchdata.contracts.base import Contract
from benchdata.errors import BenchdataError, ContractError, shorten

__all__ = ["Contract", "get", "names", "recognise"]

GROUP = "benchdata.contracts"

_named: dict[Contract, str] = {}


@cache
def _registered() -> dict[str, EntryPoint]:
    """Return the entry points of the group, by name with `-`; two of one name are refused."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        first = found.setdefault(point.name.replace("_", "-"), point)
        if first.value != point.value:
            raise ContractError(
                f"two contracts are named {point.name}: {first.value} and {point.value};"
                " uninstall one of the packages"
            )
    return found


def names() -> tuple[str, ...]:
    """Return the names of all registered contracts, sorted."""
    return tuple(sorted(_registered()))


@cache
def get(name: str) -> Contract:
    """Return a contract by its registered name (`-` and `_` alike), or by where its object stands.

    That is `FILE.py:OBJECT`, or `module:OBJECT` with a module that the working directory or the
    installation has.
    """
    module, colon, attribute = name.rpartition(":")
    if colon:
        return _loaded(name, lambda: _object(module, attribute))
    point = _registered().get(name.replace("_", "-"))
    if point is None:
        raise ContractError(
            f"no contract is named {name}; there are {', '.join(names())}, or give FILE.py:OBJECT"
        )
    return _loaded(name, point.load)


def _object(name: str, attribute: str) -> object:
    """Return an object of a module, or raise ContractError naming the contracts there are in it."""
    module = _module(name)
    if not hasattr(module, attribute):
        there = [name for name, value in vars(module).items() if isinstance(value, Contract)]
        raise ContractError(
            f"{name} has no object `{attribute}`; its contracts: {', '.join(there) or 'none'}"
        )
    return getattr(module, attribute)


def _module(name: str) -> ModuleType:
    """Return a module by its file or by its name."""
    if not name.endswith(".py"):
        here = str(Path.cwd())
        sys.path.insert(0, here)
        try:
            return importlib.import_module(name)
        finally:
            sys.path.remove(here)
    file = Path(name).resolve()
    if not file.is_file():
        raise ContractError(f"contract {name}: there is no such file")
    # named by its path: a file json.py must not take the place of a module json
    spec = importlib.util.spec_from_file_location(str(file), file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _loaded(name: str, load: Callable[[], object]) -> Contract:
    """Return what `load` gives when it is a contract; whatever it raises is one clear error."""
    try:
        loaded = load()
    except BenchdataError:
        raise
    except Exception as error:
        words = shorten(f"{type(error).__name__}: {error}")
        raise ContractError(f"contract {name} cannot be loaded: {words}") from error
    if not isinstance(loaded, Contract):
        raise ContractError(f"{name} is no Contract but of type {type(loaded).__name__}")
    _named.setdefault(loaded, name)
    return loaded


def name_of(contract: Contract) -> str | None:
    """Return a name by which `get` gives this very contract, None when none is known."""
    if contract not in _named and contract.name in _registered():
        with suppress(ContractError):
            get(contract.name)
    return _named.get(contract)


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
