"""What `aggregate` does once its flags are read: sums up, writes both files, says the answer."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchdata.errors import ANSWER_IS_NO, BenchdataError
from benchdata.reports.data import json_text
from benchdata.rows.writing import whole_file
from collectors.skill_eval.aggregate import evidence, summary

TEXT, DATA = "summary.md", "summary.json"


def run(given: argparse.Namespace) -> int:
    """Sum up the stage in `given.folder` and return the exit code: 3 unless it may be published.

    Raises:
        BenchdataError: There is no judged stage or no check there, or a file cannot be written.
    """
    folder: Path = given.folder
    check = evidence.folder_of(given.instrument_check) if given.instrument_check else None
    found = summary.of(folder, check)
    text = summary.markdown(found)
    _write(folder / TEXT, text)
    _write(folder / DATA, json_text(summary.document(found)))
    sys.stdout.write(text)
    return 0 if found.publishable else ANSWER_IS_NO


def _write(file: Path, text: str) -> None:
    try:
        with whole_file(file) as part:
            part.write_text(text, "utf-8")
    except OSError as error:
        raise BenchdataError(f"{file}: cannot be written: {error.strerror}") from None
