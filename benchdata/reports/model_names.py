"""The names of models as their makers write them, where their ids tell them by rule."""

from __future__ import annotations

import re

DATE = r"(?:-\d{8}|-\d{4}-\d{2}-\d{2})?"
VERSION = r"(?P<version>\d{1,2}(?:[.-]\d{1,2})?)"
RULES = (
    (rf"claude-(?P<family>[a-z]+)-{VERSION}{DATE}", "Claude {family} {version}"),
    (rf"claude-{VERSION}-(?P<family>[a-z]+){DATE}", "Claude {version} {family}"),
    (rf"gpt-{VERSION}(?:-(?P<family>[a-z]+))?{DATE}", "GPT-{version} {family}"),
)
"""Each form of an id, after its vendor, and the name that it gives."""


def model_name(model: str) -> str:
    """Return the name that people know a model by, such as `Claude Opus 5`; else its id."""
    last = model.rpartition("/")[2]
    for form, name in RULES:
        if found := re.fullmatch(form, last):
            family = (found["family"] or "").capitalize()
            version = found["version"].replace("-", ".")
            return name.format(family=family, version=version).strip()
    return model
