"""What a report's folder, and the page of a summary, say of themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from blake3 import blake3

from benchdata.errors import ReportError

PAGE, NOTEBOOK = "report.html", "report.ipynb"
SUMMARY_TEXT, SUMMARY = "summary.md", "summary.json"
MANIFEST = "manifest.json"
"""The files of a report, in whose folder its charts lie too."""
MANIFEST_VERSION = 1
SUMMARY_FACTS = "benchdata-summary"
"""The name of the meta element in which the page of a summary holds its facts as JSON."""

MEANS = {
    "benchdata": "version of benchdata",
    "templateDigest": "template notebook",
    "contractDigest": "definition of the contract",
}
"""What of the manifest another version explains."""

KINDS: Mapping[str, type] = {
    "template": str,
    "inputs": list,
    "contract": str,
    "asOf": str,
    "acceptRejects": int,
    "parameters": dict,
    **dict.fromkeys(MEANS, str),
}


def folder_name(manifest: Mapping[str, Any]) -> str:
    """Return the name of the folder that a manifest belongs to, `<date>-<template>-<digest8>`."""
    text = json.dumps(manifest, sort_keys=True, ensure_ascii=False)
    return f"{manifest['asOf']}-{manifest['template']}-{blake3(text.encode()).hexdigest()[:8]}"


def read(report: Path) -> dict[str, Any]:
    """Return the manifest of a report's folder, or raise ReportError when it has none of ours."""
    try:
        found = json.loads((report / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    try:
        return checked(found)
    except ReportError as error:
        raise ReportError(f"{report}: {error}") from None


def checked(found: Any) -> dict[str, Any]:
    """Return a manifest that a report can be made with, or raise ReportError with what is wrong."""
    if not isinstance(found, dict) or found.get("manifestVersion") != MANIFEST_VERSION:
        raise ReportError(f"is no report folder, for it has no {MANIFEST} of ours")
    if missing := KINDS.keys() - found.keys():
        raise ReportError(f"{MANIFEST} lacks {', '.join(sorted(missing))}")
    wrong = [name for name, kind in KINDS.items() if not isinstance(found[name], kind)]
    if wrong or not all(map(_is_input, found["inputs"])):
        name = (wrong or ["inputs"])[0]
        raise ReportError(f"{MANIFEST} has no {name} that a report is made with")
    return found


def _is_input(one: Any) -> bool:
    """Tell whether an input of a manifest has a digest, and a name that leads nowhere else."""
    if not isinstance(one, dict) or not isinstance(one.get("digest"), str):
        return False
    name = one.get("name")
    return isinstance(name, str) and name not in {"", "..", "."} and not {"/", "\0"} & set(name)
