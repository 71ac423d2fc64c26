"""What being shown first is worth to a judge, from pairs that it saw in both orders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchdata.leaderboards.preferences import Seen
from benchdata.stats.intervals import clopper_pearson
from benchdata.stats.results import CannotTell, Interval
from benchdata.stats.tables import SignTest, sign_test


@dataclass(frozen=True, slots=True)
class OrderBias:
    """How often the place decided, in pairs that were judged in both orders.

    Of the `decided` verdicts, which name a winner, `first` name what was shown first. A pair is
    turned by its order when one place gains more than the other: `to_first` and `to_second` count
    those. Pairs whose orders agree are worth nothing to either place, so the turned ones alone
    tell: where order does not matter, either place gains equally often.
    """

    pairs: int
    first: int
    decided: int
    to_first: int
    to_second: int

    @property
    def turned(self) -> int:
        """Return the number of pairs whose verdict the order turned."""
        return self.to_first + self.to_second

    @property
    def share(self) -> float | CannotTell:
        """Return the share of decided verdicts that what was shown first won."""
        return self.first / self.decided if self.decided else CannotTell("no verdict with a winner")

    @property
    def interval(self) -> Interval | CannotTell:
        """Return the exact interval of the share of turned pairs that were turned to the first."""
        if not self.turned:
            return CannotTell("no pair that its order turned")
        return clopper_pearson(self.to_first, self.turned)

    @property
    def test(self) -> SignTest:
        """Return the exact test of either place gaining equally often; its p is raw."""
        return sign_test(self.to_first, self.to_second)


def order_bias(verdicts: Iterable[Seen]) -> OrderBias:
    """Return the order bias of a judge; pairs that it judged in one order have no part in it."""
    by_pair: dict[tuple[str, str], dict[str, list[Seen]]] = defaultdict(lambda: defaultdict(list))
    for one in verdicts:
        by_pair[one.runs][one.first].append(one)
    both = [orders for orders in by_pair.values() if len(orders) > 1]
    gains = [_gain(orders) for orders in both]
    won = [one for orders in both for seen in orders.values() for one in seen if one.winner]
    return OrderBias(
        pairs=len(both),
        first=sum(one.winner == one.first for one in won),
        decided=len(won),
        to_first=sum(gain > 0 for gain in gains),
        to_second=sum(gain < 0 for gain in gains),
    )


def _gain(orders: Mapping[str, Sequence[Seen]]) -> Fraction:
    """Return what the first place gained over both orders; verdicts in one order averaged."""
    means = (Fraction(sum(map(_for_first, seen)), len(seen)) for seen in orders.values())
    return sum(means, Fraction(0))


def _for_first(one: Seen) -> int:
    return 0 if not one.winner else 1 if one.winner == one.first else -1
