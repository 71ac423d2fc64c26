"""A skill: a folder with a `SKILL.md`, read and checked, known by the digest of its files."""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchdata.errors import BenchdataError, InputError, shorten
from collectors.harness import trees
from collectors.harness.documents import content, fault
from collectors.harness.failures import SetupFailed

FILE = "SKILL.md"
FENCE = "---"
LONGEST_HEAD = 64 * 1024
"""Characters: the parser is slow, and takes minutes for megabytes."""

Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]


class Frontmatter(BaseModel):
    """What the head of a `SKILL.md` must say; other keys are left to the agent programs."""

    model_config = ConfigDict(extra="ignore", strict=True)

    name: Name
    description: Annotated[str, Field(min_length=1, max_length=1024)]


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that passed the checks of `read`; `digest` is the SHA-256 of its files.

    It is installed under its `name`, whatever its folder is called: agent programs know a skill by
    the name of the folder that it is installed in.
    """

    name: str
    folder: Path
    digest: str

    def install(self, skills: Path) -> None:
        """Put the skill's files into the folder `skills`, where an agent program looks for them.

        Raises:
            SetupFailed: They cannot be put there, or are no longer those that were read.
        """
        target = skills / self.name
        try:
            for path, file in _files(self.folder):
                copy = target / path
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, copy)
        except (OSError, BenchdataError) as error:
            raise SetupFailed(f"{self.name}: the skill cannot be installed: {error}") from None
        if digest_of(target) != self.digest:
            raise SetupFailed(f"{self.name}: the skill's files changed after they were read")


def read(folder: Path) -> Skill:
    """Return the skill in `folder`.

    Raises:
        InputError: It holds no `SKILL.md` with a valid head, or a link that leads out of it, or
            cannot be read.
    """
    head = _frontmatter(folder / FILE)
    try:
        return Skill(head.name, folder.resolve(), digest_of(folder))
    except OSError as error:
        raise InputError(f"{folder}: the skill cannot be read: {error.strerror}") from None
    except BenchdataError as error:
        raise InputError(f"{folder}: {error}") from None


def digest_of(folder: Path) -> str:
    """Return the SHA-256, in hex, of a skill's files: the path and then the bytes of each.

    The files stand in the order of their relative paths, as in `skills-lock.json`.

    Raises:
        BenchdataError: A link leads out of the folder, something in it is no file, or it cannot be
            read.
        OSError: A file in it cannot be read.
    """
    digest = hashlib.sha256()
    for path, file in _files(folder):
        digest.update(os.fsencode(path))
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _files(folder: Path) -> list[tuple[str, Path]]:
    """Return the relative path and the place of each file of a skill, links too, in order."""
    found = trees.entries(folder.resolve())
    for shown, path in found:
        if not path.is_file():
            raise InputError(f"{shown}: a skill holds files and folders only")
    return found


def _frontmatter(path: Path) -> Frontmatter:
    try:
        text = content(path).decode("utf-8-sig")
    except (BenchdataError, UnicodeDecodeError):
        raise InputError(f"{path}: a skill needs a {FILE} of UTF-8 text") from None
    try:
        return Frontmatter.model_validate(_head(text))
    except ValidationError as error:
        raise InputError(f"{path}: {fault(error, whole='head')}") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        raise InputError(f"{path}:{line}: {shorten(str(error.problem))}; quote the text") from None
    # the parser meets what it does not expect with any of these
    except (ValueError, LookupError, TypeError, AttributeError, yaml.YAMLError, RecursionError):
        raise InputError(
            f"{path}:1: must begin with YAML between two lines of {FENCE}, "
            "with name and description"
        ) from None


def _head(text: str) -> Any:
    opening, *lines = text.split("\n")
    if opening.strip() != FENCE:
        raise ValueError
    end = [line.rstrip() for line in lines].index(FENCE)
    head = "\n".join(lines[:end])
    if len(head) > LONGEST_HEAD:
        raise ValueError
    return yaml.safe_load(head)
