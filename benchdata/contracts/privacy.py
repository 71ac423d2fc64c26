"""What no row may hold: refused field names at any depth, then secrets and paths in any string."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from benchdata.errors import RowError

REFUSED_NAMES = frozenset(
    {
        *("cookie", "authorization", "api_key", "token", "websocket_url", "cdp_endpoint"),
        *("account_id", "username", "local_path", "post_text"),
    }
)

# One pattern a family; a hit anywhere in a string refuses the row.
VENDOR_TOKENS = (
    r"sk-[A-Za-z0-9_-]{16,}",  # OpenAI, Anthropic, OpenRouter and others that copied the form
    r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",  # Stripe
    r"gh[pousr]_[A-Za-z0-9]{20,}",  # GitHub
    r"github_pat_[A-Za-z0-9_]{20,}",
    r"glpat-[A-Za-z0-9_-]{16,}",  # GitLab
    r"(?:AKIA|ASIA)[A-Z0-9]{16}",  # AWS
    r"AIza[A-Za-z0-9_-]{30,}",  # Google
    r"ya29\.[A-Za-z0-9_-]{20,}",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}",  # Slack
    r"hf_[A-Za-z0-9]{20,}",  # Hugging Face
    r"npm_[A-Za-z0-9]{30,}",
    r"pypi-[A-Za-z0-9_-]{30,}",
    r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+",  # JSON web token
)
STARTS = r"(?:^|[\s\"'`(\[{<=,;|])"  # where a path may begin inside a sentence
ROOTS = (
    "app|bin|boot|data|dev|etc|lib|media|mnt|nix|opt|private|proc|run|sbin|snap|srv|sys|tmp|usr|var"
    "|Applications|Library|System|Volumes|work|workspace"
)
FAMILIES: dict[str, str] = {
    "vendor token": r"(?:^|[^A-Za-z0-9])(?:" + "|".join(VENDOR_TOKENS) + ")",
    "bearer header": (
        r"(?i:\b(?:bearer|basic)\s+[a-z0-9._~+/=-]{16,}|authorization\s*[:=]|x-api-key\s*[:=])"
    ),
    "private key": r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY",
    "home folder": (
        r"/(?:home|Users)/[^/\s]|(?:^|[^\w.])/root(?:/|$|\s)|[\\/]Users[\\/][^\\/\s]"
        rf"|{STARTS}~[\w-]*/|\$\{{?HOME\b|%(?:USERPROFILE|HOMEPATH|APPDATA)%"
    ),
    "absolute path": (
        rf"{STARTS}/(?:{ROOTS})(?:/|$|[\s\"'`)\]}}>,;|])|{STARTS}/[\w.@+-]+/[\w.@+-]"
        r"|(?:^|[^A-Za-z0-9])[A-Za-z]:[\\/][^\s]|\\\\[\w.-]+\\|(?i:file:/)"
    ),
}
SECRET = re.compile(
    "|".join(f"(?P<{name.replace(' ', '_')}>{pattern})" for name, pattern in FAMILIES.items())
)

MARKERS = (
    *("/", "\\", "$HOME", "${HOME", "%USERPROFILE%", "%HOMEPATH%", "%APPDATA%", "PRIVATE KEY"),
    *("sk-", "k_live_", "k_test_", "gh", "glpat-", "AKIA", "ASIA", "AIza", "ya29.", "xox"),
    *("hf_", "npm_", "pypi-", "eyJ"),
    *("bearer", "basic", "authorization", "x-api-key"),
)
"""Every string that `SECRET` finds holds one of these (ASCII case aside): a cheap first sieve."""


def check(row: Any) -> None:
    """Raise RowError at the first refused name, else at the first secret or path in a string."""
    for path, name in names(row, "row"):
        if name.lower() in REFUSED_NAMES and name.isascii():
            raise RowError(
                path, "this field name is refused: rows hold no secrets, accounts or content"
            )
    for path, text in strings(row, ""):
        if found := SECRET.search(text):
            family = str(found.lastgroup).replace("_", " ")
            raise RowError(
                path or "row", f"looks like a {family}; rows hold no secrets and no paths"
            )


def names(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield (path, key) of every key, depth first in key order."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield f"{path}.{key}", key
            yield from names(item, f"{path}.{key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from names(item, f"{path}[{index}]")


def strings(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of every string value and of every key, depth first in key order."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield path, key
            yield from strings(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from strings(item, f"{path}[{index}]")
