"""The resource limits of every process in a sandbox."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.harness.sandbox.provider import Limits


def rlimits(limits: Limits) -> Mapping[str, int]:
    """Return them by their names in the module `resource`.

    None is on the address space: programs that reserve much and use little (deno) crash under it.
    """
    return {
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": limits.file_bytes,
        "RLIMIT_NOFILE": limits.open_files,
    }
