"""Imports that are barred for a while: what they would load costs a second, or fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

GRAMMARS = "rfc3987_syntax"
"""jsonschema, which Altair and nbformat import, compiles 38 grammars of this optional package as it
is imported, to check addresses in any alphabet; no schema of charts or notebooks asks for that."""


@contextmanager
def without(*modules: str) -> Iterator[None]:
    """Let modules seem not to be installed; those that are loaded are there again afterwards."""
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(dict.fromkeys(modules))  # type: ignore[arg-type] # None bars an import
    try:
        yield
    finally:
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
