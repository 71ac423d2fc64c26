"""How an agent may find skills, made ready around one run: not at all, by a search, by a connector.

Each is what a stage's arm calls before a run. Its record is kept in every arm, also where it stays
empty, so that what lies in a run's folder tells no arm.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchdata.errors import BenchdataError
from collectors.harness.agents.driver import Call, Invocation
from collectors.harness.attempt import Setting
from collectors.harness.failures import NotBegun
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.server import Server
from collectors.skill_eval.router import shim
from collectors.skill_eval.router.desk import Desk, Source
from collectors.skill_eval.router.equipped import WITH_SERVER, Equipped, More
from collectors.skill_eval.router.exclusion import Exclusion
from collectors.skill_eval.router.retrieval import FILE, Retrieval

if TYPE_CHECKING:  # it needs the extra `mcp`
    from collectors.skill_eval.router.connector import Connector

PORT = 8103
"""Where an agent finds what searches for it."""
SHIM = Path(shim.__file__).resolve()
PYTHON = Path(sys.executable).resolve()
NPX = '#!/bin/sh\nexec {} -I -S -B {} "$0" "$@"\n'

Prepared = Iterator[tuple[Call, Setting]]


@contextmanager
def without(call: Call, setting: Setting, folder: RunFolder) -> Prepared:
    """Run with no way to find a skill."""
    with Retrieval(folder.root / FILE):
        yield call, setting


@dataclass(frozen=True, slots=True)
class BySearch:
    """Runs with an `npx` whose `skills` is answered by a desk."""

    source: Source
    exclusion: Exclusion

    @contextmanager
    def __call__(self, call: Call, setting: Setting, folder: RunFolder) -> Prepared:
        """Serve one run; NotBegun when the catalog does not answer."""
        programs = _npx(folder)
        seen = (programs, SHIM, Path(sys.base_prefix).resolve())
        with Retrieval(folder.root / FILE) as retrieval:
            desk = Desk(self.source, self.exclusion, retrieval)
            with _begun(desk):
                address = desk.address(setting.url_of(PORT, desk))
                more = _with_npx(programs, address, folder.skills)
                found = replace(setting, readable=(*setting.readable, *seen))
                yield call, _equipped(found, desk, more)


@dataclass(frozen=True, slots=True)
class ByConnector:
    """Runs with the tools of a connector, by way of a proxy; `environment` is the caller's."""

    connector: Connector
    environment: Mapping[str, str]
    exclusion: Exclusion

    @contextmanager
    def __call__(self, call: Call, setting: Setting, folder: RunFolder) -> Prepared:
        """Serve one run; NotBegun when the connector does not answer."""
        from collectors.skill_eval.router.proxy import Proxy

        with Retrieval(folder.root / FILE) as retrieval:
            proxy = Proxy(self.connector, self.environment, self.exclusion, retrieval)
            with _begun(proxy):
                url = proxy.address(setting.url_of(PORT, proxy))
                told = WITH_SERVER[setting.driver.name]
                yield call, _equipped(setting, proxy, lambda given, _: told(given, url))


@contextmanager
def _begun(server: Server) -> Iterator[None]:
    """Serve; what keeps it from beginning is no fault of the agent's."""
    try:
        server.__enter__()
    except BenchdataError as fault:
        raise NotBegun(str(fault)) from None
    try:
        yield
    finally:
        server.__exit__(None)


def _equipped(setting: Setting, server: Server, more: More) -> Setting:
    services = {**setting.services, PORT: server}
    return replace(setting, driver=Equipped(setting.driver, more), services=services)


def _npx(folder: RunFolder) -> Path:
    """Put the `npx` of a run into a folder of its own, and return that."""
    programs = folder.agent / "bin"
    npx = programs / "npx"
    try:
        programs.mkdir()
        npx.write_text(NPX.format(shlex.quote(str(PYTHON)), shlex.quote(str(SHIM))), "utf-8")
        npx.chmod(0o755)
    except OSError as error:
        raise NotBegun(f"npx: cannot be put into the run's folder: {error.strerror}") from None
    return programs


def _with_npx(programs: Path, address: str, skills: Path) -> More:
    def more(given: Invocation, inside: Callable[[Path], str]) -> Invocation:
        path = os.pathsep.join((inside(programs), given.environment["PATH"]))
        own = {"PATH": path, shim.DESK: address, shim.SKILLS: inside(skills)}
        return replace(given, environment={**given.environment, **own})

    return more
