"""`python -m tests.reference.run`: write the pages in docs/reference again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.reference import commands, contracts, python
from tests.support.command import ROOT

FOLDER = ROOT / "docs" / "reference"
PAGES: Mapping[str, Callable[[], str]] = {
    "commands.md": commands.document,
    "contracts.md": contracts.document,
    "python.md": lambda: python.document(python.ROWS),
    "statistics.md": lambda: python.document(python.STATISTICS),
}


def main() -> None:
    """Write every page."""
    for name, document in PAGES.items():
        (FOLDER / name).write_text(document(), "utf-8")


if __name__ == "__main__":
    main()
