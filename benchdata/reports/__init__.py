"""Reports: summaries, executed notebooks, one offline page, a folder that is never rewritten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchdata.reports.report import open_report

__all__ = ["open_report"]


def __getattr__(name: str) -> Any:
    """Import what draws when it is first asked for: a summary needs no charts."""
    if name == "open_report":
        from benchdata.reports.report import open_report

        return open_report
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
