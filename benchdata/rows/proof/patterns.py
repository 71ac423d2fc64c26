"""Text of many values, proven by columns: the checks of a `Text` as polars expressions.

Python's pattern is used as it is where both engines are sure to read it alike; else there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import numpy as np
import polars as pl

from benchdata.contracts import privacy
from benchdata.contracts.fields import Text
from benchdata.rows.proof.blocks import Flags

# The part of the pattern language that Python and polars have in common, a token at a time.
TOKEN = re.compile(
    r"""
    (?P<atom>
        [A-Za-z0-9\ _/:~@\#%=,;!'"<>&-] | \\[.+*?()\[\]{}|^$/\\-] | \\[dw]
        | \[\^?(?!-)(?:(?!--|~~)[A-Za-z0-9\ _./:~@\#%=,;!+*?(){}|$<>'"-]|\\[\[\]\\^.dw])+\]
    )
    | (?:\(\?: | \((?!\?) | [)|^$])
    | (?:[?*+] | \{[0-9]{1,3}(?:,[0-9]{0,3})?\})\??(?![?*+{])
    """,
    re.VERBOSE,
)
BEYOND_ASCII = re.compile(r"\\[dw]|\[\^|(?<!\\)\.")
"""What may stand for more than ASCII in polars."""
PLAIN = frozenset(map(chr, range(0x20, 0x7F))) - frozenset('"\\')
"""What may stand in a string of JSON for itself, as far as ASCII goes."""

Holds = Callable[[pl.Series], Flags]


@cache
def pattern(text: Text) -> Holds | None:
    """Return what tells which strings, as written in JSON, are their own normal form and valid.

    Only plain ASCII is ever said to be. None is returned when a pattern is beyond columns.
    """
    alphabet = PLAIN if text.pattern is None else _alphabet(text.pattern)
    if alphabet is None or any(_alphabet(refused) is None for refused, _ in text.refuse):
        return None
    column = pl.col("text")
    holds = [column.str.len_bytes().is_between(1, text.longest)]
    if text.pattern is not None:
        holds.append(column.str.contains(f"^(?:{text.pattern})$"))
    if not alphabet <= PLAIN or text.pattern is None or BEYOND_ASCII.search(text.pattern):
        holds.append(column.str.contains(r"^[ !#-\[\]-~]*$"))
    if " " in alphabet:
        holds += [~column.str.starts_with(" "), ~column.str.ends_with(" ")]
    if text.lower and any(char.isupper() for char in alphabet):
        holds.append(~column.str.contains("[A-Z]"))
    if text.stem:
        holds.append(~column.str.contains(f"^(?:{text.stem})$"))
    holds += [~column.str.contains(refused) for refused, _ in text.refuse]
    fits = pl.all_horizontal(holds).fill_null(value=False)
    folded = {char.lower() for char in alphabet}
    markers = [marker for marker in privacy.MARKERS if set(marker.lower()) <= folded]
    try:
        pl.select(text=pl.lit("")).select(fits)
    except pl.exceptions.ComputeError:  # a pattern that would take too much memory
        return None
    return lambda series: _clean(series, series.to_frame("text").select(fits), markers)


def _clean(series: pl.Series, fits: pl.DataFrame, markers: list[str]) -> Flags:
    """Return where a text fits and is neither a secret nor a path."""
    ok = np.array(fits.to_series())
    if markers:
        marked = series.str.contains_any(markers, ascii_case_insensitive=True).to_numpy()
        for index in np.flatnonzero(ok & marked):
            ok[index] = privacy.family(series[int(index)]) is None
    return ok


def _alphabet(source: str) -> frozenset[str] | None:
    """Return every ASCII character that a match may hold, None when a token is not shared."""
    found: set[str] = set()
    at = 0
    while at < len(source):
        token = TOKEN.match(source, at)
        if token is None:
            return None
        if atom := token["atom"]:
            found |= {char for char in map(chr, range(128)) if re.fullmatch(atom, char, re.ASCII)}
        at = token.end()
    return frozenset(found)
