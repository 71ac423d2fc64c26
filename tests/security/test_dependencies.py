"""What is installed is what was pinned: by digest, from no named place, under a free licence."""

from __future__ import annotations

import re
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LINE = re.compile(r"^([A-Za-z0-9._-]+(?:\[[^\]]+\])?==\S+)", re.MULTILINE)
FREE = re.compile(
    r"MIT|BSD|Apache|ISC|Python|PSF|Zlib|Unlicense|CC0|MPL|Mozilla|HPND|0BSD|public domain|LGPL",
    re.IGNORECASE,
)

NOT_PINNED = {"pyspark"}  # 478 MB that no other part needs; the user of Spark chooses its version


def entries(root: Path) -> list[str]:
    text = (root / "requirements.lock").read_text("utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]


def test_every_package_is_pinned_by_digest_and_from_no_named_place(root: Path) -> None:
    found = entries(root)
    assert len(found) > 50
    for line in found:
        assert LINE.match(line), line
        assert "--hash=sha256:" in line, line
        assert "://" not in line, line


def test_what_the_project_needs_is_pinned(root: Path) -> None:
    pinned = {canonicalize_name(re.split(r"[\[=]", line)[0]) for line in entries(root)}
    needed = distribution("benchdata").requires or []
    names = {canonicalize_name(Requirement(each).name) for each in needed}
    assert names - pinned <= NOT_PINNED


def test_what_users_get_is_under_a_free_licence() -> None:
    """The licence of each package that an installation without extras brings."""
    for name in closure("benchdata"):
        said = distribution(name).metadata
        licence = " ".join(
            [
                *(said.get_all("License-Expression") or []),
                *(said.get_all("License") or []),
                *(line for line in said.get_all("Classifier") or [] if "License" in line),
            ]
        )
        assert FREE.search(licence), f"{name}: {licence[:80] or 'says no licence'}"


def closure(name: str) -> set[str]:
    """Return the packages that one needs here, itself left out."""
    found: set[str] = set()
    pending = [name]
    while pending:
        for text in distribution(pending.pop()).requires or []:
            need = Requirement(text)
            if need.marker and not need.marker.evaluate({"extra": ""}):
                continue
            if need.name not in found:
                found.add(need.name)
                pending.append(need.name)
    return found
