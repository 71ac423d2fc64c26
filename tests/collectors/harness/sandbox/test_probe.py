"""Which sandbox is chosen, and what is said when the stronger one does not work."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchdata.errors import InputError
from collectors.harness.failures import SetupFailed
from collectors.harness.sandbox import groups, probe
from collectors.harness.sandbox.bubblewrap import Bubblewrap
from collectors.harness.sandbox.workspace import Workspace


@pytest.fixture(autouse=True)
def _probed_anew() -> Iterator[None]:
    probe.bubblewrap_fault.cache_clear()
    yield
    probe.bubblewrap_fault.cache_clear()


def programs(monkeypatch: pytest.MonkeyPatch, folder: Path, bwrap: str | None) -> None:
    """Let nothing but this `bwrap` be found."""
    monkeypatch.setenv("PATH", str(folder))
    if bwrap is not None:
        (folder / "bwrap").write_text(bwrap)
        (folder / "bwrap").chmod(0o755)


@pytest.fixture
def _groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which every kind of group can be made."""
    everything = dict.fromkeys(groups.CONTROLLERS, (Path("/"), ""))
    monkeypatch.setattr(groups, "places", lambda: everything)


@pytest.mark.usefixtures("_groups")
@pytest.mark.parametrize("name", [None, "bubblewrap"])
def test_bubblewrap_is_chosen_where_it_works(
    monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    monkeypatch.setattr(probe, "bubblewrap_fault", lambda: None)
    chosen = probe.choose(name)
    assert (chosen.name, chosen.weakness) == ("bubblewrap", None)


def test_limits_that_are_not_held_are_a_weakness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "places", dict)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    both = "memory and the number of processes not bounded (no control group)"
    assert Bubblewrap().weakness == both
    assert Workspace("a test").weakness == f"files and network not confined (a test); {both}"
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert Bubblewrap().weakness == "memory not bounded (no control group)"


@pytest.mark.usefixtures("_groups")
def test_a_workspace_can_be_asked_for() -> None:
    chosen = probe.choose("workspace")
    assert chosen.name == "workspace"
    assert chosen.weakness == "files and network not confined (it was asked for)"


FAULTS = [
    (None, "bubblewrap is not installed (Debian package `bubblewrap`)"),
    (
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n",
        "bwrap does not start: bwrap: No permissions to create new namespace",
    ),
    ("no program at all", "bwrap does not start: [Errno 8] Exec format error: '{folder}/bwrap'"),
]


@pytest.mark.parametrize(("bwrap", "fault"), FAULTS)
def test_without_it_the_reason_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bwrap: str | None, fault: str
) -> None:
    programs(monkeypatch, tmp_path, bwrap)
    fault = fault.format(folder=tmp_path)
    chosen = probe.choose()
    assert chosen.name == "workspace"
    assert (chosen.weakness or "").startswith(f"files and network not confined ({fault})")
    with pytest.raises(SetupFailed) as refused:
        probe.choose("bubblewrap")
    assert str(refused.value) == fault


def test_a_bubblewrap_that_confines_nothing_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It says that it started something, and that is in the network of this machine."""
    told = "printf '{ \"child-pid\": %s }' $$ >&$2"
    programs(monkeypatch, tmp_path, f"#!/bin/sh\n{told}\nread -r _ <&$4\nexit 7\n")
    fault = probe.bubblewrap_fault()
    assert fault is not None
    assert "no way into the sandbox's network" in fault


def test_another_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(
        InputError, match=r"sandbox: bublewrap: must be one of .*did you mean `bubblewrap`"
    ):
        probe.choose("bublewrap")
