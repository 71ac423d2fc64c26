"""The production list by script, each item turned by a service that lacks just that; the reader."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from collectors.build_bench import reading, references, rubric, snapshots, starters
from collectors.build_bench.examination import KEY_LIKE
from collectors.build_bench.lanes import lane
from collectors.build_bench.reading import Unread
from collectors.build_bench.snapshots import Snapshot
from collectors.build_bench.suites.probes import Suite
from collectors.build_bench.tasks import TASKS
from collectors.build_bench.turns import Judge
from collectors.harness import billing, judging
from collectors.harness.agents.registry import driver
from collectors.harness.attempt import Setting
from collectors.harness.sandbox.probe import choose

T1 = TASKS["t1-storefront-api"]
FEW = ("validation-error", "not-found-error")
QUICK = replace(
    T1, suite=Suite(T1.id, tuple(probe for probe in T1.suite.probes if probe.id in FEW), ())
)
PRODUCTION = {item.id for item in T1.rubric_items()["production"]}
LOG = "console.log(JSON.stringify({ method: request.method, path: request.url, status, id }));"
ANSWERS = 'response.setHeader("x-request-id", id);'
Change = tuple[str, str, str]
WHOLE: tuple[Change, ...] = (
    (
        "http.js",
        "    response.writeHead(",
        (
            f'    const id = request.headers["x-request-id"] ?? "";\n    {LOG}\n    {ANSWERS}\n'
            "    response.writeHead("
        ),
    ),
)
"""What the reference needs to meet the whole list."""
LACKS: Mapping[str, Change] = {
    "typed-errors": ("errors.js", "VALIDATION_ERROR", "BAD_BODY"),
    "input-validation": (
        "shapes.js",
        'throw invalid("the body must be a JSON object")',
        'throw new Error("no object")',
    ),
    "structured-logging": ("http.js", LOG, "console.log(`request ${id}`);"),
    "tracing-wired": ("http.js", ANSWERS, ""),
    "graceful-shutdown": ("http.js", "server.close();", "process.exit(0);"),
    "env-config": (
        "server.js",
        "serve({",
        'import { writeFileSync } from "node:fs";\nwriteFileSync("left.txt", "x");\nserve({',
    ),
    "idempotency": ("products.js", "    stored(id);\n    commit", "    commit"),
    "no-secrets": ("server.js", "serve({", 'const apiKey = "Zm9vYmFyYmF6cXV4";\nserve({'),
}


def left(folder: Path, *changes: Change, name: str = "node") -> Snapshot:
    """Return what an agent left: the reference of a lane, changed."""
    work = folder / "work"
    work.mkdir(parents=True)
    references.lay(name, T1.id, work)
    for file, old, new in changes:
        text = (work / file).read_text("utf-8")
        assert old in text
        (work / file).write_text(text.replace(old, new), "utf-8")
    return snapshots.take(work, folder / "copy")


def judge(name: str) -> Judge:
    return Judge(QUICK.suite, starters.prepare(lane(name)), choose(), lambda: False)


def unmet(snapshot: Snapshot, folder: Path, name: str = "node") -> set[str]:
    found = rubric.examined(QUICK, snapshot, judge(name), folder / "examined", None)
    assert [row["list"] for row in found.rows] == ["production"] * len(PRODUCTION)
    missing = {row["id"] for row in found.rows if not row["met"]}
    assert found.pass_rate == pytest.approx(1 - len(missing) / len(PRODUCTION))
    return missing


@pytest.mark.usefixtures("node")
def test_a_service_may_meet_the_whole_list(tmp_path: Path) -> None:
    assert unmet(left(tmp_path, *WHOLE), tmp_path) == set()


@pytest.mark.parametrize("line", ["secret" * 40_000, "token" * 200 + " " * 40_000])
def test_a_line_made_to_be_slow_is_searched_at_once(line: str) -> None:
    began = time.monotonic()
    assert KEY_LIKE.search(line) is None
    assert time.monotonic() - began < 5  # of what would be minutes


ALWAYS = ("env-config", "idempotency")
"""The items that a default run breaks; each takes seconds."""


@pytest.mark.usefixtures("node")
@pytest.mark.parametrize(
    "item",
    [
        pytest.param(item, marks=() if item in ALWAYS else pytest.mark.slow)
        for item in sorted(PRODUCTION)
    ],
)
def test_each_item_is_missed_by_a_service_that_lacks_just_that(tmp_path: Path, item: str) -> None:
    assert unmet(left(tmp_path, *WHOLE, LACKS[item]), tmp_path) == {item}


@pytest.mark.usefixtures("node")
@pytest.mark.parametrize("then", ["", 'symlinkSync("/usr", process.env.DATA_DIR);'])
def test_a_service_without_its_data_folder_misses_that_item_and_loses_no_other(
    tmp_path: Path, then: str
) -> None:
    gone = (
        'import { rmSync, symlinkSync } from "node:fs";\nprocess.on("exit", () => {'
        f" rmSync(process.env.DATA_DIR, {{ recursive: true }}); {then} }});\nserve({{"
    )
    missing = unmet(left(tmp_path, *WHOLE, ("server.js", "serve({", gone)), tmp_path)
    assert "env-config" in missing
    assert "structured-logging" not in missing


@pytest.mark.usefixtures("node")
def test_a_service_that_does_not_boot_only_keeps_no_secrets(tmp_path: Path) -> None:
    snapshot = left(tmp_path, ("start.sh", "exec node", "exit 1"))
    assert unmet(snapshot, tmp_path) == PRODUCTION - {"no-secrets"}


@pytest.mark.parametrize(
    "name",
    [
        "fastapi",
        "node",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("deno", "nestjs")),
    ],
)
def test_every_reference_deletes_once_and_ends_in_order(tmp_path: Path, name: str) -> None:
    for program in {"npm": ("npm", "node"), "none": ("node",)}.get(lane(name).dependencies, ()):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    missing = unmet(left(tmp_path, name=name), tmp_path, name)
    assert missing.isdisjoint({"idempotency", "graceful-shutdown"})


def opinions(**changed: object) -> str:
    items = [
        {"id": item.id, "met": True, "file": "start.sh", "line": 2, **changed}
        for item in T1.rubric_items()["task"]
    ]
    return json.dumps({"items": items})


def read(folder: Path, answer: str) -> dict[str, tuple[bool, str]]:
    payer = billing.choose("scripted", {}, allowed=())
    script = {"side": {"text": answer}}
    setting = Setting(driver("scripted"), choose(), payer, timeout_s=60, script=script)
    ask = judging.through(setting, folder / "judge")
    found = reading.read(left(folder), T1.rubric_items()["task"], "scripted", ask).findings
    return {name: (finding.met, finding.evidence) for name, finding in found.items()}


def test_a_reader_decides_the_tasks_own_list_and_names_places(tmp_path: Path) -> None:
    found = read(tmp_path, opinions())
    assert set(found.values()) == {(True, "start.sh:2")}
    assert found.keys() == {item.id for item in T1.rubric_items()["task"]}


@pytest.mark.parametrize("place", [{"line": 99}, {"line": 0}, {"file": "absent.js"}])
def test_without_a_place_that_is_there_nothing_is_met(
    tmp_path: Path, place: Mapping[str, object]
) -> None:
    found = read(tmp_path, opinions(**place))
    assert set(found.values()) == {(False, "a place that is not there")}


@pytest.mark.parametrize("answer", ["no", opinions(id="contract-first"), opinions(id="other")])
def test_a_verdict_that_does_not_fit_is_none(tmp_path: Path, answer: str) -> None:
    with pytest.raises(Unread) as caught:
        read(tmp_path, answer)
    assert caught.value.spent.calls == (2 if answer == "no" else 1)
