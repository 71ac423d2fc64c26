"""The arms of a benchmark: what each skill that was named is, and the baseline without any."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchdata.contracts.grammar import REFERENCE, SOURCED
from benchdata.errors import BenchdataError, shorten
from collectors.harness import skills
from collectors.harness.skills import Skill
from collectors.skill_eval.catalog import Catalog
from collectors.skill_eval.spec import MOST_SKILLS

BASELINE = "none"
LOCAL = "local:"


@dataclass(frozen=True, slots=True)
class Arm:
    """What is compared: `name` as rows tell it, and the skill that its runs have installed.

    `commit` is that of a skill from the catalog, where it is known.
    """

    name: str
    skill: Skill | None = None
    commit: str | None = None


def resolved(given: Sequence[str], folder: Path, catalog: Catalog) -> tuple[Arm, ...]:
    """Return the baseline and an arm for every skill that was given, in that order.

    A skill is `none`, a catalog reference (a prefix such as `edge:` is dropped), or a path from
    `folder` to a skill's folder or its SKILL.md.

    Raises:
        BenchdataError: There are too few or too many, one is no skill, or two arms have one name.
    """
    if len(given) > MOST_SKILLS:
        raise BenchdataError(f"skills: {len(given)} are given; at most {MOST_SKILLS} fit one plan")
    arms = [_arm(text, folder, catalog) for text in given if text != BASELINE]
    if not arms:
        raise BenchdataError("skills: no skill is named, so there is nothing to compare")
    names = [arm.name for arm in arms] + [BASELINE] * list(given).count(BASELINE)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BenchdataError(f"skills: two arms would be named {twice}; give each skill once")
    return (Arm(BASELINE), *arms)


def _arm(text: str, folder: Path, catalog: Catalog) -> Arm:
    sourced = re.fullmatch(SOURCED, text)
    reference = sourced[1] if sourced else text
    if re.fullmatch(REFERENCE, reference):
        fetched = catalog.fetch(reference)
        return Arm(reference, skills.read(fetched.folder), fetched.commit)
    path = folder / text
    if path.name == skills.FILE:
        path = path.parent
    if not os.path.isdir(path):  # noqa: PTH112 -- the method raises at a name that is too long
        raise BenchdataError(
            f"skills: {shorten(text, 120)} is neither none, a reference owner/repo@skill, nor the"
            " path of a skill's folder or SKILL.md"
        )
    skill = skills.read(path)
    return Arm(LOCAL + skill.name, skill)
