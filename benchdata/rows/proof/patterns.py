"""Text of many values, proven by columns: the checks of a `Text` as polars expressions.

Python's pattern is used as it is where both engines are sure to read it alike; else there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import numpy as np
import polars as pl
import pyarrow as pa

from benchdata.contracts import privacy
from benchdata.contracts.fields import Text
from benchdata.rows.proof.blocks import Flags
from benchdata.rows.proof.texts import OLDEST, of_arrow

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

COUNT = re.compile(r"\{([1-9][0-9]*)\}")

Holds = Callable[[pa.LargeStringArray], Flags]


@cache
def pattern(text: Text) -> Holds | None:
    """Return what tells which texts, as written in JSON, are their own normal form and valid.

    Only plain ASCII is ever said to be. None is returned when a pattern is beyond columns.
    """
    alphabet = PLAIN if text.pattern is None else _alphabet(text.pattern)
    if alphabet is None or any(_alphabet(refused) is None for refused, _ in text.refuse):
        return None
    column = pl.col("text")
    placed = _placed(text.pattern or "", text.longest)
    holds: list[pl.Expr] = [] if placed else [column.str.len_bytes().is_between(1, text.longest)]
    if text.pattern is not None and placed is None:
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
    fits = pl.all_horizontal(holds).fill_null(value=False) if holds else None
    folded = {char.lower() for char in alphabet}
    markers = [marker for marker in privacy.MARKERS if set(marker.lower()) <= folded]
    try:
        _clean(pl.Series([""]), fits, [])
    except pl.exceptions.ComputeError:  # a pattern that would take too much memory
        return None
    return lambda texts: _clean(of_arrow(texts), fits, markers) & (not placed or placed(texts))


def _clean(series: pl.Series, fits: pl.Expr | None, markers: list[str]) -> Flags:
    """Return where a text fits, if that is asked, and is neither a secret nor a path."""
    ok: Flags = np.ones(len(series), bool)
    if fits is not None:
        ok &= series.to_frame("text").select(fits).to_series().to_numpy()
    if markers:
        marked = series.str.contains_any(markers, ascii_case_insensitive=True).to_numpy()
        for index in np.flatnonzero(ok & marked):
            ok[index] = privacy.family(series[int(index)]) is None
    return ok


def _placed(source: str, longest: int) -> Holds | None:
    """Return what tells which texts match a pattern, None unless all matches are equally long.

    None also when they are longer than `longest`.
    Then each place of a text is looked up by itself: a byte stands for a bit of each set of
    characters that it is in. At most eight sets have a bit.
    """
    places: list[frozenset[str]] = []
    for chars, token in _tokens(source) or ():
        if chars:
            places.append(chars)
        elif places and (count := COUNT.fullmatch(token)):
            places += places[-1:] * (int(count[1]) - 1)
        else:
            return None
    kinds = list(dict.fromkeys(places))
    if not 0 < len(kinds) <= 8 or len(places) > longest:
        return None
    table = bytes(
        sum((chr(byte) in kind) << bit for bit, kind in enumerate(kinds)) for byte in range(256)
    )
    wanted = bytes(1 << kinds.index(place) for place in places)

    def holds(texts: pa.LargeStringArray) -> Flags:
        series = of_arrow(texts)
        fit = np.array(series.str.len_bytes() == len(wanted))
        if not fit.any():
            return fit
        if not fit.all():
            fit[fit] = holds(series.filter(pl.Series(fit)).to_arrow(compat_level=OLDEST))
            return fit
        data = texts.buffers()[2][: fit.size * len(wanted)].to_pybytes()
        found = np.frombuffer(data.translate(table), np.uint8).reshape(-1, len(wanted))
        found = found & np.frombuffer(wanted, np.uint8)
        same: Flags = found.view(f"V{len(wanted)}").ravel() == np.void(wanted)
        return same

    return holds


def _alphabet(source: str) -> frozenset[str] | None:
    """Return every ASCII character that a match may hold, None when a token is not shared."""
    tokens = _tokens(source)
    return None if tokens is None else frozenset[str]().union(*(chars for chars, _ in tokens))


@cache
def _tokens(source: str) -> list[tuple[frozenset[str], str]] | None:
    """Return the tokens, each after the ASCII characters it is an atom for; None for others."""
    found: list[tuple[frozenset[str], str]] = []
    at = 0
    while at < len(source):
        token = TOKEN.match(source, at)
        if token is None:
            return None
        atom = re.compile(token["atom"] or "(?!)", re.ASCII)
        found.append((frozenset(filter(atom.fullmatch, map(chr, range(128)))), token[0]))
        at = token.end()
    return found
