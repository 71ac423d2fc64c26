"""`python -m tests.calibration.run`: run every scenario and mutant, write docs/calibration.md."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.calibration import page, suite
from tests.calibration.mutants import SETS, mutants
from tests.calibration.scenario import measured

PAGE = Path(__file__).resolve().parents[2] / "docs" / "calibration.md"


def main() -> int:
    """Write the page; return 1 when a scenario does not hold or a mutant is not caught."""
    scenarios, wrong = suite.scenarios(), [*mutants()]
    with ProcessPoolExecutor() as pool:
        results = [*pool.map(measured, scenarios)]
        caught = [*pool.map(measured, [each.mutated for each in wrong], [SETS] * len(wrong))]
    PAGE.write_text(page.document(results, [*zip(wrong, caught, strict=True)]), "utf-8")
    failed = [found.scenario.name for found in results if not found.holds]
    failed += [mutant.name for mutant, found in zip(wrong, caught, strict=True) if found.holds]
    answer = "\n".join(failed) or f"{len(results)} scenarios hold, {len(wrong)} wrong rules do not"
    sys.stdout.write(f"{answer}\n")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
