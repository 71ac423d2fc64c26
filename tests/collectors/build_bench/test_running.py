"""Every probe of a suite gets a verdict, whatever the service does."""

from __future__ import annotations

import asyncio
import time

import pytest

from collectors.build_bench.evaluation import Evaluation, evaluate
from collectors.build_bench.grounds import Host
from collectors.build_bench.service import Place
from collectors.build_bench.suites.api import Api
from collectors.build_bench.suites.probes import Probes, Suite
from tests.collectors.build_bench.services import healthy, script


def judge(place: Place, probes: Probes, seconds: float = 10) -> Evaluation:
    suite = Suite("t", tuple(probes), ())
    return asyncio.run(evaluate(suite, place, (), Host(), seconds=seconds))


def verdicts(judged: Evaluation) -> dict[str, str]:
    return {result.id: result.verdict for result in judged.results}


def test_a_probe_that_returns_passes_and_one_that_raises_fails_with_its_words(
    place: Place,
) -> None:
    healthy(place)
    probes = Probes()

    @probes.core
    async def health_answers(api: Api) -> None:
        (await api.get("/health")).object(200)

    @probes.extra
    async def wrong_status(api: Api) -> None:
        (await api.get("/nothing")).object(200)

    @probes.extra
    async def odd_shape(api: Api) -> None:
        (await api.get("/health")).object(200)["absent"].strip()

    judged = judge(place, probes)
    assert verdicts(judged) == {
        "health-answers": "pass",
        "wrong-status": "fail",
        "odd-shape": "fail",
    }
    assert [result.set for result in judged.results] == ["core", "extra", "extra"]
    reasons = [result.reason or "" for result in judged.results]
    assert reasons[0] == ""
    assert reasons[1].startswith("GET /nothing: 404 instead of 200")
    assert reasons[2] == "KeyError: 'absent'"
    assert judged.passed == 1


def test_probes_unfinished_at_the_end_of_the_suites_time_fail(place: Place) -> None:
    healthy(place)
    probes = Probes()

    @probes.core
    async def quick(api: Api) -> None:
        (await api.get("/health")).expect(200)

    @probes.core
    async def endless(api: Api) -> None:
        (await api.get("/health")).expect(200)
        await asyncio.sleep(100)

    @probes.core
    async def never_begun(api: Api) -> None:
        (await api.get("/health")).expect(200)

    began = time.monotonic()
    judged = judge(place, probes, seconds=1)
    assert time.monotonic() - began < 8
    assert verdicts(judged) == {"quick": "pass", "endless": "fail", "never-begun": "fail"}
    assert judged.results[1].reason == "not finished within the suite's time"
    assert judged.results[2].reason == "not finished within the suite's time"
    assert 900 <= judged.suite_ms < 3000


def test_a_service_that_does_not_come_up_fails_every_probe_for_one_reason(place: Place) -> None:
    script(place, "start.sh", "echo broken; exit 1")
    probes = Probes()

    @probes.core
    async def first(api: Api) -> None:
        await api.get("/health")

    @probes.extra
    async def second(api: Api) -> None:
        await api.get("/health")

    judged = judge(place, probes)
    assert verdicts(judged) == {"first": "fail", "second": "fail"}
    assert {result.reason for result in judged.results} == {"start.sh ended with 1: broken"}
    assert judged.not_ready == "start.sh ended with 1: broken"
    assert judged.boot_ms == ()


def test_a_probe_that_kills_the_service_harms_no_other(place: Place) -> None:
    healthy(place, "test -e $DATA_DIR/stay-down && rm $DATA_DIR/stay-down && exit 1")
    probes = Probes()

    @probes.core
    async def does_not_come_back(api: Api) -> None:
        (place.data / "stay-down").touch()
        await api.restart()

    @probes.core
    async def next_one(api: Api) -> None:
        (await api.get("/health")).expect(200)

    judged = judge(place, probes)
    assert verdicts(judged) == {"does-not-come-back": "fail", "next-one": "pass"}
    assert "start.sh ended with 1" in (judged.results[0].reason or "")
    assert len(judged.boot_ms) == 2


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("text/plain", "{}", "content type is not application/json"),
        ("application/json", "{", "not JSON"),
        ("application/json", "[]", "not an object"),
    ],
)
def test_only_json_of_a_json_type_is_read(kind: str, body: str, words: str) -> None:
    from collectors.build_bench.suites.api import Answer, Failed

    with pytest.raises(Failed, match=words):
        Answer("GET /", 200, kind, body).object(200)
    assert Answer("GET /", 200, "application/json; charset=utf-8", "{}").object(200) == {}


def test_true_is_not_one() -> None:
    from collectors.build_bench.suites.api import Failed, same

    same(1, 1.0, "number")
    with pytest.raises(Failed):
        same(True, 1, "number")
