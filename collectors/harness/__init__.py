"""Runs an agent on a task: folder, sandbox, gateway and schedule of every agent benchmark."""
