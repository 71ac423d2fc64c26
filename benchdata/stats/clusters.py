"""Trials inside tasks: the standard error of a pooled mean, and how alike the trials of a task are.

For diagnosis beside `intervals.effective_n`: trials of one task are not independent, so an error
that takes them as such is too small.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from benchdata.stats.results import CannotTell
from benchdata.stats.samples import FloatArray, is_constant, mean, sample


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike the trials of a cluster are, and by what factor that inflates the variance."""

    intra_cluster_correlation: float
    design_effect: float


def clustered_se(
    scores: ArrayLike, clusters: Sequence[Hashable], *, corrected: bool = True
) -> float | CannotTell:
    """Return the cluster-robust standard error of the mean of n scores, in their unit.

    `clusters` names the cluster of each score. `corrected` multiplies by sqrt(C / (C - 1)) for C
    clusters, as comparisons of few clusters need. None with fewer than two clusters, or when it
    would be 0: all scores equal, or the deviations of every cluster cancel.
    Source: Liang and Zeger 1986 for the form; Miller 2024, arXiv 2411.00640, for evaluations.

    Raises:
        ValueError: Unequal lengths, or a score is not finite.
    """
    groups = _grouped(scores, clusters)
    if len(groups) < 2:
        return CannotTell("fewer than 2 clusters")
    everything = np.concatenate(groups)
    if is_constant(everything):
        return CannotTell("all scores are equal, so their spread is not known")
    centre = mean(everything)
    residuals = np.array([math.fsum(group - centre) for group in groups])
    if is_constant(np.append(residuals, 0.0), float(np.abs(everything).max())):
        return CannotTell("all clusters have the same mean, so the spread between them is not seen")
    error = math.hypot(*residuals) / len(everything)
    return error * math.sqrt(len(groups) / (len(groups) - 1)) if corrected else error


def likeness(scores: ArrayLike, clusters: Sequence[Hashable]) -> Likeness | CannotTell:
    """Return the intra-cluster correlation (one-way analysis of variance) and the design effect.

    The correlation is negative when trials of a cluster differ more than trials of different
    clusters do. The design effect is 1 + (size - 1) * correlation, at least 0, with the analysis's
    own average size. Needs two clusters, a cluster with two scores, and scores that differ.
    Source: Donner 1986, "A review of inference procedures for the intraclass correlation".

    Raises:
        ValueError: Unequal lengths, or a score is not finite.
    """
    groups = _grouped(scores, clusters)
    sizes = [len(group) for group in groups]
    n, k = sum(sizes), len(groups)
    if k < 2:
        return CannotTell("fewer than 2 clusters")
    if n == k:
        return CannotTell("no cluster holds two scores")
    everything = np.concatenate(groups)
    if is_constant(everything):
        return CannotTell("all scores are equal")
    centre = mean(everything)
    between = math.fsum(len(g) * (mean(g) - centre) ** 2 for g in groups) / (k - 1)
    within = math.fsum(math.fsum((g - mean(g)) ** 2) for g in groups) / (n - k)
    size = (n - sum(each * each for each in sizes) / n) / (k - 1)
    correlation = (between - within) / (between + (size - 1) * within)
    return Likeness(correlation, max(1 + (size - 1) * correlation, 0.0))


def _grouped(scores: ArrayLike, clusters: Sequence[Hashable]) -> list[FloatArray]:
    """Return the scores of each cluster, clusters in the order of their first score."""
    numbers = sample(scores)
    if len(numbers) != len(clusters):
        raise ValueError(f"{len(numbers)} scores cannot lie in {len(clusters)} named clusters")
    members: dict[Hashable, list[int]] = {}
    for position, name in enumerate(clusters):
        members.setdefault(name, []).append(position)
    return [numbers[positions] for positions in members.values()]
