"""Valid build-run rows of nothing but synthetic values, in normal form, and what breaks them."""

from __future__ import annotations

from typing import Any

from tests.support.breaks import Break, broken
from tests.support.trees import GONE, Changes, changed


def probe(name: str, verdict: str = "pass", **fields: Any) -> dict[str, Any]:
    """Return one probe's verdict."""
    return {"id": name, "set": "core", "verdict": verdict, "duration_ms": 120} | fields


def item(name: str, **fields: Any) -> dict[str, Any]:
    """Return the judge's word on one item of the production list."""
    return {"id": name, "list": "production", "weight": 0.5, "met": True} | fields


GREEN: dict[str, Any] = {
    "schema_version": 1,
    "run_id": "5c0e2b7a-91d4-4b3f-8a66-2f7e9d1c3b40",
    "suite_id": "e2a7c1d9-3f58-4c06-9b1e-7d4a8c5f0e21",
    "started_at": "2026-03-09T08:00:00.000Z",
    "ended_at": "2026-03-09T08:04:10.500Z",
    "kind": "agent",
    "task_id": "t1",
    "lane": "aster",
    "variant": "context",
    "task_digest": "7a" * 32,
    "suite_digest": "5b" * 32,
    "rubric_digest": "9c" * 32,
    "repeat": 2,
    "planned_repeats": 10,
    "position": 7,
    "retry_of": None,
    "agent": "claude",
    "agent_version": "2.1.4",
    "model": "acme/builder-2.0-20260201",
    "endpoint": "vendor",
    "billing": "api-key",
    "framework_version": "1.4.0",
    "runtime_version": "22.1.0",
    "lockfile_digest": "10" * 32,
    "sandbox": "bubblewrap",
    "harness_version": "0.1.0",
    "seed": 7,
    "max_turns": 80,
    "max_wall_s": 900.0,
    "suite_timeout_s": 60.0,
    "probes": [
        probe("create-item"),
        probe("read-item", duration_ms=0),
        probe("after-restart", "skip", set="extra"),
    ],
    "test_pass_rate": 1.0,
    "turns": 6,
    "best_turn": 5,
    "turns_to_green": 6,
    "turn_pass_rates": [0.0, 0.25, 0.5, 0.5, 1.0, 1.0],
    "boot_ms": [900, 870, 910],
    "suite_ms": [2100, 2400, 1900],
    "usage": [
        {
            "model": "acme/builder-2.0-20260201",
            "input_tokens": 5200,
            "output_tokens": 4800,
            "cache_creation_tokens": 11000,
            "cache_read_tokens": 98000,
        }
    ],
    "total_cost_usd": 0.264,
    "wall_s": 231.5,
    "lines_of_code": 312,
    "rubric": [item("typed-errors"), item("tracing", met=False), item("small", list="task")],
    "rubric_judge": "acme/judge-3",
    "rubric_pass_rate": 0.5,
    "extended": {
        "suite_digest": "e5" * 32,
        "probes": [probe("opens"), probe("streams", "fail"), probe("sorts")],
        "pass_rate": 2 / 3,
    },
    "stop_cause": "green",
}

LOOSE: Changes = {
    "run_id": " 5C0E2B7A-91D4-4B3F-8A66-2F7E9D1C3B40 ",
    "task_digest": "7A" * 32,
    "started_at": "2026-03-09T08:00:00Z",
    "framework_version": "v1.4.0",
    "test_pass_rate": 1,
    "wall_s": 231,
    "max_wall_s": 900,
}
"""Values that have another normal form."""

NO_RUBRIC: Changes = {"rubric": None, "rubric_judge": None, "rubric_pass_rate": None}
PLAIN: Changes = {**NO_RUBRIC, "rubric_digest": None, "extended": None, "variant": "plain"}
RED: Changes = {
    "probes": [probe("create-item"), probe("read-item", "fail"), probe("two", "fail")],
    "test_pass_rate": 1 / 3,
    "turns_to_green": None,
    "stop_cause": "agent_ended",
}
LOST: Changes = {
    **PLAIN,
    "probes": [],
    "test_pass_rate": None,
    "turns": 0,
    "best_turn": None,
    "turns_to_green": None,
    "turn_pass_rates": [],
    "boot_ms": [],
    "suite_ms": [],
    "usage": [],
    "total_cost_usd": None,
    "wall_s": 0.0,
    "lines_of_code": 0,
    "stop_cause": "infrastructure",
}
NO_AGENT: Changes = dict.fromkeys(("agent", "agent_version", "model", "endpoint", "billing"))
CONFORMANCE: Changes = {
    **PLAIN,
    **NO_AGENT,
    "kind": "conformance",
    "turns": 0,
    "max_turns": 0,
    "best_turn": None,
    "turns_to_green": None,
    "turn_pass_rates": [],
    "usage": [],
    "total_cost_usd": 0.0,
    "wall_s": 0.0,
    "stop_cause": "completed",
}

