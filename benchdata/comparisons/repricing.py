"""The cost of stored rows by a dated price table, in the place of the cost that they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from benchdata.contracts.usage import COST, TOKENS, ModelUsage
from benchdata.dataset import Dataset
from benchdata.stats.pricing import Prices, PriceUnknown

USED = f"select row_id, {TOKENS.path} from grouped where row_result <> 'unscored' order by row_id"


@dataclass(frozen=True, slots=True)
class Repriced:
    """What the table named `table` says: `costs` in USD by the identity of a row.

    A row that is not among them keeps the cost it holds: one with a model of `unpriced`, which the
    table lacks, and the `untold` ones, of whose tokens a count is unknown. `days` are those of the
    prices, by the models that were priced.
    """

    table: str
    costs: Mapping[str, float]
    days: Mapping[str, date]
    unpriced: tuple[str, ...]
    untold: int


def reprice(dataset: Dataset, prices: Prices) -> Repriced | None:
    """Price again what each scored row used; None when the contract tells of no cost or tokens."""
    metrics = {metric.path for metric in dataset.contract.metrics}
    if not {COST.path, TOKENS.path} <= metrics:
        return None
    costs: dict[str, float] = {}
    days: dict[str, date] = {}
    unpriced: set[str] = set()
    untold = 0
    for row in dataset.sql(USED).iter_rows(named=True):
        usage = [ModelUsage.model_validate(each) for each in row[TOKENS.path] or ()]
        lacking = {each.model for each in usage if not _has(prices, each.model)}
        unpriced |= lacking
        if lacking or not usage:
            continue
        cost = prices.cost(usage)
        if cost is None:
            untold += 1
            continue
        costs[row["row_id"]] = cost
        days |= {each.model: prices.of(each.model).as_of for each in usage}
    return Repriced(prices.name, costs, dict(sorted(days.items())), tuple(sorted(unpriced)), untold)


def _has(prices: Prices, model: str) -> bool:
    try:
        prices.of(model)
    except PriceUnknown:
        return False
    return True
