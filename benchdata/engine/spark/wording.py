"""What Spark says when a query fails, as one sentence that names what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from benchdata.errors import EngineUnavailable, QueryRefused, shorten

SENTENCES = {
    r"Java heap space|OutOfMemoryError|GC overhead": (
        "Spark needs more memory than its settings give it: raise spark.driver.memory, and on a"
        " cluster spark.executor.memory"
    ),
    r"spark\.driver\.maxResultSize": (
        "the answer is larger than spark.driver.maxResultSize: raise that setting"
    ),
    r"FILE_NOT_EXIST|FileNotFoundException|does not exist.*\.parquet|PATH_NOT_FOUND": (
        "Spark does not find a file of the rows: on a cluster they must lie under the same path on"
        " every machine"
    ),
    r"All masters are unresponsive": "what listens at that address does not answer as a master",
    r"UnsupportedClassVersionError": "its Java is too old, it needs 17 or newer",
}


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn what Spark raises into QueryRefused: a sentence, no trace, no path.

    Raises:
        QueryRefused: The query is wrong, or outgrew what Spark was given.
        EngineUnavailable: Spark is gone.
    """
    from py4j.protocol import Py4JError, Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JJavaError) as error:
        raise QueryRefused(sentence(str(error))) from None
    except (Py4JError, ConnectionError):  # not what Java said, but that it says nothing any more
        raise EngineUnavailable("Spark has ended, perhaps for want of memory") from None


def known(text: str) -> str:
    """Return the sentence for what a message or a log tells of, or nothing."""
    found = (words for pattern, words in SENTENCES.items() if re.search(pattern, text))
    return next(found, "")


def sentence(message: str) -> str:
    """Return what a message of Spark says, on one line and without the name of its class."""
    if words := known(message):
        return words
    first = next((line for line in message.splitlines() if line.strip()), "Spark gave no reason")
    plain = re.sub(r"^\[[A-Z0-9_.]+\]\s*|\s*SQLSTATE: \w+.*$", "", first.strip())
    return shorten(re.sub(r"(?<![\w/.])(?:file:)?/+(?:[^\s/'\"]+/)+", "", plain))
