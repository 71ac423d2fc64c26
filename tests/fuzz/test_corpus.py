"""The cases that fuzzing has kept hold, each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.cases import check

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.name)
def test_a_case_of_the_corpus_holds(file: Path) -> None:
    check(file.read_bytes())
