"""Leaderboards: the arms of one context beside each other, never a rank without its range.

1. `boards`: which arms stand on which board, their means, rank ranges and lifts over the baseline.
2. `accounts`: what else is told of an arm: tasks one by one, other metrics, exclusions.
3. `tables`: the same arms, or the values of another field, as comparisons: a table for each metric.
4. `judged`: who scored runs that have no score of their own; `judge_accounts` what came of all it
   was asked, `preferences` and `order_bias` what it says of pairs, `profiles` its other scores.
"""
