"""`python -m tests.fuzz.run [--minutes M] [--seed N]`: fuzz, then keep what is worth keeping."""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.covered import needed, reader_lines
from tests.fuzz.seeds import seeds

CORPUS = Path(__file__).parent / "corpus"
LONGEST = 60_000
SLOWEST = 60
"""Seconds of one case: more is a finding of libFuzzer's own, which ends the run."""


def main() -> int:
    """Return 1 when something was found, or the fuzzer ended early."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if find_spec("atheris") is None:
        sys.exit("fuzzing needs atheris: pip install atheris")
    before = [*CORPUS.iterdir()]
    with tempfile.TemporaryDirectory(prefix="benchdata-fuzz-") as name:
        folder = Path(name)
        for case in (*seeds(), *(file.read_bytes() for file in before)):
            (folder / _named(case)).write_bytes(case)
        code = _fuzz(folder, round(options.minutes * 60), options.seed)
        cases = [file.read_bytes() for file in folder.iterdir()]
    kept, seen = needed(cases)
    for file in CORPUS.glob("seed-*"):
        file.unlink()
    for case in kept:
        (CORPUS / f"seed-{_named(case)}").write_bytes(case)
    every = reader_lines()
    lines = every & {(file, line) for file, _, line in seen}
    found = {*CORPUS.glob("found-*")} - {*before}
    sys.stdout.write(
        f"{len(cases)} cases, of which {len(kept)} are kept ({sum(map(len, kept)):,} bytes)\n"
        f"{len(lines)} of {len(every)} lines of benchdata.rows; {len(found)} findings\n"
    )
    return int(code != 0 or len(found) > 0)


def _fuzz(folder: Path, seconds: int, seed: int) -> int:
    """Fuzz in another process, whose code is instrumented; what it reaches goes to `folder`."""
    libfuzzer = {
        "max_total_time": seconds,
        "seed": seed,
        "max_len": LONGEST,
        "len_control": 0,
        "keep_seed": 1,
        "use_counters": 0,  # how often a line runs is not worth a case of its own
        "entropic_scale_per_exec_time": 1,
        "timeout": SLOWEST,
        "report_slow_units": SLOWEST,
        "rss_limit_mb": 0,
        "print_final_stats": 1,
        "artifact_prefix": f"{CORPUS}/found-",
    }
    options = [f"-{option}={value}" for option, value in libfuzzer.items()]
    command = [sys.executable, "-m", "tests.fuzz.fuzzer", str(CORPUS), *options, str(folder)]
    # a thread for each processor only gets in its own way with files so small
    return subprocess.run(
        command, check=False, env=os.environ | {"POLARS_MAX_THREADS": "1"}
    ).returncode


def _named(case: bytes) -> str:
    return hashlib.sha256(case).hexdigest()[:12]


if __name__ == "__main__":
    sys.exit(main())
