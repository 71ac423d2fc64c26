"""Runs one grading script: `python -I script_runner.py SCRIPT DESCRIPTOR`, the question on stdin.

Only the standard library is used. What the script prints goes nowhere; its verdict goes to the
descriptor.
"""

from __future__ import annotations

import json
import os
import runpy
import sys


def main() -> None:
    """Call `grade(expected, output)` of the script and write its verdict."""
    script, descriptor = sys.argv[1:]
    question = json.load(sys.stdin)
    verdict = runpy.run_path(script)["grade"](question["expected"], question["output"])
    with os.fdopen(int(descriptor), "w") as file:
        json.dump(verdict, file)


if __name__ == "__main__":
    main()
