"""Every field of a Jev Social row: what it takes, its normal form, what it refuses."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchdata.contracts.jev_social import JEV_SOCIAL
from tests.support.faults import error_of
from tests.support.jev_social import STOP_REASONS, V1_KEYS, V2_KEYS, failed_row, valid_row
from tests.support.trees import Changes, changed

ID = "0b7f0d3e-51c6-4c1a-9f52-3d9e4a6b8c10"
SAFE = 2**53 - 1
TRIMMED = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

KEPT: tuple[tuple[str, Any], ...] = (
    ("run_id", ID),
    ("run_id", "0b7f0d3e-51c6-4c1a-8f52-3d9e4a6b8c10"),
    ("run_id", "0b7f0d3e-51c6-4c1a-af52-3d9e4a6b8c10"),
    ("run_id", "0b7f0d3e-51c6-4c1a-bf52-3d9e4a6b8c10"),
    ("jev_model", "m"),
    ("jev_model", "acme/picker-2.1_b"),
    ("jev_model", "a/b/c/d"),
    ("jev_model", "0/1.2:free-3"),
    ("jev_model", "acme/greatest-1"),
    ("jev_model", "acme/latestish"),
    ("jev_model", "acme/relatest:1"),
    ("jev_model", "m" * 128),
    ("socai_version", "0.6.0"),
    ("socai_version", "00.10.0123456789"),
    ("socai_version", "1.2.3-rc.1"),
    ("socai_version", "1.2.3+build-5"),
    ("socai_version", "1.2.3-rc.1+b.2"),
    ("socai_version", "1.2." + "3" * 60),
    ("jev_social_version", "1.2.3-0"),
    ("socai_commit", "0123abc"),
    ("socai_commit", "f" * 40),
    ("jev_social_commit", "f" * 7),
    ("result_limit", 1),
    ("result_limit", 100),
    ("max_steps", 3),
    ("max_steps", 30),
    ("profile_mode", "isolated"),
    ("condition", "warm"),
    ("region", "r"),
    ("region", "EU_west-1.b"),
    ("region", "9" * 64),
    ("evidence.records", SAFE),
    ("evidence.comments", SAFE),
    ("evidence.downloaded_media_bytes", SAFE),
    ("timing_ms.media", 0),
    ("timing_ms.media", 100000),
    ("timing_ms.socai_browser", 98000),
    ("ended_at", "2026-03-02T08:01:41.000Z"),
    ("ended_at", "2026-03-02T08:01:39.000Z"),
)

NORMAL: tuple[tuple[str, str, str], ...] = (
    ("run_id", f"\ufeff {ID.upper()}\n", ID),
    ("task_id", ID.upper(), ID),
    ("started_at", " 2026-03-02T08:00:00Z ", "2026-03-02T08:00:00.000Z"),
    ("ended_at", "2026-03-02T08:01:40Z", "2026-03-02T08:01:40.000Z"),
    ("jev_model", "\u00a0acme/Picker-2.1\t", "acme/Picker-2.1"),
    ("socai_version", "v0.6.0", "0.6.0"),
    ("socai_version", " v1." + "2" * 58 + ".3 ", "1." + "2" * 58 + ".3"),
    ("jev_social_version", "\r\nv0.4.0-RC.1", "0.4.0-RC.1"),
    ("socai_commit", " 3149E53 ", "3149e53"),
    ("jev_social_commit", "ABCDEF0", "abcdef0"),
    ("region", "\u3000lab\u2028", "lab"),
)

NOT_A_STRING: tuple[Any, ...] = (None, 4, 1.5, True, [], ["x"], {}, {"x": "y"})
EMPTY = ("", " ", "\t\r\n", "\ufeff", "\u3000\u00a0")
NOT_AN_ID = (
    *("x", ID[:-1], ID + "0", ID.replace("-", ""), "{" + ID + "}", ID.replace("-", "_")),
    "0b7f0d3e-51c6-1c1a-9f52-3d9e4a6b8c10",  # version 1
    "0b7f0d3e-51c6-4c1a-7f52-3d9e4a6b8c10",  # another variant
    "0b7f0d3e-51c6-4c1a-cf52-3d9e4a6b8c10",
    "gb7f0d3e-51c6-4c1a-9f52-3d9e4a6b8c10",
    "\u0660b7f0d3e-51c6-4c1a-9f52-3d9e4a6b8c10",  # an Arabic zero
    "\uff10b7f0d3e-51c6-4c1a-9f52-3d9e4a6b8c10",  # a wide zero
    ID.replace("-", "\u2010"),
)
NOT_A_TIME = (
    *("2026-03-02", "2026-03-02T08:00Z", "2026-03-02 08:00:00Z", "2026-03-02T08:00:00"),
    *("2026-03-02t08:00:00Z", "2026-03-02T08:00:00z", "2026-03-02T08:00:00+00:00"),
    *("2026-03-02T08:00:00.1Z", "2026-03-02T08:00:00.12Z", "2026-03-02T08:00:00.1234Z"),
    *("2026-03-02T08:00:00,123Z", "26-03-02T08:00:00Z", "+002026-03-02T08:00:00Z"),
    *("2026-3-2T08:00:00Z", "2026-03-02T8:00:00Z", "20260302T080000Z", "2026-061T08:00:00Z"),
    *("2026-03-02T24:00:00Z", "2026-03-02T08:60:00Z", "2026-03-02T08:00:60Z"),
    *("2026-02-29T08:00:00Z", "2026-04-31T08:00:00Z", "2026-00-10T08:00:00Z"),
    *("2026-13-10T08:00:00Z", "2026-03-00T08:00:00Z", "2026-03-32T08:00:00Z"),
    *(
        "0000-01-01T00:00:00Z",
        "1772438400000",
        "now",
        "infinity",
        "2026-03-02T08:00:00Z" + "0" * 11,
    ),
    "2026-03-02T08:00:0\u0660Z",
    "\uff12026-03-02T08:00:00Z",
)
NOT_A_MODEL = (
    *("/a", "a/", "a//b", "a/b/c/d/e", "-a", ".a", "_a", "a/-b", "a b", "a@b", "a:b:c", "a:", ":a"),
    *("a:b/c", "a:-b", "a\\b", "\u00e4/b", "a/\u0431", "~", "~~a", "a~b", "a+b", "m" * 129),
)
FLOATING = (
    *("latest", "LATEST", "acme/latest", "latest/acme", "acme/picker-latest", "acme/latest-picker"),
    *("picker_latest", "picker.Latest", "latest.picker", "latest_2", "acme/latest:free"),
    *("picker-latest:free", "acme/picker:latest", "acme/picker:Latest-2", "picker:v.latest"),
    *("~picker", "~acme/picker-2.1", " ~acme/picker"),
)
NOT_A_VERSION = (
    *("1", "1.2", "1.2.3.4", "V1.2.3", "vv1.2.3", "v 1.2.3", "1.2.x", "1..3", ".1.2.3", "1.2.3."),
    *("1.2.3-", "1.2.3+", "1.2.3-a_b", "1.2.3 beta", "1.2.3+a+b", "-1.2.3", "1,2,3", "v"),
    *("1.2.\u0663", "\uff11.2.3", "1.2.3-\u00e4", "1.2." + "3" * 61),
)
NOT_A_COMMIT = ("abcdef", "g" * 7, "0x12345", "f" * 41, "abc def", "\u0661" * 7, "\uff41" * 7)
NOT_A_REGION = (
    *("-a", "_a", ".a", "a b", "a/b", "a:b", "a@b", "\u00e4", "l\u00e4b", "a\u200bb", "r" * 65),
    "\u212aelvin",  # a sign that lower-cases to k
)
CONTROLLED = ("a\x00b", "a\x1fb", "a\tb", "a\nb", "a\x7fb", "\x1ca", "a\x1d", "\x1e", "\x1f")
NOT_AN_INTEGER: tuple[Any, ...] = (None, "4", 4.0, 4.5, 1e2, True, False, [], [4], {})
BEYOND = (2**53, 2**63, 2**64, 10**30, -1, -(2**53))


def wrong(paths: str, *groups: tuple[Any, ...]) -> list[tuple[str, Any]]:
    """Return (path, value) of each value for each path."""
    return [(path, value) for path in paths.split() for group in groups for value in group]


IDS, TIMES = "run_id task_id", "started_at ended_at"
VERSIONS, COMMITS = "socai_version jev_social_version", "socai_commit jev_social_commit"
TEXTS = f"{IDS} {TIMES} {VERSIONS} {COMMITS} jev_model region"
CHOICES = "platform outcome profile_mode condition stop_reason failure_category"
TIMINGS = "timing_ms.jev_total timing_ms.socai_browser timing_ms.media timing_ms.total"
EVIDENCE = (
    "evidence.records evidence.comments evidence.downloaded_media_count"
    " evidence.downloaded_media_bytes"
)
REFUSED = [
    *wrong(TEXTS, NOT_A_STRING, EMPTY, CONTROLLED),
    *wrong(IDS, NOT_AN_ID),
    *wrong(TIMES, NOT_A_TIME),
    *wrong("jev_model", NOT_A_MODEL, FLOATING),
    *wrong(VERSIONS, NOT_A_VERSION),
    *wrong(COMMITS, NOT_A_COMMIT),
    *wrong("region", NOT_A_REGION),
    *wrong(CHOICES, (4, True, [], {}, "", "other")),
    *wrong("platform outcome profile_mode condition stop_reason", (None,)),
    *wrong("platform", (" tiktok", "tiktok ", "TikTok", "youtube")),
    *wrong("outcome", ("Success", "ok")),
    *wrong("stop_reason", ("goal-satisfied", "unknown ")),
    *wrong("failure_category", ("null", "login_required", "Unknown")),
    *wrong("profile_mode condition", ("COLD", "existing,isolated")),
    *wrong(f"result_limit max_steps {TIMINGS} {EVIDENCE}", NOT_AN_INTEGER, BEYOND),
    *wrong("result_limit", (0, 101)),
    *wrong("max_steps", (0, 31)),
    *wrong("jev_step_latency_ms timing_ms evidence", (None, "x", 4, True)),
    *wrong("jev_step_latency_ms", ({}, {"0": 1})),
    *wrong("timing_ms evidence", ([], [1])),
]


def normal(changes: Changes, version: int = 2) -> dict[str, Any]:
    """Return the normal form of a changed valid row."""
    return JEV_SOCIAL.validate(changed(valid_row(version), changes))


def at(row: dict[str, Any], path: str) -> Any:
    """Return the value at a dotted path."""
    value: Any = row
    for step in path.split("."):
        value = value[step]
    return value


@pytest.mark.parametrize(("path", "value"), KEPT)
def test_a_value_in_normal_form_is_kept(path: str, value: Any) -> None:
    found = at(normal({path: value}), path)
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(("path", "given", "expected"), NORMAL)
def test_a_value_gets_its_normal_form(path: str, given: str, expected: str) -> None:
    assert at(normal({path: given}), path) == expected


@pytest.mark.parametrize(("path", "value"), REFUSED)
def test_a_wrong_value_is_refused_at_its_field(path: str, value: Any) -> None:
    error = error_of(JEV_SOCIAL, changed(valid_row(), {path: value}))
    assert error is not None
    assert error.path == path
    assert len(error.message) <= 300


@pytest.mark.parametrize("value", [*NOT_AN_INTEGER, *BEYOND])
def test_a_wrong_latency_is_refused_with_its_place(value: Any) -> None:
    error = error_of(JEV_SOCIAL, valid_row(jev_step_latency_ms=[600, 700, value, value]))
    assert error is not None
    assert error.path == "jev_step_latency_ms[2]"


@pytest.mark.parametrize("character", TRIMMED)
def test_what_javascript_trims_is_trimmed(character: str) -> None:
    assert normal({"region": f"{character}a{character}{character}"})["region"] == "a"


@pytest.mark.parametrize("character", ["\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u180e", "\u200b"])
def test_what_only_python_or_nobody_trims_is_not(character: str) -> None:
    error = error_of(JEV_SOCIAL, valid_row(region=f"a{character}"))
    assert error is not None
    assert error.path == "region"


@pytest.mark.parametrize(
    ("path", "longest"),
    [
        *(("run_id", 36), ("task_id", 36), ("started_at", 30), ("ended_at", 30), ("region", 64)),
        *(("jev_model", 128), ("socai_version", 64), ("jev_social_version", 64)),
        *(("socai_commit", 40), ("jev_social_commit", 40)),
    ],
)
def test_length_is_counted_after_the_trim_in_utf_16_units(path: str, longest: int) -> None:
    astral = "\U0001f600"
    too_long = f"must be at most {longest} characters"
    for text, fault in [
        (astral * (longest // 2), False),
        (astral * (longest // 2) + "x", longest % 2 == 0),
        (astral * (longest // 2 + 1), True),
        (f"  {'!' * longest}  ", False),
        ("!" * (longest + 1), True),
        ("\x01" * (longest + 1), True),  # before control characters
    ]:
        error = error_of(JEV_SOCIAL, changed(valid_row(), {path: text}))
        assert error is not None
        assert (error.path, error.message == too_long) == (path, fault)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (5, "must be a valid string"),
        ("  ", "must not be empty"),
        ("/" * 65, "must be at most 64 characters"),
        ("\x00/", "must not hold control characters"),
        ("!", "must be letters, digits and . _ -"),
    ],
)
def test_a_string_is_checked_in_one_order(text: Any, message: str) -> None:
    error = error_of(JEV_SOCIAL, valid_row(region=text))
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize("model", FLOATING)
def test_a_floating_alias_is_called_so(model: str) -> None:
    error = error_of(JEV_SOCIAL, valid_row(jev_model=model))
    assert error is not None
    assert error.message == "must name an immutable model, not a floating alias"


@pytest.mark.parametrize("text", ["2024-02-29T23:59:59.999Z", "0001-01-01T00:00:00.000Z"])
def test_an_instant_of_the_calendar_is_kept(text: str) -> None:
    timing = {"jev_total": 0, "socai_browser": 0, "media": 0, "total": 0}
    row = failed_row(started_at=text, ended_at=text, timing_ms=timing)
    assert JEV_SOCIAL.validate(row) == row


def test_the_longest_span_there_is() -> None:
    ends = {"started_at": "0001-01-01T00:00:00.000Z", "ended_at": "9999-12-31T23:59:59.999Z"}
    span = 315537897599999
    timing = {"jev_total": 0, "socai_browser": 0, "media": 0, "total": span}
    assert JEV_SOCIAL.validate(failed_row(**ends, timing_ms=timing))["timing_ms"]["total"] == span
    wrong_total = failed_row(**ends, timing_ms=timing | {"total": span + 1001})
    error = error_of(JEV_SOCIAL, wrong_total)
    assert error is not None
    assert error.path == "timing_ms.total"


@pytest.mark.parametrize(("reason", "category"), STOP_REASONS.items())
@pytest.mark.parametrize("outcome", ["partial", "failed"])
def test_every_stop_reason_goes_with_its_category_alone(
    reason: str, category: str, outcome: str
) -> None:
    row = failed_row(outcome=outcome, stop_reason=reason, failure_category=category)
    assert JEV_SOCIAL.validate(row) == row
    for other in {*STOP_REASONS.values(), None} - {category}:
        error = error_of(JEV_SOCIAL, row | {"failure_category": other})
        assert error is not None
        assert error.path == "failure_category"


@pytest.mark.parametrize(
    "changes",
    [
        {"outcome": "partial", "failure_category": "step_limit", "stop_reason": "step_limit"},
        {"outcome": "failed", "failure_category": "unknown", "stop_reason": "unknown"},
        {"timing_ms.media": 100000, "platform": "tiktok"},
        {
            "platform": "instagram",
            "evidence.downloaded_media_count": 0,
            "evidence.downloaded_media_bytes": 0,
        },
        {"evidence.downloaded_media_count": 4},
        {"evidence.records": 2},
        {"evidence.comments": 0},
        {"jev_step_latency_ms": [3000]},
        {"jev_step_latency_ms": [0] * 12 + [3000]},
        {"max_steps": 3},
    ],
)
def test_what_the_protocol_does_not_forbid_is_valid(changes: Changes) -> None:
    row = changed(valid_row(), changes)
    assert JEV_SOCIAL.validate(row) == row


@pytest.mark.parametrize(("version", "keys"), [(1, V1_KEYS), (2, V2_KEYS)])
def test_the_normal_form_has_the_order_of_the_protocol(version: int, keys: tuple[str, ...]) -> None:
    row = valid_row(version)
    shuffled = random.Random(1).sample(list(row.items()), len(row))
    mixed: dict[str, Any] = dict(shuffled)
    for part in ("timing_ms", "evidence"):
        mixed[part] = dict(reversed(row[part].items()))
    found = JEV_SOCIAL.validate(mixed)
    assert tuple(found) == keys
    assert tuple(found["timing_ms"]) == ("jev_total", "socai_browser", "media", "total")
    assert tuple(found["evidence"]) == (
        *("records", "comments"),
        *("downloaded_media_count", "downloaded_media_bytes"),
    )
    assert found == row


@pytest.mark.parametrize("version", [1, 2])
def test_a_given_row_is_not_changed(version: int) -> None:
    row = valid_row(version, region=" lab ", socai_version="v0.6.0")
    before = changed(row, {})
    assert JEV_SOCIAL.validate(row) is not row
    assert row == before


@pytest.mark.parametrize("field", ["jev_social_version", "jev_social_commit"])
def test_the_two_runtime_pins_belong_to_version_2(field: str) -> None:
    one, two = valid_row(1), valid_row(2)
    for row, message in [
        (one | {field: two[field]}, "is not a field of this contract"),
        ({key: two[key] for key in two if key != field}, "is missing"),
    ]:
        error = error_of(JEV_SOCIAL, row)
        assert error is not None
        assert (error.path, error.message) == (field, message)


@pytest.mark.parametrize("version", [1, 2])
def test_every_missing_key_is_named_and_the_first_declared_one_first(version: int) -> None:
    row = valid_row(version)
    for key in row:
        error = error_of(JEV_SOCIAL, {name: row[name] for name in row if name != key})
        assert error is not None
        assert error.path == key
    error = error_of(JEV_SOCIAL, {"schema_version": version, "condition": "cold"})
    assert error is not None
    assert error.path == "run_id"


@pytest.mark.parametrize("part", ["timing_ms", "evidence"])
def test_inside_an_object_unknown_comes_before_missing_before_values(part: str) -> None:
    inside = valid_row()[part]
    first, *_, last = inside
    broken = dict(inside) | {last: -1}
    for changes, path in [
        ({"extra": 1}, "extra"),
        ({}, first),
    ]:
        value = {key: broken[key] for key in broken if key != first} | changes
        error = error_of(JEV_SOCIAL, valid_row(**{part: value}))
        assert error is not None
        assert error.path == f"{part}.{path}"
    error = error_of(JEV_SOCIAL, valid_row(**{part: dict.fromkeys(inside, -1)}))
    assert error is not None
    assert error.path == f"{part}.{first}"
