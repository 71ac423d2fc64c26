"""Every rule that skill-eval was asked to keep, and what shows it: a check here or a named test."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import get_args

import pytest

from benchdata.contracts.shared_result import SharedResult
from benchdata.server.routes import RESULT
from collectors.harness.batches import new_folder
from collectors.skill_eval import cli, mcp_tool, spec, tasks
from collectors.skill_eval.benchmark import KIND
from collectors.skill_eval.resolving import (
    ALLOWED,
    MORE_SKILLS_RUNS,
    ONE_SKILL_RUNS,
    PREFERRED,
)
from collectors.skill_eval.tokens import LIFETIME_S
from tests.support.benchmarks import SPECS
from tests.support.command import ROOT

Check = Callable[[], bool]


def flags() -> set[str]:
    return {flag for action in cli._parser()._actions for flag in action.option_strings}


RULES: Mapping[str, Mapping[str, tuple[str | Check, ...]]] = {
    "title": {
        "the command and the MCP tool run one engine, one set of graders and one leaderboard"
        " math": (
            "mcp_tool: the_command_line_has_the_same_plan_and_the_same_summary",
            "leaderboard: the_content_is_what_summarize_says_of_the_arms",
        ),
    },
    "the tool": {
        "one skill is compared with no skill": (
            "mcp_tool: with_the_token_it_runs_and_the_expected_lift_is_found",
            "shipped_specs: the_lift_is_that_of_the_scores",
        ),
        "several skills are ranked on one leaderboard against one baseline without a skill,"
        " with mean, 95% bootstrap interval, paired lift with its own interval, runs, tokens,"
        " mean time": ("benchmark: several_skills_are_ranked_on_one_board_against_one_baseline",),
        "skills: 1 to 6 entries": (
            "arms: refuses",
            lambda: spec.MOST_SKILLS == 6,
        ),
        "a skill is `none`, owner/repo@skill, edge:owner/repo@skill, or the path of a folder"
        " or SKILL.md": ("arms: names_the_arms",),
        "catalog references are pinned by commit and digest, cached, and come from a mirror too": (
            "catalog: the_skills_program_chooses_and_the_cache_keeps",
            "catalog: a_checkout_in_a_mirror_has_its_commit",
            "resolving: references_come_from_the_mirror",
            "resolving: the_plan_names_the_commit_of_a_skill",
        ),
        "a baseline without a skill is added where it is missing": (
            "command: the_baseline_is_always_there",
        ),
        "tasks come inline, from a JSONL file, or as one suggestion by category, shown in the"
        " plan": (
            "asked: tasks_given_inline_start_from_here",
            "asked: tasks_of_a_file_start_from_its_folder",
            "asked: a_category_suggests_one_task_and_gives_as_many_as_are_asked_for",
            "mcp_tool: the_first_call_runs_nothing_and_tells_the_whole_plan",
        ),
        "task_count goes with a category; tasks and task files keep their own number": (
            "asked: a_category_suggests_one_task_and_gives_as_many_as_are_asked_for",
            "asked: what_cannot_be_asked_is_refused",
        ),
        "runs: 1 for one skill, 2 for several": (
            "mcp_tool: one_skill_runs_once_and_several_run_twice",
            "resolving: several_skills_are_run_twice_where_nobody_says",
            lambda: (ONE_SKILL_RUNS, MORE_SKILLS_RUNS) == (1, 2),
        ),
        "agent: claude or codex, whichever is installed": (
            "resolving: the_agent_is_whichever_is_installed",
            lambda: PREFERRED == ("claude", "codex"),
        ),
        "arguments: skills, tasks, task_file, category, task_count, runs, agent, model,"
        " timeout_ms": ("mcp_tool: it_has_the_arguments_by_which_agents_know_it",),
        "timeout_ms: 600000 where nobody says": (
            "asked: what_is_not_given_has_the_default",
            lambda: spec.DEFAULT_TIMEOUT_MS == 600_000,
        ),
        "the first call returns the plan: arms x tasks x runs, the time limit, worst"
        " agent-hours, and a token for exactly that plan": (
            "mcp_tool: the_first_call_runs_nothing_and_tells_the_whole_plan",
            "collectors/harness/plan: a_small_plan_without_prices_says_so",
        ),
        "the agent is told to show the plan and to wait for an explicit yes": (
            lambda: "wait for an explicit yes" in mcp_tool.DESCRIPTION,
            "mcp_agents: it_benchmarks_only_with_the_token_of_the_plan",
        ),
        "confirm: true alone never runs anything": ("mcp_tool: to_confirm_alone_runs_nothing",),
        "a token serves once, for 30 minutes, and not when the arguments or files changed": (
            "mcp_tool: a_token_serves_once",
            "mcp_tool: the_token_of_another_plan_runs_nothing",
            "mcp_tool: files_that_changed_since_the_plan_run_nothing",
            "mcp_tool: a_token_is_too_old_after_half_an_hour",
            lambda: LIFETIME_S == 30 * 60,
        ),
    },
    "execution": {
        "the user's own agent runs, by the user's subscription": (
            "agents: the_skill_lifts_by_what_the_script_says",
            "collectors/harness/billing: a_subscription_of_claude_is_paid_by_its_token_alone",
            lambda: ALLOWED == ("subscription",),
        ),
        "API keys of the environment are removed, so that a run is never charged": (
            "resolving: an_api_key_pays_for_nothing",
        ),
        "every execution has its own folder, removed afterwards": (
            "shipped_specs: the_folder_is_private_and_holds_what_was_recorded",
            "ended_command: a_killed_command_is_gone_on_with",
            "ended_command: an_interrupted_command_ends_in_order_and_is_gone_on_with",
        ),
        "a workspace is copied, and no tool of the agent can change the source": (
            "engine: an_agent_works_on_a_copy",
            "shipped_specs: its_sources_are_as_they_were",
        ),
        "every arm has the same budget: time limit, model, runs": (
            "shipped_specs: every_arm_has_the_same_budget",
            "shipped_specs: arms_take_turns_in_a_seeded_order",
        ),
        "a run that breaks or takes too long is graded on what it left": (
            "engine: what_a_run_left_is_graded_however_it_ended",
            "engine: an_agent_that_breaks_after_its_answer_is_graded_on_that",
        ),
        "a model that grades sees output and reference, and never which arm made it": (
            "graders/grading: a_judge_sees_output_and_reference_and_nothing_else",
            "agents: the_judge_is_blind",
            "resolving: the_judge_is_pinned_by_model_and_prompt",
        ),
        "what an output asks for changes no grade and is no markup of a report": (
            "graders/grading: no_answer_talks_a_grader_into_anything",
            "graders/grading: no_answer_ends_where_it_is_quoted",
            "benchmark: what_an_agent_says_reaches_neither_grade_nor_page",
        ),
    },
    "results": {
        "the report, in JSON and HTML with outputs and transcripts, lies in a private folder"
        " of the user's, ~/.config/benchdata/evals/<id>/": (
            "shipped_specs: the_folder_is_private_and_holds_what_was_recorded",
            "command: it_reports_where_no_folder_is_named",
            lambda: new_folder({}, KIND).parent == Path.home() / ".config" / "benchdata" / "evals",
        ),
        "a report never overwrites another": (
            "benchmark: a_folder_that_holds_something_else_is_left_alone",
            "benchmark: another_benchmark_is_refused_with_what_differs",
            "ended_command: only_one_command_works_in_a_folder",
        ),
        "the tool returns a short summary": (
            "mcp_tool: with_the_token_it_runs_and_the_expected_lift_is_found",
        ),
    },
    "sharing": {
        "category, skill ids, scores, run counts, agent, model, install id and key id are sent": (
            "sharing: what_is_sent_is_the_contract_and_the_numbers_are_the_leaderboards",
        ),
        "it is on by default once an endpoint is configured": (
            "sharing: what_is_off_or_not_configured_sends_nothing_and_makes_nothing",
        ),
        "there is no field for prompts, outputs or the text or name of a local skill": (
            lambda: (
                {*SharedResult.model_fields}
                == {
                    *("schema_version", "category", "skills", "agent", "model"),
                    *("install_id", "key_id", "internal"),
                }
            ),
            "server/boards: nobody_can_be_told_from_the_board",
        ),
        "the server's route POST /api/mcp/eval_result takes exactly this shape": (
            lambda: RESULT == "/api/mcp/eval_result",
            "server/intake: a_valid_row_is_on_disk_in_normal_form_when_it_is_accepted",
            "server/intake: a_broken_row_is_named_and_not_stored",
        ),
        "what is accepted is not lost": (
            "server/durability: every_row_that_was_accepted_is_in_the_file_after_a_kill",
        ),
        "the publisher's own runs are flagged internal": (
            "command: what_is_shared_can_be_marked_as_the_publishers_own",
        ),
        "a failure to share never affects the report, and is said once": (
            "command: what_cannot_be_shared_is_said_once_and_changes_nothing",
        ),
        "EDGE_EVAL_SHARE=off and BENCHDATA_SHARE=off switch it off": (
            "command: sharing_can_be_switched_off",
        ),
    },
    "the command": {
        "SPEC.json [--yes] [--out DIR] [--leaderboard FILE] [--agent A] [--model M] [--runs"
        " N] [--concurrency N] [--timeout MS] [--internal] [--no-share]": (
            lambda: (
                flags()
                == {
                    *(
                        "-h",
                        "--help",
                        "--yes",
                        "--out",
                        "--leaderboard",
                        "--agent",
                        "--model",
                        "--runs",
                    ),
                    *("--concurrency", "--timeout", "--internal", "--no-share", "--executor"),
                }
            ),
            "command: names_the_flag_that_is_wrong",
            "command: flags_take_the_place_of_what_the_spec_says",
        ),
        "a spec has name, category, tasks, skills, includeNoSkill, runs, agent, model,"
        " timeout, concurrency, and nothing else": (
            lambda: (
                {field.alias or name for name, field in spec.SpecFile.model_fields.items()}
                == {
                    *("name", "category", "tasks", "skills", "includeNoSkill", "runs", "agent"),
                    *("model", "timeout", "concurrency"),
                }
            ),
            "spec: names_file_and_key",
        ),
        "a shipped spec of security-review is a working example": (
            (SPECS / "security-review" / "spec.json").is_file,
            "shipped_specs: every_score_is_the_one_of_the_script",
        ),
        "paths start from the folder of the spec": (
            "tasks: reads_both_modes",
            "arms: names_the_arms",
        ),
        "without --yes it shows the plan and asks at a terminal": (
            "command: somebody_at_a_terminal_is_asked",
            "shipped_specs: the_plan_comes_first",
        ),
        "where nobody can be asked --yes is needed": (
            "command: where_nobody_can_be_asked_it_wants_a_yes",
        ),
        "--internal marks what is shared, --no-share shares nothing": (
            "command: what_is_shared_can_be_marked_as_the_publishers_own",
            "command: sharing_can_be_switched_off",
        ),
        "--leaderboard merges the result into the file that is published": (
            "command: the_result_is_merged_into_a_leaderboard_again_and_again",
            "leaderboard: processes_that_merge_at_once_lose_nothing",
        ),
        "exit codes: 0 completed, 1 invalid invocation or declined, 2 with execution errors": (
            "command: executions_without_a_grade_are_exit_code_2",
            "command: an_agent_that_fails_is_graded_and_exit_code_2",
            "command: somebody_at_a_terminal_is_asked",
            "command: names_the_file_that_is_wrong",
        ),
    },
    "tasks": {
        "one JSON object a line": ("tasks: names_file_line_and_field",),
        "graders: exact, json-fields, llm-judge, script": (
            lambda: {*get_args(tasks.Grader)} == {"exact", "json-fields", "llm-judge", "script"},
            "graders/grading: the_grader_is_the_tasks",
            "graders/json_fields: counts_what_is_right",
            "graders/json_fields: exact_looks_past_outer_white_space_only",
        ),
        "script: a trusted local file with grade(expected, output) that returns pass and"
        " perhaps fields; security-review checks its planted issues by one": (
            "graders/script: grades_as_the_script_says",
            "graders/script: a_script_that_fails_grades_nothing",
            "shipped_specs: every_score_is_the_one_of_the_script",
        ),
        "mode agent has tools and a copied workspace; document, the default, has no tools": (
            "engine: an_agent_works_on_a_copy",
            "engine: a_document_task_offers_no_tool_but_the_skill",
            lambda: tasks.TaskLine.model_fields["mode"].default == "document",
        ),
    },
}
"""By the part of what was asked for, each rule in words: a check, or `FILE: NAME` of a test."""


@functools.cache
def names_in(file: str) -> frozenset[str]:
    """Return the names of the tests in a file, here or below `tests`."""
    folder, _, name = f"/{file}".rpartition("/")
    places = (Path(__file__).parent, ROOT / "tests")
    paths = (place / folder.strip("/") / f"test_{name}.py" for place in places)
    body = ast.parse(next(path for path in paths if path.exists()).read_text("utf-8")).body
    return frozenset(node.name for node in body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize(
    ("part", "words"), [(part, words) for part, rules in RULES.items() for words in rules]
)
def test_a_rule_is_shown(part: str, words: str) -> None:
    for shown in RULES[part][words]:
        if isinstance(shown, str):
            file, _, name = shown.partition(": ")
            assert f"test_{name}" in names_in(file), shown
        else:
            assert shown()
