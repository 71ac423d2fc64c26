"""What can go wrong in an attempt, as a code: without words there is nothing private in it."""

from __future__ import annotations

import re

CODE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")


class Failure(Exception):
    """Ends an attempt or one of its steps; `code` decides the row's stop reason."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)
