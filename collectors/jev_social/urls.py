"""The addresses of public pages: one spelling each, and what kind of page they lead to."""

from __future__ import annotations

import re
from typing import Any, Literal
from urllib.parse import quote, urlsplit

Page = Literal["post", "profile", "company"]

RESERVED = (
    "about|accounts|api|challenge|direct|explore|legal|oauth|p|privacy|reel|reels|settings|stories"
    "|terms"
)
PAGES: dict[str, tuple[tuple[Page, str], ...]] = {
    "instagram": (
        ("post", r"/p/[\w-]+/"),
        ("profile", rf"/(?!(?:{RESERVED})/?$)[\w.]+/?"),
    ),
    "tiktok": (("post", r"/@[\w.]+/video/[0-9]+/?"), ("profile", r"/@[\w.]+/?")),
    "linkedin": (
        ("post", r"/(?:posts/[^/]+|feed/update/urn:li:[\w:-]+)/?"),
        ("profile", r"/in/[^/]+/?"),
        ("company", r"/(?:company|showcase)/[^/]+/?"),
    ),
}
ASCII = "".join(map(chr, range(0x21, 0x7F)))
SHORTCODE = re.compile(r"/(?:p|reel)/([\w-]+)/?", re.ASCII)


def canonical(value: Any, platform: str) -> str | None:
    """Return the one spelling of an https page of a platform; None for anything else."""
    if not isinstance(value, str) or re.search(r"[\x00-\x20\x7f\\]", value):
        return None
    try:
        parts = urlsplit(quote(value, safe=ASCII))
        port, host = parts.port, parts.hostname or ""
    except ValueError:  # half of a surrogate pair, a bracket left open, a port out of range
        return None
    domain = f"{platform}.com"
    if parts.scheme != "https" or port is not None or "@" in parts.netloc:
        return None
    if host != domain and not host.endswith(f".{domain}"):
        return None
    path = parts.path or "/"
    # the same shortcode is served under both names
    if platform == "instagram" and (match := SHORTCODE.fullmatch(path)):
        path = f"/p/{match[1]}/"
    return f"https://{host}{path}"


def page_of(url: str, platform: str) -> Page | None:
    """Return what kind of page a canonical URL leads to; None for one that nothing can read."""
    path = urlsplit(url).path
    for page, pattern in PAGES[platform]:
        if re.fullmatch(pattern, path, re.ASCII | re.IGNORECASE):
            return page
    return None


def first(values: list[Any], platform: str) -> str | None:
    """Return the first of some values that is a page of the platform, in its one spelling."""
    found = (canonical(value, platform) for value in values)
    return next(filter(None, found), None)
