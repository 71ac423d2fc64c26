"""The reference pages in `docs/reference`, made of the code: of `--help`, docstrings, contracts."""
