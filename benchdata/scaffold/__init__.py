"""A new benchmark as a folder that passes its own tests: a copy of `template` under a name."""

from __future__ import annotations

import importlib.util
import keyword
import re
from dataclasses import dataclass
from pathlib import Path

from benchdata import contracts
from benchdata.contracts.columns import RESERVED_VIEWS
from benchdata.contracts.naming import SQL_WORDS
from benchdata.errors import BenchdataError, printable
from benchdata.rows import scratch

TEMPLATE = Path(__file__).with_name("template")
WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
LONGEST = 32
FOLDERS = frozenset({"notebooks", "reports", "results", "tests"})
IGNORED = frozenset({"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"})


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a benchmark, words with a hyphen between, in every form that its files need."""

    words: str

    @property
    def module(self) -> str:
        """Return it as a package is imported."""
        return self.words.replace("-", "_")

    @property
    def forms(self) -> tuple[str, str, str]:
        """Return it as distribution, package and title."""
        return self.words, self.module, self.words.replace("-", " ").capitalize()


SAMPLE = Name("sample-bench")
FORM = re.compile("|".join(SAMPLE.forms))


def named(text: str) -> Name:
    """Return the name that a user gave, `-` and `_` alike.

    Raises:
        BenchdataError: It cannot name a folder, a package and a contract; the message says why.
    """
    words = text.replace("_", "-")
    shown = printable(text[: 2 * LONGEST])
    if not WORD.fullmatch(words):
        better = "-".join(re.findall("[a-z0-9]+", words.lower())).lstrip("0123456789-")
        hint = f"; did you mean `{better}`?" if better else ""
        raise BenchdataError(
            f"{shown}: a benchmark's name is small letters and digits, a letter first, with one"
            f" - between words{hint}"
        )
    if len(words) > LONGEST:
        raise BenchdataError(f"{shown}: a benchmark's name has at most {LONGEST} characters")
    name = Name(words)
    if reason := _taken(name):
        raise BenchdataError(f"{shown} {reason}: choose another name")
    return name


def _taken(name: Name) -> str:
    """Return why a name that is well formed cannot be used, or nothing."""
    if keyword.iskeyword(name.module):
        return "is a word of Python"
    if name.words in contracts.names():
        return "is a contract that is there already"
    if name.module in RESERVED_VIEWS:
        return "is a view that every dataset has"
    if name.module in FOLDERS:
        return "is a folder that every benchmark has"
    if name.module in SQL_WORDS:
        return "is a word of SQL, so its view could not be asked"
    if importlib.util.find_spec(name.module):
        return "is a module that is installed here"
    return ""


def create(name: Name, into: Path) -> Path:
    """Write the benchmark as a folder of its name inside `into`, whole or not at all; return it.

    Raises:
        BenchdataError: Something of that name is there.
        OSError: It cannot be written.
    """
    folder = into / name.words
    if folder.exists() or folder.is_symlink():
        raise BenchdataError(f"{folder} is there already: choose another name or --into DIR")
    into.mkdir(parents=True, exist_ok=True)
    with scratch.folder(into, ".benchdata-init-") as work:
        made = work / name.words
        for path in _files():
            copy = made / _renamed(path.relative_to(TEMPLATE).as_posix(), name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(_renamed(path.read_text("utf-8"), name), "utf-8")
        made.rename(folder)
    return folder


def _files() -> list[Path]:
    """Return the files of the template, without what tools leave among them.

    Where the package itself is installed has no part in that: such a folder may lie above it.
    """
    files = (path for path in TEMPLATE.rglob("*") if path.is_file())
    return sorted(path for path in files if IGNORED.isdisjoint(path.relative_to(TEMPLATE).parts))


def _renamed(text: str, name: Name) -> str:
    new = dict(zip(SAMPLE.forms, name.forms, strict=True))
    return FORM.sub(lambda match: new[match[0]], text)
