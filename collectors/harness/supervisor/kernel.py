"""The few calls to the kernel that Python has no name for."""

from __future__ import annotations

import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)
SET_PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36
NEW_MOUNTS, NEW_USER, NEW_NET = 0x00020000, 0x10000000, 0x40000000
READ_ONLY, REMOUNT, BIND, WITH_ALL_BELOW, PRIVATE = 0x1, 0x20, 0x1000, 0x4000, 0x40000
"""Flags of `mount`."""
OWNER_OF_NAMESPACE = 0xB701
"""The ioctl NS_GET_USERNS."""
BIND_EARLY = 15
"""The socket option IP_FREEBIND: an address may be taken before its interface is up."""


def call(name: str, *arguments: int | bytes | None) -> None:
    """Call a function of the C library.

    Raises:
        OSError: It refused.
    """
    if getattr(LIBC, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def lock_devices() -> None:
    """Give this process a view of its own in which the modes of devices cannot be changed."""
    call("unshare", NEW_MOUNTS)
    call("mount", None, b"/", None, PRIVATE | WITH_ALL_BELOW, None)
    call("mount", b"/dev", b"/dev", None, BIND | WITH_ALL_BELOW, None)
    call("mount", None, b"/dev", None, REMOUNT | BIND | READ_ONLY, None)
