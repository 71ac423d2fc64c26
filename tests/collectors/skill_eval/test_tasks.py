"""Tasks: a JSON object a line; a fault names file, line and field; the digest covers all named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import BenchdataError
from collectors.skill_eval import tasks

EXACT: dict[str, Any] = {"id": "one", "prompt": "1 + 1?", "grader": "exact", "expected": "2"}
AGENT: dict[str, Any] = {
    "id": "two",
    "prompt": "Review it.",
    "mode": "agent",
    "workspace": "code",
    "grader": "script",
    "script": "grade.py",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "app.py").write_text("x = 1\n")
    (tmp_path / "grade.py").write_text("def grade(expected, output): ...\n")
    return tmp_path


def written(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n\n" for line in lines))
    return path


def test_reads_both_modes(folder: Path) -> None:
    exact, agent = tasks.read(written(folder, EXACT, AGENT))
    assert (exact.line.mode, exact.workspace, exact.script) == ("document", None, None)
    assert (agent.workspace, agent.script) == (folder / "code", folder / "grade.py")
    assert tasks.inline([EXACT, AGENT], folder) == (exact, agent)


@pytest.mark.parametrize("named", ["code/app.py", "grade.py"])
def test_the_digest_covers_the_files_it_names(folder: Path, named: str) -> None:
    before = tasks.read(written(folder, AGENT))[0].digest
    with (folder / named).open("a") as file:
        file.write("# changed\n")
    assert tasks.read(written(folder, AGENT))[0].digest != before


def test_the_digest_is_of_the_content_and_not_of_the_layout(folder: Path) -> None:
    turned = dict(reversed(AGENT.items()))
    assert tasks.inline([AGENT], folder) == tasks.inline([turned], folder)


@pytest.mark.parametrize(
    ("base", "changes", "said"),
    [
        (EXACT, {"promt": "x"}, "promt: is not a key here; did you mean `prompt`?"),
        (EXACT, {"prompt": ""}, "prompt: must not be empty"),
        (EXACT, {"timout": 5}, "timout: is not a key here; the keys are id, prompt"),
        (EXACT, {"id": "a b"}, "id: must be a slug"),
        (EXACT, {"grader": "regex"}, "grader: must be 'exact', 'json-fields'"),
        (EXACT, {"mode": "chat"}, "mode: must be 'document' or 'agent'"),
        (EXACT, {"expected": 2}, "expected: must be the text that grader `exact`"),
        (EXACT, {"grader": "json-fields"}, "expected: must be an object with the fields"),
        (EXACT, {"grader": "json-fields", "expected": {}}, "expected: must be an object with"),
        (EXACT, {"grader": "llm-judge"}, "reference: is missing: grader `llm-judge` needs"),
        (EXACT, {"grader": "llm-judge", "reference": "2"}, "expected: is not read by grader"),
        (EXACT, {"reference": "2"}, "reference: is what grader `llm-judge` compares"),
        (EXACT, {"script": "grade.py"}, "script: is the Python file of grader `script`"),
        (EXACT, {"workspace": "code"}, "workspace: only a task of mode `agent` has one"),
        (AGENT, {"workspace": "none"}, "workspace: none: is not a folder"),
        (AGENT, {"workspace": "x" * 5_000}, f"workspace: {'x' * 299}…: cannot be read: File name"),
        (AGENT, {"script": "none.py"}, "script: none.py: cannot be read"),
        (AGENT, {"script": None}, "script: is missing: grader `script` needs the Python file"),
    ],
)
def test_names_file_line_and_field(
    folder: Path, base: dict[str, Any], changes: dict[str, Any], said: str
) -> None:
    first = EXACT | {"id": "zero"}
    with pytest.raises(BenchdataError) as failure:
        tasks.read(written(folder, first, base | changes))
    assert str(failure.value).startswith(f"cases.jsonl:3: {said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"x = 1\ndef grade(expected, output)\n    return {}\n", "2: is no Python: expected ':'"),
        (b"return {}\n", "1: is no Python: 'return' outside function"),
        (b"def grde(expected, output): ...\n", "1: defines no function `grade(expected, output)`"),
        (b"def other():\n    def grade(): ...\n", "1: defines no function `grade("),
        (b"print(grade)\n", "1: defines no function `grade("),
        (b"", "1: defines no function `grade("),
        (b"x = '\xff'\n", "1: is no Python: "),
        (b"x = 1\0\n", ""),
        (b"(" * 5_000, ""),
    ],
)
def test_a_script_that_is_no_grader_is_refused(folder: Path, text: bytes, said: str) -> None:
    (folder / "grade.py").write_bytes(text)
    with pytest.raises(BenchdataError) as failure:
        tasks.read(written(folder, AGENT))
    assert str(failure.value).startswith(f"cases.jsonl:1: script: grade.py:{said}")
    assert len(str(failure.value)) < 400


@pytest.mark.parametrize(
    "text",
    [
        "raise SystemExit  # what it does is not looked at\ndef grade(expected, output): ...\n",
        "if True:\n    def grade(expected, output): ...\n",
        "from graders import grade\n",
        "grade = lambda expected, output: {'pass': output == '\\d'}\n",
    ],
)
def test_a_script_is_looked_at_and_not_run(folder: Path, text: str) -> None:
    (folder / "grade.py").write_text(text)
    assert tasks.read(written(folder, AGENT))[0].script == folder / "grade.py"


def test_a_byte_order_mark_is_named(folder: Path) -> None:
    path = written(folder, EXACT)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    with pytest.raises(BenchdataError, match=r"cases\.jsonl:1: begins with a byte order mark"):
        tasks.read(path)


@pytest.mark.parametrize(
    ("prompt", "said"),
    [(float("nan"), "NaN is no JSON number"), ("\ud800", "half of a surrogate pair")],
)
def test_a_value_that_is_no_strict_json_is_refused(folder: Path, prompt: Any, said: str) -> None:
    with pytest.raises(BenchdataError, match=rf"tasks\[0\]: .*{said}"):
        tasks.inline([EXACT | {"prompt": prompt}], folder)


def test_an_id_stands_once(folder: Path) -> None:
    with pytest.raises(BenchdataError, match=r"cases\.jsonl:3: id: one stands twice"):
        tasks.read(written(folder, EXACT, EXACT))


def test_there_must_be_a_task(folder: Path) -> None:
    with pytest.raises(BenchdataError, match=r"cases\.jsonl: holds no task"):
        tasks.read(written(folder))
    with pytest.raises(BenchdataError, match=r"tasks\[0\]: must be an object"):
        tasks.inline(["2"], folder)
