"""Strictly validated rows of agent benchmarks, and dated, reproducible reports from them."""

__version__ = "0.1.0"
