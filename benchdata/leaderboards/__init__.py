"""Leaderboards: the arms of one context beside each other, never a rank without its range.

1. `boards`: which arms stand on which board, their means, rank ranges and lifts over the baseline.
2. `accounts`: what else is told of an arm: tasks one by one, other metrics, exclusions.
3. `tables`: the same arms, or the values of another field, as comparisons: a table for each metric.
"""
