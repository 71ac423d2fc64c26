"""What the collector reads from its surroundings, and the little of it that `socai` gets to see."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchdata.errors import BenchdataError, RowError
from benchdata.rows.strict_json import decode

ENV_FILE = "JEV_SOCIAL_ENV_FILE"
KEYS = ("TYPESAFE_API_KEY", "OPENROUTER_API_KEY", "openrouter")
# A `.env` in the working folder may come with any checkout, so it says nothing of what is run.
FROM_FOLDER = {
    *KEYS,
    "JEV_SOCIAL_SYSTEM_ONE_URL",
    "JEV_SOCIAL_SYSTEM_ONE_TIMEOUT_MS",
}
LARGEST = 1024 * 1024
ASSIGNMENT = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")
REMARK = re.compile(r"(?:^|\s+)#.*")
QUOTED = re.compile(rf"""(['"])(.*?)\1(?:{REMARK.pattern})?""")

# socai sees what any program needs, how to reach the network, and its own settings: no key.
PASSED = re.compile(
    r"""
      PATH | HOME | USER | LOGNAME | SHELL | TZ | LANG | LANGUAGE | LC_[A-Z]+
    | TMPDIR | TMP | TEMP | DISPLAY | WAYLAND_DISPLAY | XAUTHORITY | DBUS_SESSION_BUS_ADDRESS
    | XDG_[A-Z_]+
    | (?:HTTP|HTTPS|ALL|NO)_PROXY | (?:http|https|all|no)_proxy
    | SSL_CERT_FILE | SSL_CERT_DIR | NODE_EXTRA_CA_CERTS | REQUESTS_CA_BUNDLE | CURL_CA_BUNDLE
    | SOCAI_(?:HOME|RUNS_DIR|SESSIONS_DIR|CDP_URL|CDP_WS|MODEL)
    | SOCAI_(?:CHROME|TELEMETRY)_[A-Z_]+
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, kw_only=True, repr=False)
class Config:
    """What the application's own config file says; all of it may be missing."""

    openrouter_api_key: str = ""
    typesafe_api_key: str = ""
    socai_bin: str = ""


NAMES = {
    "openrouterApiKey": "openrouter_api_key",
    "typesafeApiKey": "typesafe_api_key",
    "socaiBin": "socai_bin",
}


def completed(environment: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the environment with the file it names, else with the `.env` of the working `folder`.

    A real variable wins over a file. Every variable of the file that is named is taken.

    Raises:
        BenchdataError: The file that is named is not there, or one cannot be read.
    """
    named = environment.get(ENV_FILE, "").strip()
    if named:
        text = _text(Path(named), ENV_FILE)
        if text is None:
            raise BenchdataError(f"{ENV_FILE}: names no file")
        return _assigned(text) | dict(environment)
    found = _assigned(_text(folder / ".env", ".env") or "")
    return {name: found[name] for name in found.keys() & FROM_FOLDER} | dict(environment)


def config_of(environment: Mapping[str, str]) -> Config:
    """Return what `config.json` says in the application's home; without the file, nothing.

    Raises:
        BenchdataError: It cannot be read, is no JSON object, or a field in it is no string.
    """
    named = environment.get("JEV_SOCIAL_HOME", "").strip()
    folder = Path(named) if named else home(environment) / ".jev-social"
    text = _text(folder / "config.json", "config.json")
    if text is None:
        return Config()
    try:
        raw = decode(text.encode())
    except RowError as error:
        raise BenchdataError(f"config.json: is not strict JSON: {error.message}") from None
    if not isinstance(raw, dict):
        raise BenchdataError("config.json: must hold one JSON object")
    found = {field: raw[name] for name, field in NAMES.items() if raw.get(name) is not None}
    for name, field in NAMES.items():
        if not isinstance(found.get(field, ""), str):
            raise BenchdataError(f"config.json: {name}: must be a string")
    return Config(**{field: value.strip() for field, value in found.items()})


def api_key(environment: Mapping[str, str], config: Config) -> str:
    """Return the first key there is, or nothing."""
    values = [environment.get(name, "").strip() for name in KEYS]
    return next(filter(None, [*values, config.openrouter_api_key, config.typesafe_api_key]), "")


def for_socai(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a `socai` process."""
    telemetry = "1" if environment.get("SOCAI_TELEMETRY") == "1" else "0"
    passed = {name: value for name, value in environment.items() if PASSED.fullmatch(name)}
    return passed | {"NO_COLOR": "1", "SOCAI_TELEMETRY": telemetry}


def home(environment: Mapping[str, str]) -> Path:
    """Return the user's home folder."""
    try:
        return Path(environment.get("HOME") or "~").expanduser()
    except RuntimeError:  # such as a container's user, whom no list names
        return Path("/")


def _text(path: Path, what: str) -> str | None:
    """Return what a file holds; None without the file, or where a folder has its name."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) <= LARGEST:
            return content.decode("utf-8")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except (OSError, ValueError):
        pass
    raise BenchdataError(f"{what}: cannot be read as a file of at most 1 MiB of UTF-8 text")


def _assigned(text: str) -> dict[str, str]:
    """Return the variables of an environment file; a value may stand in quotes, and before a #."""
    found = {}
    for line in text.splitlines():
        if match := ASSIGNMENT.fullmatch(line.strip()):
            name, value = match.groups()
            quoted = QUOTED.fullmatch(value)
            found[name] = quoted[2] if quoted else REMARK.sub("", value)
    return found
