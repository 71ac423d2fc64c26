"""Where decisions are made: by OpenRouter, or by a server on this machine that is named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from collectors.jev_social.environment import Config, api_key
from collectors.jev_social.failures import Failure

OPENROUTER = "https://openrouter.ai/api/alpha/decisions"
OPENROUTER_S = 15.0
LOCAL = "JEV_SOCIAL_SYSTEM_ONE_URL"
LOCAL_TIMEOUT = "JEV_SOCIAL_SYSTEM_ONE_TIMEOUT_MS"
LOCAL_PATH = "/v1/systemone"
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
LONGEST_LOCAL_MS = 120_000


@dataclass(frozen=True, kw_only=True)
class Provider:
    """An endpoint; `seconds` bounds one decision from connecting to the last byte."""

    url: str
    model: str
    headers: Mapping[str, str] = field(repr=False)
    seconds: float


def provider_of(environment: Mapping[str, str], config: Config, model: str) -> Provider:
    """Return the endpoint that the environment names, asked for one model.

    Raises:
        Failure: INVALID_DECISION_PROVIDER: the local URL or its time limit is not one that is
            accepted; ONBOARDING_REQUIRED: there is no key.
    """
    if url := environment.get(LOCAL, "").strip():
        return Provider(
            url=_loopback(url),
            model=model,
            headers={"X-Title": "jev-social-local"},
            seconds=_local_ms(environment.get(LOCAL_TIMEOUT, "").strip()) / 1000,
        )
    key = api_key(environment, config)
    if not key:
        raise Failure("ONBOARDING_REQUIRED")
    return Provider(
        url=OPENROUTER,
        model=model,
        headers={"X-Title": "jev-social", "Authorization": f"Bearer {key}"},
        seconds=OPENROUTER_S,
    )


def _loopback(url: str) -> str:
    """Return the URL of a local server, spelt as it must be, or raise Failure."""
    fault = Failure("INVALID_DECISION_PROVIDER")
    if not re.fullmatch(r"[!-~]+", url) or re.search(r"[@?#\\]", url):
        raise fault
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise fault from None
    if parts.scheme != "http" or host not in LOCAL_HOSTS or parts.path.rstrip("/") != LOCAL_PATH:
        raise fault
    place = f"[{host}]" if ":" in host else host
    return f"http://{place}{LOCAL_PATH}" if port is None else f"http://{place}:{port}{LOCAL_PATH}"


def _local_ms(text: str) -> int:
    if not text:
        return LONGEST_LOCAL_MS
    if not re.fullmatch(r"[0-9]{1,6}", text) or not 1 <= int(text) <= LONGEST_LOCAL_MS:
        raise Failure("INVALID_DECISION_PROVIDER")
    return int(text)
