"""skill-eval: does an agent skill help? Runs with the skill against runs without it."""
