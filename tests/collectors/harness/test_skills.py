"""Skills: what a folder must hold, its digest, and its installation."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from benchdata.errors import InputError
from collectors.harness import skills
from collectors.harness.failures import SetupFailed
from tests.support.driven import skill_in

HEAD = "---\nname: pelican\ndescription: Draws.\n---\n"


def test_a_skill_is_known_by_the_paths_and_bytes_of_its_files(tmp_path: Path) -> None:
    folder = skill_in(tmp_path)
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref")
    (folder / "node_modules" / "left").mkdir(parents=True)
    (folder / "node_modules" / "left" / "pad.js").write_text("1")
    expected = hashlib.sha256()
    for path in ("SKILL.md", "references/beak.md"):
        expected.update(path.encode() + (folder / path).read_bytes())
    skill = skills.read(folder)
    assert (skill.name, skill.digest) == ("pelican", expected.hexdigest())


@pytest.mark.parametrize("change", ["content", "name", "more"])
def test_any_change_changes_the_digest(tmp_path: Path, change: str) -> None:
    folder = skill_in(tmp_path)
    before = skills.read(folder).digest
    beak = folder / "references" / "beak.md"
    match change:
        case "content":
            beak.write_text("another")
        case "name":
            beak.rename(folder / "references" / "bill.md")
        case "more":
            (folder / "empty").touch()
    assert skills.read(folder).digest != before


def test_the_digest_does_not_depend_on_the_place(tmp_path: Path) -> None:
    one, two = (skills.read(skill_in(tmp_path / name)) for name in ("one", "two"))
    assert one.digest == two.digest


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must begin with YAML"),
        ("# Pelican\n", "must begin with YAML"),
        ("---\nname: pelican\n", "must begin with YAML"),
        ("---\nname: pelican\ndescription: when: now\n---\n", r"SKILL\.md:3: .*quote the text"),
        ("---\nname: \x00\n---\n", "must begin with YAML"),
        ("---\n- pelican\n---\n", "head: "),
        ("---\ndescription: x\n---\n", "name: "),
        ("---\nname: pelican\n---\n", "description: "),
        ("---\nname: pelican\ndescription: ''\n---\n", "description: "),
        ("---\nname: Pelican\ndescription: x\n---\n", "name: "),
        ("---\nname: a--b\ndescription: x\n---\n", "name: "),
        ("---\nname: ../up\ndescription: x\n---\n", "name: "),
        ("---\nname: 7\ndescription: x\n---\n", "name: "),
        (f"---\nname: {'a' * 65}\ndescription: x\n---\n", "name: "),
        (f"---\nname: pelican\ndescription: {'x' * 1025}\n---\n", "description: "),
    ],
)
def test_a_wrong_head_is_refused_by_file_and_field(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "SKILL.md").write_text(text)
    with pytest.raises(InputError, match=words) as refused:
        skills.read(tmp_path)
    assert "SKILL.md" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        HEAD,
        "\ufeff" + HEAD,
        HEAD.replace("\n", "\r\n"),
        "---\nname: pelican\ndescription: |\n  Two\n  lines.\nnovel: [1]\n---\nBody\n---\n",
    ],
)
def test_other_keys_and_line_ends_are_fine(tmp_path: Path, text: str) -> None:
    (tmp_path / "SKILL.md").write_bytes(text.encode())
    assert skills.read(tmp_path).name == "pelican"


@pytest.mark.parametrize("content", [None, b"\xff\xfe---"])
def test_without_a_readable_file_it_is_no_skill(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "SKILL.md").write_bytes(content)
    with pytest.raises(InputError, match=r"needs a SKILL\.md of UTF-8 text"):
        skills.read(tmp_path)


@pytest.mark.parametrize("target", ["../secret", "/etc/passwd", "../apart", "../pelican-too/x"])
def test_a_link_that_leads_out_is_refused(tmp_path: Path, target: str) -> None:
    folder = skill_in(tmp_path)
    (tmp_path / "secret").touch()
    (tmp_path / "apart").mkdir()
    (tmp_path / "pelican-too").mkdir()
    (tmp_path / "pelican-too" / "x").touch()
    (folder / "link").symlink_to(target)
    with pytest.raises(InputError, match="link: is a link that leaves its folder"):
        skills.read(folder)


def test_a_link_within_is_followed_and_one_to_nothing_is_refused(tmp_path: Path) -> None:
    folder = skill_in(tmp_path)
    (folder / "beak").symlink_to("references/beak.md")
    skill = skills.read(folder)
    skill.install(tmp_path / "installed")
    copy = tmp_path / "installed" / "pelican" / "beak"
    assert copy.read_text() == "BEAK-AND-POUCH\n"
    assert not copy.is_symlink()
    for nowhere in ("nothing", "beak"):
        (folder / "beak").unlink()
        (folder / "beak").symlink_to(nowhere)
        with pytest.raises(InputError, match="files and folders only"):
            skills.read(folder)


def test_a_link_to_a_folder_and_a_pipe_are_refused(tmp_path: Path) -> None:
    folder = skill_in(tmp_path)
    (folder / "loop").symlink_to(".")
    with pytest.raises(InputError, match="loop: a skill holds files and folders only"):
        skills.read(folder)
    (folder / "loop").unlink()
    os.mkfifo(folder / "pipe")
    with pytest.raises(InputError, match="pipe: is neither a file nor a link"):
        skills.read(folder)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_head_that_is_no_file_is_not_waited_for(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    folder = skill_in(tmp_path)
    (folder / "SKILL.md").unlink()
    make(folder / "SKILL.md")
    with pytest.raises(InputError, match="of UTF-8 text"):
        skills.read(folder)


@pytest.mark.parametrize("line", ["x: !!bool maybe", "# " + "x" * skills.LONGEST_HEAD])
def test_a_head_that_stops_the_parser_is_refused(tmp_path: Path, line: str) -> None:
    folder = skill_in(tmp_path)
    (folder / "SKILL.md").write_text(f"---\nname: pelican\ndescription: x\n{line}\n---\n")
    with pytest.raises(InputError, match="must begin with YAML"):
        skills.read(folder)


def test_a_file_name_need_not_be_text(tmp_path: Path) -> None:
    folder = skill_in(tmp_path)
    (folder / os.fsdecode(b"beak-\xff")).touch()
    skill = skills.read(folder)
    skill.install(tmp_path / "installed")
    assert skills.digest_of(tmp_path / "installed" / "pelican") == skill.digest


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_is_refused_and_not_left_out(tmp_path: Path) -> None:
    folder = skill_in(tmp_path)
    (folder / "references").chmod(0)
    with pytest.raises(InputError, match="cannot be read"):
        skills.read(folder)


def test_it_is_installed_under_its_name_with_what_may_run(tmp_path: Path) -> None:
    folder = skill_in(tmp_path).rename(tmp_path / "checkout-4711")
    (folder / "scripts").mkdir()
    (folder / "scripts" / "go.sh").write_text("#!/bin/sh\n")
    (folder / "scripts" / "go.sh").chmod(0o755)
    skill = skills.read(folder)
    skill.install(tmp_path / "config" / "skills")
    installed = tmp_path / "config" / "skills" / "pelican"
    assert skills.digest_of(installed) == skill.digest
    assert os.access(installed / "scripts" / "go.sh", os.X_OK)


def test_files_that_changed_after_they_were_read_are_not_installed(tmp_path: Path) -> None:
    folder = skill_in(tmp_path)
    skill = skills.read(folder)
    (folder / "SKILL.md").write_text(HEAD + "another\n")
    with pytest.raises(SetupFailed, match="changed after they were read"):
        skill.install(tmp_path / "skills")
