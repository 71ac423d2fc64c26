"""The real agent programs build the first task, before stand-ins for their models."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from collectors.build_bench import references
from collectors.build_bench.cli import main
from collectors.build_bench.tasks import TASKS
from collectors.harness.batches import rows_of
from collectors.harness.user_settings import ENDPOINT
from tests.collectors.build_bench.attempts import T1, Batch
from tests.collectors.harness.conftest import installed
from tests.support.scripted_api import Server
from tests.support.whole import Reply, Whole, processes_with

pytestmark = [pytest.mark.agents, pytest.mark.usefixtures("node")]
FILES = references.files("node", T1)
PIECES = (
    ("start.sh", "package.json", "errors.js", "shapes.js"),
    ("store.js", "http.js", "products.js", "server.js"),
    ("orders.js", "server.js"),
)
HALF = (
    'import { serve } from "./http.js";\nimport { routes } from "./products.js";\nserve(routes);\n'
)
COUNTS = ((8000, 1500, 0), (1200, 900, 14000), (1200, 900, 14000))


@pytest.fixture(params=["claude", "codex"])
def whole(request: pytest.FixtureRequest) -> Whole:
    """Each real program, where it is installed."""
    return Whole(installed(request.param))


def written(name: str, text: str) -> str:
    """Return a command that writes a text, whatever it holds."""
    told = base64.b64encode(text.encode()).decode()
    return f"echo {told} | base64 -d > {name}"


def messages(whole: Whole) -> list[Reply]:
    """Return what a model says that builds the reference in three turns."""
    texts = {name: path.read_text("utf-8") for name, path in FILES.items()}
    replies = []
    for number, names in enumerate(PIECES):
        half = {"server.js": HALF} if number == 1 else {}
        calls = [whole.dialect.shell(written(name, half.get(name, texts[name]))) for name in names]
        calls.append(whole.dialect.shell("chmod +x start.sh"))
        replies.append(whole.message(*calls, counts=COUNTS[number], text="Working."))
    return replies


def command(whole: Whole, out: Path, *options: str) -> list[str]:
    cells = ("--lane", "node", "--task", T1, "--agent", whole.driver.name)
    return ["self", *cells, "--model", whole.model, "--yes", "--out", str(out), *options]


def built(
    whole: Whole, server: Server, out: Path, monkeypatch: pytest.MonkeyPatch, *options: str
) -> Batch:
    monkeypatch.setenv(ENDPOINT, server.url + whole.dialect.root)
    return Batch(main(command(whole, out, *options)), out)


def test_green_is_found_at_the_right_turn_and_nothing_is_asked_after_it(
    whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with whole.serving(*messages(whole)) as server:
        batch = built(whole, server, tmp_path / "batch", monkeypatch)
    row = batch.row
    assert batch.code == 0
    assert (row["kind"], row["agent"], row["endpoint"]) == ("agent", whole.driver.name, "stand_in")
    assert (row["stop_cause"], row["turns"], row["turns_to_green"]) == ("green", 3, 3)
    first, second, third = row["turn_pass_rates"]
    assert (first, third) == (0, 1)
    assert 0.3 < second < 0.9
    total = [sum(each) for each in zip(*COUNTS, strict=True)]
    (usage,) = [each for each in row["usage"] if each["model"] == whole.model]
    assert usage == whole.tokens(*total).model_dump()
    assert row["total_cost_usd"] == pytest.approx(whole.cost(*total))
    main_requests = [each for each in server.asked if each.body.get("tools")]
    assert len(main_requests) == 3
    told = json.dumps([each.body for each in server.asked])
    task = TASKS[T1]
    hidden = [probe.asserts for probe in task.suite.probes]
    hidden += [item.met for items in task.rubric_items().values() for item in items]
    assert [text for text in hidden if json.dumps(text)[1:-1] in told] == []
    assert not (batch.run() / "agent").exists()


def test_the_caps_hold_and_a_row_is_kept_each_time(
    whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with whole.serving(*messages(whole)) as server:
        row = built(whole, server, tmp_path / "1", monkeypatch, "--max-turns", "2").row
    assert (row["stop_cause"], row["turns"], row["best_turn"]) == ("max_turns", 2, 2)
    silent = whole.message(delay_s=60)
    with whole.serving(messages(whole)[0], silent) as server:
        row = built(whole, server, tmp_path / "2", monkeypatch, "--max-wall", "12").row
    assert (row["stop_cause"], row["turns"], row["test_pass_rate"]) == ("max_wall", 1, 0)
    with whole.serving(messages(whole)[0]) as server:
        row = built(whole, server, tmp_path / "3", monkeypatch).row
    assert (row["stop_cause"], row["turns"]) == ("agent_ended", 2)


def test_killed_while_held_it_leaves_nothing_and_the_same_command_goes_on(
    whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = f"31{os.getpid()}"
    waits = f"#!/bin/sh\nsleep {mark}2\n"
    first = whole.shell(
        f"{written('start.sh', waits)}; chmod +x start.sh; (sleep {mark}1 &)", 9, 9, 0
    )
    out = tmp_path / "batch"
    with whole.serving(first) as server:
        monkeypatch.setenv(ENDPOINT, server.url + whole.dialect.root)
        start = "import sys; from collectors.build_bench.cli import main; main(sys.argv[1:])"
        argv = [sys.executable, "-c", start, *command(whole, out)]
        with subprocess.Popen(argv, stderr=subprocess.DEVNULL) as process:
            give_up = time.monotonic() + 90
            while not processes_with(f"{mark}2"):
                assert time.monotonic() < give_up, "the service did not start"
                time.sleep(0.1)
            process.send_signal(signal.SIGKILL)
        give_up = time.monotonic() + 10
        while processes_with(mark):
            assert time.monotonic() < give_up, "something is left"
            time.sleep(0.1)
        assert len(server.asked) == 1
        assert not rows_of(out).exists()
    with whole.serving() as server:
        batch = built(whole, server, out, monkeypatch)
    assert (batch.row["stop_cause"], batch.row["turns"]) == ("agent_ended", 1)


def test_an_api_key_pays_only_when_it_is_asked_to(
    whole: Whole,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    key = {"claude": "ANTHROPIC_API_KEY", "codex": "CODEX_API_KEY"}[whole.driver.name]
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in (ENDPOINT, "CLAUDE_CODE_OAUTH_TOKEN", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(key, "placeholder-of-a-key")
    asked = [each for each in command(whole, tmp_path / "batch") if each != "--yes"]
    with pytest.raises(BenchdataError, match="billing"):
        main(asked)
    with pytest.raises(BenchdataError, match="--yes"):
        main([*asked, "--api-key"])
    assert f"charged to the account of {key}" in capsys.readouterr().err
