"""The shipped stand-in judge: on loopback alone, by what is seen, deaf to every word."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from benchdata.contracts.judgment import DIMENSIONS
from collectors.skill_eval.judge.judge import Judge, fields, pairwise, pointwise
from collectors.skill_eval.judge.resolving import ENDPOINT, resolve
from tests.collectors.skill_eval.judge.test_judge import BRIEF
from tests.support.command import ROOT
from tests.support.drawing import plain

COMMAND = [sys.executable, "-m", "collectors.skill_eval.judge.stand_in", "--port"]


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with subprocess.Popen([*COMMAND, "0"], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


def asked(url: str, content: bytes) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(url, content, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


@pytest.fixture
def judge(base: str) -> Judge:
    return resolve("openai", "any-model", {ENDPOINT: base})


def pictures(folder: Path) -> tuple[Path, Path]:
    """Return an empty picture and one with something on it."""
    empty, drawn = folder / "empty.png", folder / "drawn.png"
    empty.write_bytes(plain("white", (640, 400)))
    page = Image.new("RGB", (640, 400), "white")
    draw = ImageDraw.Draw(page)
    draw.text((60, 40), "Borrow a tool", "black", font_size=48)
    draw.text((60, 120), "Two hundred tools, all week.", "black", font_size=16)
    draw.rectangle((60, 180, 300, 260), "#e8a33d")
    page.save(drawn)
    return empty, drawn


def test_it_marks_what_is_seen_and_an_empty_page_worst(judge: Judge, tmp_path: Path) -> None:
    empty, drawn = (fields(pointwise(judge, BRIEF, (one,))) for one in pictures(tmp_path))
    assert judge.endpoint == "stand_in"
    assert (empty["quality"], empty["critical_failures"]) == (0, ["blank_or_not_loading"])
    assert drawn["quality"] > 0
    assert drawn["critical_failures"] == []
    again = fields(pointwise(judge, BRIEF, (pictures(tmp_path)[1],)))
    assert [again[name] for name in DIMENSIONS] == [drawn[name] for name in DIMENSIONS]


def test_of_a_pair_the_better_one_wins_in_both_orders(judge: Judge, tmp_path: Path) -> None:
    empty, drawn = pictures(tmp_path)
    for order in ("ab", "ba"):
        assert fields(pairwise(judge, BRIEF, (empty,), (drawn,), order))["winner"] == "b"


@pytest.mark.parametrize(
    ("path", "content", "status"),
    [
        ("/chat/completions", b"no json", 400),
        ("/chat/completions", b"[]", 400),
        ("/elsewhere", b"{}", 404),
    ],
)
def test_what_is_no_question_is_refused_and_it_goes_on(
    base: str, path: str, content: bytes, status: int
) -> None:
    assert asked(base + path, content)[0] == status
    body = json.dumps({"model": "m", "messages": []}).encode()
    code, told = asked(f"{base}/chat/completions", body)
    assert (code, told["choices"][0]["message"]["content"]) == (200, "ok")


def test_a_port_that_is_taken_is_said(base: str) -> None:
    port = base.split(":")[2].split("/", maxsplit=1)[0]
    done = subprocess.run([*COMMAND, port], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"port {port}: cannot be used: ")
    assert "Traceback" not in done.stderr
