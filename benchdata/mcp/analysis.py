"""The tools of analysts: questions about the given rows, which change nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from benchdata import gates, queries
from benchdata.cli.answers import records
from benchdata.engine import sandbox
from benchdata.errors import BenchdataError
from benchdata.leaderboards.tables import Choice
from benchdata.mcp.data import Data
from benchdata.mcp.server import Server
from benchdata.reports import comparing, comparison_data, comparison_formats, formats
from benchdata.reports.summary import summarize_each

MOST_ROWS = 1_000
ANSWER = replace(sandbox.TERMINAL, result_bytes=4 << 20)
"""What a query may use; its answer is to be read by a model."""

VIEWS = (
    "The view `rows` has a row a run, with nested fields flat (`timing_ms_total`); of several"
    " contracts there is a view each, named as the contract, and no `rows`. `select * from rows"
    " limit 1` shows the columns."
)
READ_ONLY = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

Files = Annotated[
    list[str] | None,
    Field(description="Which of the files, by the names in the description; else all."),
]


class Rows(BaseModel):
    """The answer to a query, an object a row; `notice` says when rows were cut."""

    columns: list[str]
    rows: list[dict[str, Any]]
    notice: str


class GroupState(BaseModel):
    """Whether one group is ready, and why not."""

    label: str
    status: str
    ready: bool
    reasons: list[str]
    notes: list[str]
    shows: list[str]


class State(BaseModel):
    """Whether the rows of one contract may be published, and every reason why not."""

    contract: str
    verdict: str
    ready: bool
    reasons: list[str]
    notes: list[str]
    groups: list[GroupState]


class States(BaseModel):
    """The gate of each contract."""

    contracts: list[State]


class Summaries(BaseModel):
    """A summary of each contract, as `benchdata summarize --format json` prints it."""

    summaries: list[dict[str, Any]]


class Comparisons(BaseModel):
    """Tables of verdicts, as `benchdata compare --format json` prints them."""

    comparisons: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Analysis:
    """The tools over some data."""

    data: Data

    def query(
        self,
        sql: Annotated[str, Field(description="One SELECT, or the name of a query.")],
        files: Files = None,
        limit: Annotated[
            int, Field(ge=1, le=MOST_ROWS, description="The most rows to return.")
        ] = 100,
    ) -> Rows:
        """Answer one question about the rows in DuckDB's SQL."""
        text = queries.text(sql) if sql.isidentifier() else sql
        rows = self.data.open(files)  # its files last as long as it does
        found = sandbox.run(text, queries.views_of(rows), limits=replace(ANSWER, rows=limit))
        return Rows(
            columns=found.table.column_names, rows=[*records(found.table)], notice=found.notice
        )

    def summarize(self, files: Files = None) -> Annotated[CallToolResult, Summaries]:
        """Show the rows: leaderboards, groups, outcomes, percentiles, failures and the gate."""
        summaries = summarize_each(self.data.open(files))
        documents = [formats.document(each) for each in summaries]
        return _answer(formats.printed(summaries, "md"), Summaries(summaries=documents))

    def gate(
        self,
        files: Files = None,
        require: Annotated[
            list[str],
            Field(description="Group fields; every combination of values needs a READY group."),
        ] = [],  # noqa: B006 - never changed, and JSON Schema has no tuple
    ) -> States:
        """Say whether the rows may be published, with every reason why not."""
        found = gates.judge_each(self.data.open(files), require=tuple(require))
        states = [
            State(
                contract=contract.name,
                verdict=gate.verdict,
                ready=gate.ready,
                reasons=[*gate.reasons],
                notes=[*gate.notes],
                groups=[
                    GroupState.model_validate(group, from_attributes=True) for group in gate.groups
                ],
            )
            for contract, gate in found
        ]
        return States(contracts=states)

    def compare(
        self,
        files: Files = None,
        by: Annotated[
            str | None,
            Field(description="Compare the values of this field; else files are A and B."),
        ] = None,
        baseline: Annotated[
            str | None, Field(description="The value of the field to judge the others against.")
        ] = None,
        metric: Annotated[
            str | None, Field(description="A metric's name; else the contract's primary one.")
        ] = None,
        min_effect: Annotated[
            float | None, Field(ge=0, description="The smallest effect that counts.")
        ] = None,
    ) -> Annotated[CallToolResult, Comparisons]:
        """Judge file B against baseline A, or the values of a field: exact p, corrected."""
        if by is not None:
            choice = Choice(by, baseline, metric, min_effect)
            reports = comparing.by_field(self.data.open(files), choice)
        elif baseline is not None:
            raise BenchdataError("baseline: names a value of the field `by`; name that too")
        elif len(names := self.data.names if files is None else files) != 2:
            raise BenchdataError(f"files: name two, A and B, not {len(names)}; or a field `by`")
        else:
            a, b = (self.data.open([name]) for name in names)
            reports = comparing.of_inputs(a, b, metric, min_effect)
        documents = [comparison_data.document(each) for each in reports]
        text = comparison_formats.as_markdown(reports)
        return _answer(text, Comparisons(comparisons=documents))


def register(server: Server, data: Data) -> None:
    """Add the tools over some data."""
    analysis = Analysis(data)
    files = f"Files: {', '.join(data.names)}."
    asked = " ".join(f"{name}: {queries.question(name)}" for name in queries.names())
    for tool, more in (
        (analysis.query, f"{VIEWS} Queries by name: {asked} {files}"),
        (analysis.summarize, files),
        (analysis.gate, files),
        (analysis.compare, files),
    ):
        server.add_tool(tool, description=f"{tool.__doc__} {more}", annotations=READ_ONLY)


def _answer(text: str, data: BaseModel) -> CallToolResult:
    """Return an answer both ways: text for a reader, data for a program."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=data.model_dump(mode="json"),
    )
