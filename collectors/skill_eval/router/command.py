"""What `router` does once its flags are read."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace

from benchdata.errors import InputError
from collectors.skill_eval import resolving
from collectors.skill_eval.router import arms
from collectors.skill_eval.router.equipped import WITH_SERVER
from collectors.skill_eval.router.exclusion import excluding
from collectors.skill_eval.stages import binding, commands


def run(given: argparse.Namespace) -> int:
    """Run the tasks of a suite in the arms of a router benchmark, and return the exit code.

    Raises:
        BenchdataError: It cannot be carried out.
    """
    exclusion = excluding(given.exclude)
    asked = commands.asked_of(given, "router")
    agent = resolving.agent_of(asked.agent).name
    if given.connector is not None and agent not in WITH_SERVER:
        raise InputError(
            f"connector: the agent {agent} speaks no MCP; take {' or '.join(WITH_SERVER)}, or"
            " leave it out"
        )
    compared = arms.compared(exclusion, given.connector, os.environ)
    staged = binding.bound(asked, compared.arms, os.environ)
    return commands.carry_out(replace(staged, notes=(*staged.notes, *compared.notes)), given)
