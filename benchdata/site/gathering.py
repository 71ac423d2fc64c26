"""From a folder to what can be listed: every item is checked, and what does not fit is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from benchdata.contracts.naming import SLUG
from benchdata.errors import InputError, ReportError, printable, shorten
from benchdata.reports.manifest import (
    MANIFEST,
    NOTEBOOK,
    PAGE,
    SUMMARY,
    SUMMARY_TEXT,
    checked,
    folder_name,
)
from benchdata.reports.notices import INCOMPLETE, NO_GATE, SYNTHETIC
from benchdata.site.entries import Entry, address_word, digest
from benchdata.site.files import LARGEST_JSON, LARGEST_PAGE, read, read_json
from benchdata.site.headers import Header, header
from benchdata.site.numbers import Numbers, first_fault, numbers

FILES: Mapping[str, int] = {
    PAGE: LARGEST_PAGE,
    NOTEBOOK: LARGEST_PAGE,
    SUMMARY_TEXT: LARGEST_JSON,
    SUMMARY: LARGEST_JSON,
    MANIFEST: LARGEST_JSON,
}
"""The files of a report that the site has, and how large each may be; its page has the charts."""

LEADERBOARDS = "leaderboards"
REPORTS = "reports"
PAGE_SUFFIX = ".html"


@dataclass(frozen=True, slots=True)
class Found:
    """An entry and the bytes of its files by name."""

    entry: Entry
    content: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An item of the folder that is not listed, and why."""

    name: str
    reason: str

    def __str__(self) -> str:
        """Give `NAME: reason` on one line."""
        return printable(f"{self.name}: {self.reason}")


class _Facts(BaseModel):
    """What the page of a summary says of itself."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, strict=True)

    summary_version: Annotated[int, Field(ge=1, le=1)]
    contract: str
    as_of: str
    rows: Annotated[int, Field(ge=0)]
    digest: str
    leaderboards: Annotated[int, Field(ge=0)]


def gather(source: Path) -> Iterator[Found | LeftOut]:
    """Yield what lies in a folder, in the order of names: reports and pages of summaries.

    Hidden items and files that are no HTML are nobody's business. Raises InputError when there is
    no such folder.
    """
    if not source.is_dir():
        raise InputError(f"{source}: is no folder; name the one that holds your reports")
    for item in sorted(source.iterdir()):
        note = item.is_file() and not item.is_symlink() and item.suffix != PAGE_SUFFIX
        if note or item.name.startswith("."):
            continue
        try:
            yield _summary_page(item) if item.suffix == PAGE_SUFFIX else _report(item)
        except ReportError as error:
            yield LeftOut(item.name, str(error))


def _report(folder: Path) -> Found:
    """Return the report in a folder, or raise ReportError with the first thing that is wrong."""
    if folder.is_symlink():
        raise ReportError("is a link; move the folder itself here")
    stated = _part(folder, MANIFEST)
    with _naming(MANIFEST):
        manifest = checked(read_json(stated))
    if folder_name(manifest) != folder.name:
        raise ReportError(f"{MANIFEST} has been changed: the folder's name is not of its digest")
    if not folder.name.isprintable():
        raise ReportError("its name can be no address")
    content = {name: _part(folder, name) for name in FILES}
    with _naming(PAGE):
        top = header(content[PAGE])
    with _naming(SUMMARY):
        found = numbers(read_json(content[SUMMARY]))
        _compare(found, manifest, top)
    inputs = manifest["inputs"]
    entry = Entry(
        date=_day(manifest["asOf"]),
        contract=manifest["contract"],
        template=manifest["template"],
        folder=f"{REPORTS}/{folder.name}",
        files=tuple(FILES),
        header=top,
        rows=found.rows,
        digests=tuple(sorted({one["digest"] for one in inputs})),
        words=(*found.words, *(one["name"] for one in inputs)),
        numbers=found,
    )
    return Found(entry, content)


def _part(folder: Path, name: str) -> bytes:
    """Return a file of a report, or raise ReportError, which names it."""
    with _naming(name):
        return read(folder / name, FILES[name])


def _compare(found: Numbers, manifest: Mapping[str, Any], top: Header) -> None:
    """Raise ReportError when the summary is not of the rows that manifest and page are about."""
    labels = {label.name for label in top.labels}
    if found.contract not in [one.get("contract") for one in manifest["inputs"]]:
        raise ReportError(f"is of a contract that no input has in {MANIFEST}")
    if found.rows != manifest.get("rows"):
        raise ReportError(f"counts {found.rows:,} rows, and {MANIFEST} other ones")
    if found.publishable == bool(labels & {INCOMPLETE, NO_GATE}) or (
        found.synthetic and SYNTHETIC not in labels
    ):
        raise ReportError(f"does not say of the rows what {PAGE} does")


def _day(text: str) -> str:
    """Return a date in ISO form, or raise ReportError."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ReportError("its as-of date is no date") from None


@contextmanager
def _naming(file: str) -> Iterator[None]:
    """Put the name of the file at fault before what a ReportError says."""
    try:
        yield
    except ReportError as error:
        raise ReportError(f"{file}: {error}") from None


def _summary_page(file: Path) -> Found:
    """Return the page of a summary, or raise ReportError with what is wrong."""
    content = read(file, LARGEST_PAGE)
    top = header(content)
    if not top.facts:
        raise ReportError("is no page of `benchdata summarize --format html`")
    try:
        facts = _Facts.model_validate(read_json(top.facts.encode()))
    except ValidationError as error:
        raise ReportError(f"its facts are not right: {first_fault(error)}") from None
    if not SLUG.fullmatch(facts.contract):
        raise ReportError(f"its contract is called as none can be: {shorten(facts.contract, 40)}")
    day = _day(facts.as_of)
    page = f"{day}-{address_word(facts.contract)}-{digest(content, 8)}{PAGE_SUFFIX}"
    entry = Entry(
        date=day,
        contract=facts.contract,
        template="leaderboard" if facts.leaderboards else "summary",
        folder=LEADERBOARDS,
        files=(page,),
        header=top,
        rows=facts.rows,
        digests=(facts.digest,),
        words=(),
        numbers=None,
    )
    return Found(entry, {page: content})
