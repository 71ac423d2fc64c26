"""What `screen`, `heldout`, `judge` and `check` do once their flags are read."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchdata.contracts.grammar import Stage
from benchdata.errors import ANSWER_IS_NO, BenchdataError, counted
from collectors.harness import stage_file, user_settings
from collectors.harness.batches import refuse_inside, told
from collectors.harness.command_line import DECLINED
from collectors.harness.failures import NotBegun
from collectors.harness.plan import confirmed
from collectors.harness.progress import Progress, tell
from collectors.harness.signals import Stop
from collectors.harness.stages import ROWS
from collectors.skill_eval.benchmark import NAME
from collectors.skill_eval.commands import WITH_ERRORS
from collectors.skill_eval.execution import failed
from collectors.skill_eval.judge.judge import Judge
from collectors.skill_eval.judge.resolving import resolve as judge_of
from collectors.skill_eval.stages import (
    attempts_given,
    binding,
    checking,
    judge_plan,
    judged,
    judgments,
    screened,
    stage,
)
from collectors.skill_eval.stages.binding import JUDGE, PINNED, REPEATS, Asked
from collectors.skill_eval.stages.judging import Judging
from collectors.skill_eval.stages.judgments import Judgments, Wanted
from collectors.skill_eval.stages.pins import Pins, refuse_changes
from collectors.skill_eval.stages.renders import Renders
from collectors.skill_eval.stages.staged import Staged
from collectors.skill_eval.suite.suite import Suite


def screen(given: argparse.Namespace) -> int:
    """Run a skill and no skill on the tasks of a suite."""
    asked = asked_of(given, "screen")
    return carry_out(binding.skilled(asked, given.skill, os.environ), given)


def heldout(given: argparse.Namespace) -> int:
    """Run the skill of a screen on tasks that it never saw."""
    asked = asked_of(given, "heldout")
    before = screened.read(given.screen)
    return carry_out(binding.held_out(asked, given.skill, before, os.environ), given)


def asked_of(given: argparse.Namespace, name: Stage) -> Asked:
    """Return the stage that some flags ask for; one that was begun has what they do not name.

    Raises:
        BenchdataError: The folder holds another stage.
    """
    begun = stage_file.read(given.out)
    spec = begun.experiment.spec if begun else {}
    if begun and spec.get("stage") != name:
        raise BenchdataError(
            f"{given.out}: this folder holds a {spec.get('stage') or 'benchmark'}, and this is a"
            f" {name}; give another --out"
        )
    pinned = {flag: getattr(given, flag) or spec.get(flag) for flag in PINNED}
    return Asked(name, given.suite, REPEATS[name], concurrency=given.concurrency, **pinned)


def carry_out(staged: Staged, given: argparse.Namespace) -> int:
    """Show the plan of a stage, run what is due of it after a yes, and return the exit code.

    Raises:
        BenchdataError: It cannot be run, what its runs need does not answer, or nobody can be
            asked.
    """
    folder: Path = given.out
    seed = stage.seed_of(folder, given.seed)
    batch = stage.batch(staged, folder, seed)
    due = batch.due()
    if not confirmed(staged.shown(due, seed), yes=given.yes):
        tell("Nothing was run.")
        return DECLINED
    for arm in staged.arms if due else ():
        arm.tried()
    try:
        with Stop() as stop:
            account = batch.execute(stop=stop, progress=Progress(NAME))
    except NotBegun as fault:
        tell(f"stopped: {fault}; mend that, then run the same command again: no run is spent on it")
        return WITH_ERRORS
    told(account)
    if not (folder / ROWS).exists():
        return account.code
    for amiss in filter(None, (stage.first_lost(folder), stage.first_unchecked(folder))):
        tell(amiss)
    tell(f"Rows: {folder / ROWS}")
    return account.code or (WITH_ERRORS if failed(folder / ROWS) else 0)


def judge(given: argparse.Namespace) -> int:
    """Get a verdict on everything that the runs of some stages left."""
    suite = binding.suite_of(given.suite)
    stages = [judged.read(folder) for folder in given.folders]
    named = {name: value for name in ("judge", "judge_model") if (value := getattr(given, name))}
    for one in stages:
        refuse_changes(str(one.folder), one.spec, named)
    stop = Stop()
    who = _judge(stages[0].spec["judge"], stages[0].spec["judge_model"], suite, stop)
    pins = Pins.of(who)
    with ExitStack() as holding:
        work: list[tuple[Judging, list[Wanted], list[Wanted]]] = []
        for one in stages:
            one.refuse(suite, pins)
            holding.enter_context(judgments.held(one.folder))
            kept = Judgments(one.folder, pins)
            wanted = one.wanted(suite, pairwise=given.pairwise)
            due = kept.due(wanted, force=given.force)
            work.append((Judging(who, Renders(one.folder, pins), kept), wanted, due))
        every = [each for _, _, due in work for each in due]
        if every and not _agreed(who, pins, every, given):
            return DECLINED
        with stop:
            for judging, _, due in work:
                judging.run(due, concurrency=given.concurrency, stop=stop, progress=Progress(NAME))
    codes = [_told(judging.kept, wanted) for judging, wanted, _ in work]
    for one in stages:
        if one.due:
            tell(
                f"{one.folder}: {counted(one.due, 'run')} of this stage"
                f" {'is' if one.due == 1 else 'are'} still due; run the same `{one.stage}` again"
            )
            codes.append(WITH_ERRORS)
    return max(codes)


def check(given: argparse.Namespace) -> int:
    """See whether a judge holds what it must before its verdicts may be published."""
    suite = binding.suite_of(given.suite)
    attempts = attempts_given.given(given.attempt, suite)
    stop = Stop()
    who = _judge(given.judge or JUDGE, given.judge_model, suite, stop)
    pins = Pins.of(who)
    folder: Path = given.out
    refuse_inside(folder, {suite.folder, *(one.folder for one in attempts)})
    checking.ready(folder)
    with judgments.held(folder):
        kept = Judgments(folder, pins)
        check_id = checking.check_id_of(kept)
        checking.refuse_other(kept, attempts, folder)
        wanted = checking.wanted(suite, attempts, folder, check_id)
        due = kept.due(wanted)
        if due and not _agreed(who, pins, due, given):
            return DECLINED
        with stop:
            Judging(who, Renders(folder, pins), kept).run(
                due, concurrency=given.concurrency, stop=stop, progress=Progress(NAME)
            )
        if left := kept.due(wanted):
            tell(f"{counted(len(left), 'verdict')} still due; run the same command again to go on")
            return WITH_ERRORS
        found = checking.conditions(kept.rows)
        file = checking.write(folder, check_id, kept, found)
    for condition in found:
        sys.stdout.write(f"{condition.kind}: {'; '.join(condition.faults) or 'holds'}\n")
    passes = not any(condition.faults for condition in found)
    sys.stdout.write(
        f"The check {'passes' if passes else 'does not pass'}:"
        f" n = {counted(len(attempts), 'attempt')}.\n"
    )
    for each in kept.without(wanted):
        tell(f"{each.one.task.id}, {each.kind}: never judged: {each.one.folder}")
    tell(f"Check: {file}")
    return 0 if passes else ANSWER_IS_NO


def _judge(name: str, model: str | None, suite: Suite, stop: Stop) -> Judge:
    """Return the judge, once it is known that what a suite's tasks leave can be shown here."""
    binding.refuse_unshown(suite)
    return judge_of(name, model, os.environ, halted=lambda: stop.requested)


def _agreed(who: Judge, pins: Pins, due: Sequence[Wanted], given: argparse.Namespace) -> bool:
    """Show what calls are to be made, and return whether to make them."""
    prices = user_settings.prices(os.environ)
    if confirmed(judge_plan.lines(who, pins, due, given.concurrency, prices), yes=given.yes):
        return True
    tell("Nothing was judged.")
    return False


def _told(kept: Judgments, wanted: Sequence[Wanted]) -> int:
    """Say what came of the verdicts that are wanted in a folder, and return the exit code."""
    left, unjudged = kept.due(wanted), len(kept.without(wanted))
    tell(
        f"{kept.file}: {len(wanted) - unjudged:,} of {counted(len(wanted), 'verdict')}"
        + (f"; {len(left):,} still due: run the same command again to go on" if left else "")
    )
    return WITH_ERRORS if unjudged else 0
