"""Grader `script`: a Python file of the benchmark's author grades, in a process of its own.

The file is trusted: it runs with the rights of whoever runs the benchmark. The process is there so
that an endless loop, an exit or a print of it ends nothing but the grading of one answer.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import symtable
import sys
import tempfile
import warnings
from contextlib import suppress
from importlib.util import decode_source
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from benchdata.errors import BenchdataError, shorten
from collectors.harness import documents
from collectors.harness.documents import Document
from collectors.skill_eval.graders.grade import Grade, GradingFailed

CALL = "grade(expected, output)"
LIMIT_S = 60.0
LARGEST_VERDICT = 1024 * 1024
LAST_WORDS = 4096
"""Bytes of what a script that failed said."""
RUNNER = Path(__file__).with_name("script_runner.py")


def check(script: Path, call: str = CALL) -> None:
    """See, without running it, that a script is Python and gives the function of `call` a meaning.

    Raises:
        BenchdataError: Naming file and line: it does not compile, or the function is nothing in it.
    """
    text = documents.content(script)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # those are the author's, and no reason to refuse
            compile(text, script.name, "exec", dont_inherit=True)
            table = symtable.symtable(decode_source(text), script.name, "exec")
    except SyntaxError as error:
        place = script.name if error.lineno is None else f"{script.name}:{error.lineno}"
        raise BenchdataError(f"{place}: is no Python: {shorten(error.msg)}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise BenchdataError(f"{script.name}: is no Python: {shorten(str(error))}") from None
    known = {symbol.get_name(): symbol for symbol in table.get_symbols()}
    function = known.get(call.partition("(")[0])
    if function is None or not (function.is_assigned() or function.is_imported()):
        raise BenchdataError(f"{script.name}:1: defines no function `{call}`")


class Verdict(Document):
    """What `grade(expected, output)` returns."""

    passed: bool = Field(alias="pass")
    fields: Annotated[dict[str, bool] | None, Field(min_length=1)] = None


def grade(script: Path, expected: Any, output: str, *, seconds: float = LIMIT_S) -> Grade:
    """Return the verdict of the script's `grade(expected, output)`.

    The score is the share of fields that are true; without fields it is 1 or 0, as passed.

    Raises:
        GradingFailed: The script failed, took too long, or returned something else.
    """
    try:
        verdict = documents.parsed(
            _verdict(script, expected, output, seconds), Verdict, script.name
        )
    except GradingFailed:
        raise
    except BenchdataError as error:
        raise GradingFailed(str(error)) from None
    if verdict.fields is None:
        return Grade(verdict.passed, float(verdict.passed))
    return Grade(verdict.passed, sum(verdict.fields.values()) / len(verdict.fields))


def _verdict(script: Path, expected: Any, output: str, seconds: float) -> bytes:
    """Run the script and return what it said of the answer."""
    question = json.dumps({"expected": expected, "output": output}).encode()
    # what it says goes to a file, for of a pipe a process that it left behind would hold the end
    with tempfile.TemporaryFile() as verdict, tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [sys.executable, "-I", os.fspath(RUNNER), os.fspath(script), str(verdict.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=said,
            pass_fds=(verdict.fileno(),),
            start_new_session=True,
        )
        with process:
            try:
                process.communicate(question, timeout=seconds)
            except subprocess.TimeoutExpired:
                raise GradingFailed(f"{script.name}: graded for more than {seconds:g} s") from None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        if process.returncode != 0:
            said.seek(max(0, said.seek(0, os.SEEK_END) - LAST_WORDS))
            last = said.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise GradingFailed(f"{script.name}: failed: {shorten(last) or 'without a word'}")
        verdict.seek(0)
        return verdict.read(LARGEST_VERDICT) or b"null"