VARIANTS: tuple[Changes, ...] = (
    *({}, LOOSE, PLAIN, RED, LOST, CONFORMANCE, NO_RUBRIC),
    {**PLAIN, **RED, "stop_cause": "max_turns", "max_turns": 6},
    {"retry_of": "00000000-0000-4000-8000-000000000000", "total_cost_usd": None},
    {"kind": "scripted", "agent": "scripted", "endpoint": "stand_in", "billing": "none"},
    {"extended": None, "variant": "hardening", "lines_of_code": -12},
    {"extended": {"suite_digest": "e5" * 32, "probes": [], "pass_rate": None}},
    {**PLAIN, "usage": [GREEN["usage"][0] | {"cache_read_tokens": None}]},
    {**CONFORMANCE, "stop_cause": "error", "probes": [], "test_pass_rate": None},
)
"""Changes that leave the row valid."""


def valid_row(changes: Changes | None = None, /, **fields: Any) -> dict[str, Any]:
    """Return a fresh valid row of a green attempt with `changes` made."""
    return changed(GREEN, {**(changes or {}), **fields})


def numbered_row(number: int, /, **fields: Any) -> dict[str, Any]:
    """Return a valid row whose identity and place in the plan are made of `number`."""
    return valid_row(
        run_id=f"{number:08x}-0000-4000-8000-{number:012x}",
        position=number,
        repeat=number + 1,
        wall_s=200 + number / 8,
        **fields,
    )


