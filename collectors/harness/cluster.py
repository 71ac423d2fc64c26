"""A Dask cluster on whose workers attempts are made, and the connection to its scheduler.

The journal, the lock, the rows and every retry stay with the one process that began. A worker is
sent an attempt and returns its row. The workers must have the folders of this machine at the same
paths, as on a shared disk, and the credential in their own environment: a `Payer` sends none.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from benchdata.errors import BenchdataError, InputError
from collectors.harness.attempt import Setting
from collectors.harness.executors import ClusterExecutor
from collectors.harness.workers import Needs, exposed

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 10.0
SEEN = ".workers"
"""What every worker must see in the folder of a batch."""
LOGS = ("distributed", "distributed.client")
"""Of the client: what is in them, we say in our own words."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Dask cluster, and what each of its workers must have as this machine has it.

    Raises:
        BenchdataError: Dask is not installed, or others could take the credential.
    """

    address: str
    setting: Setting
    agent_version: str
    paths: tuple[Path, ...]

    def __post_init__(self) -> None:
        """Refuse what needs no connection to be known."""
        if find_spec("distributed") is None:
            raise BenchdataError("distributed is not installed: pip install 'benchdata[dask]'")
        self._refuse_exposed(self.address)

    @property
    def sentence(self) -> str:
        """Say for the plan where attempts run."""
        source = self.setting.payer.source
        own = f", each with {source} of its own environment" if source else ""
        return f"Workers: those of {self.address}{own}."

    def _refuse_exposed(self, place: str) -> None:
        if fault := exposed(place, self.setting.payer):
            raise InputError(f"executor: the scheduler {fault}")

    @contextmanager
    def opened(self, folder: Path) -> Iterator[Executor]:
        """Give an executor on the workers, for a batch in `folder`.

        Raises:
            BenchdataError: The scheduler cannot be reached, or a worker is not fit.
        """
        seen = folder / SEEN
        needs = Needs(seen, str(uuid.uuid4()), self.setting, self.agent_version, self.paths)
        seen.write_text(needs.text, "utf-8")
        try:
            with (
                _connected(self.address) as client,
                ClusterExecutor(self.address, client, needs) as workers,
            ):
                self._refuse_exposed(client.scheduler_info()["address"])  # as others know it
                workers.pick()
                yield workers
        finally:
            seen.unlink(missing_ok=True)


async def _greeted(place: str) -> None:
    """Wait for a scheduler's greeting, for which its client would wait for ever."""
    from distributed.comm.core import connect
    from distributed.security import Security

    async with asyncio.timeout(CONNECT_S):
        found = await connect(place, CONNECT_S, **Security().get_connection_args("client"))
        found.abort()


@contextmanager
def _connected(place: str) -> Iterator[Client]:
    """Connect to a scheduler; BenchdataError when that cannot be done soon."""
    from distributed import Client

    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        asyncio.run(_greeted(place))
        client = Client(place, timeout=CONNECT_S, set_as_default=False)
    except (OSError, RuntimeError, TypeError, ValueError) as error:
        why = str(error).partition("\n")[0] or f"nothing is heard within {CONNECT_S:g} s"
        raise BenchdataError(f"executor: no scheduler answers at {place}: {why}") from None
    with client:
        yield client
