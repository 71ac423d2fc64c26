"""What the user of a collector has set, by variables or not at all: folders, addresses, prices."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchdata.stats import pricing
from benchdata.stats.pricing import Prices

ENDPOINT = "BENCHDATA_AGENT_ENDPOINT"
"""The variable that declares another model API than the vendor's; the plan names it."""
PRICES = "BENCHDATA_PRICES"
"""The variable that names a prices file of one's own."""
MODELS = {"claude": "claude-opus-5-5", "codex": "gpt-5.5", "scripted": "scripted"}
"""The model where none is named, pinned here since the programs' own changes with them."""
OWN = "benchdata"


def prices(environment: Mapping[str, str]) -> Prices:
    """Return the list prices, with the user's own before those that ship.

    Raises:
        BenchdataError: The user's file is none of prices.
    """
    own = environment.get(PRICES)
    return pricing.load(Path(own) if own else None)


def config_folder(environment: Mapping[str, str]) -> Path:
    """Return where settings and results of the user lie."""
    return Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config", OWN)


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Return where what can be had again lies."""
    return Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache", OWN)
