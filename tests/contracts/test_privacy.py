"""What no row may hold is found in any string, and what only looks like it is let through."""

from __future__ import annotations

import time
from typing import Any

import pytest

from benchdata.contracts import privacy
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import RowError
from tests.support.faults import error_of
from tests.support.jev_social import valid_row
from tests.support.secrets import FOUND, LEFT


def first(value: Any) -> str | None:
    """Return the message of what `privacy.check` says of a value, None when it passes."""
    try:
        privacy.check(value)
    except RowError as error:
        return error.message
    return None


def cases(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Return (family, text) of every example."""
    return [(family, text) for family, texts in table.items() for text in texts]


@pytest.mark.parametrize("family", privacy.FAMILIES)
def test_every_family_has_enough_examples(family: str) -> None:
    assert len(set(FOUND[family])) >= 10
    assert len(set(LEFT[family])) >= 7


@pytest.mark.parametrize(("family", "text"), cases(FOUND))
def test_a_secret_or_path_is_found_and_called_by_its_family(family: str, text: str) -> None:
    message = first({"note": text})
    assert message is not None
    assert (family in message) or (family == "home folder" and "absolute path" in message)
    assert text not in message


@pytest.mark.parametrize(("family", "text"), cases(FOUND))
@pytest.mark.parametrize("around", ["{}", "see {}", "({})", '"{}"', "a\n{}\nb", "x={} y", "[{}]"])
def test_it_is_found_inside_a_sentence(family: str, text: str, around: str) -> None:
    assert first({"note": around.format(text)}) is not None, family


@pytest.mark.parametrize(("family", "text"), cases(FOUND))
def test_its_own_pattern_or_a_wider_one_finds_it(family: str, text: str) -> None:
    assert privacy.family(text) in {family, "absolute path"}


@pytest.mark.parametrize(("family", "text"), cases(LEFT))
@pytest.mark.parametrize("around", ["{}", "see {} here", "({})", "x={}"])
def test_what_only_looks_like_it_is_let_through(family: str, text: str, around: str) -> None:
    assert first({"note": around.format(text)}) is None, family


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("~acme/picker-2.1", None),
        (" ~acme/picker-2.1 ", None),
        ("~acme/picker-2.1/x", "home folder"),
        ("in ~acme/picker-2.1", "home folder"),
        ("'~acme/picker-2.1'", "home folder"),
    ],
)
def test_a_floating_model_alias_is_no_folder_when_it_stands_alone(
    text: str, found: str | None
) -> None:
    assert privacy.family(text) == found


@pytest.mark.parametrize(("family", "text"), cases(FOUND))
def test_the_sieve_lets_no_secret_slip(family: str, text: str) -> None:
    folded = text.lower()
    assert any(marker.lower() in folded for marker in privacy.MARKERS), family


def test_every_marker_is_needed() -> None:
    texts = [text.lower() for texts in FOUND.values() for text in texts]
    needless = {
        marker for marker in privacy.MARKERS if not any(marker.lower() in text for text in texts)
    }
    # prefixes of one vendor share an example
    assert needless <= {
        "gho_",
        "ghu_",
        "ghr_",
        "glrt-",
        "gldt-",
        "SharedAccessKey=",
        "hvb.",
        "%HOMEPATH%",
    }


@pytest.mark.parametrize(
    ("row", "path"),
    [
        ({"note": FOUND["home folder"][0]}, "note"),
        ({"a": {"b": [0, {"c": FOUND["absolute path"][0]}]}}, "a.b[1].c"),
        ([[FOUND["private key"][0]]], "[0][0]"),
        (FOUND["vendor token"][0], "row"),
        ({FOUND["vendor token"][0]: 1}, "row"),
        ({"a": {FOUND["home folder"][0]: 1}}, "a"),
        ({"a": [{FOUND["home folder"][0]: 1}]}, "a[0]"),
    ],
)
def test_the_place_is_named_and_never_the_text(row: Any, path: str) -> None:
    with pytest.raises(RowError) as raised:
        privacy.check(row)
    assert raised.value.path == path


NAMES = sorted(privacy.REFUSED_NAMES)


def test_the_refused_names_are_those_of_the_protocol() -> None:
    assert " ".join(NAMES) == (
        "account_id api_key authorization cdp_endpoint cookie local_path post_text token username"
        " websocket_url"
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("spelling", [str.lower, str.upper, str.title])
def test_a_refused_name_is_found_at_any_depth(name: str, spelling: Any) -> None:
    key = spelling(name)
    for row, path in [
        ({key: None}, f"row.{key}"),
        (valid_row() | {key: 1}, f"row.{key}"),
        ({"evidence": {"x": {key: 1}}}, f"row.evidence.x.{key}"),
        ({"list": [{key: 1}]}, f"row.list[0].{key}"),
        ({"list": [0, [{"a": 1}, {"b": {key: 1}}]]}, f"row.list[1][1].b.{key}"),
        ([{key: 1}], f"row[0].{key}"),
    ]:
        error = error_of(JEV_SOCIAL, row)
        assert error is not None
        assert error.path == path


def test_names_are_searched_depth_first_in_key_order() -> None:
    row = {"a": {"b": {"token": 1}, "cookie": 2}, "username": 3}
    error = error_of(JEV_SOCIAL, row)
    assert error is not None
    assert error.path == "row.a.b.token"


def test_a_refused_name_comes_before_a_secret() -> None:
    error = error_of(JEV_SOCIAL, {"note": FOUND["private key"][0], "z": [{"cookie": 1}]})
    assert error is not None
    assert error.path == "row.z[0].cookie"


@pytest.mark.parametrize(
    "key",
    [
        *("tokens", "input_tokens", "cookies", "_cookie", "cookie_", "token ", "api-key", "apikey"),
        *("user_name", "account", "\u212aookie", "to\u212aen", "toke\u0578", "cookie\u0307"),
        "\uff43ookie",  # wide letters, and Kelvin's sign, are other names
    ],
)
def test_a_name_is_refused_as_a_whole_and_in_ascii_only(key: str) -> None:
    assert first({key: 1, "note": {key: [1]}}) is None


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "", "text", [], {}, [[], {}]])
def test_what_holds_nothing_passes(value: Any) -> None:
    assert first(value) is None


def test_a_key_that_is_no_string_is_refused() -> None:
    assert first({"a": {5: 1}}) == "every key must be a string"


@pytest.mark.parametrize(
    "text",
    [
        "-ey" + "J" + "-eyJ" * 60_000,
        "S" + "G.a" * 80_000,
        "sk" + "-sk" * 80_000,
        "gl" + "pat-" * 60_000,
        "bear" + "er " * 80_000,
        "bear" + "er" + " " * 200_000,
        "bas" + "ic " + "a" * 200_000,
        "author" + "ization" + " " * 200_000,
        "-----BEGIN " * 20_000,
        "-----BEGIN " + "A " * 100_000,
        "~" + "a" * 200_000,
        "~a " * 70_000,
        "a" + " " * 200_000 + "~",
        "/" * 200_000,
        "/a" * 2 + "\\" * 200_000,
        "\\\\" + "a." * 100_000,
        "x " * 100_000,
        "1234567890:A" * 20_000,
    ],
    ids=lambda text: text[:12],
)
def test_no_text_takes_more_than_linear_time(text: str) -> None:
    started = time.process_time()
    privacy.family(text)
    assert time.process_time() - started < 2
