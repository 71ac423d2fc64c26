"""`report --check`: the report made again from the same rows, and what differs."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchdata.reports import check
from tests.support import drawn
from tests.support.command import Done, refused, run
from tests.support.jev_social import numbered_row
from tests.support.templates import TABLE, written

SAME, DIFFERENT = 0, 3


class Made:
    """A report of two inputs, made by a template that is not shipped."""

    def __init__(self, folder: Path) -> None:
        self.template = written(folder / "mine.ipynb", TABLE, "report.results()")
        rows = [numbered_row(number) for number in range(4)]
        self.inputs = [
            drawn.write(folder / "data" / "first.ndjson", rows[:2]),
            drawn.write(folder / "data" / "second.ndjson", rows[2:]),
        ]
        options = ("--out", folder / "out", "-p", "title=T", "--as-of", "2026-05-01")
        done = run("report", self.template, *self.inputs, *options)
        assert done.code == 0, done
        self.folder = Path(done.out.removesuffix("\n"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("made"))


@pytest.fixture
def copy(made: Made, tmp_path: Path) -> Path:
    """A copy of the report, to be tampered with."""
    return shutil.copytree(made.folder, tmp_path / "copy")


def checked(report: Path, *arguments: str | Path) -> Done:
    return run("report", "--check", report, *arguments)


def compared(report: Path, again: Path) -> check.Difference:
    return check._compared(report, again, lambda _: None)


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.slow
def test_renamed_inputs_make_the_same_report(made: Made, tmp_path: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in made.folder.rglob("*")}
    renamed = [shutil.copy(file, tmp_path / f"x{file.name}") for file in reversed(made.inputs)]
    done = checked(made.folder, made.template, *renamed)
    assert (done.code, done.out) == (SAME, "the report is the same\n"), done
    assert {file: file.stat().st_mtime_ns for file in made.folder.rglob("*")} == before


@pytest.fixture(scope="module")
def again(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report as it was made."""
    return shutil.copytree(made.folder, tmp_path_factory.mktemp("again") / "report")


def test_an_untouched_report_differs_in_nothing(copy: Path, again: Path) -> None:
    assert compared(copy, again) == check.Difference(())


@pytest.mark.parametrize(
    ("tamper", "wrong"),
    [
        (lambda at: (at / "summary.json").unlink(), "summary.json"),
        (lambda at: changed(at / "summary.md", "4 rows", "5 rows"), "summary.md"),
        (lambda at: changed(at / "report.html", ">4</td>", ">5</td>"), "report.html"),
        (lambda at: changed(at / "report.html", ">4 <wbr>/", ">3 <wbr>/"), "report.html"),
        (lambda at: changed(at / "report.html", "Parameters", "Settings"), "report.html"),
        (lambda at: changed(at / "manifest.json", "05-01", "05-02"), "manifest.json: asOf"),
        (lambda at: (at / "charts").mkdir() or (at / "charts" / "a.svg").touch(), "charts/a.svg"),
        (lambda at: (at / "report.ipynb").unlink(), "report.ipynb"),
        (lambda at: changed(at / "report.html", ">UNREVIEWED<", "><"), "report.html"),
        (lambda at: changed(at / "report.html", "4 attempts", "9 attempts"), "report.html"),
        (lambda at: changed(at / "manifest.json", '"rows": 4', '"rows": 5'), "manifest.json: rows"),
        (lambda at: changed(at / "manifest.json", "{", '{"by": 1, '), "manifest.json: by"),
        (lambda at: changed(at / "manifest.json", "{", "{ "), "manifest.json"),
    ],
    ids=[
        *("no numbers", "words", "a cell", "a pair", "a heading", "manifest", "more", "less"),
        *("a banner", "the lead", "rows", "a key", "space"),
    ],
)
def test_what_was_changed_is_named(
    copy: Path, again: Path, tamper: Callable[[Path], None], wrong: str
) -> None:
    tamper(copy)
    assert compared(copy, again) == check.Difference((wrong,))


def test_another_version_answers_for_the_numbers_alone(copy: Path, again: Path) -> None:
    changed(copy / "manifest.json", '"benchdata": "', '"benchdata": "9.')
    changed(copy / "report.html", "Parameters", "Settings")
    assert compared(copy, again) == check.Difference((), ("report.html",))
    changed(copy / "summary.json", '"rowCount": 4', '"rowCount": 5')
    assert compared(copy, again) == check.Difference(("summary.json",), ("report.html",))


