"""Addresses: one spelling each, and the kind of page they lead to."""

from __future__ import annotations

import pytest

from collectors.jev_social.urls import canonical, page_of


@pytest.mark.parametrize(
    ("platform", "value", "url"),
    [
        (
            "instagram",
            "https://www.instagram.com/reel/AbC_-1/",
            "https://www.instagram.com/p/AbC_-1/",
        ),
        ("instagram", "https://instagram.com/p/AbC?igsh=x#y", "https://instagram.com/p/AbC/"),
        ("instagram", "https://WWW.Instagram.com/some.one", "https://www.instagram.com/some.one"),
        ("tiktok", "https://m.tiktok.com/@a/video/7?x=1", "https://m.tiktok.com/@a/video/7"),
        ("tiktok", "https://www.tiktok.com", "https://www.tiktok.com/"),
        (
            "linkedin",
            "https://de.linkedin.com/in/jos\u00e9",
            "https://de.linkedin.com/in/jos%C3%A9",
        ),
        (
            "linkedin",
            "https://www.linkedin.com/in/jos%C3%A9",
            "https://www.linkedin.com/in/jos%C3%A9",
        ),
        ("tiktok", "http://www.tiktok.com/@a", None),
        ("tiktok", "https://user@www.tiktok.com/@a", None),
        ("tiktok", "https://@www.tiktok.com/@a", None),
        ("tiktok", "https://www.tiktok.com:443/@a", None),
        ("tiktok", "https://www.tiktok.com:x/@a", None),
        ("tiktok", "https://nottiktok.com/@a", None),
        ("tiktok", "https://tiktok.com.example.org/@a", None),
        ("tiktok", "https://www.instagram.com/@a", None),
        ("tiktok", "https://www.tiktok.com/@a b", None),
        ("tiktok", "https://www.tiktok.com\\@example.org/", None),
        ("tiktok", "https://[www.tiktok.com/", None),
        ("tiktok", "https://www.tiktok.com/\ud800", None),
        ("tiktok", "//www.tiktok.com/@a", None),
        ("tiktok", "", None),
        ("tiktok", 7, None),
        ("tiktok", None, None),
    ],
)
def test_an_address_has_one_spelling_or_is_none(
    platform: str, value: object, url: str | None
) -> None:
    assert canonical(value, platform) == url


@pytest.mark.parametrize(
    ("platform", "path", "page"),
    [
        ("instagram", "/p/AbC/", "post"),
        ("instagram", "/some.one/", "profile"),
        ("instagram", "/some_one", "profile"),
        ("instagram", "/explore/", None),
        ("instagram", "/Reels", None),
        ("instagram", "/some.one/tagged/", None),
        ("instagram", "/", None),
        ("tiktok", "/@some.one/video/71", "post"),
        ("tiktok", "/@some.one", "profile"),
        ("tiktok", "/@some.one/video/x", None),
        ("tiktok", "/some.one", None),
        ("linkedin", "/posts/some-slug", "post"),
        ("linkedin", "/feed/update/urn:li:activity:71/", "post"),
        ("linkedin", "/in/some-one/", "profile"),
        ("linkedin", "/company/some", "company"),
        ("linkedin", "/showcase/some", "company"),
        ("linkedin", "/company/some/jobs", None),
        ("linkedin", "/feed/", None),
    ],
)
def test_a_page_is_of_a_kind(platform: str, path: str, page: str | None) -> None:
    assert page_of(f"https://www.{platform}.com{path}", platform) == page
