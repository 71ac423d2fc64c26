"""The production list, decided by asking a running service and reading what it prints."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from benchdata.contracts.privacy import FAMILIES
from collectors.build_bench import changes, snapshots
from collectors.build_bench.evaluation import SUITE_S
from collectors.build_bench.mutations import mutated
from collectors.build_bench.observed import Observed
from collectors.build_bench.printed import POLL_S, Printed, tells_of, until_none
from collectors.build_bench.service import STOP_S, NotReady, Place, Service
from collectors.build_bench.snapshots import Snapshot, Uncopied
from collectors.build_bench.suites import checkout, running, storefront
from collectors.build_bench.suites.api import Api, Json
from collectors.build_bench.suites.probes import Suite
from collectors.build_bench.suites.running import Result
from collectors.harness.failures import SetupFailed

CODES = frozenset(
    {
        *("NOT_FOUND", "VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN"),
        *("RATE_LIMITED", "SERVICE_UNAVAILABLE"),
    }
)
ITEMS = "/api/products"
"""In every task: those that come later keep the routes of the first."""
PARALLEL = 10
UPLOAD_S = 0.5
"""How long an upload still takes when its service is told to end."""
KEY_LIKE = re.compile(
    "|".join(
        (
            *(f"(?:{FAMILIES[family]})" for family in ("vendor token", "private key")),
            r"(?i:(?:secret|api_?key|token|passw(?:or)?d)\w{0,40}[\"']?\s*[:=]\s*[\"'][^\"'\s]{12,}[\"'])",
        )
    ),
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether an item is met, and what shows it: words, or a file and a line."""

    met: bool
    evidence: str


@dataclass(frozen=True, slots=True)
class Resource:
    """What a task creates; `at` tells the path of what a body and its answer made."""

    path: str
    fresh: Callable[[], Json]
    at: Callable[[Json, Json], str]
    repeats: tuple[str, ...]
    """The probes that repeat calls at the same moment; without any, deletions are repeated."""


PRODUCTS = Resource(
    ITEMS, storefront.fresh_product, lambda _, made: f"{ITEMS}/{made.get('id')}", ()
)
RESOURCES = {
    "storefront": PRODUCTS,
    "dashboard": PRODUCTS,
    "checkout": Resource(
        checkout.WORKFLOWS,
        checkout.fresh_checkout,
        lambda body, _: f"{checkout.WORKFLOWS}/{body['orderId']}",
        ("redelivery-is-idempotent", "concurrent-starts", "concurrent-payments"),
    ),
}
"""By the name of the task's rubric."""


