"""Who pays: one credential, to the vendor or to an address that was declared, or nobody."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchdata.contracts.grammar import Billing
from benchdata.errors import InputError
from collectors.harness.billing import choose

SECRET = "canary-not-a-real-credential"
BOTH = {"CLAUDE_CODE_OAUTH_TOKEN": SECRET, "ANTHROPIC_API_KEY": "canary-of-the-key"}
LEADING = (
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"),
    *("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "ANTHROPIC_VERTEX_PROJECT_ID"),
    *("OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY", "AZURE_OPENAI_ENDPOINT"),
    *("AWS_PROFILE", "AWS_SECRET_ACCESS_KEY", "CLOUD_ML_REGION", "GOOGLE_APPLICATION_CREDENTIALS"),
)
HARMLESS = (
    "PATH",
    "HOME",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
    "CLAUDECODE",
    "AWS_PAGER",
    "CODEX_HOME",
)
ANY: tuple[Billing, ...] = ("subscription", "api-key")
SUBSCRIPTION: tuple[Billing, ...] = ("subscription",)


def test_a_subscription_of_claude_is_paid_by_its_token_alone() -> None:
    """Trap 12: of two credentials the API key would be charged."""
    payer = choose("claude", BOTH, allowed=SUBSCRIPTION, billing="subscription")
    assert dict(payer.headers) == {"authorization": f"Bearer {SECRET}"}
    assert (payer.base_url, payer.endpoint) == ("https://api.anthropic.com", "vendor")
    assert payer.sentence == (
        "Paid by the claude subscription of CLAUDE_CODE_OAUTH_TOKEN."
        " Set here and not used: ANTHROPIC_API_KEY."
    )


def test_an_api_key_is_charged_only_where_it_is_asked_for() -> None:
    payer = choose("claude", BOTH, allowed=ANY, billing="api-key")
    assert dict(payer.headers) == {"x-api-key": "canary-of-the-key"}
    assert "charged to the account of ANTHROPIC_API_KEY" in payer.sentence


def test_a_billing_that_is_not_allowed_is_refused() -> None:
    with pytest.raises(InputError, match="api-key: not allowed here; use subscription"):
        choose("claude", BOTH, allowed=SUBSCRIPTION, billing="api-key")


def test_where_no_billing_is_named_it_is_the_first_that_is_allowed() -> None:
    assert choose("claude", BOTH, allowed=ANY).billing == "subscription"
    assert choose("claude", BOTH, allowed=ANY[::-1]).billing == "api-key"
    assert choose("claude", BOTH, allowed=ANY, base_url="http://127.0.0.1:9").billing == "none"


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_credential_that_is_not_there_is_named(value: str | None) -> None:
    environment = {} if value is None else {"CLAUDE_CODE_OAUTH_TOKEN": value}
    with pytest.raises(InputError, match="needs CLAUDE_CODE_OAUTH_TOKEN, which is not set"):
        choose("claude", environment, allowed=ANY, billing="subscription")


def test_a_codex_key_is_charged() -> None:
    environment = {"CODEX_API_KEY": SECRET, "OPENAI_API_KEY": "another"}
    payer = choose("codex", environment, allowed=ANY, billing="api-key")
    assert dict(payer.headers) == {"authorization": f"Bearer {SECRET}"}
    assert payer.base_url == "https://api.openai.com/v1"


@pytest.mark.parametrize("place", ["CODEX_HOME", "HOME"])
def test_a_codex_login_is_read_and_stays_where_it_is(tmp_path: Path, place: str) -> None:
    folder = tmp_path if place == "CODEX_HOME" else tmp_path / ".codex"
    folder.mkdir(exist_ok=True)
    tokens = {"access_token": SECRET, "account_id": "account", "refresh_token": "never"}
    (folder / "auth.json").write_text(json.dumps({"tokens": tokens, "OPENAI_API_KEY": None}))
    payer = choose("codex", {place: str(tmp_path)}, allowed=ANY, billing="subscription")
    assert dict(payer.headers) == {
        "authorization": f"Bearer {SECRET}",
        "chatgpt-account-id": "account",
    }
    assert payer.base_url == "https://chatgpt.com/backend-api/codex"
    assert str(tmp_path) not in payer.sentence


@pytest.mark.parametrize(
    "content",
    [
        None,
        "",
        "[]",
        '{"OPENAI_API_KEY": "x", "tokens": null}',
        '{"tokens": {"access_token": "x"}}',
        '{"tokens": {"access_token": null, "account_id": "x"}}',
        '{"tokens": {"access_token": "two words", "account_id": "x"}}',
    ],
)
def test_a_folder_without_a_codex_login_is_refused(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "auth.json").write_text(content)
    with pytest.raises(InputError, match="holds no ChatGPT login; run `codex login` first"):
        choose("codex", {"CODEX_HOME": str(tmp_path)}, allowed=ANY, billing="subscription")


@pytest.mark.parametrize(
    "value", ["sk-one\ntwo", "sk one", "sk-\N{LATIN SMALL LETTER E WITH ACUTE}"]
)
def test_a_credential_that_no_header_takes_is_refused_and_not_shown(value: str) -> None:
    """A terminal wraps long tokens, and they are copied in two parts."""
    with pytest.raises(InputError, match="a blank or a line break") as refused:
        choose("claude", {"ANTHROPIC_API_KEY": value}, allowed=ANY, billing="api-key")
    assert "sk" not in str(refused.value)


@pytest.mark.parametrize(
    ("base_url", "declared", "endpoint"),
    [
        ("https://api.anthropic.com", False, "vendor"),
        ("https://API.anthropic.com/", False, "vendor"),
        ("https://models.example.org/v1", False, "custom"),
        ("https://api.anthropic.com.example.org", False, "custom"),
        ("https://api.openai.com", False, "custom"),
        ("http://127.0.0.1:8080", True, "custom"),
        ("http://localhost:8080", True, "custom"),
    ],
)
def test_the_address_and_not_the_user_says_what_the_endpoint_is(
    base_url: str, declared: bool, endpoint: str
) -> None:
    payer = choose(*("claude", BOTH), allowed=ANY, base_url=base_url, declared=declared)
    assert (payer.endpoint, payer.base_url) == (endpoint, base_url)
    assert ("declared endpoint" in payer.sentence) == (endpoint == "custom")


@pytest.mark.parametrize(
    "base_url",
    [
        "http://api.anthropic.com",
        "http://models.example.org",
        "localhost:8080",
        "ftp://x",
        "http://[1",
    ],
)
def test_a_credential_goes_to_no_address_in_the_clear(base_url: str) -> None:
    with pytest.raises(InputError, match="address"):
        choose(
            "claude", BOTH, allowed=ANY, billing="subscription", base_url=base_url, declared=True
        )


@pytest.mark.parametrize("host", ["127.0.0.1:9", "127.8.0.1", "localhost:9", "[::1]:9"])
def test_a_stand_in_gets_no_credential(host: str) -> None:
    payer = choose("claude", BOTH, allowed=SUBSCRIPTION, billing="none", base_url=f"http://{host}")
    assert (payer.endpoint, payer.billing, dict(payer.headers)) == ("stand_in", "none", {})
    assert payer.sentence.startswith("Nobody pays, for http://")
    with pytest.raises(InputError, match="a stand-in takes no credential"):
        choose("claude", BOTH, allowed=ANY, billing="subscription", base_url=f"http://{host}")


def test_the_scripted_agent_is_paid_by_nobody() -> None:
    payer = choose("scripted", {}, allowed=SUBSCRIPTION)
    assert (payer.billing, payer.endpoint, dict(payer.headers)) == ("none", "stand_in", {})
    assert payer.sentence == "Nobody pays, for a script stands in: no model is measured."


def test_a_model_is_never_free() -> None:
    with pytest.raises(InputError, match="none: not allowed here"):
        choose("claude", BOTH, allowed=ANY, billing="none")


def test_the_variables_that_lead_elsewhere_are_named() -> None:
    environment = dict.fromkeys([*LEADING, *HARMLESS], SECRET)
    payer = choose("claude", environment, allowed=ANY, billing="subscription")
    assert payer.unused == tuple(sorted(set(LEADING) - {"CLAUDE_CODE_OAUTH_TOKEN"}))
    assert all(name in payer.sentence for name in payer.unused)


def test_nothing_shows_the_credential() -> None:
    payer = choose("claude", BOTH, allowed=ANY, billing="subscription")
    assert SECRET not in f"{payer!r} {payer.sentence}"


@pytest.mark.parametrize(
    "address",
    [
        "https://user:canary@models.example.org",
        "https://models.example.org/?key=canary",
        "https://models.example.org/#canary",
        "http://canary@127.0.0.1:1",
        "https://api.anthropic.com@canary.example.org",
        "ftp://canary.example.org",
        "canary",
        "https://[canary",
    ],
)
def test_an_address_that_may_hold_a_secret_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(InputError) as refused:
        choose("claude", {}, allowed=("subscription",), base_url=address)
    assert "canary" not in str(refused.value)
