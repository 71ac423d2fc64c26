"""The system calls that a confined program may not make: a filter in the kernel's own format.

What is refused either reaches into other processes, mounts and namespaces, or is a large, young
part of the kernel that no agent needs. Programs take the refusal as they would on an older kernel
or as a plain user.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterator

from collectors.harness.failures import SetupFailed

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""AUDIT_ARCH of the kernel's headers."""
NUMBERS: dict[str, tuple[int, int]] = {
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # mounts
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    # namespaces
    "setns": (308, 268),
    "unshare": (272, 97),
    # the kernel itself
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "syslog": (103, 116),
    # answered as by a kernel that does not have them, so that callers use the older way
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),  # its flags lie in memory, where a filter cannot look
    # refused with some flags only
    "clone": (56, 220),
}
"""Every call by its number on each of the architectures."""
ABSENT = {"io_uring_setup", "io_uring_enter", "io_uring_register", "clone3"}
NEW_NAMESPACES = 0x7E020000
"""The flags CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET."""
X32 = 0x40000000
"""Numbers from here on are a second set of calls that x86-64 has."""

LOAD, IF_EQUAL, IF_AT_LEAST, IF_ANY, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCHITECTURE_AT, FIRST_ARGUMENT_AT = 0, 4, 16
ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000
REFUSE = FAIL | errno.EPERM


def program(machine: str = platform.machine()) -> bytes:
    """Return the filter of an architecture.

    Raises:
        SetupFailed: Its calls are not known here.
    """
    if machine not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise SetupFailed(f"no filter of system calls for {machine}, only for {known}")
    return b"".join(_instructions(machine))


def _instructions(machine: str) -> Iterator[bytes]:
    column = [*ARCHITECTURES].index(machine)
    numbers = {name: both[column] for name, both in NUMBERS.items()}
    clone = numbers.pop("clone")
    yield _step(LOAD, ARCHITECTURE_AT)
    yield from _unless(IF_EQUAL, ARCHITECTURES[machine], KILL)
    yield _step(LOAD, NUMBER_AT)
    if machine == "x86_64":
        yield from _when(IF_AT_LEAST, X32, REFUSE)
    for name, number in numbers.items():
        yield from _when(IF_EQUAL, number, FAIL | errno.ENOSYS if name in ABSENT else REFUSE)
    yield from _unless(IF_EQUAL, clone, ALLOW)
    yield _step(LOAD, FIRST_ARGUMENT_AT)
    yield from _when(IF_ANY, NEW_NAMESPACES, REFUSE)
    yield _step(RETURN, ALLOW)


def _when(test: int, value: int, answer: int) -> Iterator[bytes]:
    """Answer when the test of the loaded word holds."""
    yield _step(test, value, otherwise=1)
    yield _step(RETURN, answer)


def _unless(test: int, value: int, answer: int) -> Iterator[bytes]:
    """Answer when the test of the loaded word does not hold."""
    yield _step(test, value, then=1)
    yield _step(RETURN, answer)


def _step(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    """Return one instruction; the last two are how many to leave out after a test."""
    return struct.pack("=HBBI", code, then, otherwise, value)
