"""The socai command: where it is found, what it is asked, and what its answers are worth."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from collectors.jev_social import socai as module
from collectors.jev_social.environment import Config
from collectors.jev_social.failures import Failure
from collectors.jev_social.socai import SUBCOMMANDS, Probe, Socai, version_in
from tests.support.socai_stand_in import COMMANDS, Script, calls, install

Answer = TypeVar("Answer")

ALL = frozenset({"instagram", "tiktok", "linkedin"})


def asked(folder: Path, script: Script, question: Callable[[Socai], Awaitable[Answer]]) -> Answer:
    program = install(folder / "bin", script)
    environment = {"PATH": os.environ["PATH"], "SOCAI_BIN": str(program)}

    async def ask() -> Answer:
        return await question(Socai(environment, Config()))

    return asyncio.run(ask())


def code_of(folder: Path, **answer: Any) -> str:
    """Return the code with which a command fails."""
    script = {"answers": [{"when": "tiktok search", **answer}]}
    with pytest.raises(Failure) as failed:
        asked(folder, script, lambda socai: socai.act(("tiktok", "search", "x", "--pretty")))
    return failed.value.code


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("socai 0.6.0", "0.6.0"),
        ("v0.6.0", "0.6.0"),
        ("socai v0.6.0 (built 2026)", "0.6.0"),
        ("socai-cli/0.6.0", "0.6.0"),
        ("socai-0.6.0", "0.6.0"),
        ("0.6.0-", "0.6.0"),
        ("socai 0.6.0-rc.1+b.2, stable", "0.6.0-rc.1+b.2"),
        ("Version: 0.6.0.", "0.6.0"),
        ("python 3.11 socai 0.6.0 and 0.7.0", "0.6.0"),
        ("socai\n0.6.0\n", "0.6.0"),
        ("socai 0.6", None),
        ("socai x0.6.0", None),
        ("socai 0.6.0.1", None),
        ("socai 0.6.0x", None),
        ("", None),
    ],
)
def test_the_first_version_in_a_text_is_found(text: str, version: str | None) -> None:
    assert version_in(text) == version


def test_a_probe_tells_version_and_platforms(tmp_path: Path) -> None:
    assert asked(tmp_path, {}, Socai.probe) == Probe("0.6.0", ALL)
    argvs = [call["argv"] for call in calls(tmp_path / "bin")]
    assert argvs[0] == ["--help"]
    assert sorted(argvs[1:]) == [
        ["--version"],
        *([platform, "search", "--help"] for platform in sorted(ALL)),
    ]
    call = calls(tmp_path / "bin")[0]
    assert call["group"] == call["pid"] != os.getpgrp()
    assert call["env"]["NO_COLOR"] == "1"
    assert "SOCAI_BIN" not in call["env"]


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ({"version": "v0.6.0"}, Probe("0.6.0", ALL)),
        ({"version": "unknown"}, Probe(None, ALL)),
        (
            {"answers": [{"when": "--version", "exit": 1, "stderr": "socai 0.6.0"}]},
            Probe("0.6.0", ALL),
        ),
        ({"answers": [{"when": "--help", "exit": 1}]}, Probe(None, frozenset())),
        (
            {"commands": {"tiktok": ["search"], "instagram": ["profile"]}},
            Probe("0.6.0", frozenset({"tiktok"})),
        ),
        (
            {"answers": [{"when": "tiktok search --help", "exit": 2}]},
            Probe("0.6.0", ALL),  # its own help lists it
        ),
        (
            {
                "commands": {"tiktok": ["search_accounts", "search-all"]},
                "answers": [{"when": "tiktok search --help", "exit": 2}],
            },
            Probe("0.6.0", frozenset()),
        ),
        (
            {
                "answers": [
                    {"when": "tiktok search --help", "exit": 2},
                    {"when": "tiktok --help", "stdout": "  search  x\n", "exit": 1},
                ]
            },
            Probe("0.6.0", ALL - {"tiktok"}),
        ),
    ],
)
def test_a_probe_believes_only_what_ends_well(tmp_path: Path, script: Script, found: Probe) -> None:
    assert asked(tmp_path, script, Socai.probe) == found


def test_a_socai_that_is_not_there_has_no_version(tmp_path: Path) -> None:
    socai = Socai({"SOCAI_BIN": str(tmp_path / "nothing")}, Config())
    assert asyncio.run(socai.probe()) == Probe(None, frozenset())


def test_a_probe_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PROBE_S", 1)
    script = {"answers": [{"when": "--version", "sleep": 30}]}
    assert asked(tmp_path, script, Socai.probe) == Probe(None, ALL)


@pytest.mark.parametrize("platform", sorted(ALL))
def test_subcommands_are_whole_words_of_the_help(tmp_path: Path, platform: str) -> None:
    found = asked(tmp_path, {}, lambda socai: socai.subcommands(platform))
    assert found == set(COMMANDS[platform]) <= set(SUBCOMMANDS)
    script = {"commands": {platform: ["search", "get-posts-all", "my-profile", "historyx"]}}
    found = asked(tmp_path, script, lambda socai: socai.subcommands(platform))
    assert found == {"search"}


@pytest.mark.parametrize(
    ("printed", "folder"),
    [
        ("/srv/runs", Path("/srv/runs")),
        ('"/srv/my runs"', Path("/srv/my runs")),
        ("", None),
        ("runs", None),
        ("(not set)", None),
    ],
)
def test_the_configured_folder_of_runs_is_an_absolute_path(
    tmp_path: Path, printed: str, folder: Path | None
) -> None:
    assert asked(tmp_path, {"runs_dir": printed}, Socai.runs_folder) == folder


def test_no_configured_folder_is_taken_from_a_command_that_fails(tmp_path: Path) -> None:
    script = {"answers": [{"when": "config", "stdout": "/srv/runs", "exit": 1}]}
    assert asked(tmp_path, script, Socai.runs_folder) is None


@pytest.mark.parametrize(
    ("answer", "document"),
    [
        ({"json": {"ok": False}}, {"ok": False}),
        ({"json": {"data": {"ok": True}, "x": 1}}, {"ok": True}),
        ({"json": {"data": [1]}}, {"data": [1]}),
        ({"json": [1]}, [1]),
        ({"stdout": 'INFO [start] x\n{"ok": true}\n'}, {"ok": True}),
        ({"stdout": '{"ok": true}', "stderr": "run_dir: /x\n"}, {"ok": True}),
    ],
)
def test_a_command_gives_its_document(
    tmp_path: Path, answer: dict[str, Any], document: Any
) -> None:
    script = {"answers": [{"when": "tiktok search", **answer}]}
    argv = ("tiktok", "search", "x", "--pretty")
    assert asked(tmp_path, script, lambda socai: socai.act(argv)) == document
    assert calls(tmp_path / "bin")[0]["argv"] == [*argv]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"exit": 1, "stderr": "boom"}, "SOCAI_FAILED"),
        ({"exit": 2, "json": {"ok": True}}, "SOCAI_FAILED"),
        ({"kill": 9}, "SOCAI_FAILED"),
        ({"stdout": " \n"}, "EMPTY_SOCAI_OUTPUT"),
        ({"stdout": "not json"}, "INVALID_SOCAI_OUTPUT"),
        ({"hex": "ff00"}, "INVALID_SOCAI_OUTPUT"),
        ({"huge": 30_000_000}, "SOCAI_OUTPUT_TOO_LARGE"),
        ({"sleep": 30, "ignore_term": True, "spawn": 30}, "SOCAI_TIMEOUT"),
    ],
)
def test_a_command_that_fails_has_the_protocols_code(
    tmp_path: Path, answer: dict[str, Any], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ACTION_S", 480 if code != "SOCAI_TIMEOUT" else 1)
    assert code_of(tmp_path, **answer) == code


def test_a_command_that_is_gone_is_not_found(tmp_path: Path) -> None:
    socai = Socai({"SOCAI_BIN": str(tmp_path / "nothing")}, Config())
    with pytest.raises(Failure, match="SOCAI_NOT_FOUND"):
        asyncio.run(socai.act(("tiktok", "search")))


def test_the_limits_are_the_protocols() -> None:
    assert (module.PROBE_S, module.ACTION_S) == (15, 480)


def test_the_program_is_looked_for_in_order(tmp_path: Path) -> None:
    places = ["named", "configured", "home/.socai/bin", "path"]
    for place in places:
        install(tmp_path / place, {"version": f"9.9.{places.index(place)}"})
    environment = {
        "PATH": os.pathsep.join([str(tmp_path / "path"), os.environ["PATH"]]),
        "HOME": str(tmp_path / "home"),
        "SOCAI_BIN": str(tmp_path / "named" / "socai"),
    }
    config = Config(socai_bin=str(tmp_path / "configured" / "socai"))
    found = []
    for _ in places:
        found.append(asyncio.run(Socai(environment, config).probe()).version)
        if environment.pop("SOCAI_BIN", None) is None:
            if config.socai_bin:
                config = Config()
            else:
                shutil.rmtree(tmp_path / "home" / ".socai", ignore_errors=True)
    assert found == ["9.9.0", "9.9.1", "9.9.2", "9.9.3"]
