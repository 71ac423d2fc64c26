"""How a number is written for a reader, in chart labels and in tables alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

MISSING = "\N{EM DASH}"
SIGNIFICANT_DIGITS = 4
PLAIN = (1e-6, 1e15)  # what is smaller or larger is written with an exponent
# d3-format of tooltips: thousands separators, no exponent, no trailing zeros.
TOOLTIP_FORMAT = ",.6~f"


def display(value: float | None) -> str:
    """Return `value` with thousands separators: whole numbers exactly, others to four digits.

    What is very large or very small has an exponent: a reader would count its digits in vain.

    None is a dash; NaN and infinities are named, since a reader must see that they are there.
    """
    if value is None:
        return MISSING
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("-infinity" if value < 0 else "infinity")
    if value and not PLAIN[0] <= abs(value) < PLAIN[1]:
        digits, exponent = f"{Decimal(value):.{SIGNIFICANT_DIGITS - 1}e}".split("e")
        return f"{digits.rstrip('0').rstrip('.')}e{int(exponent)}"
    if value == int(value):
        return f"{int(value):,}"
    decimals = SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(abs(value)))
    text = f"{value:,.{max(decimals, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def span(low: float | None, high: float | None, text: Callable[[float], str] = display) -> str:
    """Return `10 to 12`; of an end that lies among runs without a value that it is not reached."""
    if low is not None and high is not None:
        return f"{text(low)} to {text(high)}"
    if low is not None:
        return f"{text(low)}, upper end not reached"
    return "not reached" if high is None else f"lower end not reached, up to {text(high)}"


def p_text(p: Fraction | float) -> str:
    """Return a p with two digits: 0.10, 0.0079, 2.1e-05."""
    return "1" if p == 1 else f"{float(p):#.2g}"
