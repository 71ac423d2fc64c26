"""The reference: what the code says today, and nothing that a reader can use is without words."""

from __future__ import annotations

import pytest

from benchdata import contracts
from tests.reference import commands, python, run
from tests.reference import contracts as page
from tests.support import pages

UNSHOWN = {
    ("collect",): "a collector follows, and those have examples of their own",
    ("collect", "build-bench"): "so have its two commands",
}
"""Commands that no guide shows at work, and why."""


@pytest.mark.parametrize("name", run.PAGES)
def test_a_page_is_current(name: str) -> None:
    committed = (run.FOLDER / name).read_text("utf-8")
    assert committed == run.PAGES[name](), "run `python -m tests.reference.run`"


def test_there_is_no_other_page() -> None:
    assert sorted(path.name for path in run.FOLDER.iterdir()) == sorted(run.PAGES)


def test_every_option_says_what_it_does() -> None:
    assert "--no-worse-than" in " ".join(commands.options(("compare",)))
    assert [*commands.undescribed()] == []


def test_every_command_is_shown_at_work() -> None:
    without = {command for command in commands.names() if not commands.uses(command)}
    assert without == {*UNSHOWN}


def test_the_readme_shows_every_command() -> None:
    readme = pages.text("README.md")
    plain = [command for command in commands.names() if command[0] != "collect"]
    assert [" ".join(each) for each in plain if f"benchdata {each[0]}" not in readme] == []


def test_every_contract_says_what_it_is() -> None:
    said = {name: page.said(contracts.get(name)) for name in contracts.names()}
    assert [name for name, sentence in said.items() if not sentence.endswith(".")] == []


def test_a_guide_tells_of_every_contract() -> None:
    guides = [name for name in pages.names() if not name.startswith(pages.GENERATED)]
    told = "".join(map(pages.text, guides))
    assert [name for name in contracts.names() if f"`{name}`" not in told] == []


def test_every_column_of_a_contract_is_in_its_table() -> None:
    for name in contracts.names():
        contract = contracts.get(name)
        told = {path for path, _, _ in page.fields(contract)}
        assert {column.path for column in contract.columns} <= told, name


@pytest.mark.parametrize("shown", [python.ROWS, python.STATISTICS], ids=["rows", "statistics"])
def test_every_name_that_a_module_offers_is_told_of(shown: python.Page) -> None:
    for module in shown.modules:
        assert python.members(module), module
