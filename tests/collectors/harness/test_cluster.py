"""A cluster as an executor: what is refused before anything runs, and what never travels."""

from __future__ import annotations

import pickle
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError, InputError
from collectors.harness import billing
from collectors.harness.agents.scripted import Scripted
from collectors.harness.attempt import Setting
from collectors.harness.cluster import SEEN, Cluster
from collectors.harness.running import Halt
from collectors.harness.sandbox.workspace import Workspace
from collectors.harness.schedule import Attempt, Cell
from tests.support.command import refused, run
from tests.support.dask_cluster import HERE, dask_cluster, in_process

SECRET = "sk-secret-of-the-coordinator"
STAND_IN = "http://127.0.0.1:9"
KEY = "ANTHROPIC_API_KEY"
VERSION = Scripted.found().version()


def setting(*, paid: bool = False) -> Setting:
    """Return the setting of a scripted agent, which somebody pays for or nobody."""
    agent = "claude" if paid else "scripted"
    payer = billing.choose(agent, {KEY: SECRET}, allowed=("api-key",) if paid else ())
    return Setting(Scripted.found(), Workspace("a test asks for it"), payer, timeout_s=10.0)


@dataclass(frozen=True)
class Asked:
    """An execution that tells with which credential it would pay."""

    setting: Setting

    def __call__(self, cell: Cell, attempt: Attempt, _: Halt) -> dict[str, object]:
        return {"cell": cell, "run_id": attempt.run_id, **self.setting.payer.headers}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster of one worker, which is this process."""
    with in_process(1) as found:
        yield found


def test_a_credential_is_not_sent_but_taken_where_the_worker_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent = pickle.dumps(setting(paid=True))
    assert SECRET.encode() not in sent
    monkeypatch.delenv(KEY, raising=False)
    with pytest.raises(InputError, match=f"{KEY}, which is not set"):
        pickle.loads(sent)
    monkeypatch.setenv(KEY, "its-own")
    assert pickle.loads(sent).payer.headers == {"x-api-key": "its-own"}
    monkeypatch.delenv(KEY)
    for payer in (setting().payer, billing.choose("claude", {}, allowed=(), base_url=STAND_IN)):
        assert pickle.loads(pickle.dumps(payer)) == replace(payer, unused=())


@pytest.mark.parametrize("place", ["tcp://10.1.2.3:8786", "tcp://cluster.example.org:8786"])
def test_a_cluster_that_others_reach_is_refused_where_somebody_pays(place: str) -> None:
    with pytest.raises(InputError, match="could take the credential of the workers; use tls://"):
        Cluster(place, setting(paid=True), VERSION, ())
    Cluster(place, setting(), VERSION, ())
    for closed in (place.replace("tcp", "tls"), "tcp://127.0.0.1:8786"):
        found = Cluster(closed, setting(paid=True), VERSION, ())
        assert (
            found.sentence == f"Workers: those of {closed}, each with {KEY} of its own environment."
        )


@pytest.mark.parametrize(
    "text",
    [
        "http://a:1",
        "tcp://a",
        "a:8786",
        "tcp://a:b",
        "tcp://a:1/x",
        "tcp://u:p@a:1",
        "tcp://a:99999",
    ],
)
@pytest.mark.parametrize("command", [["skill-eval", "spec.json"], ["build-bench", "self"]])
def test_what_is_no_address_is_said_to_be_none(command: list[str], text: str) -> None:
    done = run("collect", *command, "--executor", text)
    assert "--executor: must be tcp://HOST:PORT or tls://HOST:PORT" in refused(done)


@pytest.mark.parametrize("listens", [True, False])
def test_a_scheduler_that_does_not_answer_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, listens: bool
) -> None:
    monkeypatch.setattr("collectors.harness.cluster.CONNECT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        if not listens:
            silent.close()
        began = time.monotonic()
        cluster = Cluster(place, setting(), VERSION, ())
        words = f"no scheduler answers at {place}: "
        with pytest.raises(BenchdataError, match=words), cluster.opened(tmp_path):
            raise AssertionError
        assert time.monotonic() - began < 10
    assert [*tmp_path.iterdir()] == []


def test_a_worker_that_lacks_something_is_named_with_it(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Cluster(address, setting(), VERSION, (tmp_path,))
    faults = {
        f"has no {tmp_path / 'skill'}": replace(there, paths=(tmp_path, tmp_path / "skill")),
        f"has scripted {VERSION} and not 9.9.9": replace(there, agent_version="9.9.9"),
        f"billing: api-key needs {KEY}": replace(there, setting=setting(paid=True)),
    }
    monkeypatch.delenv(KEY, raising=False)
    for words, cluster in faults.items():
        whole = f"executor: the worker tcp://.* {words}"
        with pytest.raises(BenchdataError, match=whole), cluster.opened(tmp_path):
            raise AssertionError
    monkeypatch.setenv(KEY, SECRET)
    with replace(there, setting=setting(paid=True)).opened(tmp_path) as workers:
        (tmp_path / SEEN).write_text("of another machine")
        workers._fit.clear()  # type: ignore[attr-defined]
        with pytest.raises(BenchdataError, match=f"does not see {tmp_path}: the folder must be"):
            workers.submit(int)


@pytest.mark.slow
def test_what_others_reach_is_refused_where_somebody_pays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, SECRET)
    for host, words in (
        ("0.0.0.0", "the scheduler is at tcp://"),
        (HERE, f"the worker tcp://{HERE}:.* is at tcp://0.0.0.0"),
    ):
        with dask_cluster(tmp_path / host, host) as found:
            found.worker(exposed=True)
            place = f"tcp://{HERE}:{found.address.rpartition(':')[2]}"
            cluster = Cluster(place, setting(paid=True), VERSION, ())
            with pytest.raises(BenchdataError, match=words), cluster.opened(tmp_path):
                raise AssertionError


@pytest.mark.slow
def test_an_attempt_is_paid_by_its_worker_and_needs_no_scheduler_that_can_pay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY, raising=False)
    cell = Cell("base", "sort", 1, 0)
    attempt = Attempt("run-1", 0, "2026-01-05T09:00:00.000Z", None)
    with dask_cluster(tmp_path / "cluster") as found:
        found.worker(ANTHROPIC_API_KEY="its-own")
        place = f"tcp://{HERE}:{found.address.rpartition(':')[2]}"
        paid = setting(paid=True)
        with Cluster(place, paid, VERSION, ()).opened(tmp_path) as workers:
            row = workers.submit(Asked(paid), cell, attempt, Halt(tmp_path / "halt")).result(60)
    assert row == {"cell": cell, "run_id": "run-1", "x-api-key": "its-own"}
