"""How a number is written for a reader, in chart labels and in tables alike."""

from __future__ import annotations

import math

MISSING = "\N{EM DASH}"
SIGNIFICANT_DIGITS = 4
EXACT_INTEGERS = 2**53
# d3-format of tooltips: thousands separators, no exponent, no trailing zeros.
TOOLTIP_FORMAT = ",.6~f"


def display(value: float | None) -> str:
    """Return `value` with thousands separators: whole numbers exactly, others to four digits.

    None is a dash; NaN and infinities are named, since a reader must see that they are there.
    """
    if value is None:
        return MISSING
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("-infinity" if value < 0 else "infinity")
    if value == int(value) and (isinstance(value, int) or abs(value) < EXACT_INTEGERS):
        return f"{int(value):,}"
    decimals = SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(abs(value)))
    text = f"{value:,.{max(decimals, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
