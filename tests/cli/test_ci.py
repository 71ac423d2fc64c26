"""What CI is told: annotations with file and line, JUnit files, by each command that answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.armed import attempts, skills
from tests.support.command import Done, refused, run
from tests.support.drawn import drawn, write
from tests.support.intake import lines
from tests.support.jev_social import numbered_row
from tests.support.planned import lanes
from tests.support.releases import FAST, SLOW, release

GITHUB = ("--format", "github")


def levels(done: Done) -> list[str]:
    """Return the level of each annotation, in order."""
    lines = done.out.splitlines()
    assert all(line.startswith("::") for line in lines)
    return [line.split(" ")[0].strip(":") for line in lines]


def junit(file: Path) -> dict[str, str]:
    """Return what stands in each test case, by its name; nothing in one that passed."""
    tags = {"failure", "error", "skipped"}
    return {
        case.get("name", ""): " ".join(child.tag for child in case if child.tag in tags)
        for case in ElementTree.parse(file).getroot().iter("testcase")
    }


def test_a_bad_row_is_annotated_at_its_line(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", [numbered_row(1), numbered_row(2) | {"platform": "x"}])
    done = run("validate", file, *GITHUB, "--junit", tmp_path / "v.xml")
    assert done.code == 1
    assert done.out.startswith(f"::error file={file},line=2,title=validate%3A ")
    assert "::platform: must be" in done.out
    assert done.err.startswith(f"{file}:2: platform: ")
    assert junit(tmp_path / "v.xml") == {f"{file}:2": "error"}


def test_valid_rows_are_a_notice(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", [numbered_row(1)])
    done = run("validate", file, *GITHUB)
    assert (done.code, levels(done)) == (0, ["notice"])
    assert "a.ndjson: 1 row of jev-social, all valid" in done.out


@pytest.mark.parametrize("command", ["validate", "gate", "history"])
def test_a_command_that_cannot_answer_says_so_too(tmp_path: Path, command: str) -> None:
    done = run(command, tmp_path / "none.ndjson", *GITHUB, "--junit", tmp_path / "j.xml")
    assert (done.code, levels(done)) == (1, ["error"])
    assert "no such file" in done.out
    assert "no such file" in done.err
    assert junit(tmp_path / "j.xml") == {command: "error"}


def test_a_gate_fails_by_its_groups(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", drawn([10, 9]))
    done = run("gate", file, *GITHUB, "--junit", tmp_path / "g.xml")
    assert (done.code, levels(done)) == (3, ["error", "notice", "error"])
    assert f"::error file={file},line=1,title=gate jev-social%3A G2 " in done.out
    assert "INCOMPLETE (9/10)%0A9 of 10 distinct rows: collect 1 more" in done.out
    found = junit(tmp_path / "g.xml")
    assert found == {
        "all rows": "failure",
        "G1 instagram cold": "",
        "G2 instagram warm": "failure",
    }


def test_the_usual_text_is_printed_beside_a_junit_file(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", drawn([10]))
    plain = run("gate", file)
    assert run("gate", file, "--junit", tmp_path / "g.xml") == plain
    assert set(junit(tmp_path / "g.xml").values()) == {""}


def test_a_bar_is_a_case_an_arm(tmp_path: Path) -> None:
    met = {"t1": [3, 3, 3], "t2": [3, 3, 3]}
    rows = lanes({"aster": met, "birch": met | {"t2": [3, None, None]}})
    file = write(tmp_path / "a.ndjson", rows)
    done = run("gate", file, "--bar", "self-bench", *GITHUB, "--junit", tmp_path / "b.xml")
    assert done.code == 3
    assert junit(tmp_path / "b.xml") == {"aster": "", "birch": "failure"}
    assert sorted(levels(done)) == ["error", "notice"]


@pytest.mark.parametrize(
    ("totals", "options", "code", "level", "tag"),
    [
        (SLOW, (), 0, "error", "failure"),
        (FAST, ("--fail-on", "worse"), 0, "notice", ""),
        (SLOW[:2], ("--fail-on", "worse"), 0, "warning", "skipped"),
        (SLOW[:2], ("--no-worse-than", "0.5"), 3, "error", "failure"),
        (SLOW, ("--no-worse-than", "9"), 0, "notice", ""),
    ],
)
def test_a_comparison_fails_when_it_is_worse_or_by_its_condition(
    tmp_path: Path,
    totals: Sequence[int],
    options: tuple[str, ...],
    code: int,
    level: str,
    tag: str,
) -> None:
    newer = {"jev_social_commit": "c" * 40, "jev_social_version": "0.5.0"}
    old = write(tmp_path / "old.ndjson", attempts(0, FAST))
    new = write(tmp_path / "new.ndjson", attempts(100, totals, **newer))
    done = run("compare", old, new, *options, *GITHUB, "--junit", tmp_path / "c.xml")
    assert (done.code, levels(done)) == (code, [level])
    assert done.out.startswith(f"::{level} file={new},line=1,title=compare jev-social by input ")
    assert junit(tmp_path / "c.xml") == {"B new.ndjson against A old.ndjson": tag}


def test_each_table_is_a_suite(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", skills({"none": 0.2, "a/b@c": 0.8, "a/b@d": 0.2}))
    run("compare", file, "--by", "arm", "--junit", tmp_path / "c.xml")
    (suite,) = ElementTree.parse(tmp_path / "c.xml").getroot()
    assert suite.get("name") == "compare skill-run by arm on score"
    assert [case.get("name") for case in suite] == ["a/b@c against none", "a/b@d against none"]


@pytest.mark.parametrize(
    ("fresh", "level"), [(None, "error"), ([t - 5000 for t in FAST], "notice")]
)
def test_a_release_fails_unless_fresh_repeats_lift_it(
    tmp_path: Path, fresh: Sequence[int] | None, level: str
) -> None:
    rows = write(tmp_path / "rows.ndjson", [*release("a", FAST, 2), *release("b", SLOW, 12)])
    options: tuple[str | Path, ...] = ()
    if fresh:
        again = [*release("a", FAST, 20), *release("b", fresh, 20, first=50)]
        options = ("--confirm", write(tmp_path / "fresh.ndjson", again))
    done = run("history", rows, *options, *GITHUB, "--junit", tmp_path / "h.xml")
    assert (done.code, levels(done)) == (0, [level])
    assert list(junit(tmp_path / "h.xml").values()) == ["failure" if level == "error" else ""]


def test_a_file_of_rows_is_not_replaced(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", drawn([10]))
    before = file.read_bytes()
    assert "name the file with .xml" in refused(run("gate", file, "--junit", file))
    assert file.read_bytes() == before


@pytest.mark.parametrize("options", [GITHUB, ("--junit", "j.xml")])
def test_only_a_check_has_cases(options: tuple[str, ...]) -> None:
    assert "of a check alone" in refused(run("validate", "--schema", "trial", *options))


def test_no_input_is_replaced_by_a_junit_file(tmp_path: Path) -> None:
    rows = tmp_path / "rows.xml"
    rows.write_bytes(lines([numbered_row(1)]))
    done = run("validate", rows, "--junit", rows)
    assert (done.code, done.out) == (1, "")
    assert done.err == f"benchdata: --junit {rows}: is one of the inputs; name another file\n"
    assert rows.read_bytes() == lines([numbered_row(1)])
