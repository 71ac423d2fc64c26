"""The pictures that a judge saw, read from the folder that lies beside its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from benchdata.contracts.judgment import RENDER_DIGITS, RENDERS
from benchdata.dataset import Dataset
from benchdata.errors import ReportError, counted
from benchdata.numbers import display
from benchdata.reports.pictures import Picture, Pictures, Sheet, picture

MOST_EACH = 12
MOST_BYTES = 12 * 1024**2
"""Of all pictures of a page together: beyond, each artefact shows fewer of them."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One run as it is shown: its task, its arm, its repeat, its artefact, its score if any.

    `marks` are what else the judge said of it, or nothing.
    """

    task: str
    arm: str
    repeat: str
    artefact: str
    score: float | None
    marks: str


def folders(given: Dataset, name: str) -> tuple[Path, ...]:
    """Return the folders called `name` beside the rows, those that are there.

    Raises:
        ReportError: The name leads elsewhere: a published report would tell of this machine.
    """
    path = PurePath(name)
    if path.is_absolute() or ".." in path.parts:
        raise ReportError(
            f"parameter renders is the name of a folder beside the rows, such as {RENDERS}"
        )
    if not name:
        return ()
    beside = (table.input.path.resolve().parent / name for table in given.tables)
    return tuple(folder for folder in dict.fromkeys(beside) if folder.is_dir())


def side_by_side(runs: Sequence[Shown], places: Sequence[Path]) -> Iterator[Pictures]:
    """Yield for each task the pictures of its runs side by side; nothing where there are none."""
    files = {run.artefact: _files(run.artefact, places) for run in runs}
    most = _most([files[run.artefact] for run in runs])
    tasks: dict[str, list[Shown]] = {}
    for run in runs:
        tasks.setdefault(run.task, []).append(run)
    for task, held in tasks.items():
        if any(files[run.artefact] for run in held):
            yield Pictures(task, tuple(_sheet(run, files[run.artefact], most) for run in held))


def _files(artefact: str, places: Sequence[Path]) -> list[Path]:
    found = (place / artefact[:RENDER_DIGITS] for place in places)
    return next((sorted(folder.glob("*.png")) for folder in found if folder.is_dir()), [])


def _most(each: Sequence[Sequence[Path]]) -> int:
    """Return how many pictures of each artefact fit on a page."""
    sizes = [[file.stat().st_size for file in files[:MOST_EACH]] for files in each]
    return next(
        (n for n in range(MOST_EACH, 0, -1) if sum(sum(one[:n]) for one in sizes) <= MOST_BYTES), 0
    )


def _sheet(run: Shown, files: Sequence[Path], most: int) -> Sheet:
    score = "never judged" if run.score is None else f"Q {display(run.score)}"
    said = [
        score,
        *filter(None, [run.marks]),
        counted(len(files), "picture") if files else "no picture",
    ]
    if len(files) > most:
        said.append(f"the first {most:,} shown")
    shown = (
        _picture(file, f"{run.task}, {run.arm}: {n}") for n, file in enumerate(files[:most], 1)
    )
    return Sheet(f"{run.arm}, repeat {run.repeat}", " · ".join(said), tuple(shown))


def _picture(file: Path, alt: str) -> Picture:
    try:
        return picture(file.read_bytes(), alt)
    except OSError as error:
        raise ReportError(f"{file.name}: cannot be read: {error.strerror}") from None
    except ReportError as error:
        raise ReportError(f"{file.parent.name}/{file.name}: {error}") from None
