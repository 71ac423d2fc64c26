"""A stand-in for the `socai` command: its argv and JSON shapes, and every way in which it can fail.

`install(FOLDER)` puts an executable named `socai` into a folder. It obeys `FOLDER/socai.json`, read
anew at each call, and writes a line per call to `FOLDER/socai.calls`. Without a script every
command succeeds with made-up results. Only the standard library is imported: it starts in 20 ms.
"""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SCRIPT = "socai.json"
CALLS = "socai.calls"
VERSION = "0.6.0"
FOUND = 3
CHUNK = 65536
# Imported, and not run as a script: its bytecode is kept.
STARTER = """import sys
sys.path.append(sys.argv[1])
from {module} import main
sys.exit(main(sys.argv[2], sys.argv[3:]))"""
SLEEPER = "import signal, sys, time; {ignore}time.sleep(float(sys.argv[1]))"
IGNORE = "signal.signal(signal.SIGTERM, signal.SIG_IGN); "
COMMANDS = {
    "instagram": ("search", "get-posts", "profile", "page_state"),
    "tiktok": ("search", "get-videos", "author", "page_state"),
    "linkedin": ("search", "get-posts", "profile", "company", "history", "page_state"),
}
FLAGS = ("login_required", "challenge_required", "rate_limited")

Script = Mapping[str, Any]
"""What the stand-in obeys; every key may be left out.

- `version`: what `--version` prints; `commands`: a platform's subcommands, `{}` for none;
  `found`: how many results a search has at most; `runs_dir`: the value of `config get runs.dir`.
- `answers`: rules `{"when": "tiktok search", ...}`; the first is obeyed whose words begin the
  arguments (`"*"` fits all; a call for `--help` needs that word) and that is not used up `times`
  times. It may hold, in the order in which they are done: `ignore_term` true; `spawn` SECONDS (a
  grandchild that holds the pipes open, and ignores SIGTERM if this one does); `sleep` SECONDS;
  `stderr` text; one of `json` value, `stdout` text, `hex` bytes, `huge` bytes, `file` name; `exit`
  code or `kill` signal number. Without an output, an `exit` or a `kill` the built-in results
  follow.
"""


