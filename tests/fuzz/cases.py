"""A case is some bytes: a line that says how the rest is read, and the rest. What must hold of it.

The first line is `sql`, or tells how a file of rows is read: `jev-social gz 900 4` are rows of that
contract, packed, in blocks of 900 bytes, by a prover that finds 4 distinct texts too many.
"""

from __future__ import annotations

import gzip
import json
import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
import zstandard

from benchdata.errors import InputError, RowError
from benchdata.rows import sources
from benchdata.rows.batches import proven
from benchdata.rows.proof import prover
from benchdata.rows.strict_json import decode, encode
from tests.fuzz.gate import check_sql
from tests.rows.test_proof_agreement import CASES
from tests.support.proofs import agreed

PACKINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "parts": bytes,
    "gz": lambda text: gzip.compress(text, 1),
    "zst": zstandard.compress,
}
SQL = b"sql"


class Head(NamedTuple):
    """How a text of rows is read."""

    contract: str
    packing: str
    block: int
    texts: int

    def __bytes__(self) -> bytes:
        """Return the first line of a case, without its newline."""
        return " ".join(map(str, self)).encode()


def head_of(line: bytes) -> Head | None:
    """Return what the first line of a case says, None when it says nothing that is known."""
    match line.decode("latin-1").split(" "):
        case [contract, packing, *numbers] if contract in CASES and packing in PACKINGS:
            sizes = [int(size) for size in numbers if re.fullmatch("[1-9][0-9]{0,8}", size)]
            return Head(contract, packing, *sizes) if len(sizes) == len(numbers) == 2 else None
    return None


def check(case: bytes) -> None:
    """Hold everything that must hold of a case; one whose first line is unknown says nothing."""
    line, _, text = case.partition(b"\n")
    if line == SQL:
        check_sql(text)
    elif head := head_of(line):
        check_rows(head, text)
        for each in text.split(b"\n"):
            check_json(each)


def check_rows(head: Head, text: bytes) -> None:
    """Read a file of rows by columns and row by row: both must say the same."""
    contract, packed = CASES[head.contract].contract, PACKINGS[head.packing](text)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "BLOCK", head.block)
        patch.setattr(prover, "MOST_TEXTS", head.texts)
        patch.setattr(prover, "TRIED", head.texts)
        file = Path(folder, "rows.ndjson")
        try:
            agreed(file, packed, contract, head.block if head.packing == "parts" else None)
        except InputError as error:  # the text itself is a damaged stream
            damage = str(error)
        else:
            return
        with pytest.raises(InputError) as raised:
            list(proven(sources.Input(file.name, file), prover.Prover(contract)))
        assert str(raised.value) == damage


def check_json(line: bytes) -> None:
    """Decode a line: what is taken is what Python's own parser reads, and can be written again."""
    try:
        value = decode(line)
    except RowError:
        return
    assert repr(value) == repr(json.loads(line))
    if isinstance(value, dict):
        assert repr(decode(encode(value).removesuffix(b"\n"))) == repr(value)
