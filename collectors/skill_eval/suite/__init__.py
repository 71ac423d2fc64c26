"""Suites of open tasks: what an agent is asked, what it starts from, and what is seen of it."""
