"""The blind judge: a model that sees what a reader sees, and nothing of who made it or how."""
