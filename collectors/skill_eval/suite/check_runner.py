"""Runs one `check.py`: `python -I -S check_runner.py SCRIPT`, in the folder that is checked.

Only the standard library is used; the check finds the module `artefacts` beside this file. What the
script prints goes to standard error; its answer alone goes to standard output.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from pathlib import Path


def main() -> None:
    """Call `check(artefact)` of the script and write its answer."""
    answers = os.dup(1)
    os.dup2(2, 1)
    sys.path.insert(0, str(Path(__file__).parent))  # for `artefacts`
    answer = runpy.run_path(sys.argv[1])["check"](Path.cwd())
    os.write(answers, json.dumps(answer).encode())


if __name__ == "__main__":
    main()
