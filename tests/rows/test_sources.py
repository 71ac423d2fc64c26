"""Files, directories, globs, compressed streams and standard input, found and read alike."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import zstandard
from blake3 import blake3

from benchdata.errors import InputError
from benchdata.rows import sources
from tests.support.intake import frame, trials
from tests.support.proven import Proven

DATA = trials(300)


def content(path: Path) -> bytes:
    """Return what the one input at `path` yields."""
    (found,) = sources.find([path])
    return b"".join(found.blocks())


def labels(*arguments: str | Path) -> list[str]:
    """Return how the inputs of `arguments` are called."""
    return [found.label for found in sources.find(arguments)]


def refusal(*arguments: str | Path) -> str:
    """Return the one message of inputs that cannot be found or read."""
    with pytest.raises(InputError) as raised:
        read(*arguments)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def read(*arguments: str | Path) -> None:
    """Read inputs to their ends."""
    for found in sources.find(arguments):
        found.digest()
        b"".join(found.blocks())


def zst(data: bytes, *, checksum: bool = False) -> bytes:
    """Return `data` as one Zstandard frame."""
    return zstandard.ZstdCompressor(write_checksum=checksum).compress(data)


PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": zst,
}


@pytest.mark.parametrize("packed", PACK)
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst", ".txt"])
@pytest.mark.parametrize("data", [DATA, b"", b"\n"], ids=["rows", "empty", "newline"])
def test_the_bytes_say_how_a_file_is_packed_and_its_suffix_does_not(
    tmp_path: Path, packed: str, suffix: str, data: bytes
) -> None:
    file = tmp_path / f"rows.ndjson{suffix}"
    file.write_bytes(PACK[packed](data))
    assert content(file) == data


@pytest.mark.parametrize("kind", [0x50, 0x5F])
def test_a_frame_of_no_data_may_come_first(tmp_path: Path, kind: int) -> None:
    file = tmp_path / "rows.ndjson.zst"
    empty = bytes([kind]) + b"\x2a\x4d\x18\x04\x00\x00\x00note"
    file.write_bytes(empty + zst(DATA) + empty)
    assert content(file) == DATA


@pytest.mark.parametrize("packed", [".gz", ".zst"])
def test_every_member_of_a_packed_file_is_read(tmp_path: Path, packed: str) -> None:
    pack = PACK[packed]
    file = tmp_path / "rows.ndjson"
    file.write_bytes(pack(DATA) + pack(b"") + pack(b'{"a"') + pack(b":1}\n"))
    assert content(file) == DATA + b'{"a":1}\n'


@pytest.mark.faults
@pytest.mark.parametrize("packed", [".gz", ".zst"])
@pytest.mark.parametrize("members", [1, 2])
def test_a_packed_file_cut_anywhere_is_damaged(
    tmp_path: Path, packed: str, members: int, proven: Proven
) -> None:
    pack = PACK[packed]
    whole = pack(trials(3)) * members
    ends = {0, len(pack(trials(3)))}
    for length in range(2 if packed == ".gz" else 4, len(whole)):
        if length in ends:
            continue
        file = tmp_path / f"{length}.ndjson"
        file.write_bytes(whole[:length])
        assert "damaged or cut short" in refusal(file), length
    proven(f"truncated: {packed}", len(whole), "refused as damaged, at every length")


@pytest.mark.parametrize("packed", [".gz", ".zst"])
def test_a_damaged_byte_or_a_tail_is_told(tmp_path: Path, packed: str) -> None:
    whole = zst(DATA, checksum=True) if packed == ".zst" else gzip.compress(DATA)
    middle = len(whole) // 2
    damaged = {
        "tail": whole + b"garbage",
        "flipped": whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :],
        "zeroed": whole[:middle] + b"\0" * 64 + whole[middle + 64 :],
    }
    for name, data in damaged.items():
        file = tmp_path / name
        file.write_bytes(data)
        assert refusal(file).startswith(f"{file}: the compressed stream is damaged"), name


def test_a_directory_gives_its_row_files_at_every_depth_in_order(tmp_path: Path) -> None:
    given = [
        "b.ndjson",
        "a.jsonl",
        "z/c.ndjson.gz",
        "z/y/d.jsonl.zst",
        "a/e.ndjson.zst",
        "f.jsonl.gz",
    ]
    others = ["x.json", "x.txt", "x.ndjson.bak", "x.ndjson.tmp", ".hidden.ndjson", "ndjson", "x.gz"]
    others += [".git/x.ndjson", "z/.venv/lib/x.jsonl", ".x.ndjson.1.part"]
    for name in given + others:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(DATA)
    (tmp_path / "folder.ndjson").mkdir()
    found = sources.find([tmp_path])
    assert [one.label for one in found] == list(map(str, sorted(tmp_path / name for name in given)))
    assert [one.name for one in found] == [Path(one.label).name for one in found]


def test_inputs_keep_the_order_given_and_repeats(tmp_path: Path) -> None:
    one, two = tmp_path / "1.ndjson", tmp_path / "2.ndjson"
    one.write_bytes(DATA)
    two.write_bytes(DATA)
    assert labels(two, one, two, tmp_path) == [str(two), str(one), str(two), str(one), str(two)]


def test_a_glob_gives_each_file_once_in_order(tmp_path: Path) -> None:
    for name in ("b/2.ndjson", "a.ndjson", "b/1.ndjson", "b/c/3.ndjson", "e/x.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(DATA)
    (tmp_path / "empty").mkdir()

    def found(pattern: str) -> list[str]:
        return [str(Path(label).relative_to(tmp_path)) for label in labels(f"{tmp_path}/{pattern}")]

    assert found("*.ndjson") == ["a.ndjson"]
    assert found("b/[12].*") == ["b/1.ndjson", "b/2.ndjson"]
    assert found("**/*.ndjson") == ["a.ndjson", "b/1.ndjson", "b/2.ndjson", "b/c/3.ndjson"]
    assert found("b/**") == ["b/1.ndjson", "b/2.ndjson", "b/c/3.ndjson"]
    assert found("?") == ["b/1.ndjson", "b/2.ndjson", "b/c/3.ndjson"]


def test_a_name_with_glob_signs_is_first_of_all_a_name(tmp_path: Path) -> None:
    file = tmp_path / "run[1]*.ndjson"
    file.write_bytes(DATA)
    (tmp_path / "run1.ndjson").write_bytes(b"")
    assert labels(file) == [str(file)]


@pytest.mark.parametrize(
    "name", ["missing.ndjson", "missing/*.ndjson", "rows.ndjson/x", "", "x" * 5000]
)
def test_a_name_that_matches_nothing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.ndjson").write_bytes(DATA)
    assert re.search("no such file|File name too long", refusal(name))


def test_no_input_at_all_is_told() -> None:
    assert "no input is named" in refusal()


def test_a_directory_without_row_files_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(DATA)
    assert "holds no row file (.ndjson, .jsonl" in refusal(tmp_path)


def test_a_link_to_nothing_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(DATA)
    (tmp_path / "b.ndjson").symlink_to(tmp_path / "gone")
    for argument in (tmp_path, tmp_path / "b.ndjson", tmp_path / "*.ndjson"):
        assert "b.ndjson: cannot be" in refusal(argument)


READ = """
import sys
from benchdata.errors import BenchdataError
from benchdata.rows import sources
try:
    for one in sources.find(sys.argv[1:]):
        print(one.label, one.name, one.digest(), len(b"".join(one.blocks())))
