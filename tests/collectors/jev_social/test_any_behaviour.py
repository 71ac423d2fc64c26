"""Whatever the endpoint and `socai` do: one valid row, and nothing left on the machine."""

from __future__ import annotations

import os
import re
import tempfile
import threading
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from benchdata.contracts.jev_social import JEV_SOCIAL
from collectors.harness import process_groups
from collectors.jev_social import socai
from collectors.jev_social.attempt import attempt
from collectors.jev_social.settings import settings_of
from collectors.jev_social.signals import Stop
from tests.support.collecting import PINS, TASK, in_groups, wait_until, written_task
from tests.support.jev_social_behaviour import REPLIES, SCRIPTS, TASKS, TIMEOUTS
from tests.support.socai_stand_in import calls
from tests.support.stand_ins import stand_ins

STAGE = re.compile("[a-z][a-z0-9_]{0,31}")


def behaves(
    monkeypatch: pytest.MonkeyPatch,
    *,
    script: dict[str, Any],
    replies: list[dict[str, Any]],
    task: dict[str, Any],
    timeout: str,
    stop_after: float,
) -> None:
    """Make an attempt and check its row and the machine."""
    said: list[str] = []
    run_id = str(uuid.uuid4())
    with (
        tempfile.TemporaryDirectory() as place,
        monkeypatch.context() as patch,
        stand_ins(Path(place), script, replies) as (_, variables),
    ):
        patch.setattr(tempfile, "tempdir", variables["TMPDIR"])
        for module, name in ((socai, "ACTION_S"), (socai, "PROBE_S"), (process_groups, "GRACE_S")):
            patch.setattr(module, name, 0.5)
        flags = PINS | {"--task": str(written_task(Path(place) / "task", **(TASK | task)))}
        limits = {"JEV_SOCIAL_SYSTEM_ONE_TIMEOUT_MS": timeout}
        asked = settings_of(flags, os.environ | variables | limits)
        before = open_files()
        stop = Stop()
        timer = threading.Timer(stop_after, stop.request)
        timer.start()
        row = attempt(asked, run_id=run_id, stop=stop, say=said.append)
        timer.cancel()
        timer.join()
        called = calls(Path(place) / "bin")
        assert open_files() == before
        # what was killed may take its time to go
        wait_until(lambda: in_groups({call["group"] for call in called}) == [], 5)
        assert list(Path(variables["TMPDIR"]).iterdir()) == []
        assert list(Path(variables["HOME"]).iterdir()) == []
    assert JEV_SOCIAL.validate(row) == row
    assert row["run_id"] == run_id
    assert [label for label in said if not STAGE.fullmatch(label)] == []


def open_files() -> int:
    """Return how many descriptors this process holds; the server's sockets come and go."""
    found = 0
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            found += not str(descriptor.readlink()).startswith("socket:")
    return found


ANY = given(
    script=SCRIPTS,
    replies=st.lists(REPLIES, max_size=4),
    task=TASKS,
    timeout=TIMEOUTS,
    stop_after=st.sampled_from([0, 0.3, 0.6, 0.9, 60, 60, 60, 60]),
)
STUBBORN = {"ignore_term": True, "sleep": 60}
STOPPED_WHILE_ENDING = example(
    script={"answers": [{"when": "--help", "ignore_term": True, "spawn": 60, "exit": 0}]},
    replies=[],
    task={},
    timeout="",
    stop_after=0.3,
)
STOPPED_WHILE_PROBING = example(
    script={
        "answers": [{"when": "--version"} | STUBBORN, {"when": "tiktok search --help"} | STUBBORN]
    },
    replies=[],
    task={},
    timeout="",
    stop_after=0.4,
)
UNHURRIED = settings(
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink takes minutes
)


@settings(UNHURRIED, max_examples=12)
@ANY
@STOPPED_WHILE_ENDING
@STOPPED_WHILE_PROBING
def test_some_behaviour(monkeypatch: pytest.MonkeyPatch, **drawn: Any) -> None:
    behaves(monkeypatch, **drawn)


@pytest.mark.slow
@settings(UNHURRIED, max_examples=400)
@ANY
def test_much_behaviour(monkeypatch: pytest.MonkeyPatch, **drawn: Any) -> None:
    behaves(monkeypatch, **drawn)
