"""`benchdata gate`: each group's state, every reason, and exit 3 when it may not be published."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Done, refused, run
from tests.support.drawn import DEMO, drawn, write
from tests.support.planned import lanes, rubric_plan, verdicts


def test_a_ready_set_exits_0(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", drawn([10, 11]))
    shows = "  - READY allows publication, not comparison: 0 failures of"
    expected = [
        "READY",
        "G1 instagram cold: READY",
        f"{shows} 10 still allows 28%; p95 of 10 is the maximum; 0 against 4 failures is p 0.087",
        "G2 instagram warm: READY",
        f"{shows} 11 still allows 26%; p95 of 11 is the maximum; 0 against 4 failures is p 0.090",
    ]
    assert run("gate", file) == Done(0, "".join(f"{line}\n" for line in expected), "")


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


def test_several_contracts_get_a_gate_each(tmp_path: Path) -> None:
    runs = rubric_plan()
    files = (
        write(tmp_path / "runs.ndjson", runs),
        write(tmp_path / "judged.ndjson", verdicts(runs)),
    )
    done = run("gate", *files)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line for line in lines if line.endswith("run: READY") or line == "judgment: READY"]
    assert lines[0] == "skill-run: READY"
    assert "judgment: READY" in lines
    write(files[1], [row for row in verdicts(runs) if row["kind"] != "blank"])
    done = run("gate", *files)
    assert done.code == 3
    assert done.out.startswith("skill-run: INCOMPLETE\n")
    assert done.out.count("  - instrument check: no blank row\n") == 5


def test_a_field_is_required_of_the_contracts_that_group_by_it(tmp_path: Path) -> None:
    runs = rubric_plan()
    files = (
        write(tmp_path / "runs.ndjson", runs),
        write(tmp_path / "judged.ndjson", verdicts(runs)),
    )
    done = run("gate", *files, "--require", "sandbox")
    assert done.code == 3
    assert done.out.startswith("skill-run: INCOMPLETE\n- no READY group for sandbox workspace\n")
    assert "judgment: READY\n" in done.out
    assert "is no group field of skill-run" in refused(run("gate", *files, "--require", "nope"))


@pytest.mark.parametrize(
    ("t2", "code", "state"),
    [([5, 6, 7], 0, "met"), ([5, 6], 3, "not met"), ([5, 6, 11], 3, "unstable")],
)
def test_a_bar_exits_3_unless_it_is_met(
    tmp_path: Path, t2: list[float], code: int, state: str
) -> None:
    rows = lanes({"aster": {"t1": [5, 6, 7], "t2": t2}})
    done = run("gate", write(tmp_path / "a.ndjson", rows), "--bar", "self-bench")
    assert (done.code, done.err) == (code, "")
    lines = done.out.splitlines()
    assert (lines[0], lines[2]) == (state, f"aster: {state}")
    assert lines[1].startswith(
        "- the bar asks for at least 3 repeats a task; test_pass_rate median"
    )
    against = lines.index("  against it:") if "  against it:" in lines else None
    assert (against is None) is (code == 0)
    assert (
        "  - t1: 3 of 3 at 0.90 or more (Wilson 0.44 to 1.00)"
        in lines[lines.index("  measured:") :]
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--bar", "self-bench"), "contract jev-social has no bar self-bench; it has none"),
        (("--bar", "x", "--require", "platform"), "it takes no --require or --accept-rejects"),
        (("--bar", "x", "--accept-rejects", "1"), "it takes no --require or --accept-rejects"),
    ],
)
def test_a_bar_that_cannot_be_held_is_an_error(arguments: tuple[str, ...], words: str) -> None:
    assert words in refused(run("gate", DEMO, *arguments))
