"""The prover: from a chunk of lines to a frame of proven rows and the places of the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import polars as pl

from benchdata.contracts import Contract
from benchdata.contracts.base import VERSION_FIELD
from benchdata.contracts.checks import Field, IsList, Rule
from benchdata.errors import RowError
from benchdata.rows import frames
from benchdata.rows.expressions import Parted
from benchdata.rows.lines import Chunk
from benchdata.rows.proof.blocks import Block, Flags, Places
from benchdata.rows.proof.columns import filled
from benchdata.rows.proof.layout import Hole, Layout
from benchdata.rows.proof.learning import Choices, Learner
from benchdata.rows.strict_json import LONGEST_LINE, decode

HOLDS = "_holds"
"""Where a template tells whether the rules hold; no field begins with `_`."""
MOST_TEMPLATES = 8
CANDIDATES = 20
"""Lines of a chunk that are looked at when none of its templates fits."""
PATIENCE = 20
"""Valid lines that may turn out to be beyond proof before no more are looked at."""
MOST_TEXTS = 4_000
"""Distinct texts of a run; above it the run is taken apart, or proven by pattern, or forgotten."""
FEW = 8
"""A walk that proves no more than one in so many lines is not tried again."""
TRIED = 10_000
"""After so many lines a template that has proven fewer than one in twenty is given up."""


def provable(contract: Contract) -> bool:
    """Tell whether a row is valid when its fields are and its rules hold, and needs no adapter."""
    checks = [check for version in contract.models for check in contract.checks_of(version)]
    return contract.source is None and {type(check) for check in checks} <= {Field, IsList, Rule}


class Proven(NamedTuple):
    """The columns of the proven rows in the order of `lines`, which are counted from 1.

    `others` are the indices (from 0) of all other lines of the `block`.
    """

    frame: pl.DataFrame
    lines: int
    others: Places
    block: Block


@dataclass(slots=True)
class Template:
    """A layout with what is not told with its texts: rules, derived columns, what these read.

    `line` is what taught it. As long as that pays, it `walks` before it looks for marks.
    """

    line: bytes
    version: int
    layout: Layout
    told: Mapping[str, pl.Expr]
    asked: frozenset[str]
    walks: bool
    tried: int = 0
    proven: int = 0


@dataclass(slots=True)
class Prover:
    """Proves chunks of one file, one after the other, by the templates it has learned so far."""

    contract: Contract
    templates: list[Template] = field(default_factory=list)
    choices: Choices = field(default_factory=Choices)
    patience: int = PATIENCE

    def __post_init__(self) -> None:
        """Take the fields of identity for texts of many values from the start."""
        self.choices.varied.update(self.contract.identity)

    def prove(self, chunk: Chunk) -> Proven:
        """Return what is proven of a chunk, and what is left."""
        sparse = not self.templates or any(one.walks for one in self.templates)
        block = Block(np.frombuffer(chunk.data, np.uint8), chunk.size, sparse=sparse)
        found: list[pl.DataFrame] = []
        left = self._left(block, self.templates, np.flatnonzero(_sound(block)), found)
        while made := self._learned(block, left):
            self.templates.append(made)
            left = self._left(block, [made], left, found)
        self.templates = [kept for one in self.templates if (kept := self._kept(one))]
        frame = frames.joined(found) if found else pl.DataFrame()
        frame = frame.sort(frames.LINE) if len(found) > 1 else frame
        others = np.ones(block.lines, bool)
        if found:
            others[frame[frames.LINE].to_numpy() - 1] = False
        return Proven(frame, block.lines, np.flatnonzero(others), block)

    def _left(
        self, block: Block, templates: list[Template], lines: Places, found: list[pl.DataFrame]
    ) -> Places:
        """Add the rows that templates prove to `found`, and return which of `lines` are left."""
        refused = lines[:0]
        if block.sparse:
            lines, refused = self._walked(block, templates, lines, found)
        if templates and len(lines):
            lines = self._by_marks(block, templates, lines, found)
        return _both(lines, refused)

    def _walked(
        self, block: Block, templates: list[Template], lines: Places, found: list[pl.DataFrame]
    ) -> tuple[Places, Places]:
        """Do the same without looking for all marks; return what to cut by them, and what is left.

        Another way to cut a line that has all the bytes of a layout would not prove it either.
        """
        refused = [lines[:0]]
        for template in templates:
            if template.walks and len(lines):
                cut, frame = self._typed(block, template, lines, walk=True)
                if len(lines) * 2 > block.lines:
                    template.walks = len(cut) * FEW > len(lines)
                if frame.height:
                    found.append(frame)
                refused.append(_unlike(cut, block, frame))
                lines = lines[~np.isin(lines, cut)] if len(cut) < len(lines) else lines[:0]
        return lines, np.concatenate(refused)

    def _by_marks(
        self, block: Block, templates: list[Template], lines: Places, found: list[pl.DataFrame]
    ) -> Places:
        """Do the same by all marks."""
        if block.sparse and len(lines) * FEW < block.lines:
            longer = np.ones(len(lines), bool)  # marks need not be looked for in all the others
        else:
            lines = self._tried(block, templates, lines, found)
            # a line whose strings hold marks looks longer than it is
            lengths = [template.layout.marks for template in self.templates]
            longer = ~np.isin(np.diff(block.fine.newlines)[lines], lengths)
        if not longer.any():
            return lines
        alone, astray = block.alone(lines[longer]), lines[longer]
        still = self._tried(alone, templates, np.arange(alone.lines), found)
        return _both(lines[~longer], astray[still])

    def _tried(
        self, block: Block, templates: list[Template], lines: Places, found: list[pl.DataFrame]
    ) -> Places:
        """Do the same with the marks of `block` as they are."""
        for template in templates:
            if len(lines):
                _, frame = self._typed(block, template, lines)
                if frame.height:
                    found.append(frame)
                    lines = _unlike(lines, block, frame)
        return lines

    def _kept(self, template: Template) -> Template | None:
        """Return a template as it is to be used from now on, None when it is of no use."""
        if template.tried > TRIED and template.proven * 20 < template.tried:
            return None
        if self._chosen(template.layout):
            return self._template(template.line) or template
        return template

    def _chosen(self, layout: Layout) -> bool:
        """Tell whether too many texts have changed what is done with a run."""
        changed = False
        for hole in layout.holes:
            changed |= hole.items is not None and self._chosen(hole.items)
            if hole.texts and len(hole.texts) > MOST_TEXTS:
                changed |= self._choose(hole)
        return changed

    def _choose(self, hole: Hole) -> bool:
        """Choose another way for a run of too many texts, or make it forget them."""
        assert hole.texts
        names = hole.texts.names
        prefix = hole.path.removesuffix(names[0])
        if len(names) > 1:
            self.choices.alone.update(prefix + name for name in names)
        elif hole.path not in self.choices.varied:
            self.choices.varied.add(hole.path)
        else:
            hole.texts.forget()
            return False
        return True

    def _learned(self, block: Block, lines: Places) -> Template | None:
        """Return a template of one of the first of these lines, if there is one to be learned."""
        if len(self.templates) == MOST_TEMPLATES:
            return None
        for index in lines[:CANDIDATES]:
            if self.patience and (made := self._template(block.line(index))):
                alone = block.alone(np.array([index]))
                if self._typed(alone, made, np.zeros(1, np.int64))[1].height:
                    return made
                self.patience -= 1
        return None

    def _template(self, line: bytes) -> Template | None:
        """Return the template of a line, None when the line is not valid."""
        try:
            row = decode(line)
            self.contract.validate(row)
        except RowError:
            return None
        version = self.contract.version_of(row)
        layout = Learner(self.contract, version, self.choices).learn(line)
        runs = [hole.texts for hole in layout.holes if hole.texts]
        within = {rule for texts in runs for rule in texts.rules}
        parted = Parted([texts.columns for texts in runs])
        rules = [
            parted.column(check.expression)
            for check in self.contract.checks_of(version)
            if isinstance(check, Rule) and check not in within
        ]
        told = frames.derived(self.contract)
        for texts, flags in zip(runs, parted.flags, strict=True):
            known = [name for name in told if texts.columns >= set(told[name].meta.root_names())]
            texts.tell(flags | {name: told.pop(name) for name in known})
        told[HOLDS] = pl.all_horizontal(pl.lit(value=True), *rules).fill_null(value=False)
        asked = frozenset(name for one in told.values() for name in one.meta.root_names())
        return Template(line, version, layout, told, asked, layout.walks)

    def _typed(
        self, block: Block, template: Template, lines: Places, *, walk: bool = False
    ) -> tuple[Places, pl.DataFrame]:
        """Return which of `lines` have the layout, and the rows of those that are proven."""
        found = filled(block, template.layout, lines, self.contract, walk=walk)
        template.tried += len(found.lines)
        if not len(found.lines):
            return found.lines, pl.DataFrame()
        columns = {frames.LINE: pl.Series(frames.LINE, block.numbers[found.lines])}
        for column in self.contract.columns:
            if column.name in found.columns:
                columns[column.name] = found.columns[column.name].alias(column.name)
            else:  # the version itself, or one that it lacks
                same = template.version if column.path == VERSION_FIELD else None
                one = pl.Series(column.name, [same], dtype=frames.data_type(column))
                columns[column.name] = one.new_from_index(0, len(found.lines))
        every = columns | found.columns
        asked = [every[name].alias(name) for name in (frames.LINE, *template.asked)]
        told = frames.plain(pl.DataFrame(asked)).with_columns_seq(**template.told)
        proven = found.proven & told[HOLDS].to_numpy()
        derived = (every.get(name, told.get_column(name, default=None)) for name in frames.DERIVED)
        frame = pl.DataFrame([*columns.values(), *derived])
        template.proven += int(proven.sum())
        if not proven.all():
            frame = frame.filter(pl.Series(proven))
        return found.lines, frame


def _both(some: Places, others: Places) -> Places:
    """Return the lines of both in order; `np.union1d` would import masked arrays first."""
    return np.sort(np.concatenate([some, others])) if len(others) else some


def _unlike(lines: Places, block: Block, frame: pl.DataFrame) -> Places:
    """Return those of `lines` that are not among the rows of a frame."""
    if frame.height == len(lines):
        return lines[:0]
    if not frame.height:
        return lines
    return lines[~np.isin(block.numbers[lines], frame[frames.LINE].to_numpy())]


def _sound(block: Block) -> Flags:
    """Tell which lines are UTF-8 and not too long."""
    ends = block.ends
    sound: Flags = np.diff(ends) - 1 <= LONGEST_LINE
    if block.memory[: block.size].max() > 127:
        try:
            str(block.memory[: block.size].data, "utf-8")
        except UnicodeDecodeError:
            other = np.flatnonzero(block.memory[: block.size] > 127)
            sound[np.searchsorted(ends[1:], other)] = False
    return sound
