"""Writing a site: whole beside its place, then put there; nothing but a site is ever replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchdata import __version__
from benchdata.errors import InputError, ReportError, printable
from benchdata.reports.data import json_text
from benchdata.rows import scratch
from benchdata.site.entries import Entry
from benchdata.site.files import LARGEST_JSON, read, read_json
from benchdata.site.gathering import LeftOut, gather
from benchdata.site.pages import newest_first, pages

LISTING = "site.json"
SITE_VERSION = 1
UNFINISHED = ".benchdata-site-"


def publish(source: Path, out: Path, title: str, say: Callable[[str], None]) -> int:
    """Make the site of all that lies in `source`; return how much does not fit and is left out.

    `say` is told what that is, and why. A site that is in `out` is replaced once the new one is
    whole. The same input gives the same bytes.

    Raises:
        InputError: `out` is in the way, or lies within `source`, or the other way round.
        ReportError: There is nothing to list; `out` is as it was.
    """
    _refuse_overlap(source, out)
    _refuse_other(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with scratch.folder(out.parent, UNFINISHED) as work:
        left_out = _fill(work / "new", source, title, say)
        _put(work / "new", out, work / "before")
    return left_out


def _fill(site: Path, source: Path, title: str, say: Callable[[str], None]) -> int:
    """Write every file of the site below `site`; return how much was left out."""
    entries: dict[str, Entry] = {}  # by address: copies of a page have one
    left_out = 0
    for one in gather(source):
        if isinstance(one, LeftOut):
            say(str(one))
            left_out += 1
            continue
        entries[one.entry.address] = one.entry
        for name, content in one.content.items():
            _write(site / one.entry.folder / name, content)
    if not entries:
        raise ReportError(f"{source}: holds no report; make one with `benchdata report`")
    listed = newest_first(entries.values())
    for name, text in pages(listed, title).items():
        _write(site / name, text.encode())
    held = [Path(LISTING), *(name for name in _below(site) if (site / name).is_file())]
    _write(site / LISTING, json_text(_listing(listed, title, sorted(held))).encode())
    for item in (site, *site.rglob("*")):
        item.chmod(0o755 if item.is_dir() else 0o644)
    return left_out


def _refuse_overlap(source: Path, out: Path) -> None:
    """Raise InputError when one folder holds the other: the site would be made of itself."""
    inner, outer = source.resolve(), out.resolve()
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise InputError(f"{out}: put the site beside {source}, not into it or around it")


def _refuse_other(out: Path) -> None:
    """Raise InputError when something lies at `out` that is no site, or more than one."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise InputError(f"{out}: is no folder; name another with --out")
    if not out.exists() or not any(out.iterdir()):
        return
    held = _held(out)
    folders = {above for name in held for above in name.parents}
    if others := set(_below(out)) - held - folders:
        lost = printable(str(max(others)))  # a folder comes before what lies in it
        raise InputError(f"{out}: {lost} is not of the site; move it, or it would be lost")


def _held(site: Path) -> set[Path]:
    """Return every file that a site says it holds, relative to it, or raise InputError."""
    try:
        found = read_json(read(site / LISTING, LARGEST_JSON))
    except ReportError:
        found = None
    if not isinstance(found, dict) or found.get("siteVersion") != SITE_VERSION:
        raise InputError(f"{site}: is no site made by benchdata; name another folder with --out")
    files = found.get("files")
    if not isinstance(files, list) or not all(isinstance(name, str) for name in files):
        raise InputError(
            f"{site}: its {LISTING} does not list its files, so what is yours in there cannot be"
            " told; remove it, or name another folder with --out"
        )
    return set(map(Path, files))


def _below(folder: Path) -> Iterator[Path]:
    """Yield all that lies in a folder, links not followed, relative to it."""
    return (item.relative_to(folder) for item in folder.rglob("*"))


def _listing(listed: Sequence[Entry], title: str, held: Sequence[Path]) -> dict[str, Any]:
    """Return the site as data: its entries, and every file that it holds."""
    return {
        "siteVersion": SITE_VERSION,
        "benchdata": __version__,
        "title": title,
        "entries": [
            {
                "date": entry.date,
                "contract": entry.contract,
                "template": entry.template,
                "title": entry.title,
                "firstLines": list(entry.header.lines),
                "gate": entry.gate,
                "kind": entry.kind,
                "labels": [label.name for label in entry.header.labels],
                "rows": entry.rows,
                "digests": list(entry.digests),
                "address": entry.address,
            }
            for entry in listed
        ],
        "files": [str(name) for name in held],
    }


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def _put(new: Path, out: Path, before: Path) -> None:
    """Let a whole site take the place of `out`; what was there goes to `before`."""
    _refuse_other(out)  # it may have become something else meanwhile
    if out.exists():
        out.rename(before)
    try:
        new.rename(out)
    except OSError:
        if before.exists():
            before.rename(out)
        raise
