"""What a program under bubblewrap may not ask of the kernel."""

from __future__ import annotations

import errno
import platform
import re
import signal
from pathlib import Path

import pytest

from collectors.harness.failures import SetupFailed
from collectors.harness.sandbox import seccomp
from tests.support.confined import Lab

HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",
}
CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for call in {calls}:
    libc.syscall(*call)
    print(ctypes.get_errno())
"""


def answers(lab: Lab, *calls: tuple[int, ...]) -> list[int]:
    """The error number of every system call, made inside."""
    done = lab.python(CALL.format(calls=calls))
    assert done.code == 0, done.stderr
    return [int(line) for line in done.stdout.split()]


def number(name: str) -> int:
    return seccomp.NUMBERS[name][[*seccomp.ARCHITECTURES].index(platform.machine())]


def test_it_has_no_privilege_and_gets_none(lab: Lab) -> None:
    done = lab.shell("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status")
    found = dict(line.split(":\t") for line in done.stdout.splitlines())
    assert found.pop("NoNewPrivs") == "1"
    assert found.pop("Seccomp") == "2"
    assert {int(value, 16) for value in found.values()} == {0}


def test_every_call_of_the_table_is_refused(lab: Lab) -> None:
    names = [name for name in seccomp.NUMBERS if name != "clone"]
    expected = [errno.ENOSYS if name in seccomp.ABSENT else errno.EPERM for name in names]
    assert answers(lab, *((number(name), 0, 0, 0, 0, 0) for name in names)) == expected


@pytest.mark.parametrize("flag", [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x40000000])
def test_no_namespace_comes_with_a_new_process(lab: Lab, flag: int) -> None:
    assert answers(lab, (number("clone"), flag | 17, 0, 0, 0, 0)) == [errno.EPERM]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other machines have no second set")
def test_the_second_set_of_calls_is_closed(lab: Lab) -> None:
    assert answers(lab, (seccomp.X32 | 39, 0)) == [errno.EPERM]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other machines have no such door")
def test_calls_of_the_32_bit_kernel_end_the_program(lab: Lab) -> None:
    """`mov eax, 20; int 0x80`; a kernel without them answers with a segmentation fault."""
    done = lab.python(
        "import ctypes, mmap\n"
        "code = mmap.mmap(-1, 4096, prot=7)\n"
        "code.write(bytes.fromhex('b814000000cd80c3'))\n"
        "at = ctypes.addressof(ctypes.c_char.from_buffer(code))\n"
        "print(ctypes.CFUNCTYPE(ctypes.c_int)(at)())"
    )
    assert done.code in {128 + signal.SIGSYS, 128 + signal.SIGSEGV}, done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "command",
    [
        "unshare -U true",
        "unshare -m true",
        "mount -t tmpfs none /agent/work",
        "nsenter -t 1 -n true",
        "/usr/sbin/chroot /agent true",
        "mknod /agent/work/disk b 254 0",
        "bwrap --ro-bind / / true",
    ],
)
def test_tools_that_lead_out_are_refused(lab: Lab, command: str) -> None:
    done = lab.shell(command)
    assert done.code not in {0, 127}, done.stderr


def test_threads_and_new_processes_work(lab: Lab) -> None:
    done = lab.python(
        "import subprocess, threading\n"
        "threads = [threading.Thread(target=print, args=(i,)) for i in range(3)]\n"
        "[each.start() for each in threads]; [each.join() for each in threads]\n"
        "print(subprocess.run(['sh', '-c', 'echo $((1 + 2)) | cat'], capture_output=True).stdout)"
    )
    assert done.stdout == "0\n1\n2\nb'3\\n'\n"


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_the_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    header = Path(HEADERS[machine])
    if not header.is_file():
        pytest.skip(f"{header} is not installed")
    column = [*seccomp.ARCHITECTURES].index(machine)
    lines = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text())
    defined = {name: int(value) for name, value in lines}
    ours = {name: both[column] for name, both in seccomp.NUMBERS.items()}
    assert {name: defined[name] for name in ours} == ours


def test_an_architecture_without_numbers_is_refused() -> None:
    with pytest.raises(SetupFailed, match="riscv64"):
        seccomp.program("riscv64")
