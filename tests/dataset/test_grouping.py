"""Groups: which rows share one, in which order they stand, what they are called."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import benchdata
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.dataset import collation, grouping
from tests.support.drawn import DEMO_ROWS, Row, drawn, write
from tests.support.jev_social import numbered_row, valid_row
from tests.support.probe import PROBE, probe_row
from tests.support.trees import changed


def in_order(texts: list[str]) -> list[str]:
    shuffled = texts.copy()
    random.Random(3).shuffle(shuffled)
    return sorted(shuffled, key=collation.key)


def as_group(value: object) -> str:
    """Return a value as it stands in the text that groups are ordered by, more behind it."""
    return json.dumps({"region": value, "condition": "cold"}, separators=(",", ":"))


@pytest.mark.parametrize(
    "texts",
    [
        list('_-,:."{}/+~09az'),
        ["a b", "a_b", "a-b", "a,b", "a:b", "a.b", 'a"b', "a/b", "a+b", "a~b", "a0b", "aab"],
        ["a", "A", "b", "B", "c", "Z"],
        ["us", "uS", "Us", "US", "usa", "USA"],
        ["Ab", "AC", "ad"],
        ["", "a", "aa"],
        ["1", "10", "2", "9"],
        ["{", "z", "é"],
    ],
)
def test_plain_text_is_in_the_order_of_the_protocol(texts: list[str]) -> None:
    assert in_order(texts) == texts


@pytest.mark.parametrize(
    "values",
    [
        ["us-east", "us"],
        ["eu_1", "eu-1", "eu-2", "eu.1", "eu", "EU", "eu1"],
        ["lab", "Lab", "LAB", "lab0", "laba"],
        [1, 10, 100, 11, 12, 2, 20, 9],
        ["1.0", "1", "1+b", "10"],
        ["acme/m-1", "acme/m.1", "acme/m", "acme/m/x", "acme/m1"],
    ],
)
def test_groups_are_compared_as_the_text_of_their_fields(values: list[Any]) -> None:
    texts = [as_group(value) for value in values]
    assert in_order(texts) == texts


def test_no_two_texts_stand_on_one_place() -> None:
    texts = ["aB", "Ab", "ab", "AB", "a-B", "é", "É"]
    assert len({collation.key(text) for text in texts}) == len(texts)


def ids(tmp_path: Path, rows: list[Row]) -> pl.DataFrame:
    return benchdata.open(write(tmp_path / "rows.ndjson", rows)).sql("select * from group_list")


def test_groups_are_numbered_in_order(tmp_path: Path) -> None:
    regions = ["lab-us-east", "lab-us", "lab-US", "lab-us1"]
    rows = [numbered_row(n, region=region) for n, region in enumerate(reversed(regions))]
    table = ids(tmp_path, rows).sort("group_order")
    assert table["region"].to_list() == regions
    assert table["group_id"].to_list() == ["G1", "G2", "G3", "G4"]
    assert table["group_order"].to_list() == [1, 2, 3, 4]
    assert set(table["group_label"]) == {f"G{n} tiktok cold" for n in range(1, 5)}


def test_numbers_are_compared_as_text(tmp_path: Path) -> None:
    rows = [numbered_row(n, max_steps=n) for n in (9, 10, 12, 30)]
    assert ids(tmp_path, rows).sort("group_order")["max_steps"].to_list() == [10, 12, 30, 9]


def test_an_earlier_field_decides_before_a_later_one(tmp_path: Path) -> None:
    rows = [
        numbered_row(1, jev_social_version="0.10.0", jev_model="a"),
        numbered_row(2, jev_social_version="0.9.0", jev_model="a"),
        numbered_row(3, jev_social_version="0.10.0", jev_model="Z"),
        numbered_row(4, jev_social_version="0.10.0-rc.1", jev_model="b"),
    ]
    table = ids(tmp_path, rows).sort("group_order")
    assert table.select("jev_social_version", "jev_model").rows() == [
        ("0.10.0-rc.1", "b"),
        ("0.10.0", "a"),
        ("0.10.0", "Z"),
        ("0.9.0", "a"),
    ]


def test_version_1_comes_first_and_has_no_fields_of_version_2(tmp_path: Path) -> None:
    rows = [numbered_row(1), valid_row(1)]
    table = ids(tmp_path, rows).sort("group_order")
    assert table["schema_version"].to_list() == [1, 2]
    first, second = (grouping.fields(JEV_SOCIAL, row) for row in table.iter_rows(named=True))
    assert list(second) == list(JEV_SOCIAL.group)
    assert list(first) == [name for name in JEV_SOCIAL.group if not name.startswith("jev_social_")]


def test_rows_that_differ_in_one_group_field_are_never_pooled(tmp_path: Path) -> None:
    others = {
        "task_id": "00000000-0000-4000-8000-000000000000",
        "platform": "instagram",
        "jev_social_version": "9.9.9",
        "jev_social_commit": "abcdef0",
        "jev_model": "other",
        "socai_version": "9.9.9",
        "socai_commit": "abcdef0",
        "result_limit": 5,
        "max_steps": 13,
        "profile_mode": "isolated",
        "region": "other",
        "condition": "warm",
    }
    assert ["schema_version", *others] == list(JEV_SOCIAL.group)
    no_media = {"evidence.downloaded_media_count": 0, "evidence.downloaded_media_bytes": 0}
    rows = [numbered_row(n, **{field: other}) for n, (field, other) in enumerate(others.items())]
    rows += [valid_row(1), numbered_row(98), numbered_row(99)]
    table = ids(tmp_path, [changed(row, no_media) for row in rows])
    assert table.height == len(JEV_SOCIAL.group) + 1


def test_every_row_has_exactly_one_group() -> None:
    dataset = benchdata.open(DEMO_ROWS)
    counted = dataset.sql(
        "select group_id, count(*) as n from grouped group by group_id, group_order "
        "order by group_order"
    )
    assert counted["group_id"].to_list() == [f"G{n}" for n in range(1, 11)]
    assert counted["n"].sum() == dataset.rows == 122


def test_groups_do_not_depend_on_the_order_of_rows(tmp_path: Path) -> None:
    rows = drawn([3] * 30)
    first = ids(tmp_path, rows)
    random.Random(1).shuffle(rows)
    assert ids(tmp_path, rows).equals(first)
    assert first["group_id"].to_list() == [f"G{n}" for n in range(1, 31)]


def test_a_group_field_may_be_null(tmp_path: Path) -> None:
    rows = [probe_row(1, why=None), probe_row(2, why="late"), probe_row(3, why=None)]
    nullable = replace(PROBE, group=("why",), shown=("why",))
    dataset = benchdata.open(write(tmp_path / "a.ndjson", rows), nullable)
    table = dataset.sql("select group_label, why from group_list order by group_order")
    assert table.rows() == [("G1 late", "late"), ("G2 —", None)]
    assert dataset.sql("select count(*) as n from grouped").item() == 3


def test_flags_and_labels_of_another_contract(tmp_path: Path) -> None:
    rows = [
        probe_row(1, subject="b", fresh=True),
        probe_row(2, subject="b", fresh=False),
        probe_row(3, subject="a", lane="outer"),
    ]
    dataset = benchdata.open(write(tmp_path / "a.ndjson", rows), PROBE)
    table = dataset.sql("select group_label, fresh from group_list order by group_order")
    assert table.rows() == [("G1 a outer", True), ("G2 b inner", False), ("G3 b inner", True)]


def test_a_label_is_one_short_line() -> None:
    rows = pl.DataFrame({"region": ["\x1b[2K\nREADY" + "x" * 200]})
    contract = replace(JEV_SOCIAL, group=("region",), shown=("region",), pins=())
    (label,) = grouping.table(rows, contract)["group_label"]
    assert label.startswith("G1 \ufffd[2K\ufffdREADYx")
    assert len(label) == grouping.WIDEST
