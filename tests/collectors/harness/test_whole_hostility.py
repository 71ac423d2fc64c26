"""Agents that mean ill, on the whole: each ends in its time, leaves nothing and sees nothing."""

from __future__ import annotations

import re
import socket
import time
import uuid
from pathlib import Path

import pytest

from collectors.harness import endings
from collectors.harness.folders import RunFolder
from collectors.harness.sandbox.provider import Limits
from tests.support.whole import Whole, processes_with

FIRST = (900, 70, 10)
IMMORTAL = 'trap "" TERM INT HUP'


@pytest.fixture
def mark() -> str:
    """A text that stands in the command line of what the agent starts."""
    return f"mark-{uuid.uuid4()}"


def test_a_daemon_ends_with_the_agent(whole: Whole, folder: RunFolder, mark: str) -> None:
    beat = f"{IMMORTAL}; while :; do date +%s%N > beat; sleep .1; done; : {mark}"
    daemon = f"(setsid sh -c '{beat}' >/dev/null 2>&1 &); sleep .5"
    found, _ = whole.run(folder, whole.shell(daemon, *FIRST))
    assert (found.outcome, found.turns) == ("completed", 2)
    assert processes_with(mark) == []
    last = (folder.work / "beat").read_text()
    time.sleep(0.5)
    assert (folder.work / "beat").read_text() == last


@pytest.mark.parametrize("freeze", ["", "kill -STOP -1; "], ids=["heard", "frozen"])
def test_what_never_ends_is_ended_and_what_it_used_is_known(
    whole: Whole, folder: RunFolder, mark: str, monkeypatch: pytest.MonkeyPatch, freeze: str
) -> None:
    """Its command heeds no signal; frozen by it, the agent program heeds none either."""
    monkeypatch.setattr(endings, "GRACE_S", 1.0)
    command = f"{IMMORTAL}; {freeze}while :; do sleep 1; done; : {mark}"
    replies = [whole.shell(command, *FIRST)] * 3  # codex asks again while a command runs
    found, _ = whole.run(folder, *replies, facts={"timeout_s": 12.0})
    assert (found.outcome, found.reason) == ("timeout", "agent_timeout")
    assert found.turns in {1, 2}
    assert found.usage == [whole.tokens(*(found.turns * count for count in FIRST))]
    assert 12 <= found.agent_s < 30
    assert processes_with(mark) == []


def test_a_flood_is_cut_off(whole: Whole, folder: RunFolder) -> None:
    flood = whole.shell("head -c 25000 /dev/zero | tr '\\0' x")
    limits = Limits(output_bytes=200_000)
    found, _ = whole.run(folder, *[flood] * 40, facts={"limits": limits})
    assert (found.outcome, found.reason) == ("agent_error", "agent_exit")
    assert folder.stdout.stat().st_size <= limits.output_bytes


def test_it_finds_no_hidden_file_no_other_run_and_no_network(
    whole: Whole, folder: RunFolder, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "canary-of-the-caller")
    other = folder.root.parent / "other"
    other.mkdir()
    (other / "canary-file").write_text("canary-of-another-run")
    with socket.create_server(("127.0.0.1", 0)) as here:
        port = here.getsockname()[1]
        ways = (
            f"cat {other}/*; ls {other}; ls {folder.raw}; cat {folder.requests}; ls {root}/tests",
            f"find / -name 'canary*' -o -name {Path(__file__).name}",
            "env; cat /proc/*/environ | tr '\\0' '\\n'",
            f"timeout 3 bash -c 'echo > /dev/tcp/127.0.0.1/{port}' && echo canary-of-loopback",
            "timeout 3 bash -c 'echo > /dev/tcp/192.0.2.1/80' && echo canary-of-the-network",
            "timeout 3 getent hosts example.org && echo canary-of-names",
        )
        look = f"{{ {'; '.join(ways)}; }} > looked 2>&1; echo all > done"
        found, server = whole.run(folder, whole.shell(look))
        here.setblocking(False)
        with pytest.raises(BlockingIOError):
            here.accept()
    assert (found.outcome, (folder.work / "done").read_text()) == ("completed", "all\n")
    looked = (folder.work / "looked").read_text(errors="replace")
    assert "No such file" in looked
    assert [line for line in looked.splitlines() if re.search("canary|test_whole", line)] == []
    assert str(folder.root.parent) not in str(server.asked[0].body)
