"""What DuckDB and Arrow say when a query fails, as one sentence that names what was meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from benchdata.errors import QueryRefused, did_you_mean, shorten

OUT_OF_MEMORY = (
    "the query needs more memory than it may have: "
    "select fewer columns or rows, or group before you sort"
)
NO_FILES = "a query reads the views alone, never a file: give the file to benchdata as an input"
SENTENCES = {
    r"^out of memory|bad_alloc|(?:failed to|could not|cannot) allocate|^$": OUT_OF_MEMORY,
    r"^permission error: cannot access|file system \w+ has been disabled": NO_FILES,
    r"integer value out of bounds": (
        "a whole number in the result is beyond 64 bits: cast it to double or varchar"
    ),
    r"values were not provided": "a query takes no parameters: write the value in its place",
}
MISSING = {
    "column": r'column named "(.+?)"|column "(.+?)" (?:in EXCLUDE list )?(?:not found|does not)',
    "view": r'table with name (.+?) does not exist|referenced table "(.+?)" not found',
    "function": r'function with name "?(\w+)"? (?:does not exist|is not in the catalog)',
}
CATALOG = {
    "column": "select column_name from duckdb_columns() "
    "where list_contains(getvariable('offered'), table_name)",
    "view": "select unnest(getvariable('offered'))",
    "function": "select function_name from duckdb_functions()",
}


@contextmanager
def one_sentence(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Turn what DuckDB and Arrow raise into QueryRefused: a sentence, no trace, no path."""
    try:
        yield
    except (duckdb.Error, MemoryError, OSError, RuntimeError, ValueError) as error:
        raise QueryRefused(shorten(_sentence(str(error), con))) from None


def _sentence(message: str, con: duckdb.DuckDBPyConnection) -> str:
    # DuckDB adds overloads, a picture of the line, or a stack trace after the sentence itself.
    first = re.split(r"\n\n|\n\s*Candidate functions", message)[0]
    for pattern, sentence in SENTENCES.items():
        if re.search(pattern, first, re.IGNORECASE):
            return sentence
    for kind, pattern in MISSING.items():
        if found := re.search(pattern, first, re.IGNORECASE):
            return _missing(kind, next(filter(None, found.groups())), first, con)
    plain = re.sub(r"^[A-Z][\w ]* Error: ", "", " ".join(first.split()))
    pathless = re.sub(r"(?<![\w/.])/(?:[^\s/'\"]+/)+", "", plain)
    line = re.search(r"^LINE (\d+):", message, re.MULTILINE)
    return f"{pathless} (line {line[1]})" if line else pathless


def _missing(kind: str, name: str, message: str, con: duckdb.DuckDBPyConnection) -> str:
    if "/" in name or name.lower().endswith((".parquet", ".csv", ".json")):
        return NO_FILES
    bindings = re.search(r"^Candidate bindings: (.*)", message, re.MULTILINE)
    known = set(re.findall(r'"(.+?)"', bindings[1]) if bindings else [])
    known |= {row[0] for row in con.execute(CATALOG[kind]).fetchall()}
    known -= {name}  # which is there, but not where the query looks for it
    hint = did_you_mean(name, sorted(known))
    sentence = f"no {kind} is named `{name}`{hint}"
    if kind == "function" or not known:
        return sentence

    def likeness(choice: str) -> tuple[float, str]:
        return -difflib.SequenceMatcher(None, name.lower(), choice.lower()).ratio(), choice

    near = ", ".join(f"`{choice}`" for choice in sorted(known, key=likeness)[:6])
    return f"{sentence} Near it: {near}" if hint else f"{sentence}; near it: {near}"
