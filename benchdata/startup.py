"""Keeps an import that nobody here needs from costing each of our processes a second."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import cast

GRAMMARS = "rfc3987_syntax"
"""jsonschema, which Altair and nbformat import, compiles 38 grammars of this optional package as it
is imported, to check addresses in any alphabet; no schema of charts or notebooks asks for that."""


@contextmanager
def without_grammars() -> Iterator[None]:
    """Let jsonschema be imported as if the grammars were not installed; loaded ones are kept."""
    if GRAMMARS in sys.modules:
        yield
        return
    modules = cast("dict[str, ModuleType | None]", sys.modules)
    modules[GRAMMARS] = None  # an import of it now fails, which jsonschema takes for its absence
    try:
        yield
    finally:
        modules.pop(GRAMMARS, None)
