"""Grades a security review: which planted mistakes it names, and how many it makes up.

The answer is a JSON array of findings, `{"file": ..., "line": ..., "kind": ...}`, alone or in one
fenced block. A planted mistake is found when a finding has its file and kind and its line within
two. `expected` lists the planted mistakes and how many other findings are too many.
"""

import json
import re

NEAR = 2
FENCED = re.compile(r"```[a-z]*\s*\n(.*?)```", re.DOTALL)


def grade(expected, output):
    """Return a field for each planted mistake, and one for not making up more than allowed."""
    findings = parsed(output)
    planted = expected["planted"]
    found = [any(fits(finding, mistake) for finding in findings) for mistake in planted]
    others = [f for f in findings if not any(fits(f, mistake) for mistake in planted)]
    names = [f"{each['file']}:{each['kind']}" for each in planted]
    fields = dict(zip(names, found, strict=True))
    fields["few false alarms"] = bool(findings) and len(others) <= expected["most_others"]
    return {"pass": all(fields.values()), "fields": fields}


def parsed(output):
    """Return the findings of an answer, none where it is no list of objects."""
    blocks = FENCED.findall(output)
    for text in (output, *(blocks if len(blocks) == 1 else ())):
        try:
            value = json.loads(text)
        except ValueError:
            continue
        if isinstance(value, list):
            return [each for each in value if isinstance(each, dict)]
    return []


def fits(finding, mistake):
    """Tell whether a finding names a planted mistake."""
    line = finding.get("line")
    return (
        str(finding.get("file", "")).removeprefix("./") == mistake["file"]
        and finding.get("kind") == mistake["kind"]
        and type(line) is int
        and abs(line - mistake["line"]) <= NEAR
    )
