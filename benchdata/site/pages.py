"""The pages of the site as text: the index of everything, and one page a benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from markupsafe import Markup

from benchdata import __version__
from benchdata.errors import counted
from benchdata.numbers import MISSING
from benchdata.reports.document import STYLE, asset, drawn, script_json
from benchdata.reports.notices import PROOF
from benchdata.site.entries import Entry
from benchdata.site.numbers import Numbers

INDEX = "index.html"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """All entries of one contract, the newest first."""

    contract: str
    entries: tuple[Entry, ...]

    @property
    def address(self) -> str:
        """Return the address of its page, relative to the top of the site."""
        return self.entries[0].benchmark

    @property
    def latest(self) -> tuple[Entry, ...]:
        """Return the newest entry of every template, the newest first."""
        first: dict[str, Entry] = {}
        for entry in self.entries:
            first.setdefault(entry.template, entry)
        return tuple(first.values())

    @property
    def history(self) -> tuple[tuple[Entry, Numbers], ...]:
        """Return the entries that have headline numbers, with them."""
        return tuple((entry, entry.numbers) for entry in self.entries if entry.numbers)


@dataclass(frozen=True, slots=True)
class Filter:
    """One thing that the index can be narrowed by: its values, each with how many entries."""

    name: str
    label: str
    values: tuple[tuple[str, int], ...]


FILTERS: Mapping[str, tuple[str, Callable[[Entry], str]]] = {
    "contract": ("Contract", lambda entry: entry.contract),
    "template": ("Template", lambda entry: entry.template),
    "gate": ("Gate", lambda entry: entry.gate),
    "rows": ("Rows", lambda entry: entry.kind),
}


def pages(listed: Sequence[Entry], title: str) -> dict[str, str]:
    """Return every page of a site by its address: the same text for the same entries.

    There must be one entry at least, and the newest come first.
    """
    benchmarks = _benchmarks(listed)
    found = {INDEX: _index(listed, benchmarks, title)}
    for benchmark in benchmarks:
        found[benchmark.address] = _benchmark(benchmark, benchmarks, title)
    return found


def newest_first(entries: Iterable[Entry]) -> list[Entry]:
    """Return entries by date, the newest first; those of a day by contract and template."""
    named = sorted(entries, key=lambda one: (one.contract, one.template, one.address))
    return sorted(named, key=lambda one: one.date, reverse=True)


def _benchmarks(listed: Sequence[Entry]) -> list[Benchmark]:
    contracts = sorted({entry.contract for entry in listed})
    return [
        Benchmark(name, tuple(entry for entry in listed if entry.contract == name))
        for name in contracts
    ]


def _index(listed: Sequence[Entry], benchmarks: Sequence[Benchmark], title: str) -> str:
    months = groupby(listed, key=lambda entry: entry.date[:7])
    proof = all(entry.synthetic for entry in listed)
    return drawn(
        "site/index.html.j2",
        title=title,
        style=_style(),
        scripts=[asset("site/site.js")],
        top="",
        lead=_lead(listed, benchmarks),
        banners=[PROOF.split(": ", 1)] if proof else [],
        benchmarks=benchmarks,
        here=None,
        total=counted(len(listed), "page"),
        filters=[_filter(name, listed) for name in FILTERS],
        values={name: value for name, (_, value) in FILTERS.items()},
        dates=(listed[-1].date, listed[0].date),
        month_name=_month_name,
        months=[(month, list(group)) for month, group in months],
        words=Markup(script_json([" ".join((*one.words, *one.digests)) for one in listed])),
        version=__version__,
    )


def _benchmark(benchmark: Benchmark, benchmarks: Sequence[Benchmark], title: str) -> str:
    return drawn(
        "site/benchmark.html.j2",
        title=f"{benchmark.contract} · {title}",
        style=_style(),
        top="../",
        site=title,
        benchmark=benchmark,
        benchmarks=benchmarks,
        here=benchmark,
        boards=any(numbers.leaders for _, numbers in benchmark.history),
        leaders=_leaders,
        bar=_bar,
        version=__version__,
    )


def _lead(listed: Sequence[Entry], benchmarks: Sequence[Benchmark]) -> str:
    reports = sum(entry.numbers is not None for entry in listed)
    parts = [counted(reports, "report")] if reports else []
    if rest := len(listed) - reports:
        parts.append(counted(rest, "summary page"))
    of = counted(len(benchmarks), "benchmark")
    return f"{' and '.join(parts)} of {of}, the latest of {listed[0].date}."


def _filter(name: str, listed: Sequence[Entry]) -> Filter:
    label, value = FILTERS[name]
    return Filter(name, label, tuple(sorted(Counter(map(value, listed)).items())))


def _month_name(month: str) -> str:
    """Return `March 2026` for `2026-03`."""
    return date.fromisoformat(f"{month}-01").strftime("%B %Y")


def _leaders(numbers: Numbers) -> str:
    """Return the arms that may be the best: `A or B` on one board, a semicolon between boards."""
    return "; ".join(" or ".join(arms) for arms in numbers.leaders) or MISSING


def _bar(numbers: Numbers) -> list[tuple[str, float, float]]:
    """Return the parts of a bar that is 100 wide: what each is, where it begins, how wide it is."""
    parts, start = [], 0.0
    for name in ("success", "partial"):
        width = 100 * getattr(numbers, name) / numbers.scored if numbers.scored else 0
        parts.append((name, round(start, 2), round(width, 2)))
        start += width
    return parts


def _style() -> str:
    return asset(STYLE) + asset("site/site.css")
