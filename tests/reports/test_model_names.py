"""Names of models, by rule from their ids; an id without a rule stays as it is."""

from __future__ import annotations

import pytest

from benchdata.reports.model_names import model_name


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-opus-5", "Claude Opus 5"),
        ("claude-opus-5-20260901", "Claude Opus 5"),
        ("claude-opus-5-5", "Claude Opus 5.5"),
        ("anthropic/claude-sonnet-4.5-20250929", "Claude Sonnet 4.5"),
        ("claude-3-5-haiku-20241022", "Claude 3.5 Haiku"),
        ("gpt-5.2", "GPT-5.2"),
        ("openai/gpt-5.1-codex", "GPT-5.1 Codex"),
        ("gpt-5-2025-08-07", "GPT-5"),
        ("acme/judge-3.0-20260201", "acme/judge-3.0-20260201"),
        ("claude-opus", "claude-opus"),
        ("not-claude-opus-5", "not-claude-opus-5"),
        ("gpt-4o", "gpt-4o"),
    ],
)
def test_a_name_follows_from_an_id(model: str, name: str) -> None:
    assert model_name(model) == name
