"""The agent programs: how each is started, and what the lines that it prints tell."""
