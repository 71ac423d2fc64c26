"""What tokens cost: a dated table of list prices that a user may replace and extend."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

from pydantic import Field

from benchdata.contracts.usage import ModelUsage
from benchdata.errors import BenchdataError, did_you_mean, printable
from collectors.harness.documents import Document, content, fitted

SHIPPED = Path(__file__).with_name("pricing.toml")
PER = 1_000_000
DATE = re.compile(r"-\d{4}-?\d{2}-?\d{2}$")

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class PriceUnknown(BenchdataError):
    """A model has no price: nothing is guessed."""


class Price(Document):
    """One model's prices in USD per million tokens, when they were looked up and where."""

    input: Dollars
    output: Dollars
    cache_write: Dollars
    cache_read: Dollars
    as_of: date
    source: str


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by model; a model id with a date at its end may have the price of the one without."""

    by_model: Mapping[str, Price]

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
        BenchdataError: The file cannot be read, or a price in it is not whole.
    """
    files = [SHIPPED, own] if own else [SHIPPED]
    return Prices({model: price for path in files for model, price in _read(path).items()})


def undated(model: str) -> str:
    """Return a model id without the date at its end: `gpt-5-2025-08-07`, `claude-x-20250929`."""
    return DATE.sub("", model)


def _read(path: Path) -> dict[str, Price]:
    try:
        tables = tomllib.loads(content(path).decode())
    except UnicodeDecodeError:
        raise BenchdataError(f"{path.name}: is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise BenchdataError(f"{path.name}: is no TOML: {error}") from None
    return {
        model: fitted(table, Price, f"{path.name}: {printable(model)}")
        for model, table in tables.items()
    }


def _total(shares: Iterable[Iterable[float | None]]) -> float:
    return sum(share for each in shares for share in each if share) / PER
