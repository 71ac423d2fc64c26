"""Valid shared results of nothing but synthetic values, in normal form, and what breaks them."""

from __future__ import annotations

from typing import Any

from tests.support.breaks import Break, broken
from tests.support.trees import GONE, Changes, changed

SKILLS = [
    {"skill": "acme/skills@invoice-reader", "score": 0.75, "runs": 30},
    {"skill": "local", "score": 0.5, "runs": 30},
]
RESULT: dict[str, Any] = {
    "schema_version": 1,
    "category": "invoice-extraction",
    "skills": SKILLS,
    "agent": "claude",
    "model": "acme/worker-2.1-20260105",
    "install_id": "7e9a4d85-3f70-4b1d-8a5a-8c4f1d0b9e34",
    "key_id": None,
    "internal": False,
}

VARIANTS: tuple[Changes, ...] = (
    {},
    {
        "install_id": "7E9A4D85-3F70-4B1D-8A5A-8C4F1D0B9E34",
        "skills": [{"skill": " edge:acme/skills@invoice-reader", "score": 1, "runs": 1}],
    },
    {"category": "other", "internal": True, "skills": [SKILLS[1]] * 7},
    {"key_id": "8fab5e96-4a81-4c2e-9b6b-9d5a2e1cae45", "category": "security-review"},
)
"""Changes that leave the row valid."""


def valid_row(changes: Changes | None = None, /, **fields: Any) -> dict[str, Any]:
    """Return a fresh valid shared result with `changes` made."""
    return changed(RESULT, {**(changes or {}), **fields})


def numbered_row(number: int, /, **fields: Any) -> dict[str, Any]:
    """Return a valid shared result whose identity is made of `number`."""
    return valid_row(install_id=f"{number:08x}-0000-4000-8000-{number:012x}", **fields)


def _skill(**changes: Any) -> Changes:
    return {"skills": [SKILLS[0], SKILLS[1] | changes]}


BREAKS: tuple[Break, ...] = (
    broken("refused name", "row.skills[1].local_path", _skill(local_path="x")),
    broken("secret or path", "skills[1].skill", _skill(skill="/" + "home/somebody/skill")),
    broken("version", "schema_version", {"schema_version": "1"}),
    broken(
        "unknown key",
        "output",
        *({"output": value} for value in ("text", None, ["text"], {"prompt": "text"})),
    ),
    broken("missing key", "key_id", {"key_id": GONE}),
    broken("category", "category", {"category": "my-secret-project"}, {"category": None}),
    broken("skills", "skills", {"skills": []}, {"skills": [SKILLS[0]] * 8}, {"skills": "local"}),
    broken("skill unknown", "skills[1].name", _skill(name="mine")),
    broken(
        "skill",
        "skills[1].skill",
        *(_skill(skill=text) for text in ("local:mine", "none", "acme/skills", "mine", "")),
    ),
    broken("score", "skills[1].score", _skill(score=1.5), _skill(score=None)),
    broken("runs", "skills[1].runs", _skill(runs=0), _skill(runs=2.0)),
    broken("agent", "agent", {"agent": "my agent"}),
    broken("model", "model", {"model": "acme/worker:latest"}),
    broken("install_id", "install_id", {"install_id": None}, {"install_id": "somebody"}),
    broken("key_id", "key_id", {"key_id": "key"}),
    broken("internal", "internal", {"internal": None}, {"internal": 0}),
)