def install(folder: Path, script: Script | None = None) -> Path:
    """Put `socai` into `folder`, which may be there already, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "socai"
    here = Path(__file__).resolve()
    words = [sys.executable, "-IS", "-c", STARTER.format(module=here.stem), str(here.parent)]
    program.write_text(f'#!/bin/sh\nexec {shlex.join([*words, str(folder)])} "$@"\n', "utf-8")
    program.chmod(0o755)
    direct(folder, script or {})
    return program


def direct(folder: Path, script: Script) -> None:
    """Give an installed stand-in another script, in one step; its rules are all unused again."""
    part = folder / f"{SCRIPT}.part"
    part.write_text(json.dumps(script), "utf-8")
    part.replace(folder / SCRIPT)
    (folder / CALLS).write_bytes(b"")


def calls(folder: Path) -> list[dict[str, Any]]:
    """Return what was called: `argv`, `env`, `pid`, `group`, `rule` (index or null), in order."""
    return [json.loads(line) for line in (folder / CALLS).read_bytes().splitlines()]


def main(place: str, arguments: Sequence[str]) -> int:
    """Answer one call as the script in a folder says."""
    folder = Path(place)
    script = json.loads((folder / SCRIPT).read_bytes())
    rule = _logged(folder, script, arguments)
    if rule.get("ignore_term"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "spawn" in rule:
        program = SLEEPER.format(ignore=IGNORE if rule.get("ignore_term") else "")
        words = [sys.executable, "-IS", "-c", program, str(rule["spawn"])]
        os.posix_spawn(sys.executable, words, os.environ)
    time.sleep(rule.get("sleep", 0))
    sys.stderr.write(rule.get("stderr", ""))
    sys.stderr.flush()
    code = _speak(rule, script, arguments)
    if "kill" in rule:
        os.kill(os.getpid(), rule["kill"])
    return int(rule.get("exit", code))


def _logged(folder: Path, script: Script, arguments: Sequence[str]) -> Mapping[str, Any]:
    """Choose the rule of this call and write both down; calls at the same time take turns."""
    with (folder / CALLS).open("a+b") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        log.seek(0)
        used = [json.loads(line)["rule"] for line in log]
        rules = script.get("answers", [])
        index = next(
            (
                number
                for number, rule in enumerate(rules)
                if _fits(rule["when"], arguments)
                and used.count(number) < rule.get("times", len(used) + 1)
            ),
            None,
        )
        call = {
            "argv": list(arguments),
            "env": dict(os.environ),
            "pid": os.getpid(),
            "group": os.getpgrp(),
            "rule": index,
        }
        log.write(json.dumps(call).encode() + b"\n")
    return {} if index is None else rules[index]


def _fits(when: str, arguments: Sequence[str]) -> bool:
    words = when.split()
    helped = "--help" in words or "--help" not in arguments
    return when == "*" or (helped and words == list(arguments[: len(words)]))


def _speak(rule: Mapping[str, Any], script: Script, arguments: Sequence[str]) -> int:
    """Write the output of a rule, or the built-in one, and return the exit code that goes with it.

    Whoever has seen enough may close the pipe.
    """
    code, output = 0, b""
    if "json" in rule:
        output = json.dumps(rule["json"], ensure_ascii=False).encode() + b"\n"
    elif "stdout" in rule:
        output = rule["stdout"].encode()
    elif "hex" in rule:
        output = bytes.fromhex(rule["hex"])
    elif "file" in rule:
        output = Path(rule["file"]).read_bytes()
    elif "huge" not in rule and "exit" not in rule and "kill" not in rule:
        code, text = _builtin(script, arguments)
        output = text.encode()
    try:
        for _ in range(0, rule.get("huge", 0), CHUNK):
            sys.stdout.buffer.write(b"[" * CHUNK)
        sys.stdout.buffer.write(output)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def _builtin(script: Script, arguments: Sequence[str]) -> tuple[int, str]:
    """Return the exit code and the output of a command that works, or of one there is not."""
    commands = script.get("commands", COMMANDS)
    match arguments:
        case ["--help"]:
            return 0, "Usage: socai [COMMAND]\n"
        case ["--version"]:
            return 0, script.get("version", f"socai {VERSION}") + "\n"
        case ["config", "get", "runs.dir"]:
            return 0, script.get("runs_dir", "") + "\n"
        case [platform, "--help"] if platform in commands:
            listed = "".join(f"  {name}  made up\n" for name in commands[platform])
            return 0, f"Usage: socai {platform} [COMMAND]\n\nCommands:\n{listed}"
        case [platform, command, *rest] if command in commands.get(platform, ()):
            if rest == ["--help"]:
                return 0, f"Usage: socai {platform} {command}\n"
            return 0, json.dumps(_results(platform, command, rest, script), indent=2) + "\n"
    sys.stderr.write("error: unrecognized subcommand\n")
    return 2, ""


def _results(platform: str, command: str, rest: Sequence[str], script: Script) -> dict[str, Any]:
    """Return what a command of a platform finds."""
    number = int(_option(rest, "--num", "1"))
    made = [_item(platform, each) for each in range(min(number, script.get("found", FOUND)))]
    match platform, command:
        case _, "page_state":
            return dict.fromkeys(FLAGS, False)
        case "instagram", "search":
            return {"query": rest[0], "count": len(made), "posts": made}
        case _, "search":
            key = "cards" if platform == "tiktok" else "results"
            return {"ok": True, "query": rest[0], "count": len(made), key: made, "state": {}}
        case "tiktok", "get-videos":
            return _videos(rest, script)
        case _, "get-posts":
            url = _option(rest, "--post", "")
            post = {"ok": True, "entity": {"url": url}, "input": url, "comments": _comments(rest)}
            return {"ok": True, "count": 1, "posts": [post]}
        case "tiktok", "author":
            return {"profile": {"url": rest[0], "display_name": "Made Up", "video_cards": made}}
        case "instagram", "profile":
            return {"url": rest[0], "username": "made.up", "bio": "made up", "posts": made}
    return {"url": rest[0], "name": "Made Up"}


def _item(platform: str, number: int) -> dict[str, Any]:
    """Return a result of a search."""
    url = {
        "instagram": f"https://www.instagram.com/p/MadeUp{number}/",
        "tiktok": f"https://www.tiktok.com/@made.up/video/{7100 + number}",
        "linkedin": f"https://www.linkedin.com/posts/made-up-{number}",
    }[platform]
    return {"ok": True, "url": url, "caption": f"made up {number}"}


def _comments(rest: Sequence[str]) -> list[dict[str, str]]:
    number = int(_option(rest, "--num-comments", "8"))
    return [{"text": f"made up {each}", "author": "made.up"} for each in range(min(2, number))]


def _videos(rest: Sequence[str], script: Script) -> dict[str, Any]:
    """Return one video, with its file and its poster below the root of runs if it is downloaded."""
    url = _option(rest, "--video", "")
    video: dict[str, Any] = {"resolved_url": url}
    run: dict[str, Any] = {"id": "made-up"}
    if "--download-media" in rest:
        folder = runs_root(script) / f"{time.time_ns()}_tiktok_get-videos" / "site_media"
        folder.mkdir(parents=True)
        for key, name in (("local_path", "video.mp4"), ("poster_local_path", "poster.jpg")):
            (folder / name).write_bytes(b"made up" * 1000)
            video[key] = str(folder / name)
        run |= {"dir": str(folder.parent), "media_dir": str(folder)}
        sys.stderr.write(f"run_dir: {folder.parent}\n")
    entity = {"url": url, "video": video, "top_comments": _comments(rest)}
    item = {"ok": True, "entity": entity, "locator": url}
    return {"ok": True, "count": 1, "failures": 0, "videos": [item], "run": run}


def runs_root(script: Script) -> Path:
    """Return where socai puts its runs."""
    environ = os.environ
    home = Path(environ.get("SOCAI_HOME") or Path(environ.get("HOME", ".")) / ".socai")
    return Path(environ.get("SOCAI_RUNS_DIR") or script.get("runs_dir") or home / "runs")


def _option(rest: Sequence[str], name: str, default: str) -> str:
    return rest[rest.index(name) + 1] if name in rest else default
