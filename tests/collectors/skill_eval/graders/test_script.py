"""Grader `script`: trusted code in a process of its own, whose failures are the grader's."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from collectors.skill_eval.graders import script
from collectors.skill_eval.graders.grade import Grade, GradingFailed


def written(folder: Path, body: str) -> Path:
    path = folder / "grader.py"
    path.write_text(body)
    return path


@pytest.mark.parametrize(
    ("returned", "grade"),
    [
        ("{'pass': True}", Grade(passed=True, score=1.0)),
        ("{'pass': False}", Grade(passed=False, score=0.0)),
        (
            "{'pass': False, 'fields': {'a': True, 'b': False, 'c': True, 'd': True}}",
            Grade(passed=False, score=0.75),
        ),
        ("{'pass': expected == output}", Grade(passed=True, score=1.0)),
    ],
)
def test_grades_as_the_script_says(tmp_path: Path, returned: str, grade: Grade) -> None:
    path = written(tmp_path, f"def grade(expected, output):\n    return {returned}\n")
    assert script.grade(path, "x", "x") == grade


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("def grade(expected, output):\n    return {'pass': 1}", "pass: must be a valid boolean"),
        ("def grade(expected, output):\n    return {'pass': True, 'score': 3}", "score: is not a"),
        ("def grade(expected, output):\n    return {'fields': {'a': True}}", "pass: is missing"),
        ("def grade(expected, output):\n    return True", "grader.py: must be an object"),
        ("def grade(expected, output):\n    return {'pass': True, 'fields': {}}", "fields: "),
        ("def grade(expected, output):\n    raise ValueError('no such key')", "no such key"),
        ("import sys\nsys.exit(0)", "must be an object"),
        ("x = 1", "KeyError: 'grade'"),
        ("def grade(expected, output:", "SyntaxError"),
        ("import os\ndef grade(expected, output):\n    os._exit(3)", "without a word"),
    ],
)
def test_a_script_that_fails_grades_nothing(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(GradingFailed) as failure:
        script.grade(written(tmp_path, body), None, "")
    assert said in str(failure.value)


def test_what_the_script_prints_is_not_its_verdict(tmp_path: Path) -> None:
    body = (
        "def grade(expected, output):\n    print('{\"pass\": true}')\n    return {'pass': False}\n"
    )
    assert not script.grade(written(tmp_path, body), None, "").passed


def test_an_endless_script_is_ended_with_its_children(tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    body = (
        "import subprocess, sys, time\n"
        "def grade(expected, output):\n"
        "    subprocess.Popen([sys.executable, '-c', "
        f'\'import time; time.sleep(2); open("{mark}", "w")\'])\n'
        "    time.sleep(60)\n"
    )
    with pytest.raises(GradingFailed, match=r"more than 0\.5 s"):
        script.grade(written(tmp_path, body), None, "", seconds=0.5)
    time.sleep(2.5)
    assert not mark.exists()


def test_a_child_that_is_left_behind_is_not_waited_for(tmp_path: Path) -> None:
    body = (
        "import os, time\n"
        "def grade(expected, output):\n"
        "    if not os.fork():\n"
        "        time.sleep(60)\n"
        "    return {'pass': True}\n"
    )
    assert script.grade(written(tmp_path, body), None, "", seconds=20).passed


def test_of_a_script_that_says_much_the_last_line_is_told(tmp_path: Path) -> None:
    body = (
        "import sys\n"
        "def grade(expected, output):\n"
        "    sys.stderr.write('x' * 10_000_000 + '\\nthe end')\n"
        "    sys.exit(1)\n"
    )
    with pytest.raises(GradingFailed, match=r"grader\.py: failed: the end$"):
        script.grade(written(tmp_path, body), None, "")


def test_a_large_answer_reaches_the_script_whole(tmp_path: Path) -> None:
    body = "def grade(expected, output):\n    return {'pass': len(output) == expected}\n"
    assert script.grade(written(tmp_path, body), 3_000_000, "x" * 3_000_000).passed
