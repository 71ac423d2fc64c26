"""The named queries keep to what engines share: SQLite, with no code of DuckDB, answers alike."""

from __future__ import annotations

import random
import re
from pathlib import Path

import polars as pl
import pytest

from benchdata import queries
from benchdata.dataset import Dataset
from benchdata.engine.connection import connect, fetch
from tests.support import sqlite
from tests.support.queried import ARMED, CASES, NAMES, again, opened

ONE_ENGINE_ONLY = re.compile(
    r"\b(exclude|qualify|pivot|unnest|asof|try_cast|filter|struct_\w+|list_(?!total|mean|rank)\w+)\b"
    r"|group by all|order by all|::|//|[\[\]{}]|:=|\*\s+replace\b|\bhash\b"
)


ALL = {**CASES, **ARMED}


@pytest.fixture(scope="module", params=list(ALL))
def dataset(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    case = ALL[request.param]
    rows = case.rows()
    rows += map(again, rows[:5])
    return opened(tmp_path_factory.mktemp("rows"), rows, case.contract)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_used_that_one_engine_alone_has(name: str) -> None:
    sql = re.sub("--.*", "", queries.text(name)).lower()
    assert ONE_ENGINE_ONLY.search(sql) is None


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_ordered(name: str) -> None:
    sql = queries.text(name)
    assert re.search(r"\norder by [^()]*\Z", sql)


@pytest.mark.parametrize("name", NAMES)
def test_another_engine_gives_the_same_answer(dataset: Dataset, name: str) -> None:
    query = queries.text(name)
    answer = sqlite.simple(dataset.sql(query))
    found = sqlite.loaded(dataset).execute(query)
    assert [column[0] for column in found.description] == answer.columns
    for ours, theirs in zip(answer.rows(), found.fetchall(), strict=True):
        for one, other in zip(ours, theirs, strict=True):
            assert other == (pytest.approx(one, rel=1e-12) if isinstance(one, float) else one)


@pytest.mark.slow
def test_answers_depend_on_neither_threads_nor_the_order_of_rows(
    dataset: Dataset, tmp_path: Path
) -> None:
    contract = dataset.contract
    case = next(case for case in ALL.values() if case.contract is contract)
    rows = case.rows()
    rows += map(again, rows[:5])
    asked = {each: queries.text(each) for each in NAMES}
    answers = {each: dataset.sql(query) for each, query in asked.items()}
    empty = [each for each, answer in answers.items() if answer.is_empty()]
    assert empty == list(case.silent)
    random.Random(3).shuffle(rows)
    shuffled = opened(tmp_path, rows, contract, parts=8)
    for threads in (1, 2, 4):
        with connect(shuffled.views, threads=threads) as connection:
            for each, query in asked.items():
                assert answers[each].equals(pl.DataFrame(fetch(connection, query))), each
