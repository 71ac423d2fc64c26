"""A run of an agent program straight from its driver: no sandbox and no gateway in between."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchdata.contracts.grammar import Billing
from collectors.harness.agents.driver import AgentDriver, Call, Invocation, Report
from collectors.harness.billing import Access
from collectors.harness.folders import RunFolder

MODEL = {"messages": "claude-sonnet-4-5", "responses": "gpt-5.5"}
PLACEHOLDER = "placeholder-of-a-credential"
END_S = 60


@dataclass(frozen=True)
class Driven:
    """What came of a run."""

    code: int | None
    report: Report
    stderr: str
    seconds: float


def ask(driver: AgentDriver, prompt: str = "do it", **rest: Any) -> Call:
    """Return a call with the agent's tools, of a model that the program knows."""
    return Call(**{"prompt": prompt, "model": MODEL[driver.shape], "tools": "agent", **rest})


def invoked(
    driver: AgentDriver, call: Call, folder: RunFolder, url: str, billing: Billing = "api-key"
) -> Invocation:
    """Return how the driver starts the program, all paths as they are."""
    return driver.invocation(call, folder, Access(url, PLACEHOLDER, billing), str)


def drive(
    driver: AgentDriver,
    call: Call,
    folder: RunFolder,
    url: str,
    *,
    billing: Billing = "api-key",
    environment: Mapping[str, str] | None = None,
    extra: tuple[str, ...] = (),
    meanwhile: Callable[[subprocess.Popen[bytes]], None] | None = None,
) -> Driven:
    """Run the program to its end in `folder`; `meanwhile` may interfere with it."""
    invocation = invoked(driver, call, folder, url, billing)
    begun = time.monotonic()
    with folder.stdout.open("wb") as stdout, folder.stderr.open("wb") as stderr:
        process = subprocess.Popen(
            [*invocation.argv, *extra],
            cwd=folder.work,
            env={**invocation.environment, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=stderr,
        )
        assert process.stdin
        process.stdin.write(invocation.stdin)
        process.stdin.close()
        try:
            if meanwhile:
                meanwhile(process)
            code = process.wait(END_S)
        finally:
            process.kill()
            process.wait()
    seconds = time.monotonic() - begun
    report = driver.report(folder.stdout.read_bytes().splitlines(), code, call)
    return Driven(code, report, folder.stderr.read_text(), seconds)


def tool(name: str, **given: Any) -> dict[str, Any]:
    """Return a call of a tool, for a scripted reply."""
    return {"name": name, "input": given}


def appears(path: Path) -> None:
    """Wait for a file that the agent makes.

    Raises:
        TimeoutError: It does not.
    """
    latest = time.monotonic() + END_S
    while not path.exists():
        if time.monotonic() > latest:
            raise TimeoutError(path.name)
        time.sleep(0.02)


def skill_in(folder: Path, name: str = "pelican") -> Path:
    """Write a skill with a reference beside it, and return its folder."""
    place = folder / name
    (place / "references").mkdir(parents=True)
    head = f"---\nname: {name}\ndescription: Draws pelicans well.\n---\n"
    (place / "SKILL.md").write_text(head + "Read references/beak.md first.\n")
    (place / "references" / "beak.md").write_text("BEAK-AND-POUCH\n")
    return place
