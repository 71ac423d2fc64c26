"""Splitting a dirty file: what is kept, how rejects are explained, and that the count stays."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from blake3 import blake3

import benchdata
from benchdata.contracts import Contract
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import InputError
from benchdata.gates import judge
from benchdata.reports import formats
from benchdata.reports.summary import summarize_each
from benchdata.rows import sources
from benchdata.rows.rejects import Split, set_aside, sidecar, split
from tests.support.drawn import drawn, lines, write
from tests.support.jev_social import numbered_row, valid_row
from tests.support.probe import PROBE, probe_row
from tests.support.trees import GONE, changed

ONE, TWO, THREE = (lines([numbered_row(n)])[:-1] for n in range(3))


def parted(folder: Path, data: bytes, contract: Contract = JEV_SOCIAL) -> tuple[Split, list[Any]]:
    """Split `data` into `good` and `bad` of a folder; return the counts and the rejects."""
    (folder / "dirty.ndjson").write_bytes(data)
    (source,) = sources.find([folder / "dirty.ndjson"])
    done = split(source, contract, folder / "good.ndjson", folder / "bad.ndjson")
    return done, [json.loads(line) for line in (folder / "bad.ndjson").read_bytes().splitlines()]


def test_kept_lines_keep_their_bytes(tmp_path: Path) -> None:
    odd = b' { "schema_version" : 2,' + ONE[len('{"schema_version":2,') :] + b"  "
    upper = TWO.replace(b'"acme', b'"\\u0061cme')
    done, rejects = parted(tmp_path, b"\xef\xbb\xbf" + odd + b"\r\n\n" + upper + b"\n" + THREE)
    assert done == Split(3, 0)
    assert rejects == []
    assert (tmp_path / "good.ndjson").read_bytes() == b"\n".join((odd, upper, THREE, b""))


@pytest.mark.parametrize(
    ("line", "path", "message"),
    [
        (b"{", "row", "no valid JSON at character 2"),
        (b'{"a":1,"a":2}', "row", "a key stands twice"),
        (b"[1]", "schema_version", "must hold one JSON object"),
        (b"\xff{}", "row", "byte 1 of the line is not UTF-8"),
        (lines([changed(valid_row(), {"platform": "x"})])[:-1], "platform", ""),
        (lines([changed(valid_row(), {"evidence.records": GONE})])[:-1], "evidence.records", ""),
        (lines([valid_row() | {"token": "x"}])[:-1], "row.token", ""),
    ],
)
def test_each_reject_is_explained(tmp_path: Path, line: bytes, path: str, message: str) -> None:
    done, rejects = parted(tmp_path, b"\n".join((ONE, b"", line, TWO, b"")))
    assert done == Split(2, 1)
    (reject,) = rejects
    assert list(reject) == ["line", "path", "message", "text"]
    assert (reject["line"], reject["path"]) == (3, path)
    assert message in reject["message"]
    assert reject["message"]
    assert reject["text"] == line.decode("utf-8", "backslashreplace")
    assert (tmp_path / "good.ndjson").read_bytes() == ONE + b"\n" + TWO + b"\n"


def test_a_torn_last_line_is_set_aside(tmp_path: Path) -> None:
    done, rejects = parted(tmp_path, ONE + b"\n" + TWO[:100])
    assert done == Split(1, 1)
    assert rejects[0]["message"].startswith("truncated")


def test_the_first_row_of_an_identity_is_kept(tmp_path: Path) -> None:
    other = lines([numbered_row(0, result_limit=5)])[:-1]
    done, rejects = parted(tmp_path, b"\n".join((ONE, TWO, other, ONE, b"")))
    assert done == Split(2, 2)
    assert [(one["line"], one["path"], one["message"]) for one in rejects] == [
        (3, "run_id", "stands in line 1 already"),
        (4, "run_id", "stands in line 1 already"),
    ]
    benchdata.open(tmp_path / "good.ndjson")


def test_an_identity_of_two_fields_is_named(tmp_path: Path) -> None:
    done, rejects = parted(tmp_path, lines([probe_row(1), probe_row(2), probe_row(1)]), PROBE)
    assert done == Split(2, 1)
    assert rejects[0]["path"] == "series and seq"


def test_a_sidecar_tells_the_source_and_the_count(tmp_path: Path) -> None:
    data = ONE + b"\n{}\n{}\n"
    parted(tmp_path, data)
    note = tmp_path / "good.ndjson.set-aside.json"
    assert sidecar(tmp_path / "good.ndjson") == note
    assert json.loads(note.read_bytes()) == {
        "source": "dirty.ndjson",
        "source_digest": blake3(data).hexdigest(),
        "rejected": 2,
    }
    assert set_aside(tmp_path / "good.ndjson") == 2
    assert set_aside(tmp_path / "dirty.ndjson") == 0


@pytest.mark.parametrize(
    "text",
    [b"", b"{}", b"[]", b'{"rejected": -1}', b'{"rejected": true}', b'{"rejected": 1.0}', b"\xff"],
)
def test_a_damaged_sidecar_is_an_error(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "good.ndjson.set-aside.json").write_bytes(text)
    with pytest.raises(InputError, match=r"^good\.ndjson\.set-aside\.json: .*split again"):
        set_aside(tmp_path / "good.ndjson")


def test_a_link_does_not_hide_the_count(tmp_path: Path) -> None:
    parted(tmp_path, ONE + b"\n{}\n")
    link = tmp_path / "elsewhere" / "link.ndjson"
    link.parent.mkdir()
    link.symlink_to(tmp_path / "good.ndjson")
    assert set_aside(link) == 1
    sidecar(link).write_text('{"rejected":3}', "utf-8")
    assert set_aside(link) == 3


@pytest.mark.parametrize("note", ["[" * 100_000, "", "[]", "{}", '{"rejected":true}'])
def test_a_sidecar_that_says_no_count_is_refused(tmp_path: Path, note: str) -> None:
    file = tmp_path / "good.ndjson"
    sidecar(file).write_text(note, "utf-8")
    with pytest.raises(InputError, match="does not say how many rows were set aside"):
        set_aside(file)


def test_splitting_again_forgets_nothing(tmp_path: Path) -> None:
    parted(tmp_path, ONE + b"\n{}\n")
    (source,) = sources.find([tmp_path / "good.ndjson"])
    done = split(source, JEV_SOCIAL, tmp_path / "better.ndjson", tmp_path / "worse.ndjson")
    assert done == Split(1, 0)
    assert set_aside(tmp_path / "better.ndjson") == 1


def test_gate_and_summary_say_how_many_rows_are_set_aside(tmp_path: Path) -> None:
    parted(tmp_path, lines(drawn([10])) + b"{}\n{}\n")
    dataset = benchdata.open(tmp_path / "good.ndjson")
    assert dataset.set_aside == 2
    assert dataset.provenance[0].set_aside == 2
    assert judge(dataset).verdict == "INCOMPLETE"
    assert "\n- 2 rows set aside: look at" in formats.as_markdown(summarize_each(dataset)[0])
    assert formats.document(summarize_each(dataset)[0])["rowsSetAside"] == 2
    accepted = summarize_each(dataset, accept_rejects=2)[0]
    assert accepted.gate.ready
    assert "\n- 2 rows set aside, as accepted\n" in formats.as_markdown(accepted)


@pytest.mark.parametrize(
    ("keep", "rejects"),
    [
        ("dirty.ndjson", "bad.ndjson"),
        ("good.ndjson", "dirty.ndjson"),
        ("good.ndjson", "good.ndjson"),
        ("good.ndjson", "sub/../good.ndjson"),
        ("link.ndjson", "bad.ndjson"),
        ("good.ndjson", "good.ndjson.set-aside.json"),
    ],
)
def test_no_two_of_the_files_may_be_one(tmp_path: Path, keep: str, rejects: str) -> None:
    (tmp_path / "sub").mkdir()
    dirty = write(tmp_path / "dirty.ndjson", [valid_row()])
    (tmp_path / "link.ndjson").symlink_to(dirty)
    before = dirty.read_bytes()
    (source,) = sources.find([dirty])
    with pytest.raises(InputError, match="three different files"):
        split(source, JEV_SOCIAL, tmp_path / keep, tmp_path / rejects)
    assert dirty.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "dirty.ndjson",
        "link.ndjson",
        "sub",
    ]


@pytest.mark.parametrize("place", ["keep", "rejects"])
def test_a_directory_or_a_device_is_never_replaced(tmp_path: Path, place: str) -> None:
    (source,) = sources.find([write(tmp_path / "dirty.ndjson", [valid_row()])])
    for odd in (Path("/dev/null"), tmp_path):
        files = {"keep": tmp_path / "good.ndjson", "rejects": tmp_path / "bad.ndjson", place: odd}
        with pytest.raises(InputError, match="is no file that can be replaced"):
            split(source, JEV_SOCIAL, **files)
        assert not odd.is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["dirty.ndjson"]


def test_an_error_half_way_leaves_nothing(tmp_path: Path) -> None:
    damaged = tmp_path / "dirty.ndjson.gz"
    damaged.write_bytes(b"\x1f\x8b\x08\x00 no gzip stream goes on like this")
    (source,) = sources.find([damaged])
    with pytest.raises(InputError):
        split(source, JEV_SOCIAL, tmp_path / "good.ndjson", tmp_path / "bad.ndjson")
    assert [path.name for path in tmp_path.iterdir()] == ["dirty.ndjson.gz"]


KILLED = """
import os, signal, sys
from pathlib import Path
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.rows import sources
from benchdata.rows.rejects import split

steps = int(sys.argv[1])

def limited(name):
    real = getattr(Path, name)
    def call(self, *arguments, **options):
        global steps
        if steps == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        steps -= 1
        return real(self, *arguments, **options)
    setattr(Path, name, call)

for name in ("write_bytes", "unlink", "replace"):
    limited(name)
(source,) = sources.find(["dirty.ndjson"])
split(source, JEV_SOCIAL, Path("good.ndjson"), Path("bad.ndjson"))
"""


@pytest.mark.parametrize("steps", [1, 2, 4, 6, 7])
def test_killed_at_any_step_it_leaves_no_kept_file_with_a_wrong_count(
    tmp_path: Path, root: Path, steps: int
) -> None:
    parted(tmp_path, ONE + b"\n{}\n{}\n{}\n")
    write(tmp_path / "dirty.ndjson", [valid_row(), {}])
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(steps)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(root)},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    kept = tmp_path / "good.ndjson"
    if not kept.exists():
        return
    pair = (kept.read_bytes(), set_aside(kept))
    assert pair in {(ONE + b"\n", 3), (lines([valid_row()]), 1)}
    assert benchdata.open(tmp_path / "good.ndjson").rows == 1
