"""Every exception of benchdata: each names the situation and the next thing to try."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

MESSAGE_LIMIT = 300
ANSWER_IS_NO = 3
"""The exit code of a command that did its work and whose answer is no."""


def shorten(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """Return `text` on one line of at most `limit` characters: bad input cannot flood a log."""
    line = printable(text[: limit + 1])
    return line if len(line) <= limit else line[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"


def printable(text: str) -> str:
    """Return `text` on one line without control characters: none may move a terminal's cursor."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def did_you_mean(word: str, choices: Sequence[str]) -> str:
    """Return `; did you mean X?` for the choice closest to a misspelt word, or nothing."""
    folded = {choice.lower(): choice for choice in choices}
    close = difflib.get_close_matches(word.lower(), folded, n=1, cutoff=0.75)
    return f"; did you mean `{folded[close[0]]}`?" if close else ""


def counted(number: int, noun: str) -> str:
    """Return `1 row`, or `1,234 rows`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


class BenchdataError(Exception):
    """The base of all: one sentence for the user; the command line exits with `exit_code`."""

    exit_code = 1


class RowError(BenchdataError):
    """One row breaks its contract at `path`; the message never carries the offending value."""

    def __init__(
        self, path: str, message: str, *, source: str | None = None, line: int | None = None
    ) -> None:
        """Keep `path` and `message` short and printable; `source` and `line` say where."""
        self.path = shorten(path, 120)
        self.message = shorten(message)
        self.source = None if source is None else printable(source)
        self.line = line
        super().__init__(str(self))

    def at(self, source: str, line: int) -> RowError:
        """Return the same error, placed at a line of an input."""
        return RowError(self.path, self.message, source=source, line=line)

    def __str__(self) -> str:
        """Give `FILE:LINE: PATH: message`, or less when the place is not known."""
        place = f"{self.source}:{self.line}: " if self.line is not None else ""
        return f"{place}{self.path}: {self.message}"


class RowsInvalid(BenchdataError):
    """Some rows of the inputs are invalid; `errors` holds the first of each file, `count` all.

    When reading has `stopped` before the end there may be more.
    """

    def __init__(self, errors: tuple[RowError, ...], count: int, *, stopped: bool = False) -> None:
        """Keep the explained `errors` and the `count` of all bad rows, explained or not."""
        self.errors = errors
        self.count = count
        self.stopped = stopped
        super().__init__(str(self))

    def __str__(self) -> str:
        """Give a line an error, then how many more there are."""
        lines = [str(error) for error in self.errors]
        if rest := self.count - len(self.errors):
            lines.append(f"... and {rest:,} more")
        found = counted(self.count, "invalid row")
        found = f"at least {found}; reading stopped" if self.stopped else found
        lines.append(
            f"{found}; mend them, or split the file with "
            "`benchdata validate FILE --keep-valid GOOD --rejects BAD`"
        )
        return "\n".join(lines)


class ContractError(BenchdataError):
    """A contract cannot be found, chosen or loaded, or is itself wrong."""


class InputError(BenchdataError):
    """A file cannot be found, read, trusted or replaced."""


class QueryRefused(BenchdataError):
    """A query is not one SELECT, names something that is not there, or outgrew its limits."""


class EngineUnavailable(BenchdataError):
    """An engine is not there: unknown, not installed, not reached, or gone."""


class ReportError(BenchdataError):
    """A report cannot be made, or a notebook cell failed."""
