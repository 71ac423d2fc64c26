"""Runs a command with stand-ins for what a collector of Jev Social needs.

    python -m tests.support.stand_ins [--socai FILE] [--decisions FILE] COMMAND...

For as long as the command runs, `socai` is a program that makes results up (so do not publish the
rows) and the decision server is a loopback one. FILE is a script for one of them, JSON as
`socai_stand_in` and `decision_server` describe it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.decision_server import Reply, Server, serving
from tests.support.socai_stand_in import COMMANDS, Script, install

UNHURRIED: Script = {"answers": [{"when": platform, "sleep": 0.3} for platform in COMMANDS]}
"""Long enough to be interrupted."""


@contextmanager
def stand_ins(
    folder: Path, socai: Script | None = None, decisions: Sequence[Reply] = ()
) -> Iterator[tuple[Server, dict[str, str]]]:
    """Yield the decision server and the variables that lead a collector to it and to `socai`.

    `folder/bin` gets the executable, `folder/home` is the home, `folder/tmp` the temporary folder
    and `folder/runs` where socai puts its media.
    """
    for name in ("home", "tmp", "runs"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    program = install(folder / "bin", socai)
    with serving(decisions) as server:
        yield (
            server,
            {
                "PATH": os.pathsep.join([str(program.parent), os.environ["PATH"]]),
                "HOME": str(folder / "home"),
                "TMPDIR": str(folder / "tmp"),
                "SOCAI_BIN": str(program),
                "SOCAI_RUNS_DIR": str(folder / "runs"),
                "JEV_SOCIAL_HOME": str(folder / "home" / ".jev-social"),
                "JEV_SOCIAL_SYSTEM_ONE_URL": server.url,
            },
        )


def main() -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.stand_ins")
    parser.add_argument("--socai", type=_script, default=UNHURRIED, metavar="FILE")
    parser.add_argument("--decisions", type=_script, default=[], metavar="FILE")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND...")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="stand-ins-") as folder,
        stand_ins(Path(folder), asked.socai, asked.decisions) as (_, variables),
    ):
        return _run(asked.command, os.environ | variables)


def _script(name: str) -> object:
    return json.loads(Path(name).read_bytes())


def _run(command: Sequence[str], variables: Mapping[str, str]) -> int:
    """Wait for a command; a key pressed to interrupt is for it, not for this program."""
    with subprocess.Popen(command, env=variables) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue


if __name__ == "__main__":
    sys.exit(main())
