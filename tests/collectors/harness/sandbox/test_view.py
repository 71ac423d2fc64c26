"""What a program under bubblewrap sees: its folder and the system's programs, and no more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from collectors.harness.failures import SetupFailed
from collectors.harness.sandbox import bubblewrap
from collectors.harness.sandbox.provider import Room
from tests.support.confined import Lab

CANARY = "a3f1-canary"


def test_it_starts_in_its_work_folder_and_what_it_writes_is_there_afterwards(lab: Lab) -> None:
    done = lab.shell("pwd; cat; echo made > made.txt", stdin=b"asked\n")
    assert (done.code, done.stdout, done.stderr) == (0, "/agent/work\nasked\n", "")
    assert (lab.work / "made.txt").read_text() == "made\n"
    assert (lab.work / "made.txt").stat().st_uid == os.geteuid()


@pytest.mark.parametrize("name", ["probes", "graders", "references", "other-run"])
def test_files_beside_its_folder_cannot_be_read(lab: Lab, name: str) -> None:
    secret = lab.root / name / "answer.txt"
    secret.parent.mkdir()
    secret.write_text(CANARY)
    (lab.work / "link").symlink_to(secret)
    (lab.work / "up").symlink_to("../../" + name)
    done = lab.shell(
        f"cat {secret} link up/answer.txt ../../{name}/answer.txt /agent/../*/answer.txt"
    )
    assert done.code == 1
    assert CANARY not in done.stdout


def test_keys_of_this_machine_are_not_there_with_the_certificates(lab: Lab) -> None:
    done = lab.shell("ls -d /etc/ssl/certs; ls /etc/ssl")
    assert done.stdout.startswith("/etc/ssl/certs\n")
    assert "private" not in done.stdout


def test_nothing_else_of_the_file_system_is_there(lab: Lab, root: Path) -> None:
    done = lab.shell("ls -A / /etc /agent /tmp")
    top, *_ = done.stdout.partition("\n\n")
    assert set(top.split()[1:]) <= {
        *("agent", "bin", "dev", "etc", "lib", "lib32", "lib64", "proc", "sbin", "tmp", "usr")
    }
    assert "shadow" not in done.stdout
    assert done.stdout.endswith("/tmp:\n")
    assert lab.shell(f"ls {root}").code == 2


def test_no_user_or_name_of_this_machine_is_told(lab: Lab) -> None:
    done = lab.shell("cat /etc/passwd | cut -d: -f1; hostname; id -un; cat /etc/hosts")
    assert done.stdout == "root\nagent\nagent\nagent\n127.0.0.1 localhost agent\n"


WRITES = [
    "/x",
    "/etc/x",
    "/usr/x",
    "/usr/bin/env",
    "/dev/x",
    "/etc/passwd",
    "/proc/sys/kernel/hostname",
]


@pytest.mark.parametrize("path", WRITES)
def test_nothing_outside_its_folder_can_be_written(lab: Lab, path: str) -> None:
    done = lab.shell(f"echo x >> {path}")
    assert done.code == 2, done.stdout
    assert "Read-only" in done.stderr or "Permission denied" in done.stderr


def test_nothing_of_the_kernel_can_be_set(lab: Lab) -> None:
    done = lab.python(
        "import os\n"
        "for top, folders, files in os.walk('/proc'):\n"
        "    folders[:] = [name for name in folders if not name.isdigit()]\n"
        "    for name in files:\n"
        "        try: os.close(os.open(f'{top}/{name}', os.O_WRONLY))\n"
        "        except OSError: continue\n"
        "        print(top, name)"
    )
    assert (done.code, done.stdout) == (0, "")


def test_devices_work_and_their_modes_stay(lab: Lab) -> None:
    done = lab.shell("cd /dev && echo x > null && head -c5 zero | wc -c; chmod 600 null zero")
    assert (done.code, done.stdout) == (1, "5\n")
    assert Path(os.devnull).stat().st_mode & 0o777 == 0o666


def test_the_projects_own_code_is_hidden_where_it_is_installed(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lab.shell("ls /usr/share/doc").stdout != ""
    lab.stdout.unlink()
    monkeypatch.setattr(bubblewrap, "OWN", (Path("/usr/share/doc"),))
    assert lab.shell("ls /usr/share/doc").stdout == ""


def test_the_projects_own_code_is_hidden_in_a_folder_that_is_shown(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "python" / "site-packages" / "own"
    own.mkdir(parents=True)
    for name in ("grader.py", "agent.py"):
        (own / name).write_text("x")
    monkeypatch.setattr(bubblewrap, "OWN", (own,))
    room = Room(lab.agent, readable=(own / "agent.py", tmp_path / "python"))
    assert lab.shell(f"cd {own} && ls && cat agent.py", room).stdout == "agent.py\nx"


def test_readable_paths_are_there_under_their_names_and_read_only(lab: Lab, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    (given / "tool").write_text("#!/bin/sh\necho ran\n")
    (given / "tool").chmod(0o755)
    (lab.agent / "code").mkdir()
    room = Room(lab.agent, readable=(given, lab.agent / "code"))
    done = lab.shell(
        f"{given}/tool; echo x > {given}/tool; echo x > /agent/code/x; ls {tmp_path}", room
    )
    assert done.stdout == "ran\ngiven\n"
    assert done.stderr.count("Read-only file system") == 2


def test_the_environment_is_what_was_given_and_no_more(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", CANARY)
    done = lab.shell("cat /proc/*/environ | tr '\\0' '\\n' | cut -d= -f1 | sort -u")
    assert done.stdout.split() == ["MARK", "PATH", "PWD"]


def test_only_its_own_processes_are_seen(lab: Lab) -> None:
    done = lab.shell(f"ls -d /proc/[0-9]* | wc -l; kill -0 {os.getpid()} && echo seen")
    assert int(done.stdout) <= 5
    assert "seen" not in done.stdout


def test_no_descriptor_is_left_open_to_it(lab: Lab) -> None:
    with Path(os.devnull).open() as file:
        os.set_inheritable(file.fileno(), True)
        done = lab.shell("ls /proc/$$/fd")
    assert done.stdout.split() == ["0", "1", "2"]


def test_what_it_printed_cannot_be_taken_back(lab: Lab) -> None:
    done = lab.shell("echo said; : > /proc/self/fd/1; truncate -s 0 /dev/stdout; echo more")
    assert done.stdout == "said\nmore\n"


def test_the_path_it_sees_is_told(lab: Lab) -> None:
    assert lab.provider.inside(Room(lab.agent), lab.work / "a.txt") == "/agent/work/a.txt"


def test_a_room_without_a_work_folder_is_refused(lab: Lab) -> None:
    lab.work.rmdir()
    with pytest.raises(SetupFailed, match="no folder `work`"):
        lab.start(("/bin/true",))


def test_a_program_that_is_not_there_says_so(lab: Lab) -> None:
    with pytest.raises(SetupFailed, match=r"did not begin: .*no-such-program: No such file"):
        lab.run(("/usr/bin/no-such-program",))


def test_a_readable_path_that_is_not_there_is_a_failed_set_up(lab: Lab, tmp_path: Path) -> None:
    with pytest.raises(SetupFailed, match=r"Can't find source path .*missing: No such"):
        lab.run(("/bin/true",), Room(lab.agent, readable=(tmp_path / "missing",)))
    assert lab.survivors() == []
