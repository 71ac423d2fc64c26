"""Lines of rows, mutated at random in their bytes, their structure and their values."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any

NUMBERS = (
    *("1.0", "1e2", "-0", "-0.0", "-1", "01", "+5", " 5", "5 ", "1_0", "true", "null", '"5"', "5."),
    *("9007199254740991", "9007199254740992", "-9007199254740991", "-9007199254740992", ".5", "0"),
    *("99999999999999999", "12345678", "123456789", "00000000", "000000001", "", "1\x00", "[1]"),
    *("{}", "NaN", "Infinity", "\u0661", "1[2", "0x1", "1,2", "123456789a", "a1234567", "1234567a"),
    *("1234567:", "1234567/", "1e999", "-1e999", "1e-400", "1E5", "1e+5", "0.1e1", "1" * 400),
    *("0.30000000000000004", "123456789012345678.5", "2.5e-324", "1.7976931348623157e308", "-"),
)
TIMES = (
    *("2026-02-29T00:00:00.000Z", "2024-02-29T10:00:00.000Z", "2026-05-28T24:00:00.000Z"),
    *("2026-05-28T23:59:60.000Z", "0000-05-28T18:50:07.531Z", "0001-01-01T00:00:00.000Z"),
    *("9999-12-31T23:59:59.999Z", "2026-00-10T00:00:00.000Z", "2026-13-10T00:00:00.000Z"),
    *("2026-01-00T00:00:00.000Z", "2026-01-32T00:00:00.000Z", "2026-05-28T18:60:07.531Z"),
    *("2026-05-28T18:50:07Z", "2026-05-28 18:50:07.531Z", "2026-05-28T18:50:07.531z"),
    *("1900-02-29T00:00:00.000Z", "2000-02-29T00:00:00Z", "2026-05-28T18:50:0:.531Z"),
    *(" 2026-05-28T18:50:07.531Z", "2026-05-28T18:50:07.5Z", "2026-05-28T18:50:07X"),
    *("2026-05-28T18:50:07.531+00:00", "", "2026-05-28T18:50:07.531Z\\u0020"),
)
WORDS = (
    *(
        "",
        " ",
        "x" * 70,
        " lab",
        "lab ",
        "LAB",
        "la\\u0062",
        "a\\nb",
        "a,b",
        "a]b",
        "[",
        "é",
        "\u2028",
    ),
    *("latest", "~a", "v1.2.3", "1.2.3", "ABCDEF1", "null", "/" + "etc/passwd", "sk-" + "A1" * 12),
    *("Bear" + "er abcdef0123456789", "a/b/c", "\\ud800", "\\ud83d\\ude00", "\x7f", "a\\\\", '\\"'),
    *(
        "tiktok",
        "success",
        "goal_satisfied",
        "unknown",
        "x",
        "y",
        "z",
        "00000000-0000-4000-8000-000000000000",
    ),
)
ODDMENTS = (
    *('"', ",", ":", "[", "]", "{", "}", "\\", " ", "0", "9", "-", "\\u0061", "\t", "\r", "\x00"),
    *(",,", "[]", "{}", '""', "null", "\ufeff", "é", '"a":1,', ',"a":1'),
)
VALUE = re.compile(r"(?<=[:,\[]) ?-?[0-9][0-9.eE+-]*(?=[,}\]])")
INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]*Z")
STRING = re.compile(r'(?<=[:\[,] ")[^"\\]*(?=")|(?<=[:\[,]")[^"\\]*(?=")')


STYLES = ("compact", "spaced", "sorted", "odd", "ascii")


def restyled(draw: random.Random, row: dict[str, Any], styles: Sequence[str] = STYLES) -> str:
    """Return a row as a line: compact, spaced, oddly spaced, or in another order of keys."""
    style = draw.choice(styles)
    items = sorted(row.items()) if style == "sorted" else row.items()
    separators = {"spaced": (", ", ": "), "odd": (", ", " : ")}.get(style, (",", ":"))
    line = json.dumps(dict(items), separators=separators, ensure_ascii=style == "ascii")
    return f" {line}\t" if style == "odd" else line


def mutated(draw: random.Random, line: str, others: Sequence[dict[str, Any]]) -> bytes:
    """Return a line with up to two mutations; `others` are rows to take values from."""
    for _ in range(draw.choice([0, 1, 1, 1, 2])):
        line = _mutation(draw, line, others)
    data = line.encode("utf-8", "surrogatepass").replace(b"\n", b"")
    if draw.random() < 0.03 and data:
        at = draw.randrange(len(data))
        data = (
            data[:at]
            + bytes([draw.choice([0x80, 0xFF, 0xC3, 0xED])])
            + data[at + draw.randrange(2) :]
        )
    return data


def _mutation(draw: random.Random, line: str, others: Sequence[dict[str, Any]]) -> str:
    match draw.randrange(11):
        case 0 | 1:
            at = draw.randrange(len(line) + 1)
            return line[:at] + draw.choice(ODDMENTS) + line[at + draw.randrange(3) :]
        case 2:
            at = draw.randrange(len(line) + 1)
            return line[:at] + line[at + draw.randrange(1, 4) :]
        case 3:
            return _rearranged(draw, line)
        case 4:
            return replaced(draw, VALUE, NUMBERS, line)
        case 5:
            return replaced(draw, INSTANT, TIMES, line)
        case 6:
            return replaced(draw, STRING, WORDS, line)
        case 7:
            return draw.choice(
                [
                    *(
                        "",
                        " " + line,
                        line + " ",
                        line + "\r",
                        "\ufeff" + line,
                        line + line,
                        line[:-1],
                    ),
                    *(f"[{line}]", "null", "{}", line.upper(), "1" * 900, "[" * 200, line + ","),
                    *(
                        line.replace("null", '"null"'),
                        line.replace('"', "'"),
                        line.replace(":", ": "),
                    ),
                    *(line.replace("null", "true"), line.replace("_", "\\u005f"), "\t \r"),
                ]
            )
        case _:
            return _with_value(draw, line, others)


def _rearranged(draw: random.Random, line: str) -> str:
    """Move, double or remove what stands between two commas."""
    parts = line.split(",")
    one, other = draw.randrange(len(parts)), draw.randrange(len(parts))
    match draw.randrange(3):
        case 0:
            parts[one], parts[other] = parts[other], parts[one]
        case 1:
            parts.insert(one, parts[other])
        case _:
            del parts[one]
    return ",".join(parts)


def replaced(draw: random.Random, what: re.Pattern[str], by: Sequence[str], line: str) -> str:
    """Return a line with one of the places that are `what` changed for one of `by`."""
    places = list(what.finditer(line))
    if not places:
        return line
    place = draw.choice(places)
    return line[: place.start()] + draw.choice(by) + line[place.end() :]


def _with_value(draw: random.Random, line: str, others: Sequence[dict[str, Any]]) -> str:
    """Give a field the value it has in another row, one of an odd type, or one that is near."""
    try:
        row = json.loads(line)
        name = draw.choice(list(row))
        owner = row
        if isinstance(row[name], dict) and row[name] and draw.random() < 0.8:
            owner, name = row[name], draw.choice(list(row[name]))
    except (ValueError, TypeError, IndexError):
        return line
    old = owner[name]
    odd: list[Any] = [None, 0, 1, "", "success", [], {}, 3, True, 2.0, [None], [1] * 14, [[1]], "x"]
    if isinstance(old, int | float) and not isinstance(old, bool):
        odd = [old + step for step in (-1001, -1000, -1, 1, 1000, 1001, 10**6)] + [2**53 - 1, 0]
    near = draw.choice(others).get(name, old) if owner is row else old
    owner[name] = near if draw.random() < 0.4 else draw.choice(odd)
    return json.dumps(row, separators=(",", ":"), ensure_ascii=draw.random() < 0.3)
