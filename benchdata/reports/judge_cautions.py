"""What speaks against a judged result: what a reader must weigh before the number is believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchdata.errors import counted
from benchdata.leaderboards.boards import Board
from benchdata.leaderboards.judged import Judge
from benchdata.reports import judge_tables


def against(boards: Sequence[Board], judges: Sequence[Judge]) -> tuple[str, ...]:
    """Return what speaks against a result, a sentence each: its tasks first, then its judge."""
    return (*(_tasks(board) for board in boards), *(line for one in judges for line in _of(one)))


def _tasks(board: Board) -> str:
    tasks = len({task for entry in board.entries for task in entry.account.tasks})
    where = f" ({board.context})" if board.context else ""
    return (
        f"{counted(tasks, 'task')}{where}, chosen by those who ran them and no sample of all work:"
        " other tasks may say something else."
    )


def _of(judge: Judge) -> Iterator[str]:
    name = judge_tables.named(judge)
    yield f"One judge, {name}, gave every score; what it likes by habit is in every number."
    if not judge.check:
        yield "No check of this judge lies among the rows."
    else:
        passed = "passes" if judge.checked else "does not pass"
        yield f"The judge {passed} its check ({judge.tally}), which is no proof that it is right."
    if not judge.pairs:
        yield "No pair was judged in both orders, so what the order does to it is not known."
        return
    conflicts = sum(pair.conflict for pair in judge.pairs)
    yield f"Orders are in conflict in {conflicts:,} of {counted(len(judge.pairs), 'pair')}."
    yield judge_tables.bias_line(judge.bias)
