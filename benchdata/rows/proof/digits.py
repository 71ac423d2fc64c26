"""Integers and times read from bytes, many at once, with the verdict whether each is one.

Eight characters are read at a time, as one 64-bit word whose lowest byte is the first of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchdata.contracts.fields import SAFE_INTEGER
from benchdata.rows.proof.blocks import QUOTE, Block, Flags, Places, Words

MINUS, ZULU = b"-Z"
ZEROS, SIXES, HIGH = (int.from_bytes(bytes([byte] * 8)) for byte in (0x30, 0x06, 0xF0))
JOINED = (1, 0x00FF00FF00FF00FF), (2, 0x0000FFFF0000FFFF), (4, 0x00000000FFFFFFFF)
"""Digits of the numbers that are joined with their neighbours, and the bits of what that gives."""
LONGEST = 17
"""Stands for every length above 16: no integer that is taken has so many digits."""

# By the number of characters: how far the word is shifted so that they are its last ones, and the
# least number that so many digits write without a leading zero.
SHIFT = np.array([0, *(64 - 8 * size for size in range(1, 9)), *[0] * 9], np.uint64)
LEAST = np.array([2**62, 0, *(10 ** (min(size, 8) - 1) for size in range(2, LONGEST)), 2**62])

FORM = b"0000-00-", b"00T00:00", b":00.000Z"
FORMS = [int.from_bytes(part, "little") for part in FORM]
# added to a byte less its form's: of a digit 10 .. 15 reaches the high half, else all but 0
ROOM = [
    int.from_bytes(bytes(6 if byte == ord("0") else 15 for byte in part), "little") for part in FORM
]
WITHOUT_MS, WITH_MS = 22, 26
"""The lengths of a time in quotes."""
SECONDS = 0x0000000000FFFFFF
NO_MS = int.from_bytes(b"\0\0\0.000Z", "little")
FIRST_DAYS = np.arange(-1970 * 12, 8030 * 12 + 1).astype("M8[M]").astype("M8[D]").astype(np.int64)
"""The first day of every month from year 0 to 9999, in days since 1970."""


def integers(
    block: Block, start: Places, stop: Places, words: Words
) -> tuple[NDArray[np.int64], Flags]:
    """Return the integers between `start` and `stop`, and where the bytes are exactly one.

    That is: as JSON writes it, and within 2^53 - 1 either way. `words` are the bytes at `start`.
    """
    minus = words & 0xFF == MINUS
    start = start + minus
    value, ok = naturals(block, start, stop, block.windows("<u8")[start])
    # -0 would be taken by the check by row, as 0: it is left to it
    return np.where(minus, -value, value), ok & ~(minus & (value == 0))


def naturals(
    block: Block, start: Places, stop: Places, words: Words
) -> tuple[NDArray[np.int64], Flags]:
    """Return the same of integers that have no sign."""
    size = np.clip(stop - start, 0, LONGEST)
    value, ok = _eight(words, size)
    ok &= value >= LEAST.take(size)
    if size.max(initial=0) > 8:
        long = np.flatnonzero(ok & (size > 8))
        rest = size[long] - 8
        low, digits = _eight(block.windows("<u8")[start[long] + 8], rest)
        value[long] = value[long] * 10**rest + low
        ok[long] &= digits & (value[long] <= SAFE_INTEGER)
    return value, ok


def _eight(word: Words, size: Places) -> tuple[NDArray[np.int64], Flags]:
    """Return the number that the first `size` characters (8 at most) spell, and if all are digits.

    Neighbours are joined to numbers of two, four and eight digits by three multiplications.
    """
    number = word ^ ZEROS
    number <<= SHIFT.take(size)
    high = number + SIXES
    high |= number
    high &= HIGH
    for digits, kept in JOINED:
        number *= 10**digits << 8 * digits | 1
        number >>= 8 * digits
        number &= kept
    return number.view(np.int64), high == 0


def digit_count(word: Words) -> Places:
    """Return how many of the characters of a word are digits before the first that is none."""
    other = word ^ ZEROS
    # what a high byte carries over reaches only those behind the first that is no digit
    other |= other + SIXES
    other &= HIGH
    lowest = other & (~other + np.uint64(1))
    bits: Places = np.bitwise_count(lowest - np.uint64(1)).astype(np.int64)
    return bits >> 3


def instants(
    block: Block, start: Places, stop: Places, _: Words
) -> tuple[NDArray[np.int64], Flags]:
    """Return the milliseconds since 1970 of times in quotes, and where the bytes are such a time.

    Both spellings count, with milliseconds and without.
    """
    words, size = block.windows("<u8"), stop - start
    ok = (block.memory[start] == QUOTE) & (block.memory[stop - 1] == QUOTE)
    parts = [words[start + 1 + 8 * index] for index in range(3)]
    short = size == WITHOUT_MS
    if short.any():
        ok &= ~short | (parts[2] >> 24 & 0xFF == ZULU)
        parts[2] = np.where(short, parts[2] & SECONDS | NO_MS, parts[2])
    ok &= short | (size == WITH_MS)
    pairs = []
    for part, form, room in zip(parts, FORMS, ROOM, strict=True):
        digit = part ^ form
        ok &= ((digit + room) | digit) & HIGH == 0
        pairs.append(digit * 10 + (digit >> 8))  # each byte: the number it and its neighbour spell

    def two(word: int, at: int) -> NDArray[np.int64]:
        return (pairs[word] >> (8 * at) & 0xFF).astype(np.int64)

    year, month, day = two(0, 0) * 100 + two(0, 2), two(0, 5), two(1, 0)
    hour, minute, second, ms = two(1, 3), two(1, 6), two(2, 1), two(2, 4) * 10 + two(2, 6) // 10
    ok &= (year >= 1) & (month >= 1) & (month <= 12) & (hour < 24) & (minute < 60) & (second < 60)
    index = np.where(ok, year * 12 + month - 1, 0)
    ok &= (day >= 1) & (day <= FIRST_DAYS[index + 1] - FIRST_DAYS[index])
    days = FIRST_DAYS[index] + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + ms, ok
