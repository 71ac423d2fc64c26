"""Surroundings: where keys come from, what a file may say, and what socai never sees."""

from __future__ import annotations

import json
import pwd
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from collectors.jev_social.environment import (
    Config,
    api_key,
    completed,
    config_of,
    for_socai,
    home,
)

CANARY = "canary-9f8e7d"
SHOWN = (
    *("PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "DISPLAY", "XDG_RUNTIME_DIR"),
    *("HTTPS_PROXY", "https_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"),
    *("SOCAI_HOME", "SOCAI_RUNS_DIR", "SOCAI_SESSIONS_DIR", "SOCAI_CDP_URL", "SOCAI_CDP_WS"),
    *("SOCAI_CHROME_PATH", "SOCAI_MODEL", "SOCAI_TELEMETRY_QUERY_TEXT"),
)
HIDDEN = (
    *("TYPESAFE_API_KEY", "OPENROUTER_API_KEY", "openrouter", "OPENROUTER_JEV_MODEL"),
    *("JEV_SOCIAL_HOME", "JEV_SOCIAL_ENV_FILE", "JEV_SOCIAL_SYSTEM_ONE_URL", "SOCAI_BIN"),
    *("AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "LD_PRELOAD", "PYTHONPATH", "NODE_OPTIONS"),
    *("SOCAI_API_KEY", "MY_PATH", "PATH_TO", "path"),
)


def test_socai_sees_what_is_listed_and_nothing_else() -> None:
    seen = for_socai(dict.fromkeys([*SHOWN, *HIDDEN], CANARY))
    assert seen.keys() == {*SHOWN, "NO_COLOR", "SOCAI_TELEMETRY"}


@pytest.mark.parametrize(
    ("given", "passed"), [("1", "1"), ("0", "0"), ("true", "0"), (" 1", "0"), (None, "0")]
)
def test_telemetry_is_on_only_if_it_was_exactly_1(given: str | None, passed: str) -> None:
    environment = {} if given is None else {"SOCAI_TELEMETRY": given}
    assert for_socai(environment)["SOCAI_TELEMETRY"] == passed


def test_the_first_key_that_is_not_blank_is_used() -> None:
    environment = {"TYPESAFE_API_KEY": "1", "OPENROUTER_API_KEY": "2", "openrouter": "3"}
    config = Config(openrouter_api_key="4", typesafe_api_key="5")
    for expected in "123":
        assert api_key(environment, config) == expected
        environment[next(name for name in environment if environment[name] == expected)] = " "
    assert api_key(environment, config) == "4"
    assert api_key(environment, Config(typesafe_api_key="5")) == "5"
    assert api_key(environment, Config()) == ""


def test_a_named_file_may_set_anything_that_is_not_set(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text(
        "# comment\nexport A=1\nB = 'two words'\nC=\"3\"\nnonsense\nHOME=x\nSOCAI_BIN=y\n", "utf-8"
    )
    (tmp_path / ".env").write_text("openrouter=unused\n", "utf-8")
    environment = {"JEV_SOCIAL_ENV_FILE": str(file), "HOME": "real"}
    found = completed(environment, tmp_path)
    assert found == environment | {"A": "1", "B": "two words", "C": "3", "SOCAI_BIN": "y"}


def test_the_file_of_the_folder_says_only_how_decisions_are_made(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "OPENROUTER_API_KEY=k\nJEV_SOCIAL_SYSTEM_ONE_URL=u\nSOCAI_BIN=evil\nJEV_SOCIAL_HOME=evil\n"
        "PATH=evil\nJEV_SOCIAL_ENV_FILE=evil\nHTTPS_PROXY=evil\n",
        "utf-8",
    )
    found = completed({"JEV_SOCIAL_SYSTEM_ONE_URL": "real"}, tmp_path)
    assert found == {"OPENROUTER_API_KEY": "k", "JEV_SOCIAL_SYSTEM_ONE_URL": "real"}
    assert completed({}, tmp_path / "elsewhere") == {}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        *(("v", "v"), ("a b ", "a b"), ("a#b", "a#b"), ("v # w", "v"), ("# w", ""), ("", "")),
        *(("'v'", "v"), ('"v" # "w"', "v"), ("'a # b'", "a # b"), ("''", ""), ("'it's'", "it's")),
        *(("'", "'"), ("'v\"", "'v\""), ("'v' w", "'v' w")),
    ],
)
def test_a_value_may_stand_in_quotes_and_before_a_remark(
    tmp_path: Path, written: str, value: str
) -> None:
    (tmp_path / ".env").write_text(f"openrouter={written}\n", "utf-8")
    assert completed({}, tmp_path) == {"openrouter": value}


def test_a_folder_of_the_file_s_name_says_nothing(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    (tmp_path / "config.json").mkdir()
    assert completed({}, tmp_path) == {}
    assert config_of({"JEV_SOCIAL_HOME": str(tmp_path)}) == Config()


def test_a_file_without_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".env").symlink_to("/dev/zero")
    with pytest.raises(BenchdataError, match=r"^\.env: cannot be read as a file of at most 1 MiB"):
        completed({}, tmp_path)


def test_a_user_whom_the_system_does_not_know_has_no_config(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    assert home({}) == Path("/")


@pytest.mark.parametrize("content", [None, b"\xff"])
def test_a_named_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / CANARY
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BenchdataError, match=r"^JEV_SOCIAL_ENV_FILE: ") as refused:
        completed({"JEV_SOCIAL_ENV_FILE": str(file)}, tmp_path)
    assert CANARY not in str(refused.value)


def config(folder: Path, content: str) -> Config:
    (folder / "config.json").write_text(content, "utf-8")
    return config_of({"JEV_SOCIAL_HOME": str(folder)})


def test_the_config_is_read_and_may_be_missing(tmp_path: Path) -> None:
    assert config_of({"JEV_SOCIAL_HOME": str(tmp_path)}).socai_bin == ""
    fields = {"openrouterApiKey": " k ", "typesafeApiKey": None, "socaiBin": "s", "other": [1]}
    found = config(tmp_path, json.dumps(fields))
    assert (found.openrouter_api_key, found.typesafe_api_key, found.socai_bin) == ("k", "", "s")


def test_the_config_lies_in_the_home_folder(tmp_path: Path) -> None:
    (tmp_path / ".jev-social").mkdir()
    (tmp_path / ".jev-social" / "config.json").write_text('{"socaiBin": "s"}', "utf-8")
    assert config_of({"HOME": str(tmp_path), "JEV_SOCIAL_HOME": " "}).socai_bin == "s"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (f'"{CANARY}', "is not strict JSON"),
        (f'["{CANARY}"]', "must hold one JSON object"),
        (f'{{"socaiBin": ["{CANARY}"]}}', "socaiBin: must be a string"),
        (f'{{"openrouterApiKey": {{"{CANARY}": 1}}}}', "openrouterApiKey: must be a string"),
    ],
)
def test_a_config_that_is_wrong_is_refused_without_its_values(
    tmp_path: Path, content: str, words: str
) -> None:
    with pytest.raises(BenchdataError) as refused:
        config(tmp_path, content)
    assert str(refused.value).startswith("config.json: ")
    assert words in str(refused.value)
    assert CANARY not in str(refused.value)


def test_no_key_is_in_the_representation() -> None:
    assert CANARY not in repr(Config(openrouter_api_key=CANARY))
