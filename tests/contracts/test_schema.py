"""A contract as JSON Schema: valid rows fit it, and what it can say it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from benchdata.contracts import get
from benchdata.contracts.schema import json_schema

SCHEMA = json_schema(get("jev-social"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@pytest.fixture
def shipped(root: Path) -> dict[str, Any]:
    """The row that ships as an example."""
    file = root / "datasets" / "jev-social-demo" / "valid-row.json"
    row: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return row


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_shipped_row_is_valid_and_in_normal_form(shipped: dict[str, Any]) -> None:
    assert get("jev-social").validate(shipped) == shipped
    VALIDATOR.validate(shipped)


def test_every_demo_row_fits(root: Path) -> None:
    rows = root / "datasets" / "jev-social-demo" / "rows.ndjson"
    for line in rows.read_text("utf-8").splitlines():
        VALIDATOR.validate(json.loads(line))


@pytest.mark.parametrize(
    "change",
    [
        {"unknown": 1},
        {"platform": "elsewhere"},
        {"result_limit": 0},
        {"result_limit": 101},
        {"result_limit": "4"},
        {"run_id": "no-uuid"},
        {"started_at": "2026-01-01 00:00:00Z"},
        {"socai_commit": "XYZ"},
        {"jev_step_latency_ms": [-1]},
        {"schema_version": 3},
        {"evidence": None},
    ],
)
def test_what_it_can_say_it_refuses(shipped: dict[str, Any], change: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid({**shipped, **change})


@pytest.mark.parametrize("name", ["run_id", "timing_ms", "jev_social_commit"])
def test_a_missing_field_is_refused(shipped: dict[str, Any], name: str) -> None:
    del shipped[name]
    assert not VALIDATOR.is_valid(shipped)


def test_the_rules_stand_beside_it() -> None:
    rules = {rule["holds"] for rule in SCHEMA["x-rules"]}
    assert "timing_ms.jev_total == sum(jev_step_latency_ms)" in rules
