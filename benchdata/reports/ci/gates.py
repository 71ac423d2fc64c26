"""Gates and bars as cases: what keeps rows from publication, or an arm from its bar."""

from __future__ import annotations

from collections.abc import Iterator

from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.gates import Gate, GroupGate
from benchdata.gates.bars import ArmBar, BarAnswer, asked
from benchdata.reports.ci.cases import Case, Outcome, only_file


def of_gate(rows: Dataset, contract: Contract, gate: Gate) -> Iterator[Case]:
    """Yield a case for all rows of a contract, then one a group: those that wait have failed."""
    suite, file = f"gate {contract.name}", only_file(rows.of(contract))
    outcome: Outcome = "passed" if gate.ready else "failed"
    yield Case(suite, "all rows", outcome, gate.verdict, (*gate.reasons, *gate.notes), file)
    for group in gate.groups:
        lines = (*group.reasons, *group.notes, *group.shows)
        yield Case(suite, group.label, _of_group(group), group.status, lines, file)


def _of_group(group: GroupGate) -> Outcome:
    if group.waiting:
        return "failed"
    return "passed" if group.result else "skipped"


def of_bar(rows: Dataset, held: BarAnswer) -> Iterator[Case]:
    """Yield a case an arm that was held to a bar; without any the bar itself has failed."""
    suite, file = f"gate {rows.contract.name} bar {held.bar.name}", only_file(rows)
    if not held.arms:
        said = (f"the bar asks for {asked(held.bar)}", "no row that the bar is about")
        yield Case(suite, held.bar.name, "failed", held.state, said, file)
    for arm in held.arms:
        outcome: Outcome = "passed" if arm.state == "met" else "failed"
        yield Case(suite, arm.label, outcome, arm.state, tuple(_of_tasks(arm)), file)


def _of_tasks(arm: ArmBar) -> Iterator[str]:
    for task in arm.tasks:
        yield from (f"{task.task}: {why}" for why in (*task.failures, *task.swings))
