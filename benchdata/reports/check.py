"""Checking a report: make it again from the same rows and say what is not the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchdata.dataset.datasheets import DATASHEET, REVIEW
from benchdata.errors import ReportError
from benchdata.reports import run, templates
from benchdata.reports.manifest import MANIFEST, MEANS, SUMMARY, read
from benchdata.rows import scratch, sources
from benchdata.rows.sources import Input

# Files of which another version of benchdata makes the same bytes too.
NUMBERS = {SUMMARY}


@dataclass(frozen=True, slots=True)
class Difference:
    """What is not as it was reported, and what another version of benchdata may have changed."""

    wrong: tuple[str, ...]
    unsure: tuple[str, ...] = ()


def check(
    report: Path,
    files: Sequence[str],
    contract: str | None,
    say: Callable[[str], None],
    template: str | None = None,
) -> Difference:
    """Return how a report made again from `files` differs from the one in the folder `report`.

    Inputs are matched to those of the manifest by digest, and read by the names they had then.
    `contract` and `template` say where a contract lies that is not registered, and a notebook that
    is not shipped. Raises ReportError when the folder is no report.
    """
    manifest = read(report)
    inputs = sources.find(files)
    had = [one["digest"] for one in manifest["inputs"]]
    have = [one.digest() for one in inputs]
    if sorted(had) != sorted(have):
        missing = [one["name"] for one in manifest["inputs"] if one["digest"] not in have]
        extra = [one.label for one, digest in zip(inputs, have, strict=True) if digest not in had]
        told = [f"{name}: no input has its digest" for name in missing]
        told += [f"{label}: was not read for this report" for label in extra]
        return Difference(tuple(told) or ("an input was read another number of times",))
    with scratch.spool() as folder:
        what = run.order(
            template or _shipped(manifest["template"]),
            _named_as_then(zip(inputs, have, strict=True), manifest["inputs"], folder),
            contract=contract or _contract(manifest),
            as_of=manifest["asOf"],
            accept_rejects=manifest["acceptRejects"],
            parameters=manifest["parameters"],
        )
        again = folder / "again"
        run.fill(what, again, say)
        return _compared(report, again, say)


def _contract(manifest: Mapping[str, Any]) -> str | None:
    """Return the contract of all rows; None of several, for each is recognised from its rows."""
    several = len({one.get("contract") for one in manifest["inputs"]}) > 1
    return None if several else manifest["contract"]


def _shipped(template: str) -> str:
    """Return the name of a template that ships, or raise ReportError with what to do."""
    try:
        return templates.find(template).name
    except ReportError as error:
        raise ReportError(f"{error}; name its notebook before the FILEs") from None


def _named_as_then(
    inputs: Iterable[tuple[Input, str]], then: Sequence[Mapping[str, Any]], folder: Path
) -> list[Path]:
    """Return links to inputs of these digests by their names in the manifest, notes beside them."""
    inputs = list(inputs)
    names: dict[str, list[str]] = {}
    for one in then:
        names.setdefault(one["digest"], []).append(one["name"])
    folders = sorted({source.path.parent.resolve() for source, _ in inputs})
    links = []
    for source, digest in inputs:
        called = names[digest]
        name = called.pop(called.index(source.name) if source.name in called else 0)
        place = folder / f"{folders.index(source.path.parent.resolve()):04}"
        while (place / name).is_symlink():  # inputs of one name lay in folders of their own
            place = place.with_name(f"{place.name}+")
        place.mkdir(exist_ok=True)
        (place / name).symlink_to(source.path.absolute())
        links.append(place / name)
        for file, called_then in _notes(source.path, name):
            if not (place / called_then).is_symlink():
                (place / called_then).symlink_to(file)
    return links


def _notes(path: Path, name: str) -> Iterator[tuple[Path, str]]:
    """Yield what is read beside the rows at `path`, and how it is called beside rows of `name`."""
    for file in path.parent.resolve().iterdir():
        if file.name in {DATASHEET, REVIEW}:
            yield file, file.name
        elif file.name.startswith(f"{path.name}.") and file.suffix == ".json":
            yield file, name + file.name.removeprefix(path.name)


def _compared(report: Path, again: Path, say: Callable[[str], None]) -> Difference:
    """Return what differs between two reports of the same rows under the same names.

    Of a report by another version only the numbers and what the manifest says of them count.
    """
    had, has = read(report), read(again)
    other = had["benchdata"] != has["benchdata"]
    explained = MEANS.keys() if other else set()
    for name in (name for name in MEANS if name in explained and had[name] != has[name]):
        say(f"made with another {MEANS[name]}: {had[name]}, it is {has[name]} now")
    differing = [
        name for name in _names(report, again) if _bytes(report, name) != _bytes(again, name)
    ]
    keys = [key for key in sorted({*had, *has}) if had.get(key) != has.get(key)]
    wrong = [f"{MANIFEST}: {key}" for key in keys if key not in explained]
    wrong += [name for name in differing if name in NUMBERS or not other]
    if keys and MANIFEST in wrong:
        wrong.remove(MANIFEST)  # its keys say more
    unsure = [name for name in differing if name not in {*NUMBERS, MANIFEST}] if other else []
    return Difference(tuple(wrong), tuple(unsure))


def _names(*folders: Path) -> list[str]:
    """Return the names of the files in any of the folders."""
    found = ((file, folder) for folder in folders for file in folder.rglob("*"))
    return sorted({str(file.relative_to(folder)) for file, folder in found if file.is_file()})


def _bytes(folder: Path, name: str) -> bytes | None:
    file = folder / name
    return file.read_bytes() if file.is_file() else None
