"""The contract: everything there is to know about one kind of row, as one frozen object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, Literal

from pydantic import BaseModel

from benchdata.contracts import kinds, naming, privacy
from benchdata.contracts.checks import WORDS, Check, Field, Rule, fields
from benchdata.contracts.columns import Column, Kind, of_model
from benchdata.contracts.gate import Gate, refuse_gate
from benchdata.contracts.meaning import Cell, Design, Metric, Outcome, Pin, Source, Throughput
from benchdata.contracts.rules import Expression
from benchdata.errors import ContractError, RowError

VERSION_FIELD = "schema_version"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Contract:
    """What a row may hold and what it means.

    `models` maps a schema version to its pydantic model; a contract with one version needs no
    version field. `checks` is the ordered list that decides which error a row reports; when it
    names no field, the fields come first, in their order. `group` names the fields that must match
    exactly before two rows are pooled, `identity` those that are unique in a dataset, `order` and
    `until` when a row started and ended. `primary` is the metric that is compared, the first when
    not named. `cell` names the fields that no two rows share but a lost run and its retry. `views`
    names the long view of a list, `shown` are the group fields that tell a reader which group is
    which, `pins` how the others are printed. `remark` is a sentence that stands above every
    summary's numbers.
    """

    name: str
    models: Mapping[int, type[BaseModel]]
    identity: tuple[str, ...]
    group: tuple[str, ...]
    metrics: tuple[Metric, ...]
    outcome: Outcome
    checks: tuple[Check, ...] = ()
    unit: Literal["run", "task"] = "run"
    tasks: Literal["fixed", "sampled"] = "fixed"
    primary: str = ""
    throughput: Throughput | None = None
    order: str | None = None
    until: str | None = None
    followed: str | None = None
    design: Design = field(default_factory=Design)
    cell: Cell | None = None
    companions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    synthetic: str = "False"
    gate: Gate | None = None
    source: Source | None = None
    views: Mapping[str, str] = field(default_factory=dict)
    shown: tuple[str, ...] = ()
    pins: tuple[Pin, ...] = ()
    remark: str = ""

    def __post_init__(self) -> None:
        """Refuse a contract that speaks of fields it does not have, or is at odds with itself."""
        self._refuse_loose_parts()
        versioned = [VERSION_FIELD in model.model_fields for model in self.models.values()]
        if not versioned or (len(versioned) > 1 and not all(versioned)):
            raise ContractError(
                f"contract {self.name}: it needs one model, or {VERSION_FIELD} in each of several"
            )
        self._refuse_unknown_fields()
        try:
            self._refuse_misfits()
        except ContractError as error:
            raise ContractError(f"contract {self.name}: {error}") from None
        if self.primary and self.primary not in {metric.name for metric in self.metrics}:
            raise ContractError(f"contract {self.name}: no metric is named {self.primary}")
        if not self.primary:
            object.__setattr__(self, "primary", self.metrics[0].name)
        self._refuse_early_rules()

    def __repr__(self) -> str:
        return f"Contract({self.name!r})"

    def _named(self) -> Mapping[str, tuple[str, ...]]:
        """Return the fields that each part of the contract names."""
        return {
            "identity": self.identity,
            "group": self.group,
            "shown": self.shown,
            "metrics": tuple(metric.path for metric in self.metrics),
            "views": tuple(self.views),
            "checks": tuple(check.path for check in self.checks),
            "rules": tuple(path for rule in self._expressions() for path in sorted(rule.paths)),
            "outcome": (self.outcome.reason,) if self.outcome.reason else (),
            "companions": (*self.companions, *chain.from_iterable(self.companions.values())),
            "source": tuple(self.source.rename.values()) if self.source else (),
            "order": (self.order,) if self.order else (),
            "until": (self.until,) if self.until else (),
            "followed": (self.followed,) if self.followed else (),
            "design": self.design.fields(),
            "sequence": (self.design.sequence,) if self.design.sequence else (),
            "cell": (*self.cell.fields, self.cell.retry) if self.cell else (),
            "gate": tuple(self.gate.fields()) if self.gate else (),
            "throughput": (self.throughput.start, self.throughput.end) if self.throughput else (),
        }

    def _refuse_unknown_fields(self) -> None:
        """Refuse a part that names a field which no version has."""
        objects = {
            path[:end] for path in self.kinds for end, char in enumerate(path) if char == "."
        }
        for part, paths in self._named().items():
            for path in paths:
                if path not in self.kinds and not (part == "checks" and path in objects):
                    raise ContractError(
                        f"contract {self.name}: {part} name `{path}`, no field of it"
                    )

    def _refuse_misfits(self) -> None:
        """Refuse names that clash, and fields of a kind that their part has no use for."""
        naming.refuse_columns(self.columns, self.group)
        naming.refuse_metrics([metric.name for metric in self.metrics])
        naming.refuse_views(self.name, self.columns, self.identity, self.views)
        kinds.refuse_parts(self._named(), self.kinds)
        columns = {column.path: column for column in self.columns}
        kinds.refuse_metrics(self.metrics, columns)
        for expression in self._expressions():
            kinds.refuse_untyped(expression, columns)
        if self.cell and len(self.identity) > 1:
            raise ContractError("a cell's retry names one field of identity, and there are more")
        if hidden := [path for path in self.shown if path not in self.group]:
            raise ContractError(f"shown name `{hidden[0]}`, which is not in group")
        if self.gate:
            refuse_gate(self.gate, self.group, self.metrics, self.design)

    def _expressions(self) -> list[Expression]:
        """Return every expression of the contract."""
        rules = [check.expression for check in self.checks if isinstance(check, Rule)]
        retried = [Expression(self.cell.retried)] if self.cell else []
        judged = [Expression(self.gate.judged.rows)] if self.gate and self.gate.judged else []
        classes = self.outcome.classes().values()
        return [*rules, *classes, Expression(self.synthetic), *retried, *judged]

    def _refuse_loose_parts(self) -> None:
        """Refuse a text where a tuple belongs, as in `identity=("seq")`, and an empty part."""
        needed = {"identity": self.identity, "group": self.group, "metrics": self.metrics}
        source = self.source or Source()
        others = {"shown": self.shown, "ignore": source.ignore, "drop": source.drop}
        for part, items in (needed | others).items():
            if not isinstance(items, tuple):
                raise ContractError(
                    f"contract {self.name}: {part} must be a tuple; of one item it is (item,)"
                )
            if not items and part in needed:
                raise ContractError(f"contract {self.name}: {part} must name at least one field")

    def _refuse_early_rules(self) -> None:
        """Refuse a rule that stands before the check of a field it reads."""
        for checks in self._ordered.values():
            checked = {VERSION_FIELD}
            for check in checks:
                if isinstance(check, Field):
                    checked.add(check.name)
                elif isinstance(check, Rule):
                    early = {path.split(".")[0] for path in check.expression.paths} - checked
                    if early:
                        raise ContractError(
                            f"contract {self.name}: rule `{check.holds}` comes before the check"
                            f" of {' and '.join(sorted(early))}"
                        )

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Return the flat columns of all versions: the newest version's order, older extras after.

        A column that some version lacks may be null.
        """
        versions = [tuple(of_model(self.models[version])) for version in sorted(self.models)]
        found = {column.path: column for columns in reversed(versions) for column in columns}
        everywhere = frozenset.intersection(
            *(frozenset(column.path for column in columns) for columns in versions)
        )
        return tuple(
            column if path in everywhere else replace(column, nullable=True)
            for path, column in found.items()
        )

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Return the kind of each column, by its path."""
        return {column.path: column.kind for column in self.columns}

    @property
    def newest(self) -> type[BaseModel]:
        """Return the model of the newest version."""
        return self.models[max(self.models)]

    def model_of(self, row: Mapping[str, Any]) -> type[BaseModel]:
        """Return the model of a stored row: that of the version it has, else the newest."""
        return self.models.get(row.get(VERSION_FIELD, 0), self.newest)

    def version_of(self, row: Any) -> int:
        """Return the schema version that a decoded line says it has, or raise RowError."""
        if not isinstance(row, dict):
            path = VERSION_FIELD if self._versioned else "row"
            raise RowError(path, "the line must hold one JSON object")
        if not self._versioned:
            return next(iter(self.models))
        version = row.get(VERSION_FIELD)
        if isinstance(version, bool) or not isinstance(version, int) or version not in self.models:
            known = " or ".join(str(number) for number in sorted(self.models))
            raise RowError(VERSION_FIELD, f"must be the integer {known}")
        return version

    @cached_property
    def _versioned(self) -> bool:
        return any(VERSION_FIELD in model.model_fields for model in self.models.values())

    def checks_of(self, version: int) -> tuple[Check, ...]:
        """Return the ordered checks that apply to `version`: those whose fields it has."""
        model = self.models[version]
        checks = self.checks
        if not any(isinstance(check, Field) for check in checks):
            names = (name for name in model.model_fields if name != VERSION_FIELD)
            checks = (*fields(" ".join(names)), *checks)
        have = frozenset(model.model_fields)
        return tuple(
            check
            for check in checks
            if (
                all(path.split(".")[0] in have for path in check.expression.paths)
                if isinstance(check, Rule)
                else check.name in have
            )
        )

    @cached_property
    def _ordered(self) -> Mapping[int, tuple[Check, ...]]:
        ordered = {version: self.checks_of(version) for version in self.models}
        for version, checks in ordered.items():
            missing = set(self.models[version].model_fields) - {
                check.name for check in checks if isinstance(check, Field)
            }
            if extra := sorted(missing - {VERSION_FIELD}):
                raise ContractError(f"contract {self.name}: no check for {', '.join(extra)}")
        return ordered

    def validate(self, row: Any) -> dict[str, Any]:
        """Return the normal form of one decoded JSON line, or raise RowError at the first fault.

        The order is that of every contract: refused names, secrets and paths, version, unknown
        keys, missing keys, then the contract's own list.
        """
        privacy.check(row)
        version = self.version_of(row)
        model = self.models[version]
        for key in row:
            if key not in model.model_fields:
                raise RowError(key, WORDS["extra_forbidden"])
        for name in model.model_fields:
            if name not in row:
                raise RowError(name, WORDS["missing"])
        normal: dict[str, Any] = {VERSION_FIELD: version} if self._versioned else {}
        for check in self._ordered[version]:
            check.apply(model, row, normal)
        return {name: normal[name] for name in model.model_fields}

    def metric(self, name: str) -> Metric:
        """Return a metric by name; raise ContractError naming those there are."""
        for metric in self.metrics:
            if metric.name == name:
                return metric
        names = ", ".join(metric.name for metric in self.metrics)
        raise ContractError(f"contract {self.name} has no metric {name}; it has {names}")

    def whole(self, metric: Metric) -> bool:
        """Tell whether the values of a metric are whole numbers."""
        column = next(column for column in self.columns if column.path == metric.path)
        parts = [item for item in column.item if item.path in metric.items] or [column]
        return all(part.kind in {"integer", "flag"} for part in parts)
