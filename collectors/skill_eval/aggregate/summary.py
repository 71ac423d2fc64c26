"""What a judged stage comes to: may it be published, dQ of each arm, pairs, failures, the check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import benchdata
from benchdata import gates
from benchdata.contracts.judgment import JUDGING, JUDGMENT
from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError
from benchdata.gates import checks, instruments
from benchdata.leaderboards.boards import Board, Entry, judged_boards
from benchdata.leaderboards.judged import Judge, judges
from benchdata.leaderboards.profiles import Dimension, profile
from benchdata.reports import judge_tables
from benchdata.reports.comparison import compared
from benchdata.reports.comparison_data import line_data
from benchdata.reports.data import interval_data, number_data
from benchdata.reports.leaderboard_data import board_data
from benchdata.reports.leaderboard_tables import preferred, standings
from benchdata.reports.notices import FOOTER, PROOF
from benchdata.reports.subjects import retrievals
from benchdata.reports.subjects.lift_tables import paired
from benchdata.reports.tables import Table, escaped, markdown_text
from collectors.harness.stages import ROWS
from collectors.skill_eval.aggregate import evidence
from collectors.skill_eval.stages.judgments import JUDGMENTS

DEFINITION = (
    "dQ, the primary number, is the lift in quality Q: the mean over tasks of an arm's mean Q less"
    " that of the baseline. Verdicts on one artefact are averaged first, then runs. Several lifts"
    " are one Holm family. Pairs are secondary; orders that do not name the same winner are a"
    " conflict, never a tie."
)


@dataclass(frozen=True, slots=True)
class Summary:
    """One stage: `reasons` are all that keeps it from publication.

    `boards` hold dQ, the lift of each arm over the baseline. `ways` are the arms whose runs tell
    how they looked for skills, as those of a router stage do.
    """

    stage: str
    reasons: tuple[str, ...]
    judges: tuple[Judge, ...]
    boards: tuple[Board, ...]
    dimensions: tuple[Dimension, ...]
    ways: tuple[retrievals.Arm, ...]

    @property
    def publishable(self) -> bool:
        """Return whether nothing keeps the stage from publication."""
        return not self.reasons

    @property
    def state(self) -> str:
        """Return the word for it."""
        return "PUBLISHABLE" if self.publishable else "NOT PUBLISHABLE"


def of(run: Path, check: Path | None) -> Summary:
    """Return the summary of the stage in a folder, its judge checked in the folder `check`.

    Without one, a check is looked for among the stage's own judgments.

    Raises:
        BenchdataError: A folder has no rows, they are invalid, no run was judged, or what a run
            looked for cannot be read.
    """
    given = benchdata.open(_files(run, check))
    runs = given.of(SKILL_RUN)
    found = tuple(judges(given, SKILL_RUN))
    boards = judge_tables.named_once(judged_boards(runs, given), found)
    if not boards:
        failed = sum(one.unjudged for judge in found for one in judge.asked)
        if failed:
            raise BenchdataError(
                f"{run}: of its runs none is judged; {failed:,} could not be made: run `judge`"
                " again"
            )
        raise BenchdataError(f"{run}: no judgment is of a run there; judge its runs first")
    stages = sorted({str(board.fields["stage"]) for board in boards})
    return Summary(
        stage=" and ".join(stages),
        reasons=tuple(dict.fromkeys(_reasons(given, found, run, check or run))),
        judges=found,
        boards=boards,
        dimensions=tuple(profile(given, SKILL_RUN)) if any(one.lifts for one in boards) else (),
        ways=retrievals.arms(given, runs),
    )


def _files(run: Path, check: Path | None) -> list[Path]:
    for name, advice in ((ROWS, "name the --out of a stage"), (JUDGMENTS, "judge its runs first")):
        if not (run / name).is_file():
            raise BenchdataError(f"{run}: holds no {name}; {advice}")
    own = [run / ROWS, run / JUDGMENTS]
    apart = check is not None and check.resolve() != run.resolve()
    return [*own, check / JUDGMENTS] if check and apart else own


def _reasons(given: Dataset, found: Sequence[Judge], run: Path, check: Path) -> Iterator[str]:
    """Yield what keeps a stage from publication: what its gates say, and what a check lacks."""
    for _, told in gates.judge_each(given):
        yield from told.reasons
        yield from (reason for group in told.groups for reason in group.reasons)
    others = instruments.by_instrument(given.of(JUDGMENT), JUDGING).by_pins
    checked = [pins for pins, lines in others.items() if checks.verdicts(lines, JUDGING)]
    for judge in found:
        if judge.check:
            lacks = evidence.faults(judge, JUDGING, run, check)
            yield from (f"instrument check: {fault}" for fault in lacks)
        else:
            yield from (_of_another(judge, pins) for pins in checked)


def _of_another(judge: Judge, pins: Sequence[object]) -> str:
    """Return in which pins the judge that was checked is another than this one."""
    both = zip(judge.pins.items(), pins, strict=False)
    apart = [f"{name} {there}, not {own}" for (name, own), there in both if own != there]
    return f"the check is of another judge: {', '.join(apart) or 'a stand-in'}"


def markdown(summary: Summary) -> str:
    """Return the summary as a Markdown document with a final newline."""
    return "\n\n".join(_blocks(summary)) + "\n"


def _blocks(summary: Summary) -> Iterator[str]:
    yield f"# Stage {summary.stage}: {summary.state}"
    if summary.reasons:
        yield "\n".join(f"- {escaped(reason)}" for reason in summary.reasons)
    if any(board.synthetic for board in summary.boards):
        yield f"**{PROOF}**"
    lines = judge_tables.first_lines(summary.boards, summary.judges)
    yield "\n".join(f"- {escaped(line)}" for line in lines)
    yield DEFINITION
    for board in summary.boards:
        yield from _table(standings(board))
        yield from _table(paired(board))
    if summary.dimensions:
        yield from _table(judge_tables.dimensions(summary.dimensions))
    for board in summary.boards:
        if board.preferences:
            yield from _table(preferred(board))
    if summary.ways:
        yield from _table(retrievals.table(summary.ways))
    for judge in summary.judges:
        if judge.pairs:
            yield from _table(judge_tables.pairs(judge.pairs))
            yield escaped(judge_tables.bias_line(judge.bias))
        yield from _table(judge_tables.asked(judge.asked))
        yield from _table(judge_tables.check(judge))
    yield FOOTER


def _table(table: Table) -> Iterator[str]:
    yield f"## {markdown_text(table.caption)}"
    yield table.markdown()


def document(summary: Summary) -> dict[str, Any]:
    """Return the object form of a summary."""
    return {
        "schemaVersion": 1,
        "stage": summary.stage,
        "publishable": summary.publishable,
        "reasons": list(summary.reasons),
        "firstLines": list(judge_tables.first_lines(summary.boards, summary.judges)),
        "dQ": [_lift(board, entry) for board in summary.boards for entry in board.lifts],
        "boards": [board_data(board) for board in summary.boards],
        "dimensions": [_dimension(one) for one in summary.dimensions],
        "judges": [_judge(judge) for judge in summary.judges],
        "remark": FOOTER,
    }


def _lift(board: Board, entry: Entry) -> dict[str, Any]:
    """Return the primary number of an arm, which its board has with everything around it."""
    assert entry.lift is not None
    told = line_data(compared(board.context, entry.lift.finding))
    names = ("verdict", "reason", "estimate", "interval", "p", "exactP", "adjustedP", "family", "n")
    baseline = entry.lift.finding.baseline.label
    return {"arm": entry.label, "baseline": baseline} | {name: told[name] for name in names}


def _dimension(one: Dimension) -> dict[str, Any]:
    result = one.finding.result
    return {
        "dimension": one.name,
        "arm": one.treatment.label,
        "baseline": one.baseline.label,
        "mean": number_data(one.treatment.estimate),
        "meanInterval": interval_data(one.treatment.interval),
        "baselineMean": number_data(one.baseline.estimate),
        "baselineInterval": interval_data(one.baseline.interval),
        "difference": number_data(result.estimate),
        "interval": interval_data(result.interval),
        "p": float(one.finding.p),
        "n": list(result.n),
    }


def _judge(judge: Judge) -> dict[str, Any]:
    bias = judge.bias
    return {
        "label": judge_tables.label(judge),
        **judge.pins,
        "synthetic": judge.synthetic,
        "unshown": judge.unshown,
        "check": {
            "passed": judge.checked,
            "faults": list(judge.faults),
            "verdicts": [asdict(one) for one in judge.check],
        },
        "pairs": [asdict(pair) for pair in judge.pairs],
        "orderBias": {
            **asdict(bias),
            "share": number_data(bias.share),
            "intervalOfTurned": interval_data(bias.interval),
            "p": bias.test.p,
        },
        "asked": [asdict(one) for one in judge.asked],
    }
