"""`benchdata gate`: may the rows be published, do they meet a bar, and every reason why not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from benchdata.cli.arguments import (
    AcceptRejects,
    CheckFormat,
    ContractName,
    Files,
    NoCache,
    Require,
    listed,
)
from benchdata.cli.ci import JUnit, told
from benchdata.errors import ANSWER_IS_NO, BenchdataError, counted, printable, shorten

if TYPE_CHECKING:
    from benchdata.dataset import Dataset
    from benchdata.gates import Gate
    from benchdata.gates.bars import BarAnswer
    from benchdata.reports.ci.cases import Case


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(gate)


def gate(
    files: Files,
    contract: ContractName = None,
    bar: Annotated[
        str | None,
        typer.Option(
            help="Hold each lane to a bar of its own, such as self-bench, instead of publication.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    require: Require = None,
    accept_rejects: AcceptRejects = 0,
    format: Annotated[  # noqa: A002 - the option's name
        CheckFormat, typer.Option(help="How to print it.")
    ] = CheckFormat.text,
    junit: JUnit = None,
    _: NoCache = False,
) -> int:
    """Say whether the rows may be published, with every reason; exit 3 when they may not.

    Rows of several contracts get a gate each, which knows the rows of the others.
    """
    fields = listed(require)
    if bar is not None and (fields or accept_rejects):
        raise BenchdataError("--bar is no publication: it takes no --require or --accept-rejects")
    with told("gate", files, format, junit) as cases:
        import benchdata

        dataset = benchdata.open(files, contract)
        if bar is not None:
            met, lines = _hold(dataset, bar, cases)
        else:
            met, lines = _judge(dataset, fields, accept_rejects, cases)
        if format is CheckFormat.text:
            typer.echo("\n".join(lines))
    return 0 if met else ANSWER_IS_NO


def _judge(
    dataset: Dataset, fields: Sequence[str], accepted: int, cases: list[Case]
) -> tuple[bool, list[str]]:
    """Return whether the rows may be published, and the lines that say so."""
    from benchdata import gates
    from benchdata.reports.ci.gates import of_gate

    found = gates.judge_each(dataset, require=fields, accept_rejects=accepted)
    lines: list[str] = []
    for each, answer in found:
        cases.extend(of_gate(dataset, each, answer))
        name = f"{each.name}: " if len(found) > 1 else ""
        lines += [f"{name}{answer.verdict}", *_said(answer)]
    return all(answer.ready for _, answer in found), lines


def _hold(dataset: Dataset, bar: str, cases: list[Case]) -> tuple[bool, list[str]]:
    """Return whether every arm meets the bar, and the lines that say so."""
    from benchdata.gates import bars
    from benchdata.reports.ci.gates import of_bar

    held = bars.hold(dataset, bar)
    cases.extend(of_bar(dataset, held))
    return held.state == "met", [*_held(held)]


def _said(answer: Gate) -> Iterator[str]:
    for reason in (*answer.reasons, *answer.notes):
        yield f"- {shorten(reason)}"
    for group in answer.groups:
        yield printable(f"{group.label}: {group.status}")
        for text in (*group.reasons, *group.notes, *group.shows):
            yield f"  - {shorten(text)}"


def _held(held: BarAnswer) -> Iterator[str]:
    from benchdata.gates.bars import asked

    yield held.state
    yield f"- the bar asks for {asked(held.bar)}"
    if held.left_out:
        only = " and ".join(f"{path} {value}" for path, value in held.bar.only.items())
        yield f"- {counted(held.left_out, 'row')} left out: the bar is about {only}"
    if not held.arms:
        yield "- no row that the bar is about"
    for arm in held.arms:
        yield printable(f"{arm.label}: {arm.state}")
        tasks = arm.tasks
        yield from _listed("against it", ((t.task, (*t.failures, *t.swings)) for t in tasks))
        yield from _listed("measured", ((t.task, t.measured) for t in tasks))


def _listed(head: str, said: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Yield what is said of tasks under a head; nothing when there is nothing."""
    lines = [f"  - {task}: {words}" for task, each in said for words in each]
    if lines:
        yield f"  {head}:"
        yield from lines
