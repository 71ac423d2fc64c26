"""`benchdata gate`: each group's state, every reason, and exit 3 when it may not be published."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Done, refused, run
from tests.support.drawn import DEMO, drawn, write


def test_a_ready_set_exits_0(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", drawn([10, 11]))
    expected = "READY\nG1 instagram cold: READY\nG2 instagram warm: READY\n"
    assert run("gate", file) == Done(0, expected, "")


def test_what_is_not_ready_exits_3_with_every_reason(tmp_path: Path) -> None:
    rows = drawn([10, 9])
    rows.append(rows[0] | {"run_id": "00000000-0000-4000-8000-000000000000"})
    done = run("gate", write(tmp_path / "a.ndjson", rows), "--accept-rejects", "4")
    assert (done.code, done.err) == (3, "")
    lines = done.out.splitlines()
    assert lines[:2] == [
        "INCOMPLETE",
        "- 0 rows set aside, and 4 accepted: look at the rejects, then --accept-rejects 0",
    ]
    assert "G2 instagram warm: INCOMPLETE (9/10)" in lines
    assert "  - 9 of 10 distinct rows: collect 1 more" in lines
    assert any(line.startswith("  - 1 of ") and "count once" in line for line in lines)


def test_the_demo_set_is_never_published() -> None:
    done = run("gate", DEMO)
    assert done.code == 3
    assert "G1 instagram warm: LEGACY SCHEMA (v1)\n" in done.out
    assert "G2 tiktok warm: SYNTHETIC (24/10)\n  - the rows are synthetic" in done.out


@pytest.mark.parametrize("fields", ["platform,condition", " platform , condition ,", "condition"])
def test_required_fields_are_a_list(tmp_path: Path, fields: str) -> None:
    full = write(tmp_path / "full.ndjson", drawn([10] * 6))
    assert run("gate", full, "--require", fields).code == 0
    part = write(tmp_path / "part.ndjson", drawn([10]))
    done = run("gate", part, "--require", fields)
    assert done.code == 3
    missing = [line for line in done.out.splitlines() if line.startswith("- no READY group for ")]
    assert len(missing) == (1 if fields == "condition" else 5)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ("region", "has no closed list"),
        ("nope", "is no group field of jev-social"),
        (",", "--require names no field"),
        ("", "--require names no field"),
    ],
)
def test_a_field_that_cannot_be_required_is_an_error(fields: str, words: str) -> None:
    assert words in refused(run("gate", DEMO, "--require", fields))


def test_accepted_rejects_are_still_told(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", [*drawn([10]), {}, {}])
    good = tmp_path / "good.ndjson"
    run("validate", file, "--keep-valid", good, "--rejects", tmp_path / "bad.ndjson")
    assert run("gate", good).code == 3
    assert run("gate", good, "--accept-rejects", "1").code == 3
    done = run("gate", good, "--accept-rejects", "2")
    assert done.code == 0
    assert done.out.startswith("READY\n- 2 rows set aside, as accepted\nG1 ")