except BenchdataError as error:
    sys.exit(str(error))
"""


@pytest.mark.parametrize("packed", PACK)
def test_standard_input_is_read_like_a_file(root: Path, packed: str) -> None:
    packed_data = PACK[packed](DATA)
    done = subprocess.run(
        [sys.executable, "-c", READ, "-"],
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        check=False,
        input=packed_data,
    )
    assert done.stderr == b""
    digest = blake3(packed_data).hexdigest()
    assert done.stdout.decode().split() == ["<stdin>", "stdin.ndjson", digest, str(len(DATA))]


def test_standard_input_that_is_closed_is_told(root: Path) -> None:
    command = [sys.executable, "-c", READ, "-"]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *command],
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"-: standard input is closed\n")


def test_a_pipe_is_read_once_and_may_be_asked_twice(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.ndjson"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(DATA,))
    writer.start()
    (found,) = sources.find([pipe])
    writer.join()
    assert (found.label, found.name) == (str(pipe), "pipe.ndjson")
    assert b"".join(found.blocks()) == b"".join(found.blocks()) == DATA


@pytest.mark.parametrize("argument", [".", "*"])
def test_a_pipe_or_a_device_in_a_directory_is_told_and_not_waited_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "rows"
    folder.mkdir()
    (folder / "a.ndjson").write_bytes(DATA)
    odd = folder / "b.ndjson"
    for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero")):
        make(odd)
        assert "rows/b.ndjson: is no regular file; name it by itself" in refusal(argument)
        odd.unlink()


@contextmanager
def unprivileged() -> Iterator[None]:
    """Give up root's right to read everything; who runs as another user never had it."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_what_may_not_be_read_is_told_and_never_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the folders above may be closed to others
    tmp_path.chmod(0o755)
    (tmp_path / "open.ndjson").write_bytes(DATA)
    closed, folder = tmp_path / "closed.ndjson", tmp_path / "folder"
    closed.write_bytes(DATA)
    closed.chmod(0o000)
    with unprivileged():
        for argument in ("closed.ndjson", "."):
            assert "closed.ndjson: cannot be read: Permission denied" in refusal(argument)
    closed.unlink()
    folder.mkdir(mode=0o000)
    with unprivileged():
        for argument in (".", "folder"):
            assert refusal(argument) == f"{argument}: cannot be opened: Permission denied"
        assert refusal("folder/x.ndjson").startswith("folder/x.ndjson: ")


def test_a_file_that_goes_away_is_told(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(DATA)
    (found,) = sources.find([file])
    file.unlink()
    for ask in (found.stamp, found.digest, lambda: list(found.blocks())):
        with pytest.raises(InputError, match=r"rows\.ndjson: cannot be"):
            ask()


def test_a_device_of_nothing_holds_no_row(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="null: holds no row"):
        frame(tmp_path, os.devnull)


def test_the_stamp_changes_with_what_is_written(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"ab")
    (found,) = sources.find([file])
    before = found.stamp()
    assert found.stamp() == before
    file.write_bytes(b"abc")
    assert found.stamp() != before
