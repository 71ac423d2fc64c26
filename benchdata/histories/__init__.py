"""Values of a followed field in order of their first start, each judged against one baseline.

1. `series`: which releases are compared with which baseline, and what that gives.
2. `courses`: what is said of all releases together and decides nothing: change points, spread,
   expected alarms.
3. `confirmation`: whether fresh repeats of both releases agree that one is worse.
"""
