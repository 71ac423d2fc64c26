"""Makes one attempt: a fresh folder, the agent, its turns judged, a row, and what shows it."""

from __future__ import annotations

import json
import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from collectors.build_bench import (
    attempt_rows,
    changes,
    prompts,
    references,
    rubric,
    scripts,
)
from collectors.build_bench.attempt_rows import Made
from collectors.build_bench.bench import Bench
from collectors.build_bench.evaluation import BROWSER_S
from collectors.build_bench.rows import Cell
from collectors.build_bench.rubric import Reader
from collectors.build_bench.snapshots import Snapshot
from collectors.build_bench.suites import pages
from collectors.build_bench.turns import Cut, Judge, Turns
from collectors.harness import attempt as attempts
from collectors.harness import folders, judging, schedule
from collectors.harness.agents.driver import Call
from collectors.harness.attempt import Execution, Setting
from collectors.harness.batches import JUDGE, RUNS
from collectors.harness.folders import FAULT, RunFolder, keep
from collectors.harness.running import Halt
from collectors.harness.schedule import Attempt
from collectors.harness.spans import Beginning

PROMPT, SCORED, RUBRIC, CHECKS = "prompt.md", "scored", "rubric.json", "browser.json"
TRACE, ROW, EXAMINED = "trace.jsonl", "row.json", "examined"
GIVEN_UP = ("infrastructure", "interrupted")
"""How the run of an agent ends that is not judged any more."""


@dataclass(frozen=True)
class Runner:
    """Makes the attempts of one batch; what it keeps of each lies in `folder`, for its owner."""

    bench: Bench
    suite_id: str
    seed: int
    folder: Path

    def __call__(self, due: schedule.Cell, attempt: Attempt, halt: Halt) -> Mapping[str, Any]:
        """Make an attempt and return its row, whatever happens."""
        cell, began = self.bench.cell(due), Beginning()
        kept = self.folder / RUNS / attempt.run_id
        made = folders.used(
            kept, lambda folder: self._attempted(cell, folder, halt), lambda _: Made()
        )
        row = attempt_rows.attempt_row(
            self.bench,
            cell,
            attempt,
            made,
            suite_id=self.suite_id,
            seed=self.seed,
            span=began.until_now(),
        )
        lines = attempt_rows.trace(self.bench, cell, attempt, made)
        keep(kept, TRACE, attempt_rows.lines(lines))
        keep(kept, ROW, json.dumps(row, indent=2) + "\n")
        return row

    def _attempted(self, cell: Cell, folder: RunFolder, halt: Halt) -> Made:
        """Let the agent work from what the task starts with, until it is green or at an end."""
        setting, starter = self._setting(cell), self.bench.starters[cell.lane.id]
        if cell.task.seed is not None:
            references.lay(cell.lane.id, cell.task.seed, folder.work)
        starter.link(folder.work)
        prompt = prompts.prompt(cell.task, cell.lane, self.bench.variant)
        keep(folder.root, PROMPT, prompt)
        judge = Judge(cell.task.suite, starter, setting.sandbox, halt)
        turns = Turns.of(folder.work, folder.root, judge)
        call = Call(prompt, self.bench.model, "agent")
        execution = attempts.run(call, setting, folder, on_turn=turns.over, halted=halt)
        if _is_to_be_judged(execution, turns):
            turns.end(execution.turns)
        made = Made(execution, turns, _added_lines(turns))
        if made.stop_cause in GIVEN_UP or turns.best is None or turns.best.snapshot is None:
            return made
        return self._examined(made, cell, folder, turns.best.snapshot, judge)

    def _setting(self, cell: Cell) -> Setting:
        """Return the setting of a lane: what of it the agent sees, and its programs."""
        starter, setting = self.bench.starters[cell.lane.id], self.bench.setting
        scripted = setting.driver.name == "scripted"
        return replace(
            setting,
            readable=starter.readable,
            path=starter.path,
            script=scripts.script(cell.task, cell.lane) if scripted else None,
        )

    def _examined(
        self, made: Made, cell: Cell, folder: RunFolder, scored: Snapshot, judge: Judge
    ) -> Made:
        """Keep what is scored, and decide on it what no turn waits for, while there is time."""
        scored.lay(folder.root / SCORED)
        examined = folder.scratch / EXAMINED
        try:
            found = rubric.examined(
                cell.task, scored, judge, examined, self._reader(cell, folder, judge)
            )
            made = replace(made, rubric=found)
            keep(folder.root, RUBRIC, json.dumps(found.told, indent=2) + "\n")
            if cell.task.browser is not None and pages.lacking() is None:
                checks = replace(judge, suite=cell.task.browser, seconds=BROWSER_S)
                checked = checks(scored, examined)
                made = replace(made, checked=checked)
                keep(folder.root, CHECKS, json.dumps(asdict(checked), indent=2) + "\n")
        except Cut:
            return made
        except Exception:  # noqa: BLE001 -- what the agent was paid for is not lost for our fault
            keep(folder.root, FAULT, traceback.format_exc())
        return made

    def _reader(self, cell: Cell, folder: RunFolder, judge: Judge) -> Reader | None:
        """Return the model that reads the sources, if one is named."""
        model = self.bench.judge_model
        if model is None:
            return None
        setting = replace(self._setting(cell), readable=(), path=(), max_turns=None)
        return Reader(model, judging.through(setting, folder.root / JUDGE, judge.halted))


def _is_to_be_judged(execution: Execution, turns: Turns) -> bool:
    """Tell whether the agent left something that was not judged at the end of a turn."""
    given_up = execution.outcome in GIVEN_UP or turns.cut
    return execution.stopped is None and not given_up and turns.green is None


def _added_lines(turns: Turns) -> int:
    """Return the source lines of the scoring turn beyond those that the agent was given."""
    if turns.best is None or turns.best.snapshot is None:
        return 0
    return changes.source_lines(turns.best.snapshot) - changes.source_lines(turns.seed)
