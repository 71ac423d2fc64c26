"""Services that nobody vouches for: what they see, that nothing of them is left, how they end."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest

from collectors.build_bench.confined import Confined
from collectors.build_bench.service import NotReady, Place, Service
from collectors.build_bench.suites.api import Api
from collectors.harness.sandbox.probe import choose
from collectors.harness.sandbox.provider import SandboxProvider
from tests.collectors.build_bench.services import healthy, script

PYTHON = (Path(sys.base_prefix).resolve(),)


@pytest.fixture(params=["bubblewrap", "workspace"])
def sandbox(request: pytest.FixtureRequest) -> SandboxProvider:
    """Each sandbox, where it works."""
    if choose().name != "bubblewrap" and request.param == "bubblewrap":
        pytest.skip("bubblewrap does not work here")
    return choose(request.param)


def service(place: Place, sandbox: SandboxProvider) -> Service:
    return Service(place, (), Confined(sandbox, place, PYTHON))


def shown_python(place: Place, before: str = "", *, inline: bool = True) -> None:
    """Write a healthy service whose interpreter can be seen in a sandbox."""
    healthy(place, before, inline=inline)
    path = place.work / "start.sh"
    python = str(Path(sys.executable).resolve())
    path.write_text(path.read_text("utf-8").replace(sys.executable, python), "utf-8")


def test_it_answers_restarts_and_keeps_its_data(place: Place, sandbox: SandboxProvider) -> None:
    shown_python(place, "echo $PORT >> $DATA_DIR/ports; trap '' INT")

    async def asked() -> list[object]:
        async with service(place, sandbox) as under:
            await under.build()
            await under.boot()
            seen = [(await Api(under).get("/health")).object(200)["pid"]]
            await under.restart()
            seen.append((await Api(under).get("/health")).object(200)["pid"])
            await under.crash()
            (await Api(under).get("/health")).object(200)
        return seen

    asyncio.run(asked())
    ports = (place.data / "ports").read_text("utf-8").split()
    assert len(ports) == 3
    assert len(set(ports)) > 1


def test_it_sees_its_own_folders_and_no_network(place: Place, tmp_path: Path) -> None:
    sandbox = choose()
    if sandbox.name != "bubblewrap":
        pytest.skip("bubblewrap does not work here")
    (tmp_path / "secret.txt").write_text("hidden", "utf-8")
    look = (
        f"cat {tmp_path}/secret.txt; ls {Path(__file__).parents[3]}; ls {place.output};"
        " timeout 3 bash -c 'echo > /dev/tcp/192.0.2.1/80' || echo no network; env | cut -d= -f1;"
        " ls /agent; exit 3"
    )
    script(place, "start.sh", look)

    async def booted() -> None:
        async with service(place, sandbox) as under:
            await under.boot()

    with pytest.raises(NotReady, match=r"start\.sh ended with 3"):
        asyncio.run(booted())
    said = place.output.read_text("utf-8")
    assert "no network" in said
    assert "hidden" not in said
    assert "pyproject" not in said
    names = {line for line in said.splitlines() if line.isidentifier()}
    assert names == {
        *("PATH", "HOME", "TMPDIR", "LANG", "PORT", "DATA_DIR", "PWD"),
        *("data", "home", "work"),
    }


def test_daemons_end_with_it(place: Place, sandbox: SandboxProvider) -> None:
    beat = "while :; do date +%s%N > $DATA_DIR/beat; sleep .05; done"
    daemon = f"(setsid env - DATA_DIR=$DATA_DIR PATH=$PATH sh -c 'trap \"\" TERM; {beat}' &)"
    shown_python(place, f"{daemon} >/dev/null 2>&1")

    async def lived() -> None:
        async with service(place, sandbox) as under:
            await under.boot()
            await asyncio.sleep(0.3)

    asyncio.run(lived())
    last = (place.data / "beat").read_text("utf-8")
    time.sleep(0.3)
    assert (place.data / "beat").read_text("utf-8") == last


def test_a_service_that_ignores_the_request_to_end_is_killed_and_told_of(
    place: Place, sandbox: SandboxProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collectors.build_bench.service.STOP_S", 0.5)
    shown_python(place, "trap '' TERM", inline=False)

    async def restarted() -> None:
        async with service(place, sandbox) as under:
            await under.boot()
            await under.restart()

    with pytest.raises(NotReady, match=r"did not end within 0\.5 s of SIGTERM"):
        asyncio.run(restarted())


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        (None, 0, "cannot be started: No such file or directory"),
        ("#!/bin/sh\nexit 0\n", 0o644, "cannot be started: Permission denied"),
        ("#!/no/such/shell\n", 0o755, r"start\.sh (ended with 126|cannot be started)"),
    ],
)
def test_what_cannot_be_started_is_a_verdict(
    place: Place, sandbox: SandboxProvider, text: str | None, mode: int, words: str
) -> None:
    if text is not None:
        (place.work / "start.sh").write_text(text, "utf-8")
        (place.work / "start.sh").chmod(mode)

    async def booted() -> None:
        async with service(place, sandbox) as under:
            await under.boot()

    with pytest.raises(NotReady, match=words):
        asyncio.run(booted())
