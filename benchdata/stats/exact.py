"""Exact permutation distributions: generating functions over integers, and enumeration.

A generating function is held in one Python integer: slot i, `width` bits wide, is the number of
ways to reach the i-th possible sum. Multiplying by 1 + x^w is then a shift and an addition, nothing
overflows, and nothing is rounded.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

EXACT = "exact"
ENUMERATED = 1 << 16
"""Patterns of real values that are all looked at; more are drawn from."""

Combine = Callable[[int, int], int]


@dataclass(frozen=True, slots=True)
class Sums:
    """The number of ways to reach each of the sums start, start + step, start + 2 step, ..."""

    packed: int
    width: int
    total: int
    start: int = 0
    step: int = 1

    def at_most(self, value: int) -> int:
        """Return the number of ways to a sum <= value."""
        slots = (value - self.start) // self.step + 1
        if slots <= 0:
            return 0
        bits = slots * self.width
        return self._ways(self.packed & ((1 << bits) - 1)) if bits < self._bits else self.total

    def at_least(self, value: int) -> int:
        """Return the number of ways to a sum >= value."""
        slots = -((self.start - value) // self.step)
        return self.total if slots <= 0 else self._ways(self.packed >> (slots * self.width))

    @property
    def _bits(self) -> int:
        return self.packed.bit_length()

    def _ways(self, packed: int) -> int:
        # 2^width leaves 1 when divided by 2^width - 1, so the remainder is the sum of the slots;
        # `width` is such that the total stays below the divisor.
        return packed % ((1 << self.width) - 1)


def slot_width(total: int) -> int:
    """Return the bits of a slot in which `total` ways fit, with room for `Sums` to add them up."""
    return total.bit_length() + 1


def subset_sums(weights: Iterable[int]) -> Sums:
    """Return the sums of all 2^n subsets of n positive integers.

    Source: Pagano and Tritchler 1983, "On obtaining permutation distributions in polynomial time".
    """
    ordered = sorted(weights)
    width = slot_width(1 << len(ordered))
    packed = 1
    for weight in ordered:
        packed += packed << (weight * width)
    return Sums(packed, width, 1 << len(ordered))


def pack_chosen(weights: Sequence[int], size: int, width: int) -> int:
    """Return, packed in slots of `width` bits, the sums of all subsets of exactly `size` weights.

    The weights are integers >= 0; the work grows with n * size * sum.
    Source: Streitberg and Roehmel 1986, "Exact distributions for permutation and rank tests" (the
    shift algorithm, right for ties).
    """
    chosen = [1] + [0] * size
    for done, weight in enumerate(weights):
        left = len(weights) - done - 1
        for count in range(min(done + 1, size), max(1, size - left) - 1, -1):
            chosen[count] += chosen[count - 1] << (weight * width)
    return chosen[size]


@lru_cache(maxsize=128)
def rank_sums(doubled_ranks: tuple[int, ...], size: int) -> Sums:
    """Return the sums of all subsets of `size` of the doubled midranks, given in rising order.

    Exact with any ties, as the ranks are those observed. Doubled midranks are integers.
    """
    total = math.comb(len(doubled_ranks), size)
    width = slot_width(total)
    if not doubled_ranks:
        return Sums(1, width, 1)
    least = doubled_ranks[0]
    step = math.gcd(*(rank - least for rank in doubled_ranks)) or 1
    packed = pack_chosen([(rank - least) // step for rank in doubled_ranks], size, width)
    return Sums(packed, width, total, size * least, step)


def totals(
    choices: Iterable[tuple[int, int]], combine: Combine = operator.add, start: int = 0
) -> dict[int, int]:
    """Return the number of ways to every total of one number of each pair: 2^n ways in all."""
    ways = {start: 1}
    for pair in choices:
        ways = joined(ways, {pair[0]: 1} if pair[0] == pair[1] else dict.fromkeys(pair, 1), combine)
    return ways


def joined(
    left: Mapping[int, int], right: Mapping[int, int], combine: Combine = operator.add
) -> dict[int, int]:
    """Return the ways to every total of one of `left` with one of `right`."""
    ways: dict[int, int] = {}
    for a, count in left.items():
        for b, more in right.items():
            total = combine(a, b)
            ways[total] = ways.get(total, 0) + count * more
    return ways
