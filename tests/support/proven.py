"""What the fixture `proven` takes: under which fault, how often, what held."""

from __future__ import annotations

from collections.abc import Callable

Proven = Callable[[str, int, str], None]
