"""What tokens cost: a dated table of list prices that a user may replace and extend."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path

from benchdata.contracts.usage import ModelUsage
from benchdata.errors import BenchdataError, InputError, did_you_mean, printable

SHIPPED = Path(__file__).with_name("pricing.toml")
PER = 1_000_000
DATE = re.compile(r"-\d{4}-?\d{2}-?\d{2}$")
RATES = ("input", "output", "cache_write", "cache_read")
KEYS = (*RATES, "as_of", "source")


class PriceUnknown(BenchdataError):
    """A model has no price: nothing is guessed."""


@dataclass(frozen=True, slots=True)
class Price:
    """One model's prices in USD per million tokens, when they were looked up and where."""

    input: float
    output: float
    cache_write: float
    cache_read: float
    as_of: date
    source: str


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by model; a model id with a date at its end may have the price of the one without.

    `name` is that of the files they come from.
    """

    by_model: Mapping[str, Price]
    name: str = SHIPPED.name

    def of(self, model: str) -> Price:
        """Return a model's prices.

        Raises:
            PriceUnknown: The table has none.
        """
        price = self.by_model.get(model) or self.by_model.get(undated(model))
        if price is None:
            hint = did_you_mean(model, list(self.by_model))
            raise PriceUnknown(
                f"{printable(model)}: has no price{hint}; add one in a prices file of your own,"
                f" as {SHIPPED.name} shows"
            )
        return price

    def cost(self, usage: Iterable[ModelUsage]) -> float | None:
        """Return the USD that tokens cost, or None when a count is unknown.

        Raises:
            PriceUnknown: A model has no price.
        """
        shares = [self._shares(each) for each in usage]
        return None if any(None in each for each in shares) else _total(shares)

    def least(self, usage: Iterable[ModelUsage]) -> float:
        """Return the USD that tokens cost at least: what is unknown counts nothing.

        Raises:
            PriceUnknown: A model has no price.
        """
        return _total(self._shares(each) for each in usage)

    def _shares(self, usage: ModelUsage) -> list[float | None]:
        price = self.of(usage.model)
        rates = (
            (usage.input_tokens, price.input),
            (usage.output_tokens, price.output),
            (usage.cache_creation_tokens, price.cache_write),
            (usage.cache_read_tokens, price.cache_read),
        )
        return [None if count is None else count * rate for count, rate in rates]


def load(own: Path | None = None) -> Prices:
    """Return the shipped prices, with those of a user's `own` file in their place and beside them.

    Raises:
        InputError: The file cannot be read, or a price in it is not whole.
    """
    shipped = _shipped()
    if own is None:
        return shipped
    return Prices({**shipped.by_model, **_read(own)}, f"{own.name} over {shipped.name}")


def known_cost(prices: Prices | None, usage: Sequence[ModelUsage]) -> float | None:
    """Return the USD that tokens cost; None when they, a count or a price is unknown."""
    if not usage or prices is None:
        return None
    try:
        return prices.cost(usage)
    except PriceUnknown:
        return None


def undated(model: str) -> str:
    """Return a model id without the date at its end: `gpt-5-2025-08-07`, `claude-x-20250929`."""
    return DATE.sub("", model)


@cache
def _shipped() -> Prices:
    return Prices(_read(SHIPPED))


def _read(path: Path) -> dict[str, Price]:
    try:
        tables = tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise InputError(f"{path.name}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path.name}: is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path.name}: is no TOML: {error}") from None
    return {
        model: _price(found, f"{path.name}: {printable(model)}") for model, found in tables.items()
    }


def _price(found: object, place: str) -> Price:
    if not isinstance(found, Mapping):
        raise InputError(f"{place}: must be a table with {', '.join(KEYS)}")
    for key in (key for key in found if key not in KEYS):
        raise InputError(f"{place}: {key}: is not a key here{did_you_mean(key, KEYS)}")
    for key in (key for key in KEYS if key not in found):
        raise InputError(f"{place}: {key}: is missing")
    for key in RATES:
        rate = found[key]
        number = isinstance(rate, int | float) and not isinstance(rate, bool)
        if not (number and math.isfinite(rate) and rate >= 0):
            raise InputError(f"{place}: {key}: must be a number of 0 or more")
    as_of, source = found["as_of"], found["source"]
    if not isinstance(as_of, date) or isinstance(as_of, datetime):
        raise InputError(f"{place}: as_of: must be a day, such as 2026-12-01")
    if not isinstance(source, str) or not source:
        raise InputError(f"{place}: source: must say where the prices are from")
    rates = {key: float(found[key]) for key in RATES}
    return Price(**rates, as_of=as_of, source=source)


def _total(shares: Iterable[Iterable[float | None]]) -> float:
    return sum(share for each in shares for share in each if share) / PER
