"""The tasks: what an agent is told, what it starts from, how it is judged, and their digests."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchdata.errors import BenchdataError, did_you_mean
from collectors.build_bench import references
from collectors.build_bench.digests import contents, digest
from collectors.build_bench.lanes import Lane
from collectors.build_bench.suites import browser, checkout, live, storefront, worker
from collectors.build_bench.suites.probes import Suite

FOLDER = Path(__file__).parent / "tasks"
COMMON = ("collectors.build_bench.suites.api", "collectors.build_bench.suites.running")
"""The modules that every suite is judged with."""
PRODUCTION = "production"


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a rubric: a yes or no with a weight in its list."""

    id: str
    weight: float
    met: str


@dataclass(frozen=True, slots=True)
class Task:
    """One build task. `seed` is the task whose reference an agent starts from, if any.

    `texts` are the parts of the prompt in their order; `browser` are the checks of its page.
    """

    suite: Suite
    texts: tuple[str, ...]
    rubric: str
    seed: str | None = None
    browser: Suite | None = None

    @property
    def id(self) -> str:
        """The name of the task in rows and commands."""
        return self.suite.task

    @property
    def prompt(self) -> str:
        """What an agent is asked to build, and how the service will be started."""
        texts = ((FOLDER / f"{name}.md").read_text("utf-8") for name in self.texts)
        return "\n".join(text.strip() + "\n" for text in texts)

    def rubric_items(self) -> dict[str, tuple[Item, ...]]:
        """Return the items of the task's own list and of the production list."""
        return {"task": _items(self.rubric), "production": _items(PRODUCTION)}


_T1 = "t1-storefront-api"
TASKS = {
    task.id: task
    for task in (
        Task(storefront.SUITE, ("storefront", "start"), "storefront"),
        Task(
            checkout.SUITE, ("seeded", "checkout", "checkout-queued", "start"), "checkout", seed=_T1
        ),
        Task(
            worker.SUITE, ("seeded", "checkout", "checkout-worker", "start"), "checkout", seed=_T1
        ),
        Task(
            live.SUITE,
            ("seeded", "dashboard", "start"),
            "dashboard",
            seed=_T1,
            browser=browser.SUITE,
        ),
    )
}


def task(name: str) -> Task:
    """Return a task.

    Raises:
        BenchdataError: There is none of that name.
    """
    if name not in TASKS:
        hint = did_you_mean(name, list(TASKS))
        raise BenchdataError(f"--task: no task is named so{hint}; there are: {', '.join(TASKS)}")
    return TASKS[name]


def task_digest(task: Task, lane: Lane, tools: Iterable[str] = ()) -> str:
    """Return the digest of all that an agent is given: texts, pins, seed, names of its tools."""
    files = {"prompt.md": task.prompt.encode(), "context.md": lane.context.encode()}
    files |= {f"starter/{name}": data for name, data in contents(lane.lock_files).items()}
    if task.seed is not None:
        seed = references.files(lane.id, task.seed)
        files |= {f"seed/{name}": path.read_bytes() for name, path in seed.items()}
    files["tools"] = "\n".join(sorted(tools)).encode()
    return digest(files)


def suite_digest(suite: Suite) -> str:
    """Return the digest of the modules that decide a suite's verdicts."""
    modules = (*COMMON, *suite.sources)
    paths = (Path(str(importlib.import_module(name).__file__)) for name in modules)
    return digest(contents(paths))


def rubric_digest(task: Task) -> str:
    """Return the digest of the task's rubric and the production list."""
    return digest(contents(FOLDER / f"{name}.toml" for name in (task.rubric, PRODUCTION)))


def _items(name: str) -> tuple[Item, ...]:
    table = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    return tuple(Item(id=key, **value) for key, value in table.items())
