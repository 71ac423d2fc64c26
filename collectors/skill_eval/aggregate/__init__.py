"""The summary of a judged stage: dQ, pairs, failures, and whether it may be published."""
