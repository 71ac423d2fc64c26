"""What a decision endpoint and a `socai` may do: scripts for the stand-ins, drawn by Hypothesis."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from tests.support.collecting import PINS

KEYS = st.sampled_from(
    [
        *("ok", "url", "data", "cards", "results", "posts", "videos", "items", "entity", "state"),
        *("profile", "video_cards", "comments", "top_comments", "reason", "status", "error"),
        *("login_required", "rate_limited", "local_path", "video", "code", "author", "locator"),
        *("model", "answers", "route", "action", "type", "choice", "confidence", "probabilities"),
    ]
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1, 3)
    | st.sampled_from([1e308, 0.5, "", "login_required", "https://www.tiktok.com/@a/video/1", "\0"])
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
WORDS = ["*", "--help", "--version", "config"] + [
    f"{platform} {command}".strip()
    for platform in ("instagram", "tiktok", "linkedin")
    for command in ("", "search", "get-posts", "get-videos", "search --help", "--help")
]
RULES = st.fixed_dictionaries(
    {"when": st.sampled_from(WORDS)},
    optional={
        "times": st.integers(1, 2),
        "ignore_term": st.just(value=True),
        "spawn": st.just(60),
        "sleep": st.sampled_from([0.1, 60]),
        "stderr": st.sampled_from(["boom", "9.9.9", "run_dir: x\n" * 1000]),
        "stdout": st.sampled_from(["", " ", "{", "log line\n{}", "[" * 5000, "\ud7ff", "NaN"])
        | JSON.map(lambda value: "log\n" + json.dumps(value)),
        "json": JSON,
        "hex": st.binary(max_size=8).map(bytes.hex),
        "huge": st.sampled_from([100_000, 26_000_000]),
        "exit": st.sampled_from([0, 1, 2, 255]),
        "kill": st.sampled_from([9, 15]),
    },
)
REPLIES = st.fixed_dictionaries(
    {},
    optional={
        "sleep": st.sampled_from([0.01, 0.6]),
        "drop": st.just(value=True),
        "status": st.sampled_from([200, 204, 302, 401, 422, 500]),
        "headers": st.dictionaries(
            st.sampled_from(
                ["Content-Length", "Transfer-Encoding", "Content-Encoding", "Location"]
            ),
            st.sampled_from(["0", "-1", "x", "chunked", "gzip", "http://127.0.0.1:1/"]),
            max_size=2,
        ),
        "redirect": st.just("http://127.0.0.1:1/v1/systemone"),
        "body": st.sampled_from(["", "<html>", "{}", "[" * 5000, '{"a":1,"a":2}', "NaN"]),
        "hex": st.binary(max_size=8).map(bytes.hex),
        "huge": st.sampled_from([1000, 300_000]),
        "declared": st.booleans(),
        "json": JSON,
        "want": st.lists(st.sampled_from(["finish", "read_*", "page_state*", "search*"])),
        "confidence": st.sampled_from([0, 0.34, 0.35, 1, 2, -1, "1", None, True]),
        "model": st.sampled_from([None, "", " ", "other/model-1", 3, PINS["--jev-model"]]),
        "answer": st.dictionaries(KEYS, JSON, max_size=2),
    },
)
SCRIPTS = st.fixed_dictionaries(
    {"answers": st.lists(RULES, max_size=3)},
    optional={
        "version": st.sampled_from(["socai v0.6.0", "socai 0.6.0-rc.1", "socai", "0.6.0 " * 99]),
        "commands": st.just({}),
        "found": st.integers(0, 5),
        "runs_dir": st.sampled_from(["relative", "/", "\0"]),
    },
)
TASKS = st.fixed_dictionaries(
    {},
    optional={
        "platform": st.sampled_from(["instagram", "tiktok", "linkedin"]),
        "goal": st.sampled_from(["x", "-", "read https://www.tiktok.com/@a/video/1", "下载视频"])
        | st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=9).filter(
            str.strip
        ),
        "max_steps": st.integers(1, 4),
    },
)
TIMEOUTS = st.sampled_from(["", "300", "1", "0", "x"])
