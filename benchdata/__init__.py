"""Strictly validated rows of agent benchmarks, and dated, reproducible reports from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchdata.dataset import Dataset, open  # noqa: A004 - read as benchdata.open

__version__ = "0.1.0"
__all__ = ["Dataset", "__version__", "open"]


def __getattr__(name: str) -> Any:
    """Import what reads rows when it is first asked for: the command line starts without it."""
    if name in {"Dataset", "open"}:
        from benchdata import dataset

        return getattr(dataset, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
