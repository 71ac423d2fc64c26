"""The named queries are found by name, each with the question it answers."""

from __future__ import annotations

import pytest

from benchdata import queries
from benchdata.errors import QueryRefused


def test_every_query_file_begins_with_its_question() -> None:
    for name in queries.names():
        first = queries.text(name).partition("\n")[0]
        assert first.startswith("-- ")
        assert queries.question(name) == first.removeprefix("-- ")
        assert queries.question(name).endswith("?")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("percentile", r"did you mean `percentiles`\?"),
        ("zzz", "no query is named `zzz`; there are alike, "),
        ("macros", "no query is named `macros`"),
        ("../queries/groups", "no query is named"),
    ],
)
def test_a_wrong_name_is_refused(name: str, words: str) -> None:
    with pytest.raises(QueryRefused, match=words):
        queries.text(name)
