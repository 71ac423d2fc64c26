"""The pages as a site: built without a warning, showing what a code host shows, asking nobody."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from markdown_it import MarkdownIt

from tests.support import pages
from tests.support.browser import DARK, launched
from tests.support.command import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SETTINGS = ".zensical.toml"
TAG = re.compile(r"<(h[1-4]|li|ol|ul|tr|pre|img)\b")
GUIDES = [name.removeprefix("docs/") for name in pages.names() if name != "README.md"]


def tags(html: str) -> Counter[str]:
    """Count the tags of a text, of a page those of its article."""
    article = html.partition("<article")[2].partition("</article>")[0]
    return Counter(TAG.findall(article or html))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built from a copy; a warning would have ended the building."""
    folder = tmp_path_factory.mktemp("pages")
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / SETTINGS, folder)
    done = subprocess.run(
        [
            *(Path(sys.executable).with_name("zensical"), "build", "--strict"),
            *("--config-file", SETTINGS),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / ".site"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and keeps no log."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name it has
        """Say nothing."""


def page_of(site: Path, guide: str) -> Path:
    return (site / guide).with_suffix(".html")


def test_the_site_shows_what_a_code_host_shows(site: Path) -> None:
    parser = MarkdownIt("commonmark").enable("table")
    for guide in GUIDES:
        shown = tags(page_of(site, guide).read_text("utf-8"))
        assert shown == tags(parser.render(pages.text(f"docs/{guide}"))), guide


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The site, served on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.browser
def test_a_page_asks_for_nothing_but_the_site_and_is_found(address: str, chromium: str) -> None:
    asked: list[str] = []
    said: list[str] = []

    def opened(browser: Browser, guide: str, **options: Any) -> Page:
        context = browser.new_context(**options)
        context.on("request", lambda request: asked.append(request.url))
        context.on("console", lambda message: said.append(message.text))
        context.on("weberror", lambda error: said.append(str(error.error)))
        page = context.new_page()
        page.goto(f"{address}/{guide}", wait_until="networkidle")
        return page

    with launched(chromium) as browser:
        opened(browser, "statistics.html", **DARK)
        page = opened(browser, "index.html")
        page.keyboard.press("Control+k")
        page.keyboard.type("sign flip", delay=20)
        page.get_by_text("Two arms on the same tasks").first.wait_for()
    assert any(url.endswith("search.json") for url in asked)
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    assert said == []
