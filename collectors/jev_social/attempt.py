"""One attempt: whatever happens in it, one valid row comes out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchdata.contracts.fields import instant_text
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import RowError
from collectors.jev_social import media, row
from collectors.jev_social.actions import may_download
from collectors.jev_social.decisions import Decider, pin_fault
from collectors.jev_social.evidence import comments_of
from collectors.jev_social.failures import Failure
from collectors.jev_social.loop import Run, Say, research
from collectors.jev_social.media import Media
from collectors.jev_social.providers import provider_of
from collectors.jev_social.settings import Settings
from collectors.jev_social.signals import Stop
from collectors.jev_social.socai import Socai

NO_MEDIA = Media(0, 0)
# what follows the loop: the report of an attempt is its row, which takes no time
CLOSING = ("researching", "report", "complete")


@dataclass(slots=True)
class Attempt:
    """What an attempt is about and what it has found out."""

    settings: Settings
    say: Say
    run: Run = field(default_factory=Run)
    configured: Path | None = None
    media: Media = NO_MEDIA


def attempt(settings: Settings, *, run_id: str, stop: Stop, say: Say) -> dict[str, Any]:
    """Run one attempt and return its row, valid and in normal form.

    `run_id` is a fresh UUIDv4; `say` takes the names of stages. Nothing that the task, `socai`, the
    endpoint or a signal does makes this raise.
    """
    this = Attempt(settings, say)
    began, started = datetime.now(UTC), time.monotonic_ns()
    _do(this, stop)
    _verify_media(this)
    ended, total = datetime.now(UTC), (time.monotonic_ns() - started) // 1_000_000
    if fault := pin_fault(this.run.asked, settings.model):
        this.run.code = fault
        say("row_invalid")
    known = {**settings.header, "run_id": run_id, "started_at": instant_text(began)}
    try:
        return JEV_SOCIAL.validate(
            {**known, "ended_at": instant_text(ended), **_facts(this, total)}
        )
    except RowError:
        # such as when the wall clock was set meanwhile: one more row that says so, and none lost
        say("row_invalid")
        ended = began + timedelta(milliseconds=total)
        return JEV_SOCIAL.validate({**known, "ended_at": instant_text(ended), **row.nothing(total)})


def _do(this: Attempt, stop: Stop) -> None:
    """Do the research; how it ended, in whatever way, is then in the run."""
    run = this.run
    try:
        asyncio.run(_work(this, stop))
    except asyncio.CancelledError:
        run.status, run.code = "interrupted", "INTERRUPTED"
    except Failure as failure:
        run.code = failure.code
    except Exception:  # noqa: BLE001 -- an attempt that was begun leaves a row, whatever the fault
        run.code = "COLLECTOR_FAILED"
    else:
        for stage in CLOSING:
            this.say(stage)


async def _work(this: Attempt, stop: Stop) -> None:
    """Check the command against its pin, then do the research; a request to stop cancels this."""
    settings = this.settings
    task, environment = settings.task, settings.environment
    with stop.cancelling():
        socai = Socai(environment, settings.config)
        probe = await socai.probe()
        if probe.version is None:
            raise Failure("SOCAI_VERSION_UNVERIFIABLE")
        if probe.version != settings.header["socai_version"]:
            raise Failure("SOCAI_VERSION_MISMATCH")
        if task.platform not in probe.platforms:
            raise Failure("SOCAI_CAPABILITY_MISSING")
        provider = provider_of(environment, settings.config, settings.model)
        if may_download(task):
            this.configured = await socai.runs_folder()
        async with Decider(provider, this.run.asked) as decider:
            await research(task, this.run, socai, decider, this.say)


def _verify_media(this: Attempt) -> None:
    """Count the media that belongs to a page of which it was asked for."""
    run = this.run
    targets = {step.action.target for step in run.steps if step.action.download}
    items = [item for url, item in run.downloads.items() if url in targets]
    try:
        roots = media.roots_of(this.settings.environment, this.configured)
        this.media = media.found(items, roots, most=len(run.items))
    except Exception:  # noqa: BLE001 -- the rest of what was measured is still worth its row
        run.code = run.code or "BENCHMARK_MEDIA_COLLECTION_FAILED"
        this.say("media_verification_failed")


def _facts(this: Attempt, total: int) -> Mapping[str, Any]:
    """Return the fields of what happened in `total` ms."""
    run, records = this.run, len(this.run.items)
    failed = [
        step.observation for step in run.steps if step.status == "failed" and step.observation
    ]
    end = row.End(
        status=run.status,
        code=run.code or (failed[-1].code if failed else ""),
        text=run.text,
        records=records,
        started=run.started,
    )
    return {
        **row.measured(
            latencies=[asked.elapsed_ms for asked in run.asked],
            browser=sum(step.elapsed_ms for step in run.steps),
            media=sum(step.elapsed_ms for step in run.steps if step.action.download),
            total=total,
        ),
        **row.evidence(records, sum(map(comments_of, run.items.values())), *this.media),
        **row.outcome(row.stop_reason(end), records),
    }
