"""What collectors' command lines have alike: one form of error, and whole numbers within bounds."""

from __future__ import annotations

import pytest

from benchdata.errors import BenchdataError
from collectors.harness.command_line import Parser, Whole


def parser() -> Parser:
    made = Parser(prog="benchdata collect made-up")
    made.add_argument("--many", type=Whole(1, 2_000))
    return made


@pytest.mark.parametrize("text", ["1", "7", "2000", "0007"])
def test_a_number_within_its_bounds_is_read(text: str) -> None:
    assert parser().parse_args(["--many", text]).many == int(text)


def test_an_option_has_its_whole_name() -> None:
    with pytest.raises(BenchdataError, match="--man"):
        parser().parse_args(["--man", "7"])


@pytest.mark.parametrize(
    "text",
    ["0", "2001", "-1", "+1", "1.0", "1e2", "1_0", " 1", "", "\N{SUPERSCRIPT TWO}", "9" * 5_000],
)
def test_what_is_none_is_refused_by_its_flag(text: str) -> None:
    with pytest.raises(BenchdataError) as failure:
        parser().parse_args([f"--many={text}"])
    assert str(failure.value) == (
        "argument --many: must be a whole number from 1 to 2,000;"
        " benchdata collect made-up --help lists the options"
    )


def test_an_unknown_flag_is_refused_the_same_way() -> None:
    with pytest.raises(BenchdataError, match="unrecognized arguments: --few; benchdata collect"):
        parser().parse_args(["--few"])
