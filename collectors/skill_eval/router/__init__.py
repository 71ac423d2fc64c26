"""Three ways to skills on the same tasks: none, a search that a skill describes, a connector.

`ways` is the table of the arms, each with what is made ready around a run. `desk` answers the `npx`
that the arm find-skills has (`shim` in the sandbox, `requests` what it may ask); `proxy` stands
between an agent and a `connector`. Both let nothing of an `exclusion` through, which `sieve` takes
out of answers, and write what was asked into a `retrieval` record.
"""
