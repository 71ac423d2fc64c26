"""The page on reliability is made of what tests have shown, and of nothing else."""

from __future__ import annotations

from pathlib import Path

from tests.faults.run import HEAD, PAGE, Proof, proofs, written

XML = """<testsuites><testsuite>
<testcase classname="tests.a.test_b" name="c[1]"><properties>
<property name="proven" value="[&quot;cut&quot;, 2, &quot;refused&quot;]"/>
<property name="other" value="1"/></properties></testcase>
<testcase classname="tests.a.test_b" name="c[2]"><properties>
<property name="proven" value="[&quot;cut&quot;, 3, &quot;refused&quot;]"/></properties></testcase>
<testcase classname="tests.a.test_d" name="e"/>
</testsuite></testsuites>"""


def test_cases_of_one_test_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "found.xml"
    file.write_text(XML)
    assert proofs(file) == [Proof("cut", 5, "refused", "tests/a/test_b.py")]


def test_the_table_is_replaced_and_the_text_kept() -> None:
    kept, old = "| cut | 3 | held | tests/b.py |", "| cut | 3 | held | tests/a.py |"
    page = f"before\n<!-- proven -->\n{old}\n{kept}\n<!-- end -->\nafter\n"
    now = written(page, [Proof("cut", 1_000, "held", "tests/a.py")])
    assert now.startswith("before\n<!-- proven -->\n\n| Fault | Times |")
    assert "| cut | 1,000 | held | tests/a.py |" in now
    assert now.endswith("<!-- end -->\nafter\n")
    assert old not in now
    assert kept in now
    assert written(now, [Proof("cut", 1_000, "held", "tests/a.py")]) == now


def test_every_line_of_the_page_names_a_test_of_faults(root: Path) -> None:
    table = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    assert [cell.strip() for cell in table[0].split("|")[1:-1]] == list(HEAD)
    tests = {line.split("|")[-2].strip() for line in table[2:]}
    assert len(tests) > 5
    for test in tests:
        assert "pytest.mark.faults" in (root / test).read_text("utf-8"), test
