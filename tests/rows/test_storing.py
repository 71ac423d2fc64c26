"""Row groups whose text is coded in their own ways, or not at all, are one file of plain text."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest
from polars.testing import assert_frame_equal

from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.rows import frames, storing
from benchdata.rows.lines import PADDING, Chunk
from benchdata.rows.proof.prover import Prover
from tests.support.drawn import drawn
from tests.support.proofs import compact

LINES = [compact(row) for row in drawn([6] * 12)]


def proven(lines: list[bytes]) -> pl.DataFrame:
    """Return these lines as a prover of their own gives them."""
    data = b"\n".join(lines) + b"\n"
    return Prover(JEV_SOCIAL).prove(Chunk(data + PADDING, len(data))).frame


GROUPS = {
    "coded": proven(LINES[:5]),
    "coded anew": proven(LINES[:4:-1]),
    "plain": frames.plain(proven(LINES[3:8])),
    "partly": proven(LINES[2:6]).cast({"platform": pl.String}),
}


def test_a_prover_codes_text() -> None:
    first, second, plain = (GROUPS[name]["outcome"].dtype for name in list(GROUPS)[:3])
    assert {type(first), type(second)} == {pl.Categorical}
    assert first != second
    assert plain == pl.String()


@pytest.mark.parametrize("size", [1, 7, 1_000])
@pytest.mark.parametrize("names", list(permutations(GROUPS, 3)))
def test_text_is_read_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], size: int
) -> None:
    monkeypatch.setattr(storing, "GROUP", size)
    file = tmp_path / "rows.parquet"
    with storing.store(file, JEV_SOCIAL) as rows:
        for name in names:
            rows.add(GROUPS[name])
    wanted = pl.concat(frames.plain(GROUPS[name]) for name in names)
    assert rows.rows == wanted.height
    read = pl.read_parquet(file)
    assert read.schema == frames.schema(JEV_SOCIAL)
    assert_frame_equal(read, wanted)


def test_a_file_without_rows_has_their_columns(tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    with storing.store(file, JEV_SOCIAL) as rows:
        rows.add(pl.DataFrame())
    assert pl.read_parquet(file).schema == frames.schema(JEV_SOCIAL)


def test_only_what_a_row_may_lack_can_be_null(tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    with storing.store(file, JEV_SOCIAL) as rows:
        rows.add(GROUPS["coded"])
    schema = pq.read_schema(file)
    lacking = {column.name for column in JEV_SOCIAL.columns if column.nullable}
    assert "failure_category" in lacking
    assert {field.name for field in schema if field.nullable} == lacking
