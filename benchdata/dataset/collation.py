"""The order of groups: that of an English reader's collation, not of code points.

Published summaries number their groups in this order, so it must not depend on the locale of the
machine. Checked against the root collation of Unicode (CLDR) for printable ASCII; any other
character follows these, in code-point order.
"""

from __future__ import annotations

from typing import TypeAlias

# Case is ignored at first and decides ties, lower case before upper case.
PRIMARY = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
WEIGHTS = {char: weight for weight, char in enumerate(f" {PRIMARY}", 1)}

Key: TypeAlias = tuple[tuple[int, ...], tuple[bool, ...], str]


def key(text: str) -> Key:
    """Return what to sort `text` by."""
    beyond = len(WEIGHTS) + 1
    primary = tuple(WEIGHTS.get(char.lower(), beyond + ord(char)) for char in text)
    return primary, tuple(char.isupper() for char in text), text