BREAKS: tuple[Break, ...] = (
    broken("refused name", "row.probes[0].Token", {"probes": [{"Token": 1}]}),
    broken("secret or path", "lane", {"lane": "/" + "home/somebody/lane"}),
    broken("version", "schema_version", {"schema_version": 2}, {"schema_version": "1"}),
    broken("unknown key", "prompt", {"prompt": "x"}),
    broken("missing key", "stop_cause", {"stop_cause": GONE}),
    broken("run_id", "run_id", {"run_id": "5c0e2b7a-91d4-1b3f-8a66-2f7e9d1c3b40"}),
    broken("suite_id", "suite_id", {"suite_id": None}),
    broken("started_at", "started_at", {"started_at": "2026-03-09"}),
    broken("ended_at", "ended_at", {"ended_at": "2026-02-30T08:00:00.000Z"}),
    broken("kind", "kind", {"kind": "fake"}),
    broken("task_id", "task_id", {"task_id": "T1"}),
    broken("lane", "lane", {"lane": "aster/1"}),
    broken("variant", "variant", {"variant": "bare"}),
    broken("task_digest", "task_digest", {"task_digest": "7a" * 16}),
    broken("suite_digest", "suite_digest", {"suite_digest": None}),
    broken("rubric_digest", "rubric_digest", {"rubric_digest": "x" * 64}),
    broken("repeat", "repeat", {"repeat": 0}),
    broken("planned_repeats", "planned_repeats", {"planned_repeats": 2.0}),
    broken("position", "position", {"position": -1}),
    broken("retry_of", "retry_of", {"retry_of": "first"}),
    broken("agent", "agent", {"agent": "Claude Code"}),
    broken("agent_version", "agent_version", {"agent_version": "2_1"}),
    broken("model", "model", {"model": "acme/builder:latest"}),
    broken("endpoint", "endpoint", {"endpoint": "stand-in"}),
    broken("billing", "billing", {"billing": "free"}),
    broken("framework_version", "framework_version", {"framework_version": None}),
    broken("runtime_version", "runtime_version", {"runtime_version": "22 lts"}),
    broken("lockfile_digest", "lockfile_digest", {"lockfile_digest": 10}),
    broken("sandbox", "sandbox", {"sandbox": "docker"}),
    broken("harness_version", "harness_version", {"harness_version": ""}),
    broken("seed", "seed", {"seed": 0.5}),
    broken("max_turns", "max_turns", {"max_turns": -1}),
    broken("max_wall_s", "max_wall_s", {"max_wall_s": None}),
    broken("suite_timeout_s", "suite_timeout_s", {"suite_timeout_s": "60"}),
    broken("probes", "probes", {"probes": None}, {"probes": {}}),
    broken("probe unknown", "probes[0].message", {"probes": [probe("a", message="x")]}),
    broken("probe set", "probes[1].set", {"probes": [probe("a"), probe("b", set="ours")]}),
    broken("probe verdict", "probes[0].verdict", {"probes": [probe("a", "passed")]}),
    broken("probe duration", "probes[0].duration_ms", {"probes": [probe("a", duration_ms=1.5)]}),
    broken("test_pass_rate", "test_pass_rate", {"test_pass_rate": 1.01}),
    broken("turns", "turns", {"turns": None}),
    broken("best_turn", "best_turn", {"best_turn": 0}),
    broken("turns_to_green", "turns_to_green", {"turns_to_green": 0}),
    broken("turn_pass_rates", "turn_pass_rates[1]", {"turn_pass_rates": [0.5, None]}),
    broken("boot_ms", "boot_ms[0]", {"boot_ms": [-1]}),
    broken("suite_ms", "suite_ms", {"suite_ms": 2100}),
    broken("usage", "usage", {"usage": None}),
    broken("usage item", "usage[0].model", {"usage": [{}]}),
    broken("total_cost_usd", "total_cost_usd", {"total_cost_usd": -0.01}),
    broken("wall_s", "wall_s", {"wall_s": None}, {"wall_s": -1}),
    broken("lines_of_code", "lines_of_code", {"lines_of_code": 1.0}),
    broken("rubric", "rubric", {"rubric": {}}),
    broken("rubric list", "rubric[0].list", {"rubric": [item("a", list="own")]}),
    broken("rubric weight", "rubric[0].weight", {"rubric": [item("a", weight=1.5)]}),
    broken("rubric met", "rubric[0].met", {"rubric": [item("a", met=1)]}),
    broken("rubric_judge", "rubric_judge", {"rubric_judge": "judge 1"}),
    broken("rubric_pass_rate", "rubric_pass_rate", {"rubric_pass_rate": -0.5}),
    broken("extended", "extended", {"extended": []}),
    broken("extended missing", "extended.pass_rate", {"extended.pass_rate": GONE}),
    broken("extended digest", "extended.suite_digest", {"extended.suite_digest": None}),
    broken("extended probe", "extended.probes[0].id", {"extended.probes": [probe("A")]}),
    broken("stop_cause", "stop_cause", {"stop_cause": "max-turns"}),
    broken("ended before started", "ended_at", {"ended_at": "2026-03-09T07:59:59.999Z"}),
    broken("retry of itself", "retry_of", {"retry_of": GREEN["run_id"]}),
    *(
        broken(f"{name} of conformance", name, {**CONFORMANCE, name: GREEN[name]}, {name: None})
        for name in NO_AGENT
    ),
    broken("each probe once", "probes", {"probes": [probe("a"), probe("a", set="extra")]}),
    broken(
        "rate of nothing",
        "test_pass_rate",
        {"test_pass_rate": None},
        {"probes": []},
        {"probes": [probe("a", "skip")]},
    ),
    broken(
        "rate of the probes",
        "test_pass_rate",
        {"test_pass_rate": 2 / 3},
        {**RED, "test_pass_rate": 0.3333},
        {"probes": [probe("a", "fail")]},
    ),
    broken("turns within the cap", "turns", {"max_turns": 5}),
    broken("best within turns", "best_turn", {"best_turn": 7}),
    broken("green within turns", "turns_to_green", {"turns_to_green": 7}),
    broken("rates within turns", "turn_pass_rates", {"turn_pass_rates": [1.0] * 7}),
    broken("each model once", "usage", {"usage": [GREEN["usage"][0]] * 2}),
    broken("rubric without files", "rubric", {"rubric_digest": None}),
    broken("judge without rubric", "rubric_judge", {**NO_RUBRIC, "rubric_judge": "acme/judge-3"}),
    broken(
        "rate without rubric",
        "rubric_pass_rate",
        {**NO_RUBRIC, "rubric_pass_rate": 0.5},
        {"rubric": []},
        {"rubric": [item("small", list="task")]},
    ),
    broken("each browser probe once", "extended.probes", {"extended.probes": [probe("a")] * 3}),
    broken("browser rate of nothing", "extended.pass_rate", {"extended.pass_rate": None}),
    broken("browser rate of the probes", "extended.pass_rate", {"extended.pass_rate": 0.6666}),
    broken(
        "green",
        "stop_cause",
        {"stop_cause": "max_wall"},
        {"stop_cause": "completed"},
        {"turns_to_green": None},
    ),
    broken(
        "completed by an agent",
        "stop_cause",
        {**RED, "stop_cause": "completed"},
        {"kind": "scripted", "stop_cause": "completed"},
    ),
    broken("end of conformance", "stop_cause", {**CONFORMANCE, "stop_cause": "agent_ended"}),
)
