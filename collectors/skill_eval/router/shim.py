"""The `npx` of an agent in the sandbox: `npx skills …` is asked of the desk, all else is npx's.

For the standard library alone: nothing else of this project can be read there. The desk decides and
fetches; this only passes on, and puts the files of a skill where the agent may read them.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

DESK, SKILLS = "SKILLS_DESK", "SKILLS_FOLDER"
"""The variables with the desk's address and the folder of the agent's skills."""
PROGRAMS = ("skills", "add-skill")
WITH_VALUE = ("-p", "--package", "-c", "--call", "-w", "--workspace", "--cache", "--registry")
ANSWER_S = 600.0
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def words_of(arguments: list[str]) -> list[str] | None:
    """Return what is asked of the `skills` program, of any version; None: another is meant."""
    rest = iter(arguments)
    for word in rest:
        if word in WITH_VALUE:
            next(rest, None)
        elif not word.startswith("-"):
            return [*rest] if word.partition("@")[0].lower() in PROGRAMS else None
    return None


def asked(words: list[str]) -> dict[str, Any]:
    """Return the desk's answer."""
    request = urllib.request.Request(
        os.environ[DESK],
        data=json.dumps({"words": words}).encode(),
        headers={"content-type": "application/json"},
    )
    with OPENER.open(request, timeout=ANSWER_S) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def installed(name: str, files: dict[str, str]) -> Path:
    """Put a skill's files among the agent's skills and return their folder."""
    folder = Path(os.environ[SKILLS], name)
    for path, held in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(held))
    return folder


def main(own: str, arguments: list[str]) -> int:
    """Do what was asked of the program at `own`, and return the exit code."""
    words = words_of(arguments)
    if words is None:
        return _passed_on(Path(own).parent, arguments)
    try:
        answer = asked(words)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"skills: no answer: {error}\n")
        return 1
    (sys.stderr if answer["code"] else sys.stdout).write(answer["said"])
    if "name" in answer:
        sys.stdout.write(f"{installed(answer['name'], answer['files']) / 'SKILL.md'}\n")
    return int(answer["code"])


def _passed_on(own: Path, arguments: list[str]) -> int:
    """Become the machine's own npx."""
    path = [each for each in os.environ["PATH"].split(os.pathsep) if Path(each) != own]
    program = shutil.which("npx", path=os.pathsep.join(path))
    if program is not None:
        os.execv(program, ["npx", *arguments])
    sys.stderr.write("npx: not found\n")
    return 127


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
