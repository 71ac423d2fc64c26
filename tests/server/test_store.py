"""The file of accepted rows: on disk before anybody is told, many at once, whole or not at all."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import InputError, RowError
from benchdata.rows import writing
from benchdata.rows.strict_json import encode
from benchdata.server.standings import Tally
from benchdata.server.store import FILE, MOST_WAITING, Full, Store, opened
from tests.support.serving import stored
from tests.support.shared_result import numbered_row


class Disk:
    """The real fsync, counted, which waits until it may go on."""

    def __init__(self) -> None:
        self.calls = 0
        self.free = threading.Event()
        self.fault: OSError | None = None

    def __call__(self, file: int, real: Any = os.fsync) -> None:
        self.calls += 1
        assert self.free.wait(30)
        if self.fault:
            raise self.fault
        real(file)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """Where the rows of this test are synced."""
    made = Disk()
    monkeypatch.setattr(os, "fsync", made)
    made.free.set()
    return made


async def kept(store: Store, numbers: range) -> list[BaseException | None]:
    """Keep so many rows at once; return how each went."""
    keeping = (store.keep(numbered_row(number)) for number in numbers)
    return await asyncio.gather(*keeping, return_exceptions=True)


def test_nobody_is_told_before_the_sync_and_all_that_wait_share_the_next(
    tmp_path: Path, disk: Disk
) -> None:
    async def scene(store: Store) -> None:
        disk.calls = 0
        disk.free.clear()
        first = asyncio.create_task(store.keep(numbered_row(0)))
        while not disk.calls:
            await asyncio.sleep(0.001)
        others = [asyncio.create_task(store.keep(numbered_row(n))) for n in range(1, 100)]
        await asyncio.sleep(0.05)
        assert not any(task.done() for task in (first, *others))
        assert store.tally.results == 0
        disk.free.set()
        await asyncio.gather(first, *others)
        assert disk.calls == 2
        assert store.tally.results == 100

    with opened(tmp_path) as store:
        asyncio.run(scene(store))
    assert len({*stored(tmp_path / FILE)}) == 100


def test_a_row_that_cannot_be_synced_is_told_so_and_is_not_in_the_file(
    tmp_path: Path, disk: Disk
) -> None:
    with opened(tmp_path) as store:
        assert asyncio.run(kept(store, range(3))) == [None] * 3
        before = (tmp_path / FILE).read_bytes()
        disk.fault = OSError(5, "Input/output error")
        faults = asyncio.run(kept(store, range(3, 6)))
        assert [type(each) for each in faults] == [OSError] * 3
        assert (tmp_path / FILE).read_bytes() == before
        assert store.tally.results == 3
        disk.fault = None
        assert asyncio.run(kept(store, range(6, 8))) == [None] * 2
    assert len(stored(tmp_path / FILE)) == 5


def test_no_more_rows_wait_than_may(tmp_path: Path) -> None:
    async def scene(store: Store) -> list[BaseException | None]:
        waiting = asyncio.create_task(kept(store, range(MOST_WAITING)))
        await asyncio.sleep(0.1)
        with pytest.raises(Full):
            await store.keep(numbered_row(MOST_WAITING))
        writer = threading.Thread(target=store.write)  # not before: until now nothing was written
        writer.start()
        found = await waiting
        await store.keep(numbered_row(MOST_WAITING))  # there is room again
        store.end()
        writer.join()
        return found

    with writing.appending(tmp_path / FILE) as file:
        assert asyncio.run(scene(Store(file, Tally()))) == [None] * MOST_WAITING
    assert len({*stored(tmp_path / FILE)}) == MOST_WAITING + 1


def test_a_line_that_a_kill_tore_is_no_row_and_goes_before_the_next(tmp_path: Path) -> None:
    file = tmp_path / FILE
    whole = encode(numbered_row(0))
    for cut in (1, len(whole) // 2, len(whole) - 2):
        file.write_bytes(whole + encode(numbered_row(1))[:cut])
        with opened(tmp_path) as store:
            assert store.tally.results == 1
            asyncio.run(kept(store, range(2, 3)))
        assert file.read_bytes() == whole + encode(numbered_row(2))


def test_a_whole_last_line_without_its_end_stays(tmp_path: Path) -> None:
    file = tmp_path / FILE
    lines = [encode(numbered_row(number)) for number in range(3)]
    file.write_bytes(b"".join(lines[:2]).removesuffix(b"\n"))
    with opened(tmp_path) as store:
        assert store.tally.results == 2
        asyncio.run(kept(store, range(2, 3)))
    assert file.read_bytes() == b"".join(lines)


def test_a_line_that_is_no_row_is_named_and_nothing_is_served(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_bytes(encode(numbered_row(0)) + b'{"mine": 1}\n' + encode(numbered_row(1)))
    before = file.read_bytes()
    with pytest.raises(RowError, match=rf"^{FILE}:2: schema_version: "), opened(tmp_path):
        pass
    assert file.read_bytes() == before


def test_a_folder_has_one_server(tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(InputError, match="another server"), opened(tmp_path):
        pass
    with opened(tmp_path) as store:
        assert store.tally.results == 0
