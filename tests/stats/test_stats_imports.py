"""The statistics package loads without scipy.stats, which costs most of a second."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_no_module_of_the_package_loads_scipy_stats(root: Path) -> None:
    names = sorted(path.stem for path in (root / "benchdata" / "stats").glob("[!_]*.py"))
    program = (
        f"import importlib, sys\nfor name in {names}:"
        " importlib.import_module('benchdata.stats.' + name)\n"
        "print('scipy.stats' in sys.modules, 'statsmodels' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["False", "False"], done.stderr
