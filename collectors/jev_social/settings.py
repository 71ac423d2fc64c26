"""Everything one attempt depends on, checked before it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchdata.errors import BenchdataError, RowError
from collectors.jev_social import row
from collectors.jev_social.environment import Config, completed, config_of
from collectors.jev_social.task import FLAG, Task, load


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The task, the row's metadata in normal form, and where keys and programs are found."""

    task: Task
    header: Mapping[str, Any]
    environment: Mapping[str, str] = field(repr=False)
    config: Config = field(repr=False)

    @property
    def model(self) -> str:
        """The model that every decision must be made by."""
        return str(self.header["jev_model"])


def settings_of(flags: Mapping[str, str], variables: Mapping[str, str]) -> Settings:
    """Return the settings that flags and environment variables make.

    Raises:
        BenchdataError: A flag's value, the task, the environment file or the config is invalid; the
            message names the flag or field and never the value.
    """
    surroundings = completed(variables, Path())
    task = load(Path(flags[FLAG]))
    pins = {name: flags[_flag(name)] for name in row.PINS}
    try:
        header = row.header_of(task, pins)
    except RowError as error:
        raise BenchdataError(f"{_flag(error.path)}: {error.message}") from None
    return Settings(
        task=task,
        header=header,
        environment=surroundings,
        config=config_of(surroundings),
    )


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
