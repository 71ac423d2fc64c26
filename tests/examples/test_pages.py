"""The pages hang together: every one in the navigation, every link leads somewhere in the pages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support import pages
from tests.support.command import ROOT

DOCS = ROOT / "docs"
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
GUIDES = [name for name in pages.names() if name != "README.md"]


def links(page: str) -> list[str]:
    """Return where the links and pictures of a page lead, its fenced blocks apart."""
    return LINK.findall(FENCED.sub("", pages.text(page)))


def listed(nav: list[Any]) -> Iterator[str]:
    """Yield the pages of a navigation, in order."""
    for entry in nav:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            yield from listed(value) if isinstance(value, list) else [value]


def test_every_page_is_in_the_navigation_once() -> None:
    settings = tomllib.loads((ROOT / ".zensical.toml").read_text("utf-8"))
    found = [f"docs/{page}" for page in listed(settings["project"]["nav"])]
    assert sorted(found) == sorted(GUIDES)


def test_links_stay_among_the_pages() -> None:
    """A link to the source works on a code host and nowhere else: the site has pages alone."""
    astray = []
    for page in GUIDES:
        for link in links(page):
            target = ((ROOT / page).parent / link.partition("#")[0]).resolve()
            here = target.is_relative_to(DOCS) and target.exists()
            if "://" not in link and not link.startswith("#") and not here:
                astray.append((page, link))
    assert astray == []


def test_the_links_of_the_readme_lead_somewhere() -> None:
    ours = [link.partition("#")[0] for link in links("README.md") if "://" not in link]
    assert [link for link in ours if not (ROOT / link).exists()] == []


def test_the_readme_has_every_guide() -> None:
    found = {f"docs/{Path(link).name}" for link in links("README.md") if link.startswith("docs/")}
    wanted = {page for page in GUIDES if not page.startswith(pages.GENERATED)}
    assert wanted - found == {"docs/index.md"}
