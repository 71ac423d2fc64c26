"""`python -m benchdata`, the same as the command `benchdata`."""

from __future__ import annotations

from benchdata.cli import main

main()
