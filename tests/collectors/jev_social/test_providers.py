"""Providers: which endpoint is asked, and which local one is accepted."""

from __future__ import annotations

import pytest

from collectors.jev_social.environment import Config
from collectors.jev_social.failures import Failure
from collectors.jev_social.providers import provider_of

PIN = "acme/picker-2.1"
KEY = "canary-key-9f8e7d"


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8080/v1/systemone",
        "http://127.0.0.1/v1/systemone",
        "http://[::1]:9/v1/systemone",
        "http://127.0.0.1:80/v1/systemone//",
        " http://127.0.0.1:80/v1/systemone/ ",
    ],
)
def test_a_loopback_server_is_accepted(url: str) -> None:
    found = provider_of({"JEV_SOCIAL_SYSTEM_ONE_URL": url}, Config(), PIN)
    assert found.url == url.strip().rstrip("/")
    assert (found.model, found.seconds) == (PIN, 120)


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/v1/systemone",
        "http://127.0.0.2/v1/systemone",
        "http://127.1/v1/systemone",
        "http://0.0.0.0/v1/systemone",
        "http://example.org/v1/systemone",
        "http://localhost.example.org/v1/systemone",
        "http://127.0.0.1/v1/systemone?x=1",
        "http://127.0.0.1/v1/systemone?",
        "http://127.0.0.1/v1/systemone#x",
        "http://127.0.0.1/v1/systemone#",
        "http://127.0.0.1/v1/systemonee",
        "http://127.0.0.1/v1/../v1/systemone",
        "http://127.0.0.1/",
        "http://user:pass@127.0.0.1/v1/systemone",
        "http://@127.0.0.1/v1/systemone",
        "http://127.0.0.1:99999/v1/systemone",
        "http://127.0.0.1:x/v1/systemone",
        "http://127.0.0.1\\@example.org/v1/systemone",
        "http://127.0.0.1/v1/\tsystemone",
        "127.0.0.1/v1/systemone",
        "http://[::1/v1/systemone",
        "file:///v1/systemone",
    ],
)
def test_any_other_local_url_is_refused(url: str) -> None:
    with pytest.raises(Failure, match="INVALID_DECISION_PROVIDER"):
        provider_of({"JEV_SOCIAL_SYSTEM_ONE_URL": url}, Config(), PIN)


@pytest.mark.parametrize(("text", "seconds"), [("", 120), ("1", 0.001), ("120000", 120)])
def test_the_time_limit_of_a_local_server_is_taken(text: str, seconds: float) -> None:
    url = "http://localhost/v1/systemone"
    variables = {"JEV_SOCIAL_SYSTEM_ONE_URL": url, "JEV_SOCIAL_SYSTEM_ONE_TIMEOUT_MS": text}
    assert provider_of(variables, Config(), PIN).seconds == seconds


@pytest.mark.parametrize("text", ["0", "120001", "-1", "1.5", "1e3", "\u0661", "x", "9" * 5000])
def test_any_other_time_limit_is_refused(text: str) -> None:
    url = "http://localhost/v1/systemone"
    variables = {"JEV_SOCIAL_SYSTEM_ONE_URL": url, "JEV_SOCIAL_SYSTEM_ONE_TIMEOUT_MS": text}
    with pytest.raises(Failure, match="INVALID_DECISION_PROVIDER"):
        provider_of(variables, Config(), PIN)


def test_openrouter_is_asked_when_there_is_no_local_server() -> None:
    variables = {"OPENROUTER_API_KEY": KEY, "JEV_SOCIAL_SYSTEM_ONE_URL": " "}
    found = provider_of(variables, Config(), PIN)
    assert (found.url, found.seconds) == ("https://openrouter.ai/api/alpha/decisions", 15)
    assert found.headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(found)
    with pytest.raises(Failure, match="ONBOARDING_REQUIRED"):
        provider_of({}, Config(), PIN)
