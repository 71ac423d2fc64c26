"""What fuzzing starts from: files of valid rows of every contract, and queries."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from importlib.resources import files

from tests.fuzz.cases import PACKINGS, SQL, Head
from tests.rows.test_proof_agreement import CASES
from tests.support.mutations import STYLES, restyled

ROWS = 20
BLOCKS = (300, 3_000, 8 << 20, 8 << 20)
"""Bytes of a block, from less than a row to more than a file."""
TEXTS = (2, 6, 20, 4_000)
QUERIES = (
    "select a, b from t where a > 0 order by all",
    "with x as (copy (select 1) to 'FOLDER/x.csv') select 1",
    "with x as (insert into t values (2, 'y') returning a) select * from x",
    "select 1; drop table t",
    "pivot t on b in ('x', 'y') using sum(a)",
    "select * from generate_series(1, 3), unnest([1, 2]), range(2)",
    "select random(), getvariable('x') from v",
    "with recursive r as (select 1 as n union all select n + 1 from r where n < 3) from r",
    "set threads = 2",
    "export database 'FOLDER'",
    "attach 'FOLDER/x.db'",
    "explain select 1",
    "describe t",
    "from read_csv('FOLDER/x.csv')",
    "values (1), (2)",
    "(select 1) union (from t select a)",
)


def seeds() -> Iterator[bytes]:
    """Yield a case of each contract, packing and size of block, and one of each query."""
    draw = random.Random(0)
    for name, case in CASES.items():
        rows = case.rows()
        for packing in PACKINGS:
            head = Head(name, packing, draw.choice(BLOCKS), draw.choice(TEXTS))
            styles = draw.sample(STYLES, 2)
            end = draw.choice([b"\n", b"\n", b"\r\n"])
            made = [restyled(draw, draw.choice(rows), styles).encode() for _ in range(ROWS)]
            text = draw.choice([b"", b"", b"\xef\xbb\xbf"]) + end.join(made)
            text = text + end if draw.random() < 0.7 else text[: -draw.randrange(1, 200)]
            yield bytes(head) + b"\n" + text
    text = restyled(draw, CASES["trial"].rows()[0]).encode() + b"\n"
    for odd in (text.decode().encode("utf-16"), gzip.compress(text)[:-9], b"\x1f", b"\xef\xbb"):
        yield bytes(Head("trial", "plain", BLOCKS[0], TEXTS[0])) + b"\n" + odd
    named = (
        file.read_text("utf-8")
        for file in files("benchdata.queries").iterdir()
        if file.name.endswith(".sql")
    )
    for query in (*QUERIES, *named):
        yield SQL + b"\n" + query.encode()
