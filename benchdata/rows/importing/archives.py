"""Zip archives from anywhere: each member read into memory up to a bound, whatever it claims."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from benchdata.errors import InputError
from benchdata.rows.importing.files import LARGEST, TOO_LARGE, opened
from benchdata.rows.importing.names import shown

ZSTANDARD = 93
LOCAL_HEADER = 30
"""Bytes before a member's name in its own header."""
LENGTHS = slice(26, 30)
"""Where in it the lengths of the name and of what follows the name stand."""
MOST_MEMBERS = 500_000
DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error, pa.ArrowException),
    *(EOFError, OSError, NotImplementedError, RuntimeError, ValueError),
)


class Archive:
    """An open archive: its members by name."""

    def __init__(self, file: BinaryIO, zipped: zipfile.ZipFile) -> None:
        """Keep the open file too: `zipfile` does not know every method of packing."""
        self._file = file
        self._zipped = zipped

    def names(self) -> list[str]:
        """Return the names of the members, in order."""
        return self._zipped.namelist()

    def read(self, name: str) -> bytes:
        """Return the bytes of a member.

        Raises:
            InputError: It is damaged, larger than `LARGEST`, locked or packed in an unknown way.
        """
        try:
            data = self._unpacked(self._zipped.getinfo(name))
        except DAMAGED as error:
            raise InputError(f"cannot be unpacked: {error}") from None
        if len(data) > LARGEST:
            raise InputError(TOO_LARGE)
        return data

    def _unpacked(self, info: zipfile.ZipInfo) -> bytes:
        """Return the bytes of a member, of one that is larger than it may be enough to show it."""
        most = min(info.file_size, LARGEST) + 1
        if info.compress_type != ZSTANDARD:
            with self._zipped.open(info) as member:
                return member.read(most)
        with pa.CompressedInputStream(io.BytesIO(self._packed(info)), "zstd") as stream:
            data = bytes(stream.read(most))
        if len(data) <= LARGEST and zlib.crc32(data) != info.CRC:
            raise zipfile.BadZipFile("its checksum differs")
        return data

    def _packed(self, info: zipfile.ZipInfo) -> bytes:
        """Return a member as it lies in the archive."""
        self._file.seek(info.header_offset)
        header = self._file.read(LOCAL_HEADER)
        if len(header) < LOCAL_HEADER or not header.startswith(b"PK\3\4"):
            raise zipfile.BadZipFile("its header is damaged")
        self._file.seek(sum(struct.unpack("<HH", header[LENGTHS])), io.SEEK_CUR)
        return self._file.read(min(info.compress_size, LARGEST))


@contextmanager
def archive(path: Path) -> Iterator[Archive]:
    """Yield an open archive.

    Raises:
        InputError: The file cannot be read or is no zip archive of a likely size, or two members
            have one name; the caller says which file it is.
    """
    with opened(path) as file:
        try:
            zipped = zipfile.ZipFile(file)
        except DAMAGED as error:
            raise InputError(f"is no whole zip archive: {error}") from None
        with zipped:
            if len(zipped.infolist()) > MOST_MEMBERS:
                raise InputError(f"has more than {MOST_MEMBERS:,} members")
            ((name, count),) = Counter(zipped.namelist()).most_common(1) or [("", 0)]
            if count > 1:
                raise InputError(f"has {count:,} members named {shown(name)}")
            yield Archive(file, zipped)
