"""A contract of one's own: what it holds rows to, and what is refused when it is made."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from benchdata.contracts import Contract
from benchdata.contracts.checks import Rule, fields
from benchdata.contracts.fields import Label, Row, flat_row
from benchdata.contracts.gate import Gate
from benchdata.contracts.meaning import Metric, Outcome, Source, Throughput
from benchdata.contracts.naming import SQL_WORDS
from benchdata.errors import ContractError
from tests.support.faults import error_of
from tests.support.trials import TRIAL, bare, trial


class Span(Row):
    start: int
    end: int | None


class Attempt(Row):
    name: Label
    span: Span
    steps: list[Span]
    note: Label | None


PARTS: dict[str, Any] = {
    "name": "attempt",
    "models": {1: Attempt},
    "identity": ("name",),
    "group": ("name",),
    "metrics": (Metric("start", "span.start", "ms"),),
    "outcome": Outcome(success="span.end is not None"),
}


def made(**changes: Any) -> Contract:
    """Return the contract of `Attempt` with changes."""
    return Contract(**(PARTS | changes))


def test_a_small_contract_validates_and_normalizes() -> None:
    row = trial(" T-1\n", score=1)
    assert TRIAL.validate(row) == trial("T-1", score=1.0)
    assert list(TRIAL.validate(dict(reversed(row.items())))) == list(trial())
    assert repr(TRIAL) == "Contract('trial')"


@pytest.mark.parametrize(
    ("row", "path"),
    [
        ([], "row"),
        (5, "row"),
        ({}, "trial"),
        (trial(extra=1), "extra"),
        (trial("-"), "trial"),
        (trial(arm="c"), "arm"),
        (trial(ms=-1, score="x"), "ms"),
        (trial(score="x", passed=1), "score"),
        (trial(passed=1), "passed"),
        (trial(passed=None), "passed"),
        (trial(schema_version=1), "schema_version"),
    ],
)
def test_without_checks_of_its_own_fields_are_checked_in_order(row: Any, path: str) -> None:
    error = error_of(TRIAL, row)
    assert error is not None
    assert error.path == path


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"identity": ("names",)}, "identity name `names`, no field of it"),
        ({"identity": ("span",)}, "identity name `span`"),
        ({"group": ("span.middle",)}, "group name `span.middle`"),
        ({"metrics": (Metric("x", "span.x", "ms"),)}, "metrics name `span.x`"),
        ({"order": "started_at"}, "order name `started_at`"),
        ({"followed": "version"}, "followed name `version`"),
        ({"views": {"step": "steps"}}, "views name `step`"),
        ({"throughput": Throughput("t", "a", "span.end")}, "throughput name `a`"),
        ({"outcome": Outcome(success="passed")}, "rules name `passed`"),
        ({"outcome": Outcome(success="True", reason="why")}, "outcome name `why`"),
        ({"synthetic": "starts_with(region, 's')"}, "rules name `region`"),
        ({"companions": {"name": ("commit",)}}, "companions name `commit`"),
        ({"companions": {"commit": ("name",)}}, "companions name `commit`"),
        ({"source": Source(rename={"a": "names"})}, "source name `names`"),
        ({"checks": fields("name span steps note other")}, "checks name `other`"),
        ({"checks": (*fields("name span steps"),)}, "no check for note"),
        (
            {"checks": (*fields("name span steps note"), Rule("x", "name == 'a'", ""))},
            "checks name `x`",
        ),
        (
            {"checks": (Rule("span", "span.start >= 0", ""), *fields("name span steps note"))},
            "rule `span.start >= 0` comes before the check of span",
        ),
        ({"primary": "end"}, "no metric is named end"),
        (
            {"metrics": (Metric("m", "span.start", ""), Metric("M", "span.end", ""))},
            "metric name M",
        ),
        ({"metrics": (Metric("", "span.start", ""),)}, "a metric has no name"),
        ({"metrics": (Metric("m", "note", ""),)}, "`note`, which is of kind text"),
        ({"metrics": (Metric("m", "steps", ""),)}, "`steps`, which is of kind list"),
        (
            {"metrics": (Metric("m", "steps", "", items=("middle",)),)},
            "metric m totals `middle`, no number in objects of `steps`",
        ),
        ({"metrics": (Metric("m", "span.end", "", items=("",)),)}, "metric m totals ``"),
        ({"metrics": (Metric("m", "note", "", items=("note",)),)}, "metric m totals `note`"),
        ({"throughput": Throughput("t", "note", "span.end")}, "`note`, which is of kind text"),
        ({"group": ("steps",)}, "`steps`, which is of kind list"),
        ({"identity": ("steps",)}, "`steps`, which is of kind list"),
        ({"views": {"note": "notes"}}, "`note`, which is of kind text"),
        ({"views": {"steps": "evidence"}}, "view name evidence is taken or reserved"),
        ({"name": "attempt-timeline", "views": {"steps": "Attempt_Timeline"}}, "view name Attempt"),
        ({"name": "../attempt"}, "its name must be up to 64 letters"),
        ({"shown": ("note",)}, "shown name `note`, which is not in group"),
        ({"gate": Gate(rows=0)}, "a gate of no rows"),
        ({"outcome": Outcome(success="note")}, "`note` is of kind text, not flag"),
        ({"outcome": Outcome(success="True", partial="span.start")}, "of kind integer, not flag"),
        ({"synthetic": "note"}, "`note` is of kind text, not flag"),
        ({"checks": (Rule("note", "note > 5", "no"),)}, "`5` is of kind integer, not text"),
        ({"models": {}}, "it needs one model"),
        ({"models": {1: Attempt, 2: Attempt}}, "schema_version in each of several"),
    ],
)
def test_a_contract_at_odds_with_itself_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ContractError) as raised:
        made(**changes)
    assert words in str(raised.value)
    assert "attempt" in str(raised.value)


@pytest.mark.parametrize("name", ["", "timeline", "rows", "Order", "a b", "9", "x" * 65])
def test_a_name_that_no_view_can_have_is_refused(name: str) -> None:
    with pytest.raises(ContractError, match=r"its name must|is taken or reserved|a word of SQL"):
        made(name=name)


def test_the_words_of_sql_are_those_after_which_duckdb_finds_no_table() -> None:
    with duckdb.connect() as con:
        words = con.execute("select keyword_name from duckdb_keywords()").fetchall()
    refused = set()
    for (word,) in words:
        try:
            duckdb.extract_statements(f"from {word}")
        except duckdb.ParserException:
            refused.add(word)
    assert refused == SQL_WORDS


@pytest.mark.parametrize("name", ["a.b", "p95:ms", "9a", 'q"x', "é", "x" * 65])
def test_a_field_that_no_column_can_be_called_is_refused(name: str) -> None:
    with pytest.raises(ContractError, match="a name is up to 64 letters, digits and _"):
        bare(flat_row({"seq": int, name: int}))


@pytest.mark.parametrize("name", ["runs", "synthetic", "failed", "last_end"])
def test_a_group_has_no_field_that_is_told_of_every_group(name: str) -> None:
    model = flat_row({f"seq {name}": int})
    assert bare(model).group == ("seq",)
    with pytest.raises(ContractError, match=f"the column name {name} is taken or reserved"):
        bare(model, group=(name,))


@pytest.mark.parametrize(
    ("fields", "identity"),
    [
        ({"position": int, "many": list[int]}, "position"),
        ({"value": int, "many": list[int]}, "value"),
        ({"start": int, "many": list[Span]}, "start"),
    ],
)
def test_no_column_of_a_long_view_stands_twice(fields: dict[str, Any], identity: str) -> None:
    with pytest.raises(ContractError, match=f"column of view many name {identity} is taken"):
        bare(flat_row(fields))


def test_a_rule_that_meets_null_says_that_the_contract_is_at_fault() -> None:
    checks = (*fields("name span steps note"), Rule("span", "span.end >= span.start", "no"))
    contract = made(checks=checks)
    row: dict[str, Any] = {"name": "n", "span": {"start": 1, "end": 1}, "steps": [], "note": None}
    assert contract.validate(row) == row
    with pytest.raises(ContractError, match=r"`span.end >= span.start` has no answer"):
        contract.validate(row | {"span": {"start": 1, "end": None}})


def test_a_metric_is_found_by_name_or_those_there_are_are_named() -> None:
    assert TRIAL.metric("ms").path == "ms"
    with pytest.raises(ContractError, match="has no metric time; it has ms"):
        TRIAL.metric("time")


def test_a_flag_and_a_total_over_objects_are_metrics_of_whole_numbers() -> None:
    class Judged(Attempt):
        passed: bool
        share: float

    metrics = (
        Metric("passed", "passed", ""),
        Metric("ends", "steps", "ms", items=("start", "end")),
        Metric("share", "share", ""),
    )
    contract = made(models={1: Judged}, metrics=metrics)
    assert [contract.whole(metric) for metric in metrics] == [True, True, False]
    assert [metric.column for metric in metrics] == ["passed", "steps", "share"]
