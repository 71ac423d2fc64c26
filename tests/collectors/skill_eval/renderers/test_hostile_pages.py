"""Pages that would not end, not fit, look around or get out: a bounded rendering, or none."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from collectors.skill_eval.renderers.rendering import RenderFailed
from tests.collectors.skill_eval.renderers.test_images import bomb
from tests.support.drawing import Files, Image, colours, drawn, page, size

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SOUGHT = """
    const found = (words) => { document.body.style.background = "lime"; console.error(words); };
    const tried = ["file:///etc/passwd", "file:///agent/work/", "/../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd", "/%2fetc/passwd", "http://localhost:PORT/",
        "http://127.0.0.1:PORT/", "http://169.254.169.254/"];
    for (const each of tried) {
        fetch(each).then((answer) => answer.ok && answer.text()).then((text) => text && found(text),
            () => {});
        document.body.append(Object.assign(document.createElement("iframe"), {src: each}));
        document.body.append(Object.assign(document.createElement("img"), {src: each}));
        try { navigator.sendBeacon(each, "x"); } catch { /* not there */ }
    }
    const line = new WebSocket("ws://127.0.0.1:PORT/");
    line.onopen = () => found("open");
    try { new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:PORT"}]})
        .createDataChannel("x"); } catch { /* none */ }
"""


GONE = "did not load|did not answer|did not come to rest|was ended|went away"
"""What is said of a page depends on how far it came before its memory or its time was used up."""


@contextmanager
def counted() -> Iterator[tuple[int, list[object]]]:
    """Yield a port of this machine and who has come there."""
    came: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            try:
                while True:
                    connection, place = server.accept()
                    connection.close()
                    came.append(place)
            except OSError:
                return

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield server.getsockname()[1], came
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_a_page_reaches_no_file_and_no_network(tmp_path: Path) -> None:
    with counted() as (port, came):
        script = SOUGHT.replace("PORT", str(port))
        made = drawn(tmp_path, "page-tile", {"a.html": page("<h1>Here</h1>", script=script)})
    assert came == []
    assert (0, 255, 0) not in colours(made.images[0])
    assert not any("root:" in line for line in made.evidence)
    assert f"refused: http://127.0.0.1:{port}/" in made.evidence


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("for (;;) {}", "load"),
        ("for (;;) alert('again')", "load"),
        ("setTimeout(() => { for (;;) {} }, 900)", "come to rest"),
        ("addEventListener('scroll', () => { for (;;) {} })", "did not answer|be drawn"),
        ("location = 'https://example.org/'", "load|went away"),
        ("setTimeout(() => { location = 'about:blank' }, 100)", GONE),
        ("const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()))", GONE),
        (
            "const spread = () => { setTimeout(spread); setTimeout(spread) }; spread()",
            "come to rest",
        ),
        ("document.open(); location.reload()", GONE),
    ],
)
def test_a_page_that_does_not_come_to_rest_is_a_failure(
    tmp_path: Path, script: str, words: str
) -> None:
    files: Files = {"a.html": page("<h1>Here</h1><p style=height:4000px>", script=script)}
    with pytest.raises(RenderFailed, match=words):
        drawn(tmp_path, "page-tile", files)


@pytest.mark.parametrize(
    ("body", "style", "script"),
    [
        ("<h1>Tall</h1>", "body{height:1000000px}", ""),
        ("<h1>Wide</h1>", "body{width:1000000px}", ""),
        ("<h1>Asking</h1>", "", "for (let n = 0; n < 500; n++) { alert(n); confirm(); prompt() }"),
        ("<h1>Loud</h1>", "", "for (let n = 0; n < 50000; n++) console.error('x'.repeat(999), n)"),
        ("<h1>Open</h1>", "", "for (let n = 0; n < 500; n++) open('https://example.org/' + n)"),
        ("<h1>Deep</h1><img src=bomb.png>", "", ""),
        ("<h1>Large</h1><canvas width=60000 height=60000>", "", ""),
        ("<h1>Many</h1>", "", "for (let n = 0; n < 20000; n++) document.body.append('word ', n)"),
        ("<h1>Away</h1><a download href=a.html>", "", "document.querySelector('a').click()"),
        (
            "<h1>Late</h1>",
            "",
            "addEventListener('beforeunload', (event) => event.preventDefault())",
        ),
        ("<h1>Own</h1>", "", "window.requestAnimationFrame = undefined"),
        ("<h1>Full</h1>", "", "const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1))"),
        ("<h1>Busy</h1>", "", "new Worker('data:text/javascript,for(;;){}')"),
    ],
)
def test_a_page_that_does_too_much_is_seen_within_bounds(
    tmp_path: Path, body: str, style: str, script: str
) -> None:
    files: Files = {"a.html": page(body, style, script), "bomb.png": bomb((40_000, 40_000))}
    made = drawn(tmp_path, "page-tile", files)
    assert 1 <= len(made.images) <= 6
    assert all(max(size(path)) <= 1800 for path in made.images)
    assert len(made.evidence) <= 20
    assert all(len(line) <= 300 for line in made.evidence)
    assert not made.blank


def test_a_drawing_whose_script_does_not_end_is_a_failure(tmp_path: Path) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>for (;;) {}</script></svg>'
    with pytest.raises(RenderFailed, match="did not load"):
        drawn(tmp_path, "svg", {"a.svg": drawing})


def test_a_drawing_of_very_many_words_or_a_broken_one_is_a_failure(tmp_path: Path) -> None:
    """What the browser shows in the place of either is a page of its own."""
    names = "abcdefgh"
    lines = "".join(f'<!ENTITY {name} "{10 * f"&{before};"}">' for before, name in pairwise(names))
    drawing = (
        f'<!DOCTYPE svg [<!ENTITY a "word">{lines}]>'
        '<svg xmlns="http://www.w3.org/2000/svg"><text>&h;</text></svg>'
    )
    for place, each in (("many", drawing), ("broken", drawing.replace("</svg>", ""))):
        with pytest.raises(RenderFailed, match="not well-formed"):
            drawn(tmp_path / place, "svg", {"a.svg": each})


def test_a_drawing_reads_no_file_and_may_be_very_large(tmp_path: Path) -> None:
    drawing = (
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        '<svg xmlns="http://www.w3.org/2000/svg" width="1000000" height="500000">'
        '<image href="file:///etc/passwd" width="5" height="5"/><text>&x;</text>'
        '<rect width="500000" height="500000" fill="red"/>'
        "<script>alert(document.querySelector('text').textContent)</script></svg>"
    )
    made = drawn(tmp_path, "svg", {"a.svg": drawing})
    assert size(made.images[0]) == (1800, 900)
    assert not any("root:" in line for line in made.evidence)


def test_a_link_within_the_artefact_is_followed(tmp_path: Path) -> None:
    folder = tmp_path / "artefact"
    folder.mkdir()
    Image.new("RGB", (900, 700), "lime").save(folder / "real.png")
    (folder / "b.png").symlink_to("real.png")
    made = drawn(tmp_path, "page-tile", {"a.html": page("<img src=/b.png>")})
    assert (0, 255, 0) in colours(made.images[0])
