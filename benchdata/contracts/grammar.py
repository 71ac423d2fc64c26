"""The strings and numbers that shipped contracts share: no free text, nothing that names a person.

`fields.py` has what any contract may use; these are the narrower grammar of agent benchmarks.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field as Bounds

from benchdata.contracts.fields import SAFE_INTEGER, Real, Text

SLUG = "[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?"
REPOSITORY = (
    "(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}"
    r"|\.[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}"
    r"|\.\.[A-Za-z0-9._-]{1,98})"
)
"""A repository's name; `.` and `..` are none, and would lead to somebody else's."""
REFERENCE = rf"[A-Za-z0-9][A-Za-z0-9-]{{0,38}}/{REPOSITORY}@{SLUG}"
SOURCED = "[A-Za-z0-9-]+:(.+/.+)"
"""A reference with the name of its catalog before it, which is not kept."""
LONGEST_REFERENCE = 256

Slug = Annotated[str, Text("a slug of small letters, digits and -", SLUG, longest=64)]
FaultId = Annotated[
    str, Text("a name of small letters, digits, _ and -", SLUG.replace("-]", "_-]", 1), longest=64)
]
"""Of a predeclared failure."""
Sha256 = Annotated[str, Text("a SHA-256 of 64 hex digits", "[0-9a-f]{64}", longest=64, lower=True)]
Version = Annotated[
    str, Text("a version of letters, digits and . + -", "[A-Za-z0-9.+-]+", stem="v([0-9].*)")
]
DigestedVersion = Annotated[
    str,
    Text(
        "a version that ends in - and the first 12 hex digits of its files' digest",
        "[A-Za-z0-9.+-]+-[0-9a-f]{12}",
        stem="v([0-9].*)",
    ),
]
Arm = Annotated[
    str,
    Text(
        "none, owner/repo@skill, local:SLUG, or base, find-skills, edge",
        rf"none|base|find-skills|edge|local:{SLUG}|{REFERENCE}",
        longest=LONGEST_REFERENCE,
        stem=SOURCED,
    ),
]
SharedSkill = Annotated[
    str,
    Text(
        "owner/repo@skill or local",
        rf"local|{REFERENCE}",
        longest=LONGEST_REFERENCE,
        stem=SOURCED,
    ),
]

Endpoint = Literal["vendor", "custom", "stand_in"]
Billing = Literal["subscription", "api-key", "none"]
Sandbox = Literal["bubblewrap", "workspace"]
Stage = Literal["benchmark", "screen", "heldout", "check", "router"]

Positive = Annotated[int, Bounds(ge=1, le=SAFE_INTEGER)]
Share = Annotated[float, Real(0, 1)]
MOST = 1e12
"""More dollars or seconds than anything ever took; sums of what is below it keep their cents."""
Amount = Annotated[float, Real(0, MOST)]

PIPELINE_PROOF = "endpoint == 'stand_in' or agent == 'scripted'"
"""The rows that no model stands behind: the expression of a contract's `synthetic`."""
