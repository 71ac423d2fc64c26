"""A bit of a stored file flips: what is read is what was written, or there is an error."""

from __future__ import annotations

import gzip
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from tests.support.command import run
from tests.support.intake import lines
from tests.support.jev_social import numbered_row
from tests.support.proven import Proven

pytestmark = [pytest.mark.faults, pytest.mark.slow]

FLIPS = 100
SEED = 7
PLAIN = lines(map(numbered_row, range(40)))
QUERY = "select sum(timing_ms_total) as total, count(distinct run_id) as n from rows"
Made = Callable[[Path], Path]


def packed_gz(folder: Path) -> Path:
    file = folder / "rows.ndjson.gz"
    file.write_bytes(gzip.compress(PLAIN, mtime=0))
    return file


def packed_zst(folder: Path) -> Path:
    file = folder / "rows.ndjson.zst"
    file.write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(PLAIN))
    return file


def parquet(folder: Path) -> Path:
    plain, file = folder / "plain.ndjson", folder / "rows.parquet"
    plain.write_bytes(PLAIN)
    assert run("export", plain, "-o", file).code == 0
    return file


def lake(folder: Path) -> Path:
    plain, into = folder / "plain.ndjson", folder / "lake"
    plain.write_bytes(PLAIN)
    assert run("freeze", plain, "--into", into).code == 0
    return into


MADE: dict[str, Made] = {
    each.__name__.replace("_", " "): each for each in (packed_gz, packed_zst, parquet, lake)
}


def flipped(source: Path, target: Path, draw: random.Random) -> Path:
    """Copy a file or a folder and flip one bit of one file in it."""
    target.parent.mkdir(exist_ok=True)
    if source.is_file():
        shutil.copyfile(source, target)
    else:
        shutil.copytree(source, target)
    files = [target, *target.rglob("*")]
    files = sorted(file for file in files if file.is_file() and file.stat().st_size)
    file = draw.choice(files)
    data = bytearray(file.read_bytes())
    data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    file.write_bytes(data)
    return target


@pytest.mark.parametrize("kind", MADE)
def test_it_reads_the_same_or_is_refused(tmp_path: Path, kind: str, proven: Proven) -> None:
    source = MADE[kind](tmp_path)
    right = run("sql", QUERY, source, "--format", "json")
    assert right.code == 0, right
    draw, refused = random.Random(SEED), 0
    for number in range(FLIPS):
        broken = flipped(source, tmp_path / str(number) / source.name, draw)
        done = run("sql", QUERY, broken, "--format", "json")
        if done.code == 0:
            assert done.out == right.out
        else:
            refused += 1
            assert (done.code, done.out) == (1, "")
            assert source.name in done.err
            assert "Traceback" not in done.err
        shutil.rmtree(tmp_path / str(number))
    assert refused > FLIPS / 4
    proven(f"flipped bit: {kind}", FLIPS, f"{refused} refused, the others read the same")
