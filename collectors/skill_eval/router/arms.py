"""The table of the arms: `base`, `find-skills`, and `edge` where a connector is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from benchdata.errors import BenchdataError, counted
from collectors.harness import endpoints, skills, stage_file
from collectors.harness.agents import programs
from collectors.skill_eval.arms import Arm
from collectors.skill_eval.catalog import quiet
from collectors.skill_eval.resolving import catalog
from collectors.skill_eval.router import listing, ways
from collectors.skill_eval.router.desk import Source
from collectors.skill_eval.router.exclusion import Exclusion
from collectors.skill_eval.router.listing import endpoint
from collectors.skill_eval.stages.arms import StageArm

BASE, FIND_SKILLS, EDGE = "base", "find-skills", "edge"
SKILL = Path(__file__).parent / FIND_SKILLS
"""The skill of the arm find-skills, which ships."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The arms of a benchmark, the first of which the others are compared with.

    `notes` are what its plan says of them.
    """

    arms: Sequence[StageArm]
    notes: Sequence[str]


def compared(
    exclusion: Exclusion, connector: str | None, environment: Mapping[str, str]
) -> Compared:
    """Return the arms with what each needs; without a connector `edge` is left out.

    Raises:
        BenchdataError: The `skills` program is not installed, or the connector does not answer.
    """
    searched, said = _by_search(exclusion, environment)
    arms, notes = [StageArm(Arm(BASE), ways.without), searched], [_excluded(exclusion), said]
    if connector is None:
        return Compared(arms, (*notes, "Connector: none is given, so the arm edge is left out."))
    connected, said = _by_connector(connector, exclusion, environment)
    return Compared((*arms, connected), (*notes, said))


def _excluded(exclusion: Exclusion) -> str:
    if exclusion.names:
        return f"Excluded: {', '.join(exclusion.names)}, in whatever repository."
    return "Excluded: nothing; name with --exclude the skills that the suite was written around."


def _by_search(exclusion: Exclusion, environment: Mapping[str, str]) -> tuple[StageArm, str]:
    program = programs.find("skills")
    version = programs.version_of(program, quiet(environment))
    url = endpoint(environment)
    shown = endpoints.shown(url)
    arm = StageArm(
        Arm(FIND_SKILLS, skills.read(SKILL)),
        ways.BySearch(Source(program, url, catalog(environment)), exclusion),
        {"catalog": shown, "skills_version": version, "excluded": [*exclusion.names]},
        partial(listing.tried, url),
    )
    return arm, f"Search: find-skills asks {shown}, by `skills` {version}."


def _by_connector(
    given: str, exclusion: Exclusion, environment: Mapping[str, str]
) -> tuple[StageArm, str]:
    if find_spec("mcp") is None:
        raise BenchdataError("mcp is not installed: pip install 'benchdata[mcp]'")
    from collectors.skill_eval.router import connector

    found = connector.parse(given)
    told = connector.described(found, environment)
    tools = stage_file.digest({"tools": [tool.model_dump(mode="json") for tool in told.tools]})
    facts = {"connector": told.name, "connector_version": told.version, "tools": tools}
    arm = StageArm(
        Arm(EDGE),
        ways.ByConnector(found, environment, exclusion),
        {**facts, "excluded": [*exclusion.names]},
    )
    count = counted(len(told.tools), "tool")
    return arm, f"Connector: {told.name} {told.version} of {found.shown}, with {count}."
