"""SHA-256 digests of files by name: what a row pins is named by them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path


def digest(files: Mapping[str, bytes]) -> str:
    """Return the digest of named contents, whatever their order."""
    total = hashlib.sha256()
    for name in sorted(files):
        total.update(f"{name}\0{len(files[name])}\0".encode())
        total.update(files[name])
    return total.hexdigest()


def contents(paths: Iterable[Path]) -> dict[str, bytes]:
    """Return the contents of files of different names."""
    return {path.name: path.read_bytes() for path in paths}
