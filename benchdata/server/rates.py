"""How often one client may send: a token bucket for each address, in a table of bounded size."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

MINUTE_S = 60.0
MOST_ADDRESSES = 65_536
NETWORK_BITS = 64
"""Of an IPv6 address: one client has the rest to itself."""


class Rates:
    """Buckets of `per_minute` tokens that fill up within a minute.

    A bucket is kept as the time at which it will be full again (the virtual scheduling of the
    generic cell rate algorithm, ITU-T I.371); the one used longest ago makes room for a new one.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._step = MINUTE_S / per_minute
        self._clock = clock
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def wait(self, address: str) -> float:
        """Take a token of an address and return 0, or the seconds until it has one."""
        now, client = self._clock(), _client(address)
        full_at = max(self._full_at.pop(client, now), now) + self._step
        # rounding must not cost the last token of a full bucket
        missing = full_at - now - MINUTE_S
        refused = missing > self._step / 2
        self._full_at[client] = full_at - self._step if refused else full_at
        if len(self._full_at) > MOST_ADDRESSES:
            self._full_at.popitem(last=False)
        return missing if refused else 0.0


def _client(address: str) -> str:
    """Return what stands for one client: an IPv4 address, or the network of an IPv6 one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((int(found), NETWORK_BITS), strict=False))
    return str(found)
