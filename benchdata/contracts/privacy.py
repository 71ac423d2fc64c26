"""What no row may hold: refused field names at any depth, then secrets and paths in any string."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from benchdata.errors import RowError

REFUSED_NAMES = frozenset(
    {
        *("cookie", "authorization", "api_key", "token", "websocket_url", "cdp_endpoint"),
        *("account_id", "username", "local_path", "post_text"),
    }
)

# One pattern a family; a hit anywhere in a string refuses the row. What may stand before another
# token is bounded, so that no text takes quadratic time. A token spelt like a slug must hold a
# capital or a digit: `sk-learn-pipeline-regression` is none.
RANDOM = r"(?=[a-z_-]{0,40}[A-Z0-9])"
VENDOR_TOKENS = (
    rf"sk-{RANDOM}[A-Za-z0-9_-]{{16,}}",  # OpenAI, Anthropic, OpenRouter and others alike
    r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",  # Stripe
    r"whsec_[A-Za-z0-9+/]{20,}",
    r"gh[pousr]_[A-Za-z0-9]{20,}",  # GitHub
    r"github_pat_[A-Za-z0-9_]{20,}",
    rf"gl(?:pat|rt|dt)-{RANDOM}[A-Za-z0-9_-]{{16,}}",  # GitLab
    r"(?:AKIA|ASIA)[A-Z0-9]{16}",  # AWS
    r"AIza[A-Za-z0-9_-]{30,}",  # Google
    r"ya29\.[A-Za-z0-9_-]{20,}",
    r"GOCSPX-[A-Za-z0-9_-]{20,}",
    r"(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}",  # Azure
    r"xox[abeoprs]-[0-9][A-Za-z0-9-]{9,}",  # Slack
    r"xapp-[0-9]-[A-Za-z0-9-]{10,}",
    r"(?:hf|gsk|r8)_[A-Za-z0-9]{20,}",  # Hugging Face, Groq, Replicate
    r"(?:xai|pplx)-[A-Za-z0-9]{40,}",  # xAI, Perplexity
    r"nvapi-[A-Za-z0-9_-]{50,}",  # NVIDIA
    r"npm_[A-Za-z0-9]{30,}",
    r"pypi-AgE[A-Za-z0-9_-]{30,}",
    r"dckr_pat_[A-Za-z0-9_-]{20,}",  # Docker
    r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,}",  # SendGrid
    r"dapi[0-9a-f]{32}",  # Databricks
    r"do[opr]_v1_[0-9a-f]{40,}",  # DigitalOcean
    r"hv[bs]\.[A-Za-z0-9_-]{24,}",  # Vault
    r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}",  # Telegram
    r"eyJ[A-Za-z0-9_-]{8,300}\.eyJ[A-Za-z0-9_-]{8,}",  # JSON web token
)
STARTS = r"(?:^|[\s\"'`(\[{=,;|:>])"  # where a path may begin inside a sentence
ENDS = r"(?![\w-]|\.\w)"
ROOTS = (
    "app|bin|boot|data|dev|etc|lib|media|mnt|nix|opt|private|proc|run|sbin|snap|srv|sys|tmp|usr|var"
    "|Applications|Library|System|Volumes|work|workspace"
)
FAMILIES: dict[str, str] = {
    "vendor token": r"(?:^|[^A-Za-z0-9])(?:" + "|".join(VENDOR_TOKENS) + ")",
    "bearer header": (
        r"(?i:\bbearer\s+(?=\S{0,200}[0-9])[a-z0-9._~+/=-]{16,}"
        r"|\bbasic\s+(?=[a-z0-9+/]{0,200}[0-9=])[a-z0-9+/]{16,}(?![\w.-])"
        r"|authorization\s*[:=]|api-key\s*[:=])"
    ),
    "private key": (
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY|---- BEGIN [A-Z0-9 ]*PRIVATE KEY"
        r"|PuTTY-User-Key-File-[0-9]|AGE-SECRET-KEY-1"
    ),
    # `~owner/name` alone is how a floating model alias is written, not a folder
    "home folder": (
        rf"/(?:home|Users)/[^/\s]|(?:^|[^\w./])/root{ENDS}|[\\/]Users[\\/][^\\/\s]"
        rf"|{STARTS}~/|(?:\S\s+|[\"'`(\[{{=,;|:>])~[A-Za-z_][\w-]*/|^~[A-Za-z_][\w-]*/[^/\s]+/"
        r"|\$\{?HOME\b|(?i:%(?:USERPROFILE|HOMEPATH|(?:LOCAL)?APPDATA)%)"
    ),
    "absolute path": (
        rf"{STARTS}/(?:{ROOTS})(?:/|{ENDS})|(?:{STARTS}|<)/[\w.@+-]+/[\w.@+-]"
        r"|(?:^|[^A-Za-z0-9])[A-Za-z]:[\\/][^\s]|\\\\[\w.-]+\\|(?i:\bfile:/)"
    ),
}
ARTICLES = {name: "an" if name[0] in "aeiou" else "a" for name in FAMILIES}
SECRET = re.compile(
    "|".join(f"(?P<{name.replace(' ', '_')}>{pattern})" for name, pattern in FAMILIES.items())
)

MARKERS = (
    *("/", "\\", "$HOME", "${HOME", "%USERPROFILE%", "%HOMEPATH%", "APPDATA%"),
    *("PRIVATE KEY", "PuTTY-User-Key", "AGE-SECRET-KEY"),
    *("sk-", "k_live_", "k_test_", "whsec_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    *("glpat-", "glrt-", "gldt-", "AKIA", "ASIA", "AIza", "ya29.", "GOCSPX-", "AccountKey="),
    *("SharedAccessKey=", "xox", "xapp-", "hf_", "gsk_", "r8_", "xai-", "pplx-", "nvapi-", "npm_"),
    *("pypi-", "dckr_pat_", "SG.", "dapi", "_v1_", "hvb.", "hvs.", ":AA", "eyJ"),
    *("bearer", "basic", "authorization", "api-key"),
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
        if found := (_family_of_short if len(text) <= 64 else family)(text):
            raise RowError(
                path or "row",
                f"looks like {ARTICLES[found]} {found}; rows hold no secrets and no paths",
            )


def family(text: str) -> str | None:
    """Return the family of the first secret or path in `text`, None when there is none."""
    found = SECRET.search(text)
    return str(found.lastgroup).replace("_", " ") if found else None


_family_of_short = lru_cache(maxsize=4096)(family)  # names, versions and ids come again and again


def names(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield (path, key) of every key, depth first in key order."""
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise RowError(path, "every key must be a string")
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
