"""What Spark says becomes one sentence without a code, a trace or a path."""

from __future__ import annotations

import pytest

from benchdata.engine.spark.wording import sentence


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            "[DIVIDE_BY_ZERO] Division by zero. Use `try_divide`. SQLSTATE: 22012\n== SQL ==\n1/0",
            "Division by zero. Use `try_divide`.",
        ),
        (
            "[FAILED_READ_FILE.FILE_NOT_EXIST] Encountered error while reading file:///srv/x.parquet",
            "Spark does not find a file of the rows: on a cluster they must lie under the same",
        ),
        ("Cannot read file:///srv/lake/part-0.parquet today", "Cannot read part-0.parquet today"),
        ("An error occurred.\n: java.lang.OutOfMemoryError: Java heap space", "needs more memory"),
        ("", "Spark gave no reason"),
        ("x" * 1000, "x" * 299),
    ],
)
def test_a_message(message: str, words: str) -> None:
    said = sentence(message)
    assert words in said
    assert "SQLSTATE" not in said
    assert len(said) <= 300
