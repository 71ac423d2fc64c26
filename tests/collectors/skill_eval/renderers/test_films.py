"""What moves: one sheet with moments from the beginning to the end."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from collectors.skill_eval.renderers.needs import lacking
from collectors.skill_eval.renderers.rendering import RenderFailed
from tests.support.drawing import BLUE, RED, Image, colours, draw, drawn, page, size

MOVING = """<div id=a></div><canvas width=400 height=100></canvas>"""
STYLE = """#a{height:200px;background:red;animation:turn 6s linear forwards}
    @keyframes turn{from,49%{background:red}50%,to{background:blue}}"""
SCRIPT = """const pen = document.querySelector("canvas").getContext("2d");
    const began = performance.now();
    const step = (now) => {
        pen.fillStyle = now - began < 3000 ? "lime" : "black";
        pen.fillRect(0, 0, 400, 100);
        requestAnimationFrame(step);
    };
    step(began);"""


def film(place: Path, *sources: str) -> Path:
    """Have ffmpeg write a video of some of its own sources, one after the other."""
    if fault := lacking("video"):
        pytest.skip(fault)
    place.parent.mkdir(parents=True)
    inputs = [each for source in sources for each in ("-f", "lavfi", "-i", source)]
    joined = f"concat=n={len(sources)}:v=1:a=0"
    command = ["ffmpeg", "-v", "error", *inputs, "-filter_complex", joined, str(place)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return place


def near(path: Path, *wanted: tuple[int, int, int]) -> bool:
    """Tell whether a picture has colours close to all these."""
    found = colours(path)
    return all(
        any(max(abs(a - b) for a, b in zip(one, each, strict=True)) < 12 for one in found)
        for each in wanted
    )


def test_a_video_is_one_sheet_of_its_moments(tmp_path: Path) -> None:
    place = film(
        tmp_path / "artefact" / "a.mp4", "color=red:s=320x240:d=2", "testsrc=s=320x240:d=2"
    )
    made = draw(place.parent, tmp_path / "out", "video", "*.mp4", most=4)
    assert len(made.images) == 1
    assert near(made.images[0], RED, (0, 255, 255))
    assert size(made.images[0]) == (2 * 320 + 24, 2 * 240 + 24)
    assert not made.blank


def test_a_moving_picture_of_one_colour_is_blank(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (64, 64), each) for each in ("#fff", "#fefefe")]
    place = tmp_path / "artefact" / "a.gif"
    place.parent.mkdir()
    frames[0].save(place, save_all=True, append_images=frames[1:], duration=500)
    assert draw(place.parent, tmp_path / "out", "video", "a.gif", most=2).blank


@pytest.mark.slow
@pytest.mark.browser
def test_a_page_that_moves_is_seen_at_its_own_times(tmp_path: Path) -> None:
    files = {"a.html": page(MOVING, STYLE, SCRIPT)}
    made = drawn(tmp_path, "video", files, most=4)
    assert len(made.images) == 1
    assert {RED, BLUE, (0, 255, 0), (0, 0, 0)} <= colours(made.images[0])


@pytest.mark.parametrize(
    "content", [b"", b"no video", b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"]
)
def test_what_is_no_video_is_a_failure(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(RenderFailed, match="no video"):
        drawn(tmp_path, "video", {"a.mp4": content})


@pytest.mark.slow
def test_a_video_of_hours_ends_in_time(tmp_path: Path) -> None:
    place = film(tmp_path / "artefact" / "a.mp4", "testsrc=s=64x48:r=1:d=36000")
    made = draw(place.parent, tmp_path / "out", "video", "a.mp4")
    assert len(made.images) == 1
