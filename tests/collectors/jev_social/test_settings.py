"""Settings: what the flags declare is checked as a row's fields before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from collectors.jev_social.settings import Settings, settings_of
from tests.support.collecting import PINS, written_task

CANARY = "canary-9f8e7d/../x"


def made(tmp_path: Path, **changes: str) -> Settings:
    flags = PINS | {f"--{name.replace('_', '-')}": value for name, value in changes.items()}
    return settings_of(
        {"--task": str(written_task(tmp_path)), **flags}, {"HOME": str(tmp_path / "home")}
    )


def test_the_header_of_the_row_is_in_normal_form(tmp_path: Path) -> None:
    settings = made(tmp_path, socai_version="v0.6.0", socai_commit="ABCDEF0", region=" eu ")
    assert settings.header["socai_version"] == "0.6.0"
    assert settings.header["socai_commit"] == "abcdef0"
    assert settings.header["region"] == "eu"
    assert settings.header["task_id"] == settings.task.task_id
    assert not {"run_id", "started_at", "outcome", "timing_ms"} & settings.header.keys()


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--jev-social-version", "0.1"),
        ("--jev-social-commit", "abc"),
        ("--jev-model", CANARY),
        ("--jev-model", "jev-latest"),
        ("--jev-model", "kev-latest"),
        ("--jev-model", "~typesafe/jev-1.13"),
        ("--jev-model", "typesafe/jev:latest"),
        ("--jev-model", "https://example.org/model"),
        ("--socai-version", CANARY),
        ("--socai-commit", "g" * 40),
        ("--profile-mode", CANARY),
        ("--region", "a b"),
        ("--region", "r" * 65),
        ("--condition", CANARY),
        ("--condition", "Cold"),
    ],
)
def test_a_pin_that_no_row_may_have_is_refused_by_its_flag(
    tmp_path: Path, flag: str, value: str
) -> None:
    with pytest.raises(BenchdataError) as refused:
        made(tmp_path, **{flag.removeprefix("--").replace("-", "_"): value})
    message = str(refused.value)
    assert message.startswith(f"{flag}: must ")
    assert value not in message


def test_a_floating_model_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(BenchdataError, match="immutable model, not a floating alias"):
        made(tmp_path, jev_model="typesafe/jev:latest")


def test_secrets_are_not_in_the_representation(tmp_path: Path) -> None:
    settings = settings_of(
        {"--task": str(written_task(tmp_path)), **PINS},
        {"HOME": str(tmp_path), "OPENROUTER_API_KEY": "canary-9f8e7d"},
    )
    assert "canary-9f8e7d" not in repr(settings)
