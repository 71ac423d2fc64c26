"""Two arms compared on one metric: what was measured, what stands in the way, what it may decide.

1. `arms`: runs of one arm, from memory or from a dataset (`groups`).
2. `claims`: the metric, what kind of number it is, the smallest effect that counts.
3. `methods`: from kind and shape of the data to estimate, interval, test and floor, by one table.
4. `findings`: one comparison with everything a verdict needs; `families`: Holm over one table.
5. `details`: what is shown beside it and decides nothing.

Data that carry no answer travel in the findings; exceptions are for misuse.
"""
