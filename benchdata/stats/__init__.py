"""Statistics for small samples: pure functions on arrays, exact where they can be.

Data that carry no answer give `CannotTell` with its reason; arguments that cannot be data (a value
that is not finite, more successes than trials) raise ValueError.
"""
