"""Files and archives from anywhere: bounded, regular, whole, or refused with a reason."""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections import Counter
from pathlib import Path

import pytest
import zstandard

from benchdata.errors import InputError
from benchdata.rows.importing import archives, files

SMALL = 1_000


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    for module in (files, archives):
        monkeypatch.setattr(module, "LARGEST", SMALL)
    return SMALL


def zstandard_zip(name: str, data: bytes, *, crc: int | None = None, cut: int = 0) -> bytes:
    """Return an archive of one member that is packed by method 93, in two frames."""
    half = len(data) // 2
    packed = zstandard.compress(data[:half]) + zstandard.compress(data[half:])
    packed = packed[: len(packed) - cut]
    sums = struct.pack("<LLL", zlib.crc32(data) if crc is None else crc, len(packed), len(data))
    head = struct.pack("<HHHHH", 63, 0, archives.ZSTANDARD, 0, 0)
    local = b"PK\3\4" + head + sums + struct.pack("<HH", len(name), 4) + name.encode() + b"\0" * 4
    entry = (
        b"PK\1\2" + b"\x3f\0" + head + sums + struct.pack("<HHHHHLL", len(name), 0, 0, 0, 0, 0, 0)
    )
    entry += name.encode()
    at = len(local) + len(packed)
    return (
        local + packed + entry + struct.pack("<4s4HLLH", b"PK\5\6", 0, 0, 1, 1, len(entry), at, 0)
    )


def zipped(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def member(path: Path, name: str = "a.json") -> bytes:
    with archives.archive(path) as archive:
        return archive.read(name)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_a_member_is_unpacked(tmp_path: Path, method: int) -> None:
    data = b'{"a": 1}' * 100
    assert member(zipped(tmp_path / "a.eval", {"a.json": data}, method)) == data


def test_so_is_one_of_zstandard(tmp_path: Path) -> None:
    data = b'{"a": 1}' * 10_000
    path = tmp_path / "a.eval"
    path.write_bytes(zstandard_zip("a.json", data))
    assert member(path) == data


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no whole zip archive"),
        (b"PK\3\4 and then nothing", "is no whole zip archive"),
        (zstandard_zip("a.json", b"{}" * 99)[:-40], "is no whole zip archive"),
        (zstandard_zip("a.json", b"{}" * 99, crc=1), "cannot be unpacked: its checksum"),
        (zstandard_zip("a.json", b"{}" * 99, cut=5), "cannot be unpacked: "),
        (b"X" + zstandard_zip("a.json", b"{}")[1:], "cannot be unpacked: its header"),
        (
            zstandard_zip("a.json", b"{}").replace(b"\x5d\0", b"\x62\0"),
            "cannot be unpacked: ",
        ),
    ],
)
def test_a_damaged_archive_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        member(path)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize("size", [SMALL, SMALL + 1])
def test_nothing_is_unpacked_beyond_the_bound(tmp_path: Path, size: int, small: int) -> None:
    plain, newer = zipped(tmp_path / "a.eval", {"a.json": b" " * size}), tmp_path / "b.eval"
    newer.write_bytes(zstandard_zip("a.json", b" " * size))
    for path in (plain, newer):
        if size == small:
            assert len(member(path)) == size
        else:
            with pytest.raises(InputError, match="is larger than"):
                member(path)


def test_a_bomb_costs_no_more_than_the_bound(tmp_path: Path, small: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", b" " * 9_000_000)
    path = tmp_path / "a.eval"
    lying = packed.getvalue().replace(struct.pack("<L", 9_000_000), struct.pack("<L", small))
    path.write_bytes(lying)
    with pytest.raises(InputError, match=r"is larger than|cannot be unpacked"):
        member(path)


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 2)
    path = zipped(tmp_path / "a.eval", dict.fromkeys("abc", b""))
    with pytest.raises(InputError, match="has more than 2 members"):
        member(path)


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.eval", {"a.json": b"{}", "b.json": b"[]"})
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("b.json", b"{}")
    with pytest.raises(InputError, match=r"^has 2 members named b\.json$"):
        member(path)
    assert member(zipped(tmp_path / "b.eval", {"a.json": b"{}"})) == b"{}"


def test_only_regular_files_of_a_bounded_size_are_read(tmp_path: Path, small: int) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b" " * (small + 1))
    (tmp_path / "good").write_bytes(b" " * small)
    for name, words in (("pipe", "is no regular file"), ("large", "is larger"), ("x", "No such")):
        with pytest.raises(InputError, match=words):
            files.content(tmp_path / name)
    with pytest.raises(InputError, match="is no regular file"):
        files.content(tmp_path)
    assert files.content(tmp_path / "good") == b" " * small


def test_links_and_hidden_files_of_a_folder_are_passed_over(tmp_path: Path) -> None:
    for name in ("b/x.json", "a/x.json", ".git/x.json", "a/y.txt", "a/.x.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "c").symlink_to(tmp_path, target_is_directory=True)
    linked = tmp_path / "b" / "z.json"
    linked.symlink_to(tmp_path / "a" / "x.json")
    left: Counter[str] = Counter()
    found = [*files.under(tmp_path, (".json",), left)]
    assert found == [tmp_path / "a" / "x.json", tmp_path / "b" / "x.json"]
    assert left == {files.LINK: 2}
    assert [*files.under(linked, (".json",), left)] == [linked]