@dataclass(slots=True)
class Examination:
    """Examines one service once, by its suite and by questions of its own."""

    suite: Suite
    resource: Resource
    service: Service
    ground: Observed
    place: Place
    snapshot: Snapshot

    @property
    def _printed(self) -> Printed:
        return Printed(self.place.output)

    async def findings(self) -> dict[str, Finding]:
        """Return what there is to say of every item of the list."""
        async with self.service as service:
            try:
                await service.build()
                built = self._work("built").digest
                await service.boot()
            except (NotReady, Uncopied) as error:
                unmet = Finding(met=False, evidence=str(error))
                return {**dict.fromkeys(_ITEMS, unmet), "no-secrets": self._no_secrets()}
            results = await running.run(self.suite, service, seconds=SUITE_S)
            found = {
                "idempotency": await self._answered(lambda: self._idempotency(results)),
                "typed-errors": await self._answered(self._typed_errors),
                "input-validation": await self._answered(self._input_validation),
                "structured-logging": await self._answered(self._structured_logging),
                "tracing-wired": await self._answered(self._tracing_wired),
                "graceful-shutdown": await self._answered(self._graceful_shutdown),
            }
        return {**found, "env-config": self._env_config(built), "no-secrets": self._no_secrets()}

    async def _answered(self, check: Callable[[], Any]) -> Finding:
        """Return what a check finds; a service that does not answer does not meet it."""
        try:
            await self.service.ensure()
            finding: Finding = await check()
        except SetupFailed:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a service brings about is a verdict on it
            return Finding(met=False, evidence=f"{type(error).__name__}: {error}")
        return finding

    def _work(self, name: str) -> Snapshot:
        """Return a copy of the work folder as it is; Uncopied when that cannot be had."""
        return snapshots.take(self.place.work, self.place.output.with_name(name))

    async def _idempotency(self, results: Sequence[Result]) -> Finding:
        if not self.resource.repeats:
            return await self._deleted_once()
        failed = [
            result.id
            for result in results
            if result.id in self.resource.repeats and result.verdict == "fail"
        ]
        said = f"fails {', '.join(failed)}" if failed else "repeated calls act once"
        return Finding(not failed, said)

    async def _deleted_once(self) -> Finding:
        api = Api(self.service)
        made = await storefront.created(api)
        path = f"{ITEMS}/{made['id']}"
        answers = await asyncio.gather(*(api.delete(path) for _ in range(PARALLEL)))
        statuses = sorted(answer.status for answer in answers)
        once = sum(200 <= status < 300 for status in statuses) == 1
        again = (await api.get(path)).status
        rest = all(status == 404 for status in statuses[1:])
        said = f"{PARALLEL} deletions at once: {statuses}, then {again}"
        return Finding(once and rest and again == 404, said)

    async def _typed_errors(self) -> Finding:
        for answer in self.ground.refused:
            if _object(answer).get("code") not in CODES:
                return Finding(met=False, evidence=f"{_named(answer)} has no known code")
        client = self.service.client
        for method, path, statuses in (
            ("GET", f"/{secrets.token_hex(6)}", (404,)),
            ("PUT", ITEMS, (404, 405)),
        ):
            answer = await client.request(method, path)
            if answer.status_code not in statuses or not _object(answer):
                return Finding(met=False, evidence=f"{_named(answer)} has no JSON object")
        return Finding(met=True, evidence=f"{len(self.ground.refused)} refusals with known codes")

    async def _input_validation(self) -> Finding:
        bodies = mutated(self.resource.fresh())
        for body in bodies:
            answer = await self.service.client.post(
                self.resource.path, content=body, headers={"content-type": "application/json"}
            )
            if not 400 <= answer.status_code < 500:
                return Finding(met=False, evidence=f"{_named(answer)} for {body}")
        return Finding(met=True, evidence=f"{len(bodies)} mutated bodies refused")

    async def _structured_logging(self) -> Finding:
        mark = self._printed.mark()
        client, missing = self.service.client, f"{ITEMS}/{uuid.uuid4()}"
        answers = [
            await client.get(ITEMS),
            await client.get(missing),
            await client.patch(missing, json={}),
            await client.post(self.resource.path, json=self.resource.fresh()),
        ]
        left = await until_none(
            lambda: [
                answer for answer in answers if not tells_of(self._printed.since(mark), answer)
            ]
        )
        said = f"no line for {_named(left[0])}" if left else "a line for each of 4 requests"
        return Finding(not left, said)

    async def _tracing_wired(self) -> Finding:
        mark = self._printed.mark()
        request, trace = uuid.uuid4().hex, uuid.uuid4().hex
        headers = {
            "x-request-id": request,
            "traceparent": f"00-{trace}-{secrets.token_hex(8)}-01",
        }
        answer = await self.service.client.get(f"{ITEMS}/{uuid.uuid4()}", headers=headers)
        told = f"{answer.headers} {answer.text}"
        answered = {each for each in (request, trace) if each in told}
        if not answered:
            return Finding(met=False, evidence="neither id is in the answer")
        left = await until_none(
            lambda: [] if any(each in self._printed.since(mark) for each in answered) else ["log"]
        )
        return Finding(not left, "the id is in the answer" + (", not in the log" if left else ""))

    async def _graceful_shutdown(self) -> Finding:
        tree, body = self.ground.trees[-1], self.resource.fresh()
        text = json.dumps(body).encode()
        ended_at: list[float] = []

        async def slowly() -> AsyncIterator[bytes]:
            yield text[:10]
            await asyncio.sleep(UPLOAD_S)
            tree.terminate()
            ended_at.append(time.monotonic())
            await asyncio.sleep(UPLOAD_S)
            yield text[10:]

        headers = {
            "content-type": "application/json",
            "content-length": str(len(text)),
            "connection": "close",  # nothing but the upload is to keep the service
        }
        answer = await self.service.client.post(
            self.resource.path, content=slowly(), headers=headers
        )
        if answer.status_code not in range(200, 300):
            return Finding(met=False, evidence=f"the upload under way: {answer.status_code}")
        while tree.exit_code() is None and time.monotonic() < ended_at[0] + STOP_S:
            await asyncio.sleep(POLL_S)
        code = tree.exit_code()
        if code != 0:
            return Finding(
                met=False, evidence=f"{STOP_S:g} s after SIGTERM the exit code is {code}"
            )
        await self.service.ensure()
        kept = await self.service.client.get(self.resource.at(body, _object(answer)))
        return Finding(kept.status_code == 200, f"ends with 0; then {_named(kept)}")

    def _env_config(self, built: str) -> Finding:
        try:
            written = self._work("left").digest != built
        except Uncopied as error:
            return Finding(met=False, evidence=str(error))
        if written:
            return Finding(met=False, evidence="something was written to the work folder")
        try:
            kept = not self.place.data.is_symlink() and any(self.place.data.iterdir())
        except OSError as error:
            return Finding(met=False, evidence=f"DATA_DIR cannot be read: {error.strerror}")
        return Finding(kept, "data are in DATA_DIR" if kept else "nothing is in DATA_DIR")

    def _no_secrets(self) -> Finding:
        texts = {**changes.sources(self.snapshot), "the log": self._printed.since(0)}
        for name, text in texts.items():
            for number, line in enumerate(text.splitlines(), 1):
                if KEY_LIKE.search(line):
                    return Finding(met=False, evidence=f"{name}:{number}")
        return Finding(met=True, evidence=f"none in {len(texts) - 1} sources and the log")


_ITEMS = (
    *("typed-errors", "input-validation", "structured-logging", "tracing-wired"),
    *("graceful-shutdown", "env-config", "idempotency", "no-secrets"),
)


def _object(answer: httpx.Response) -> Json:
    """Return the JSON object of an answer; an empty one when it is none."""
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _named(answer: httpx.Response) -> str:
    request = answer.request
    return f"{request.method} {request.url.path}: {answer.status_code}"
