"""A service is built, booted, restarted and ended, and nothing of it is left."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from collectors.build_bench import service as module
from collectors.build_bench.grounds import Host
from collectors.build_bench.service import NotReady, Place, Service
from tests.collectors.build_bench.services import healthy, script


def run(place: Place, body: Callable[[Service], Awaitable[None]]) -> None:
    async def within() -> None:
        async with Service(place, (), Host()) as running:
            await body(running)

    asyncio.run(within())


def is_there(pid: int) -> bool:
    """Tell whether a process runs; one that nobody has collected yet is dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def written_pid(path: Path) -> int:
    end = time.monotonic() + 5
    while not (path.exists() and path.read_text("utf-8").strip()):
        assert time.monotonic() < end, f"{path} is not written"
        time.sleep(0.01)
    return int(path.read_text("utf-8"))


def test_it_boots_with_a_port_a_data_folder_and_nothing_of_our_environment(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_CALLER", "1")
    healthy(place, "env > ../data/environment")

    async def body(running: Service) -> None:
        await running.boot()

    run(place, body)
    lines = (place.data / "environment").read_text("utf-8").splitlines()
    names = {line.partition("=")[0] for line in lines}
    assert {"PORT", "DATA_DIR", "PATH", "HOME", "TMPDIR"} <= names
    assert f"DATA_DIR={place.data}" in lines
    assert "SECRET_OF_THE_CALLER" not in names


def test_a_restart_is_another_process_on_another_port_with_the_same_data(place: Place) -> None:
    healthy(place, "date >> $DATA_DIR/starts; echo $PORT >> $DATA_DIR/ports")

    async def body(running: Service) -> None:
        await running.boot()
        first = (await running.client.get("/health")).json()
        await running.restart()
        second = (await running.client.get("/health")).json()
        await running.crash()
        third = (await running.client.get("/health")).json()
        assert len({each["pid"] for each in (first, second, third)}) == 3
        assert len(running.boot_ms) == 3

    run(place, body)
    assert len((place.data / "starts").read_text("utf-8").splitlines()) == 3
    assert len(set((place.data / "ports").read_text("utf-8").split())) == 3


@pytest.mark.parametrize(
    "daemon",
    [
        "sleep 100 & echo $! > ../data/pid",
        "setsid sh -c 'trap \"\" TERM; echo $$ > ../data/pid; while :; do sleep 1; done' &",
        "(setsid sleep 100 & echo $! > ../data/pid) &",
    ],
    ids=["child", "own session, deaf to SIGTERM", "orphan"],
)
def test_whatever_it_started_ends_with_it(place: Place, daemon: str) -> None:
    healthy(place, daemon)
    left = []

    async def body(running: Service) -> None:
        await running.boot()
        left.append(written_pid(place.data / "pid"))
        assert is_there(left[0])

    run(place, body)
    assert not is_there(left[0])


def test_a_start_script_need_not_become_the_service(place: Place) -> None:
    healthy(place, inline=False)

    async def body(running: Service) -> None:
        await running.boot()
        pid = (await running.client.get("/health")).json()["pid"]
        assert await running.stop()
        assert not is_there(pid)

    run(place, body)


def test_a_service_that_does_not_end_when_asked_is_killed_and_does_not_pass_as_restarted(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STOP_S", 0.3)
    healthy(place, 'trap "" TERM', inline=False)
    (place.work / "serve.py").write_text(
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        + (place.work / "serve.py").read_text("utf-8"),
        "utf-8",
    )

    async def body(running: Service) -> None:
        await running.boot()
        pid = (await running.client.get("/health")).json()["pid"]
        with pytest.raises(NotReady, match="did not end"):
            await running.restart()
        assert not is_there(pid)

    run(place, body)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("echo cannot find the thing >&2; exit 7", "start.sh ended with 7: cannot find the thing"),
        ("exec sleep 100", "/health did not answer 200"),
    ],
    ids=["ends", "never answers"],
)
def test_a_service_that_does_not_come_up_says_why(
    place: Place, monkeypatch: pytest.MonkeyPatch, start: str, words: str
) -> None:
    monkeypatch.setattr(module, "READY_S", 0.5)
    script(place, "start.sh", start)

    async def body(running: Service) -> None:
        with pytest.raises(NotReady, match=words):
            await running.boot()

    run(place, body)


def test_last_words_are_few_however_much_was_printed(place: Place) -> None:
    script(place, "start.sh", "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo the end; exit 7")

    async def body(running: Service) -> None:
        with pytest.raises(NotReady, match=r"the end$") as failure:
            await running.boot()
        assert len(str(failure.value)) < 1000

    run(place, body)


def test_a_folder_without_a_start_script_is_no_service(place: Place) -> None:
    async def body(running: Service) -> None:
        with pytest.raises(NotReady, match=r"start\.sh cannot be started: No such file"):
            await running.boot()

    run(place, body)


def test_a_build_runs_before_the_first_start_and_its_failure_is_told(place: Place) -> None:
    script(place, "build.sh", "echo built > ../data/built; echo no compiler; exit 3")

    async def body(running: Service) -> None:
        with pytest.raises(NotReady, match=r"build\.sh ended with 3: no compiler"):
            await running.build()

    run(place, body)
    assert (place.data / "built").exists()


def test_a_build_that_takes_too_long_is_ended(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUILD_S", 0.3)
    script(place, "build.sh", "echo $$ > ../data/pid; sleep 100")

    async def body(running: Service) -> None:
        with pytest.raises(NotReady, match=r"build\.sh ran longer"):
            await running.build()

    run(place, body)
    assert not is_there(written_pid(place.data / "pid"))


def test_nothing_is_left_when_the_attempt_is_cancelled(place: Place) -> None:
    healthy(place, "echo $$ > ../data/pid")

    async def attempt() -> None:
        async with Service(place, (), Host()) as running:
            await running.boot()
            await asyncio.sleep(100)

    async def cancelled() -> None:
        task = asyncio.create_task(attempt())
        while not (place.output).exists():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(cancelled())
    assert not is_there(written_pid(place.data / "pid"))
    assert [path.name for path in (place.data).iterdir()] == ["pid"]
