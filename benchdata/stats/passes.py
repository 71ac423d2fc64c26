"""pass@k and pass^k of one task, exactly, from its c passes in n trials."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from benchdata.stats.results import CannotTell


def pass_at_k(n: int, c: int, k: int) -> Fraction | CannotTell:
    """Return the unbiased estimate of "at least one of k trials passes": 1 - C(n-c, k) / C(n, k).

    None when k > n: more trials than there are.
    Source: Chen et al. 2021, "Evaluating large language models trained on code", section 2.1.

    Raises:
        ValueError: Not 0 <= c <= n, or k < 1.
    """
    refused = _refused(n, c, k)
    return refused or 1 - Fraction(comb(n - c, k), comb(n, k))


def pass_hat_k(n: int, c: int, k: int) -> Fraction | CannotTell:
    """Return the unbiased estimate of pass^k, "all of k trials pass": C(c, k) / C(n, k).

    The plug-in (c/n)^k is biased upwards. None when k > n.
    Source: Yao et al. 2024, "tau-bench", section 5.

    Raises:
        ValueError: Not 0 <= c <= n, or k < 1.
    """
    refused = _refused(n, c, k)
    return refused or Fraction(comb(c, k), comb(n, k))


def _refused(n: int, c: int, k: int) -> CannotTell | None:
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"{c} passes of {n} trials, k = {k}: not possible")
    return CannotTell(f"k = {k} is more than the {n} trials") if k > n else None
