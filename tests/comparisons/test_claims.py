"""Effects that there can be: on a bounded metric none is larger than its range."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from benchdata.comparisons.claims import Claim, refuse_effect
from benchdata.errors import ContractError
from tests.support.arms import PASS, QUALITY, SCORE, TIME

Q = Claim(QUALITY, "score", "sampled", 0.25)


@pytest.mark.parametrize(
    ("claim", "size", "words"),
    [
        (PASS, 5.0, "passed spans 1: no difference is 5; five points are 0.05"),
        (SCORE, 1.01, "score spans 1: no difference is 1.01; five points are 0.05"),
        (Q, 3.5, "quality spans 3: no difference is 3.5"),
        (TIME, math.inf, "an effect is a finite number of 0 or more, not inf"),
        (SCORE, math.nan, "an effect is a finite number of 0 or more, not nan"),
        (SCORE, -0.1, "an effect is a finite number of 0 or more, not -0.1"),
    ],
)
def test_what_no_difference_can_be_is_refused(claim: Claim, size: float, words: str) -> None:
    with pytest.raises(ContractError) as caught:
        refuse_effect(claim, size)
    assert str(caught.value) == words


@pytest.mark.parametrize(("claim", "size"), [(PASS, 1.0), (Q, 3.0), (TIME, 9.0), (SCORE, 0.0)])
def test_what_a_difference_can_be_is_not(claim: Claim, size: float) -> None:
    refuse_effect(claim, size)
    refuse_effect(replace(claim, tasks="fixed"), size)