@pytest.mark.slow
def test_a_changed_number_is_found_by_another_version_and_notebook_too(
    made: Made, copy: Path, tmp_path: Path
) -> None:
    changed(copy / "summary.json", '"rowCount": 4', '"rowCount": 5')
    changed(copy / "manifest.json", '"benchdata": "', '"benchdata": "9.')
    other = written(tmp_path / "mine.ipynb", TABLE, "print('one cell more')")
    done = checked(copy, other, *made.inputs)
    assert re.search(r"made with another version of benchdata: 9\.\S+, it is \S+ now\n", done.err)
    assert "made with another template notebook: " in done.err
    assert "definition of the contract" not in done.err
    unsure = "made by another version, so not compared: report.html\n"
    assert done.out.startswith(f"differs: summary.json\n{unsure}")
    assert done.out.endswith("the report differs\n")
    assert done.code == DIFFERENT


def test_other_rows_are_named_without_making_a_report(made: Made, tmp_path: Path) -> None:
    wrong = drawn.write(tmp_path / "wrong.ndjson", [numbered_row(9)])
    done = checked(made.folder, made.template, made.inputs[0], wrong)
    assert done == Done(
        DIFFERENT,
        "differs: second.ndjson: no input has its digest\n"
        f"differs: {wrong}: was not read for this report\n"
        "the report differs\n",
        "",
    )


def test_an_input_named_twice_is_told(made: Made) -> None:
    done = checked(made.folder, made.template, *made.inputs, made.inputs[0])
    assert done.code == DIFFERENT
    assert "differs: an input was read another number of times\n" in done.out


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"manifestVersion": 2}', "\udcff"])
def test_a_folder_that_is_no_report(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "manifest.json").write_text(text, "utf-8", errors="surrogateescape")
    message = refused(checked(tmp_path, drawn.DEMO_ROWS))
    assert (
        message
        == f"benchdata: {tmp_path}: is no report folder, for it has no manifest.json of ours"
    )


def test_a_manifest_with_a_gap(copy: Path, made: Made) -> None:
    manifest = json.loads((copy / "manifest.json").read_text("utf-8"))
    del manifest["asOf"], manifest["inputs"]
    (copy / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    message = refused(checked(copy, made.template, *made.inputs))
    assert message == f"benchdata: {copy}: manifest.json lacks asOf, inputs"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--check DIR needs the FILEs that the report was made of"),
        (("mine.ipynb",), "--check DIR needs the FILEs that the report was made of"),
        (("rows.ndjson", "-p", "title=U"), "--check takes parameters, date and rejects from the"),
        (("rows.ndjson", "--as-of", "2026-01-01"), "--check takes parameters, date and rejects"),
        (("there/is/none.ndjson",), "there/is/none.ndjson: no such file"),
    ],
)
def test_a_wrong_check_is_one_sentence(made: Made, arguments: tuple[str, ...], words: str) -> None:
    assert words in refused(checked(made.folder, *arguments))


def test_a_template_that_is_not_shipped_must_be_named(made: Made) -> None:
    message = refused(checked(made.folder, *made.inputs))
    assert message.startswith("benchdata: no report template is named mine; there are ")
    assert "name its notebook before the FILEs" in message


def test_what_lies_beside_the_rows_is_part_of_the_report(made: Made, tmp_path: Path) -> None:
    inputs = [shutil.copy(file, tmp_path / f"x{file.name}") for file in made.inputs]
    (tmp_path / "xfirst.ndjson.set-aside.json").write_text('{"rejected": 2}', "utf-8")
    done = checked(made.folder, made.template, *inputs)
    assert done.code == DIFFERENT
    assert done.out.startswith("differs: manifest.json: inputs\ndiffers: report.html\n")


@pytest.mark.parametrize("name", ["../first.ndjson", "", ".", "a\0b"])
def test_a_manifest_cannot_lead_out_of_a_folder(copy: Path, made: Made, name: str) -> None:
    manifest = json.loads((copy / "manifest.json").read_text("utf-8"))
    manifest["inputs"][0]["name"] = name
    (copy / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    message = refused(checked(copy, made.template, *made.inputs))
    assert message.endswith("manifest.json has no inputs that a report is made with")
