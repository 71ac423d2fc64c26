"""Sharing: exactly what contract shared-result allows of a benchmark, and no failure of it matters.

It is on once an endpoint is configured. Pipeline proofs (a scripted agent, a stand-in for a model)
are never shared, not even marked as internal: a shared result does not say what answered the agent,
so that nobody who receives one could tell them from a measurement.
"""

from __future__ import annotations

import http.client
import os
import re
import tempfile
import tomllib
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, get_args

from benchdata import __version__
from benchdata.contracts.shared_result import SHARED_RESULT, Category
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError, shorten
from benchdata.leaderboards.boards import Board, Entry, leaderboards
from benchdata.rows.strict_json import encode
from benchdata.server.routes import RESULT
from benchdata.stats.results import CannotTell
from collectors.harness import user_settings
from collectors.skill_eval.arms import LOCAL

URL = "BENCHDATA_SHARE_URL"
"""The variable that names the server, before `share_url` in the user's `config.toml` does."""
SWITCHES = ("BENCHDATA_SHARE", "EDGE_EVAL_SHARE")
OFF = "off"
UNSENT = re.compile(r"[?#@\s\x00-\x1f\x7f]")
"""What no URL of a server holds."""
CONFIG = "config.toml"
INSTALL_ID = "install-id"
LIMIT_S = 5.0
OTHER: Category = "other"
LOCAL_SHARED = "local"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where results go, and who sends them."""

    url: str
    install_id: str
    key_id: str | None


def share(rows: Dataset, environment: Mapping[str, str], *, internal: bool = False) -> str | None:
    """Send what a benchmark's rows come to; return one sentence where it was not sent.

    None when it was, or when sharing is off or not configured. Nothing is raised.
    """
    try:
        if settings := configured(environment):
            for result in results(rows, settings, internal=internal):
                _in_time(settings.url, result)
    except Exception as fault:  # noqa: BLE001 -- whatever it is, the benchmark is done and reported
        return f"Not shared: {shorten(str(fault))}"
    return None


def configured(environment: Mapping[str, str]) -> Settings | None:
    """Return where to share and as whom, None where it is off or no endpoint is configured.

    Raises:
        BenchdataError: The configuration cannot be read, or the URL is none.
        OSError: The user's folder cannot be written.
    """
    if any(environment.get(switch, "").strip().lower() == OFF for switch in SWITCHES):
        return None
    folder = user_settings.config_folder(environment)
    config = _config(folder / CONFIG)
    url = environment.get(URL) or config.get("share_url")
    if not url:
        return None
    return Settings(_checked(url), _install_id(folder / INSTALL_ID), config.get("key_id"))


def results(rows: Dataset, settings: Settings, *, internal: bool) -> Iterator[dict[str, Any]]:
    """Yield the valid shared result of each context of the rows.

    Raises:
        BenchdataError: The rows are a pipeline proof, or no skill has a score.
    """
    for board in leaderboards(rows):
        if board.synthetic:
            raise BenchdataError(
                "pipeline proofs never are: a scripted agent or a stand-in for a model measures"
                " nothing"
            )
        skills = [_skill(entry) for entry in board.entries if _is_told(board, entry)]
        if not skills:
            raise BenchdataError("no skill has a score")
        category = board.fields["category"]
        yield SHARED_RESULT.validate(
            {
                "schema_version": 1,
                "category": category if category in get_args(Category) else OTHER,
                "skills": skills,
                "agent": board.fields["agent"],
                "model": board.fields["model"],
                "install_id": settings.install_id,
                "key_id": settings.key_id,
                "internal": internal,
            }
        )


def _is_told(board: Board, entry: Entry) -> bool:
    return entry is not board.baseline and not isinstance(entry.summary.estimate, CannotTell)


def _skill(entry: Entry) -> dict[str, Any]:
    """Return what is told of a skill: the runs are those that the score is made of."""
    arm = entry.arm.fields["arm"]
    return {
        "skill": LOCAL_SHARED if arm.startswith(LOCAL) else arm,
        "score": entry.summary.estimate,
        "runs": entry.summary.scored,
    }


def _config(file: Path) -> dict[str, str]:
    """Return the texts of the user's settings; without a file there are none."""
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise BenchdataError(f"{file.name}: {error}") from None
    return {name: value for name, value in found.items() if isinstance(value, str)}


def _install_id(file: Path) -> str:
    """Return the random id of this installation, made when it is first needed."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # readable by its owner alone; of two processes that make one, the first stays
        with tempfile.NamedTemporaryFile("w", dir=file.parent, prefix=f".{file.name}.") as part:
            part.write(f"{uuid.uuid4()}\n")
            part.flush()
            with suppress(FileExistsError):
                os.link(part.name, file)
    return file.read_text("utf-8").strip()


def _checked(url: str) -> str:
    """Return where a server takes results."""
    try:
        parts = urllib.parse.urlsplit(url)
        is_server = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        is_server = False
    # a password would be told where sending fails, and so would a path that is none
    if not is_server or not url.isascii() or UNSENT.search(url):
        raise BenchdataError(f"{URL} or share_url must be such as https://example.org")
    return url.rstrip("/") + RESULT


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """What was configured is asked, and no other server that it names."""

    def redirect_request(self, *_: Any) -> None:
        """Follow none: the answer is an error with its status."""


def _in_time(url: str, result: dict[str, Any]) -> None:
    """Send a result, or raise BenchdataError: also when the answer comes too slowly ever to end."""
    sent: Future[None] = Future()

    def send() -> None:
        try:
            _send(url, result)
            sent.set_result(None)
        except Exception as fault:  # noqa: BLE001 -- it is raised where the result is awaited
            sent.set_exception(fault)

    Thread(target=send, name="sharing", daemon=True).start()
    try:
        sent.result(LIMIT_S)
    except TimeoutError:
        host = urllib.parse.urlsplit(url).hostname
        raise BenchdataError(f"{host} did not answer: timed out") from None


def _send(url: str, result: dict[str, Any]) -> None:
    """Send a result, or raise BenchdataError."""
    headers = {"Content-Type": "application/json", "User-Agent": f"benchdata/{__version__}"}
    request = urllib.request.Request(url, encode(result), headers, method="POST")
    host = urllib.parse.urlsplit(url).hostname
    try:
        urllib.request.build_opener(_NoRedirects).open(request, timeout=LIMIT_S).close()
    except urllib.error.HTTPError as error:
        error.close()
        raise BenchdataError(f"{host} answered {error.code}") from None
    except urllib.error.URLError as error:
        reason = getattr(error.reason, "strerror", None) or str(error.reason)
        raise BenchdataError(f"{host} cannot be reached: {reason}") from None
    except (OSError, http.client.HTTPException) as error:
        raise BenchdataError(f"{host} did not answer: {error or type(error).__name__}") from None
