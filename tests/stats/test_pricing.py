"""What tokens cost by a dated table, and what is refused rather than guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata.errors import InputError
from benchdata.stats import pricing
from benchdata.stats.pricing import PriceUnknown
from tests.support.gated import tokens

WHOLE = (
    'input = 1\noutput = 2.5\ncache_write = 3\ncache_read = 0.5\nas_of = 2026-12-01\nsource = "x"\n'
)


def own(folder: Path, text: str) -> Path:
    path = folder / "prices.toml"
    path.write_text(text)
    return path


def test_the_cost_is_that_of_every_kind_of_token() -> None:
    usage = [tokens(1_000_000, 100_000, 10_000, 2_000_000), tokens(5, 0, 0, 0, model="scripted")]
    assert pricing.load().cost(usage) == pytest.approx(3.0 + 1.5 + 0.0375 + 0.6, abs=1e-12)
    assert pricing.load().cost([]) == 0.0


@pytest.mark.parametrize("place", range(4))
def test_an_unknown_count_makes_the_cost_unknown_and_never_less(place: int) -> None:
    counts: list[int | None] = [1_000_000, 1_000_000, 1_000_000, 1_000_000]
    counts[place] = None
    prices = pricing.load()
    assert prices.cost([tokens(1, 1, 1, 1), tokens(*counts)]) is None
    known = 3.0 + 15.0 + 3.75 + 0.3 - (3.0, 15.0, 3.75, 0.3)[place]
    assert prices.least([tokens(*counts)]) == pytest.approx(known, abs=1e-12)


def test_a_dated_model_costs_what_it_costs_without_its_date() -> None:
    prices = pricing.load()
    assert prices.of("claude-sonnet-4-5-20250929") == prices.of("claude-sonnet-4-5")
    assert prices.of("gpt-5.5-2026-04-23") == prices.of("gpt-5.5")


@pytest.mark.parametrize("model", ["claude-sonnet-4", "claude-sonnet-4-5-fast", "GPT-5.5"])
def test_a_model_without_a_price_is_refused_by_name(model: str) -> None:
    usage = [tokens(1, 1, 1, 1), tokens(None, 1, 1, 1, model=model)]
    for price in (pricing.load().cost, pricing.load().least):
        with pytest.raises(PriceUnknown, match=f"^{model}: has no price"):
            price(usage)


def test_a_misspelt_model_is_guessed_at_but_not_priced() -> None:
    with pytest.raises(PriceUnknown, match="did you mean `claude-sonnet-4-5`"):
        pricing.load().of("claude-sonet-4-5")


def test_a_file_of_the_users_replaces_and_extends(tmp_path: Path) -> None:
    text = f'[claude-sonnet-4-5]\n{WHOLE}\n["vendor/new-1"]\n{WHOLE}'
    prices = pricing.load(own(tmp_path, text))
    assert prices.cost([tokens(1_000_000, 0, 0, 0)]) == 1.0
    assert prices.cost([tokens(0, 2_000_000, 0, 0, model="vendor/new-1")]) == 5.0
    assert prices.of("claude-opus-4-8") == pricing.load().of("claude-opus-4-8")
    assert (prices.name, pricing.load().name) == ("prices.toml over pricing.toml", "pricing.toml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[m", "prices.toml: is no TOML"),
        ("m = 1", "prices.toml: m: "),
        (f"[m]\n{WHOLE}extra = 1", "prices.toml: m: extra: is not a key here"),
        (f"[m]\n{WHOLE}".replace("output = 2.5\n", ""), "prices.toml: m: output: "),
        (f"[m]\n{WHOLE}".replace("2.5", "-1"), "prices.toml: m: output: "),
        (f"[m]\n{WHOLE}".replace("2.5", "nan"), "prices.toml: m: output: "),
        (f"[m]\n{WHOLE}".replace("2.5", '"2"'), "prices.toml: m: output: "),
        (f"[m]\n{WHOLE}".replace("2.5", "true"), "prices.toml: m: output: "),
        (f"[m]\n{WHOLE}".replace("2026-12-01", '"today"'), "prices.toml: m: as_of: "),
        (f"[m]\n{WHOLE}".replace('"x"', '""'), "prices.toml: m: source: "),
    ],
)
def test_a_price_that_is_not_whole_is_refused_by_file_model_and_field(
    tmp_path: Path, text: str, words: str
) -> None:
    with pytest.raises(InputError) as caught:
        pricing.load(own(tmp_path, text))
    assert str(caught.value).startswith(words)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^prices.toml: cannot be read"):
        pricing.load(tmp_path / "prices.toml")


def test_every_shipped_price_has_its_day_and_its_source() -> None:
    shipped = pricing.load().by_model
    assert all(price.source for price in shipped.values())
    assert {price.as_of.year for price in shipped.values()} == {2026}
