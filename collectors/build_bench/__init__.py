"""Build bench: services built to a contract, judged over HTTP by frozen suites of probes."""
