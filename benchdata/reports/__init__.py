"""Reports: summaries, executed notebooks, one offline page, a folder that is never rewritten."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchdata.startup import GRAMMARS, without

if TYPE_CHECKING:
    from benchdata.reports.subjects.build_bench import open_build_bench
    from benchdata.reports.subjects.compare import open_compare
    from benchdata.reports.subjects.conformance import open_conformance
    from benchdata.reports.subjects.history import open_history
    from benchdata.reports.subjects.rows import open_report
    from benchdata.reports.subjects.skill_leaderboard import open_skill_leaderboard
    from benchdata.reports.subjects.visual_judge import open_visual_judge

__all__ = [
    "open_build_bench",
    "open_compare",
    "open_conformance",
    "open_history",
    "open_report",
    "open_skill_leaderboard",
    "open_visual_judge",
]
ROWS = "rows"


def __getattr__(name: str) -> Any:
    """Import what draws when it is first asked for: a summary needs no charts."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    subject = ROWS if name == "open_report" else name.removeprefix("open_")
    with without(GRAMMARS):
        return getattr(import_module(f"benchdata.reports.subjects.{subject}"), name)
