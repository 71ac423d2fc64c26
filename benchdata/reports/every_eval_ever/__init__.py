"""Rows as Every Eval Ever 0.3 documents: scores with intervals, and a line a scored run."""

from benchdata.reports.every_eval_ever.files import write
from benchdata.reports.every_eval_ever.publishers import Publisher

__all__ = ["Publisher", "write"]
