"""The process that fuzzes: `python -m tests.fuzz.fuzzer FOUND [libFuzzer's option ...] CORPUS`."""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

WATCHED = ["benchdata.rows", "benchdata.contracts", "benchdata.engine.select"]

with atheris.instrument_imports(include=WATCHED):
    from tests.fuzz.findings import Findings
    from tests.fuzz.mutator import mutate


def _mutated(case: bytes, longest: int, seed: int) -> bytes:
    return mutate(case, longest, seed, atheris.Mutate)


if __name__ == "__main__":
    program, found, *options = sys.argv
    atheris.Setup([program, *options], Findings(Path(found)).look, custom_mutator=_mutated)
    atheris.Fuzz()
