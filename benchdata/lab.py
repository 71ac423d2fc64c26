"""What a notebook of `benchdata lab` opens on: SQL cells, and charts that answer the mouse."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from benchdata.errors import BenchdataError
from benchdata.startup import without

if TYPE_CHECKING:
    import duckdb

    from benchdata.dataset import Dataset
    from benchdata.engine.connection import View

NEEDED = ("jupyterlab", "jupysql", "pandas")
INSTALL = "pip install 'benchdata[lab]'"
ALIAS = "rows"
# JupySQL loads Spark where it is installed, and fails where its remote half is not.
SPARK_MODULES = ("pyspark", "pyspark.sql", "pyspark.sql.connect")


def require() -> None:
    """Raise BenchdataError, which says what to install, when a part of the lab is missing."""
    missing = [name for name in NEEDED if not _is_installed(name)]
    if missing:
        raise BenchdataError(f"the lab needs {' and '.join(missing)}: {INSTALL}")


def _is_installed(name: str) -> bool:
    # by its distribution: JupySQL's module is `sql`, and so may be a file of the user's
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def views(dataset: Dataset) -> tuple[View, ...]:
    """Return what SQL cells see: the views of every contract, and what the first has alone.

    `rows`, `grouped`, `measurements`, `group_list` and the named queries are of one contract: where
    there are several, they are the first one's.
    """
    from benchdata import queries

    first = dataset.of(dataset.contracts[0])
    return tuple({view.name: view for view in (*dataset.views, *queries.views_of(first))}.values())


def start(dataset: Dataset) -> duckdb.DuckDBPyConnection:
    """Let the `%%sql` cells of this notebook ask `dataset`, and its charts answer the mouse.

    A cell's answer is a polars frame. The connection, which is returned, reads the files of
    `dataset` and no others, and its settings are locked. It is not sealed: a cell may make tables,
    and has no limits and no check for one SELECT, as `benchdata sql` has.

    Raises:
        BenchdataError: This is no notebook, or a part of the lab is not installed.
    """
    from IPython.core.getipython import get_ipython
    from IPython.utils.capture import capture_output

    from benchdata import charts
    from benchdata.engine.connection import connect

    require()
    shell: Any = get_ipython()
    if shell is None:
        raise BenchdataError("this is no notebook: `benchdata lab FILE...` opens one")
    connection = connect(views(dataset))
    # JupySQL speaks of settings that it looks for in a pyproject.toml
    with capture_output(), without(*SPARK_MODULES):
        shell.extension_manager.load_extension("sql")
        from sql.connection import ConnectionManager

        magic = shell.find_cell_magic("sql").__self__
        magic.autopolars, magic.displaycon, magic.feedback = True, False, 0
        magic.dataset = dataset  # whose files go when nothing refers to it
        ConnectionManager.set(connection, displaycon=False, alias=ALIAS, config=magic)
    charts.enable(live=True)
    return connection
