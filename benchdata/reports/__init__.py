"""Reports: summaries, executed notebooks, one offline page, a folder that is never rewritten."""

from benchdata.reports.report import open_report

__all__ = ["open_report"]
