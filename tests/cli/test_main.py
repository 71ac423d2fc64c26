"""The command line as a whole: exit codes, what goes where, and no input that ends in a trace."""

from __future__ import annotations

import gzip
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import benchdata
from tests.support.command import Done, ended, refused, run, start
from tests.support.drawn import DEMO, lines
from tests.support.jev_social import valid_row
from tests.support.proven import Proven

COMMANDS = (
    *("validate", "summarize", "gate", "compare", "history", "power", "score", "sql", "report"),
    *("site", "freeze", "export", "import", "lab", "serve", "mcp", "collect", "init"),
)
READING = (("validate",), ("summarize",), ("gate",), ("sql", "groups"))
ROW = lines([valid_row()])


def test_help_names_every_command() -> None:
    done = run("--help")
    assert (done.code, done.err) == (0, "")
    assert re.findall(r"^  ([a-z]+) ", done.out, re.MULTILINE) == list(COMMANDS)


def test_it_says_its_version() -> None:
    done = run("--version")
    assert (done.code, done.out, done.err) == (0, f"benchdata {benchdata.__version__}\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    done = run(command, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Usage: benchdata {command} ")


def test_without_a_command_there_is_help_and_an_error() -> None:
    assert "Commands:" in refused(run())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nope",), "No such command 'nope'"),
        (("--nope",), "No such option: --nope"),
        *(
            ((command, "--nope"), "No such option: --nope")
            for command in COMMANDS
            if command != "collect"
        ),
        (("summarize",), "Missing argument 'FILE...'"),
        (("gate",), "Missing argument 'FILE...'"),
        (("validate",), "name at least one FILE, or --schema NAME"),
        (("sql",), 'write `benchdata sql "select ..." FILE...`, or --list'),
        (("sql", "select 1"), 'write `benchdata sql "select ..." FILE...`, or --list'),
        (("report",), "name a report template"),
        (("collect",), "name a collector"),
        (("summarize", DEMO, "--format", "pdf"), "'pdf' is not one of 'md', 'json', 'csv'"),
        (("gate", DEMO, "--accept-rejects", "-1"), "'--accept-rejects'"),
        (("gate", DEMO, "--accept-rejects", "x"), "'--accept-rejects'"),
        (("gate", DEMO, "--contract"), "'--contract' requires an argument"),
        (("gate", DEMO, "--contract", "nope"), "no contract is named nope"),
    ],
)
def test_a_usage_error_is_one_line_and_exit_1(arguments: tuple[str, ...], words: str) -> None:
    message = refused(run(*arguments))
    assert words in message
    assert message.startswith("benchdata: ")
    assert "\n" not in message


HOSTILE = {
    "empty.ndjson": b"",
    "blank.ndjson": b"\n \n\t\r\n",
    "bom.ndjson": b"\xef\xbb\xbf",
    "binary.ndjson": bytes(range(256)) * 40,
    "nul.ndjson": b"\x00" * 4096,
    "latin.ndjson": ROW.replace(b"acme", b"\xe9"),
    "utf16.ndjson": ROW.decode().encode("utf-16"),
    "utf32.ndjson": ROW.decode().encode("utf-32-be"),
    "torn.ndjson": ROW[:-20],
    "null.ndjson": b"null\n",
    "number.ndjson": b"1\n",
    "list.ndjson": b"[" + ROW.strip() + b"]\n",
    "pretty.ndjson": ROW.replace(b",", b",\n"),
    "deep.ndjson": b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"\n",
    "deep-list.ndjson": b"[" * 100_000 + b"\n",
    "digits.ndjson": b'{"a":' + b"9" * 10_000 + b"}\n",
    "infinite.ndjson": ROW.replace(b":4,", b":1e999,"),
    "nan.ndjson": ROW.replace(b":4,", b":NaN,"),
    "float.ndjson": ROW.replace(b'"result_limit":4', b'"result_limit":4.0'),
    "repeated-key.ndjson": ROW.replace(b'{"schema', b'{"schema_version":2,"schema', 1),
    "repeated-row.ndjson": ROW + ROW,
    "surrogate.ndjson": ROW.replace(b"synthetic-lab", b"\\ud800"),
    "escape.ndjson": ROW.replace(b"synthetic-lab", b"\\u001b[31m"),
    "brace.ndjson": ROW.replace(b"synthetic-lab", b"{0} %s {x!r}"),
    "long-line.ndjson": b'{"a":"' + b"x" * (16 * 1024 * 1024) + b'"}\n',
    "no-gzip.ndjson.gz": b"\x1f\x8b\x08\x00 nothing that was ever compressed",
    "cut.ndjson.gz": gzip.compress(ROW * 100)[:-12],
    "cut.ndjson.zst": b"\x28\xb5\x2f\xfd\x04\x00",
    "table.csv": b"a,b\n1,2\n",
    "junk.parquet": b"PAR1 and then nothing PAR1",
    "\udcff odd\n name.ndjson": b"{}\n",
}


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_no_file_ends_in_a_trace(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(HOSTILE[name])
    for command in READING:
        message = refused(run(*command, file))
        assert all(len(line) < 700 for line in message.split("\n"))
        assert "\x1b" not in message


@pytest.mark.parametrize("command", READING, ids=" ".join)
@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("nowhere.ndjson", "no such file"),
        ("*.ndjson", "no such file"),
        ("", "no such file"),
        ("-", "holds no row"),
        (".", "the directory holds no row file"),
        ("/dev/null", "holds no row"),
        ("x" * 300, "cannot be opened: File name too long"),
        ("nul\0", "\ufffd"),
    ],
)
def test_no_argument_ends_in_a_trace(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    argument: str,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    message = refused(run(*command, argument))
    assert words in message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").touch(mode=0)
    assert "Permission denied" in refused(run("validate", tmp_path / "a.ndjson"))


def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    rows.write_bytes(ROW)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(["cp", rows, fifo]) as writer:
        done = ended(start("validate", fifo))
        writer.kill()
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("fifo: 1 row of jev-social, all valid\n")


def test_standard_input_is_read_like_a_file() -> None:
    done = run("gate", "-", stdin=ROW)
    assert (done.code, done.err) == (3, "")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("gate", DEMO), 3), (("validate", "nope"), 1), (("--help",), 0)],
)
def test_the_process_exits_with_the_code(arguments: tuple[str | Path, ...], code: int) -> None:
    done = ended(start(*arguments))
    assert done == run(*arguments)
    assert done.code == code
    assert bool(done.out) is (code != 1)
    assert bool(done.err) is (code == 1)


