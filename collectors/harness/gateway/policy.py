"""What an agent may ask: which model, how many turns, at what price."""

from __future__ import annotations

from dataclasses import dataclass

from benchdata.stats.pricing import Prices
from collectors.harness.gateway.shape import ShapeName


@dataclass(frozen=True, slots=True)
class Policy:
    """What is refused, besides what the callback stops.

    `model` is the pinned model and `also` others that are allowed, such as one for side calls.
    `max_cost_usd` is by `prices`, of what is known to be used, and checked before a request is sent
    on: the last answer may go beyond it.
    """

    model: str
    shape: ShapeName
    also: tuple[str, ...] = ()
    max_turns: int | None = None
    max_cost_usd: float | None = None
    prices: Prices | None = None

    def __post_init__(self) -> None:
        """Refuse a cap on the price of a model that has none.

        Raises:
            PriceUnknown: No price is known.
        """
        if self.max_cost_usd is not None:
            prices = self.prices or Prices({})
            for model in (self.model, *self.also):
                prices.of(model)

    @property
    def models(self) -> tuple[str, ...]:
        """Every model that may be asked."""
        return (self.model, *self.also)
