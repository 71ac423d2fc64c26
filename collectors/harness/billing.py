"""Who pays for a run: the one credential that is passed on, to whom, and what never is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, ValidationError

from benchdata.contracts.grammar import Billing, Endpoint
from benchdata.errors import InputError

LEADING = re.compile(
    r"""
      (?:ANTHROPIC|CLAUDE|OPENAI|CODEX|AZURE)_\w*(?:API_KEY|TOKEN|BASE_URL|ENDPOINT|PROJECT_ID)
    | CLAUDE_CODE_USE_\w+
    | AWS_(?:PROFILE|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|BEARER_TOKEN_BEDROCK)
    | GOOGLE_APPLICATION_CREDENTIALS | CLOUD_ML_REGION
    """,
    re.VERBOSE,
)
"""Variables that would lead an agent to another account, address or cloud provider."""

LOOPBACK = re.compile(r"localhost|127(?:\.\d+){3}|::1")
"""Names of this machine: a stand-in has one, and no proxy lies on the way to it."""
LOGIN = "auth.json"
LARGEST_LOGIN = 64 * 1024
PRINTABLE = "[!-~]+"
Credential = Annotated[str, Field(pattern=f"^{PRINTABLE}$")]


class Tokens(BaseModel):
    """The part of a ChatGPT login that a request carries."""

    access_token: Credential
    account_id: Credential


class Login(BaseModel):
    """What codex keeps of a login; an API key in it is none."""

    tokens: Tokens


@dataclass(frozen=True, slots=True)
class Access:
    """How an agent process reaches its model.

    `token` is what it shows to the gateway in the place of the credential, which it then never
    holds; without a gateway it is the credential.
    """

    base_url: str
    token: str = field(repr=False)
    billing: Billing


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays, and where the gateway forwards an agent's requests to, with which `headers`.

    `source` names where the credential comes from and never holds it; it is empty without one.
    `unused` names the caller's other variables that an agent would have heeded. A pickle holds no
    credential: where it is unpickled, that of the environment there is taken.
    """

    agent: str
    billing: Billing
    endpoint: Endpoint
    base_url: str
    source: str
    headers: Mapping[str, str] = field(repr=False)
    unused: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[Callable[..., Payer], tuple[str, ...]]:
        return _chosen_again, (self.agent, self.billing, self.endpoint, self.base_url)

    @property
    def token(self) -> str:
        """The credential itself, for an agent that asks without a gateway; a word without one."""
        return next((value.split()[-1] for value in self.headers.values()), "none")

    @property
    def sentence(self) -> str:
        """Say for the plan who pays, and at which address when it is not the vendor's own."""
        where = {
            "vendor": "",
            "custom": f", at the declared endpoint {self.base_url}",
            "stand_in": f", for {self.base_url or 'a script'} stands in: no model is measured",
        }
        left = f" Set here and not used: {', '.join(self.unused)}." if self.unused else ""
        return f"{WHO[self.billing].format(self)}{where[self.endpoint]}.{left}"


WHO: Mapping[Billing, str] = {
    "subscription": "Paid by the {0.agent} subscription of {0.source}",
    "api-key": "Paid by the token: every request is charged to the account of {0.source}",
    "none": "Nobody pays",
}


@dataclass(frozen=True, slots=True)
class Way:
    """One way to pay for an agent: `variable` of the caller leads to the credential's headers."""

    agent: str
    billing: Billing
    variable: str
    base_url: str
    headers: Callable[[str], dict[str, str]] = field(repr=False)
    otherwise: str = ""