def test_a_reader_that_leaves_early_is_no_trouble() -> None:
    process = start("gate", DEMO)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate()
    assert (process.returncode, err) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.faults
@pytest.mark.parametrize("arguments", [("--help",), ("gate", DEMO)])
def test_a_full_disk_is_one_message(arguments: tuple[str | Path, ...], proven: Proven) -> None:
    with Path("/dev/full").open("wb") as full:
        _, err = start(*arguments, stdout=full).communicate()
    assert err == b"benchdata: No space left on device\n"
    proven("full disk: standard output", 1, "one message")


@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-"])
def test_a_closed_stream_is_no_trouble(closed: str) -> None:
    command = f'exec "{sys.executable}" -m benchdata validate "{DEMO}" {closed}'
    done = subprocess.run(
        ["sh", "-c", command], cwd=DEMO.parents[1], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", pytest.param("2>&-", marks=pytest.mark.slow)])
def test_a_report_is_made_with_a_closed_stream(tmp_path: Path, closed: str) -> None:
    made = f'-m benchdata report explore "{DEMO}" --out "{tmp_path}"'
    command = f'exec "{sys.executable}" {made} {closed}'
    done = subprocess.run(["sh", "-c", command], cwd=DEMO.parents[1], check=False)
    assert done.returncode == 0
    assert len(list(tmp_path.glob("*/report.html"))) == 1


def test_a_terminal_of_few_letters_gets_escapes(tmp_path: Path) -> None:
    (tmp_path / "†.ndjson").write_bytes(ROW)
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = ended(start("validate", tmp_path / "†.ndjson", env=environment))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(r"\u2020.ndjson: 1 row of jev-social, all valid")


def test_an_interrupt_is_130_and_leaves_nothing(tmp_path: Path) -> None:
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    process = start("validate", "-", env=environment)
    assert process.stdin is not None
    process.stdin.write(b"\n" * 2_000_000)  # more than a pipe holds: by now it is being read
    process.send_signal(signal.SIGINT)
    done = ended(process)
    assert done == Done(130, "", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_command_told_to_end_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    def heed() -> None:  # under nohup, say, a hang-up would be ignored
        signal.signal(number, signal.SIG_DFL)

    environment = os.environ | {"TMPDIR": str(tmp_path)}
    process = start("validate", "-", env=environment, preexec_fn=heed)
    assert process.stdin is not None
    process.stdin.write(b"\n" * 2_000_000)
    process.send_signal(number)
    assert ended(process) == Done(128 + number, "", "")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_command_left_is_swept_by_the_next(tmp_path: Path) -> None:
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    process = start("validate", "-", env=environment)
    assert process.stdin is not None
    process.stdin.write(b"\n" * 2_000_000)
    process.kill()
    process.communicate()
    assert list(tmp_path.iterdir()) != []
    assert ended(start("validate", DEMO, env=environment)).code == 0
    assert list(tmp_path.iterdir()) == []


def test_an_endless_line_is_not_spooled(tmp_path: Path) -> None:
    process = start("validate", "/dev/zero", env=os.environ | {"TMPDIR": str(tmp_path)})
    assert "a line is longer than 16 MiB" in refused(ended(process))
    assert list(tmp_path.iterdir()) == []


def test_what_the_system_refuses_an_engine_is_one_sentence(tmp_path: Path) -> None:
    process = start(
        *("summarize", DEMO),
        env=os.environ | {"TMPDIR": str(tmp_path)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000)),
    )
    assert "File too large" in refused(ended(process))


@pytest.mark.parametrize("words", ["No space left on device", "failed (os error 28)"])
def test_a_full_disk_under_an_engine_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    def full(*_: object) -> None:
        raise ValueError(f"parquet: {words}")

    monkeypatch.setattr("benchdata.dataset.Dataset.sql", full)
    assert refused(run("gate", DEMO)) == "benchdata: No space left on device"


def test_a_name_cannot_forge_a_line() -> None:
    message = refused(run("validate", "nope\nbenchdata: all valid\x1b[2K"))
    assert "\n" not in message
    assert "\x1b" not in message


def test_a_name_that_is_no_text_is_escaped(tmp_path: Path) -> None:
    file = tmp_path / "bad\udcff\x1b.ndjson"
    file.write_bytes(ROW)
    done = run("validate", file, "--keep-valid", tmp_path / "k", "--rejects", tmp_path / "j")
    assert (done.code, done.err) == (0, "")
    noted = (tmp_path / "k.set-aside.json").read_text("utf-8")
    assert '"source":"bad\\\\xff\ufffd.ndjson"' in noted
