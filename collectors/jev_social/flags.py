"""The flags of the collector: all required, each once, each with a value of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from benchdata.errors import BenchdataError, did_you_mean
from collectors.jev_social.task import FOLDER

FLAGS = {
    "--task": "FILE, one of those in the folder named below or your own",
    "--jev-social-version": "VERSION of Jev Social, such as 0.1.13",
    "--jev-social-commit": "COMMIT of Jev Social",
    "--jev-model": "MODEL, an immutable one such as vendor/model-1.2-20260917",
    "--socai-version": "VERSION that `socai --version` must print",
    "--socai-commit": "COMMIT of socai",
    "--profile-mode": "existing|isolated, the browser profile's",
    "--region": "LABEL, stable and identifying nobody",
    "--condition": "cold|warm",
}
HELP = ("--help", "-h")


def parse(arguments: Sequence[str], optional: Collection[str] = ()) -> dict[str, str] | None:
    """Return the value of each flag, or None when help is asked for.

    Raises:
        BenchdataError: A flag is unknown, missing, given twice or has no value; never with a value.
    """
    if any(argument in HELP for argument in arguments):
        return None
    known = [*FLAGS, *optional]
    found: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        flag, *rest = rest
        if flag not in known:
            raise BenchdataError(_unknown(flag, known))
        if flag in found:
            raise BenchdataError(f"{flag}: must be given once")
        if not rest or rest[0].startswith("--"):
            raise BenchdataError(f"{flag}: needs a value after it, and none that begins with --")
        found[flag], *rest = rest
    for flag in FLAGS:
        if flag not in found:
            raise BenchdataError(f"{flag}: is missing; --help lists the flags")
    return found


def _unknown(argument: str, known: Collection[str]) -> str:
    """Return what to say of an argument that is no flag; what it is stays unsaid, unless close."""
    name, equals, _ = argument.partition("=")
    if equals and name in known:
        return f"{name}: put a space and not = before its value"
    hint = did_you_mean(argument, list(known)) if argument.startswith("--") else ""
    return f"an argument is none of the flags that --help lists{hint}"


def usage(program: str, optional: Mapping[str, str]) -> str:
    """Return the help: every flag with what it takes, and where the fixed tasks lie."""
    lines = [
        f"Usage: {program} FLAGS",
        "",
        "Run one attempt at a research task and write its row to standard output.",
        "",
        "Every one of these is needed:",
        *(f"  {flag:<21} {words}" for flag, words in FLAGS.items()),
    ]
    if optional:
        lines += ["", "These may be given too:"]
        lines += [f"  {flag:<21} {words}" for flag, words in optional.items()]
    lines += [
        "",
        f"The fixed tasks, one a platform, lie in {FOLDER}",
        "Exit codes: 0 a row was written, whatever its outcome; 1 no row was written.",
    ]
    if optional:
        lines += ["With --repeat: 0 every attempt has a row; 2 some have none; 1 none was begun."]
    return "\n".join(lines) + "\n"