def choose(
    agent: str,
    environment: Mapping[str, str],
    *,
    allowed: Sequence[Billing],
    billing: Billing | None = None,
    base_url: str | None = None,
    declared: bool = False,
) -> Payer:
    """Return who pays for `agent`, by the caller's `environment`.

    `base_url` is another address than the vendor's. One on this machine is a stand-in, which takes
    no credential and costs nothing (billing `none`), unless it is `declared` to be a real endpoint.
    Without a `billing` it is that, or the first of those that are `allowed`.

    Raises:
        InputError: The billing is not among the `allowed`, has no way here, or has no credential;
            or the address is none that may be told one.
    """
    endpoint = _endpoint(agent, base_url, declared=declared)
    if endpoint == "stand_in" or agent == "scripted":
        if billing not in (None, "none"):
            raise InputError(f"billing: {billing}: a stand-in takes no credential; use none")
        unused = _leading(environment, "")
        return Payer(agent, "none", "stand_in", base_url or "", "", {}, unused)
    billing = billing or allowed[0]
    if billing not in allowed:
        raise InputError(f"billing: {billing}: not allowed here; use {' or '.join(allowed)}")
    way = next((way for way in WAYS if (way.agent, way.billing) == (agent, billing)), None)
    if way is None:
        raise InputError(f"billing: {agent} cannot be paid by {billing}")
    home = environment.get("HOME", "")
    value = environment.get(way.variable, "").strip() or way.otherwise.format(HOME=home)
    if not value:
        raise InputError(f"billing: {billing} needs {way.variable}, which is not set")
    return Payer(
        *(agent, billing, endpoint, base_url or way.base_url, way.variable),
        headers=way.headers(value),
        unused=_leading(environment, way.variable),
    )


def _chosen_again(agent: str, billing: Billing, endpoint: Endpoint, base_url: str) -> Payer:
    """Return the payer that a pickle tells of, with the credential of this environment."""
    return choose(
        agent,
        os.environ,
        allowed=(billing,),
        billing=billing,
        base_url=base_url or None,
        declared=endpoint == "custom",
    )


def _leading(environment: Mapping[str, str], source: str) -> tuple[str, ...]:
    names = (name for name in environment if LEADING.fullmatch(name) and name != source)
    return tuple(sorted(names))


def _endpoint(agent: str, base_url: str | None, *, declared: bool) -> Endpoint:
    if base_url is None:
        return "vendor"
    try:
        url = urlsplit(base_url)
        host = url.hostname or ""
    except ValueError:
        raise InputError("the agent's endpoint is no address") from None
    if url.username is not None or url.password is not None or url.query or url.fragment:
        raise InputError(
            "the agent's endpoint holds a login, a query or a fragment: the plan shows the address,"
            " so it may hold no secret"
        )
    local = LOOPBACK.fullmatch(host)
    if not host or url.scheme not in ("https", "http" if local else "https"):
        raise InputError("the agent's endpoint must be an https:// address, or this machine's own")
    if host in {urlsplit(way.base_url).hostname for way in WAYS if way.agent == agent}:
        return "vendor"
    return "stand_in" if local and not declared else "custom"


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {_plain(token)}"}


def _api_key(key: str) -> dict[str, str]:
    return {"x-api-key": _plain(key)}


def _plain(credential: str) -> str:
    if not re.fullmatch(PRINTABLE, credential):
        raise InputError("billing: the credential holds a blank or a line break: copy it whole")
    return credential


def _codex_login(folder: str) -> dict[str, str]:
    """Return the headers of the ChatGPT login that codex keeps in its folder."""
    try:
        with (Path(folder) / LOGIN).open("rb") as file:
            tokens = Login.model_validate_json(file.read(LARGEST_LOGIN)).tokens
    except (OSError, ValidationError):
        words = f"billing: {LOGIN} in CODEX_HOME holds no ChatGPT login; run `codex login` first"
        raise InputError(words) from None
    return {**_bearer(tokens.access_token), "chatgpt-account-id": tokens.account_id}


WAYS = (
    Way(
        *("claude", "subscription", "CLAUDE_CODE_OAUTH_TOKEN", "https://api.anthropic.com"),
        headers=_bearer,
    ),
    Way(
        *("claude", "api-key", "ANTHROPIC_API_KEY", "https://api.anthropic.com"),
        headers=_api_key,
    ),
    # The login itself stays outside: with it in CODEX_HOME, codex asks other hosts for tools first.
    Way(
        *("codex", "subscription", "CODEX_HOME", "https://chatgpt.com/backend-api/codex"),
        headers=_codex_login,
        otherwise="{HOME}/.codex",
    ),
    Way(
        *("codex", "api-key", "CODEX_API_KEY", "https://api.openai.com/v1"),
        headers=_bearer,
    ),
    # A variable of its own: a key that lies about for other programs pays for no judge.
    Way(
        *("openai", "api-key", "BENCHDATA_JUDGE_KEY", "https://api.openai.com/v1"),
        headers=_bearer,
    ),
)
