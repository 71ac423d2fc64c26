"""No accepted result is lost: servers are killed while they are written to, again and again."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from benchdata.server.routes import RESULT
from tests.support.proven import Proven
from tests.support.serving import JSON, Serving, numbered, stored
from tests.support.shared_result import numbered_row

CONNECTIONS = 6
SHORTEST_S, LONGEST_S = 0.1, 0.6
SEED = 11


class Load:
    """Connections that send one row after the other until their server is gone."""

    def __init__(self, server: Serving, numbers: Iterator[int]) -> None:
        self._server = server
        self._numbers = numbers
        self.accepted: list[str] = []
        self.others: list[int] = []
        self._threads = [threading.Thread(target=self._send) for _ in range(CONNECTIONS)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(60)

    def _send(self) -> None:
        connection = self._server.connection()
        try:
            while True:
                sender, body = numbered(next(self._numbers))
                connection.request("POST", RESULT, body, JSON)
                answer = connection.getresponse()
                answer.read()
                if answer.status == 200:
                    self.accepted.append(sender)
                else:
                    self.others.append(answer.status)
        except (OSError, http.client.HTTPException):
            connection.close()


MANY = pytest.param(100, marks=[pytest.mark.slow, pytest.mark.faults])


@pytest.mark.parametrize("kills", [5, MANY], ids=["a few", "many"])
def test_every_row_that_was_accepted_is_in_the_file_after_a_kill(
    tmp_path: Path, kills: int, proven: Proven
) -> None:
    chance, numbers = random.Random(SEED), count()
    accepted: list[str] = []
    for _ in range(kills):
        server = Serving(tmp_path / "data")
        load = Load(server, numbers)
        load.start()
        time.sleep(chance.uniform(SHORTEST_S, LONGEST_S))
        server.kill()
        load.join()
        accepted += load.accepted
        assert not load.others
        there = stored(server.file)
        assert not {*accepted} - {*there}
        assert len({*there}) == len(there)
    assert len(accepted) > 20 * kills

    with Serving(tmp_path / "data") as server:
        results = server.board()["results"]
        assert server.post(numbered_row(next(numbers))).status == 200
    rows = stored(server.file)
    assert len(rows) == results + 1
    assert {*accepted} < {*rows}
    held = f"{len(accepted):,} rows accepted, all in the file, each once"
    proven("SIGKILL: serve, six connections", kills, held)
