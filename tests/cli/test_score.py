"""`benchdata score`: three formats, presets beside each other, user files, bad input."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import refused, run
from tests.support.drawn import DEMO, Row, write
from tests.support.gated import tokens
from tests.support.planned import lanes


def two_lanes(**fields: object) -> list[Row]:
    """Return a lane that is good and slow in turns, and one that is quick and worse."""
    rows = lanes({"aster": {"t1": [60, 62, 64], "t2": [60, 62, 64]}}, rubric_pass_rate=1.0)
    rows += lanes({"birch": {"t1": [5, 6, 7], "t2": [5, 6, 7]}}, 100, rubric_pass_rate=0.5)
    return [row | fields for row in rows]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return write(tmp_path / "rows.ndjson", two_lanes())


def test_a_first_line_says_when_presets_disagree_on_the_order(tmp_path: Path) -> None:
    # default: turns cost aster .15 * 57/75 = .114; the rubric costs birch .2 * .5 = .1
    data = two_lanes()
    for row in data:
        if row["lane"] == "birch":
            row["rubric_pass_rate"] = 0.3
    done = run("score", write(tmp_path / "a.ndjson", data))
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "# build-run composite under default"
    assert lines[2] == (
        "- Presets disagree on the order: aster is ahead of birch under default,"
        " behind under encore-parity."
    )


def test_markdown_has_every_part(rows: Path) -> None:
    done = run("score", rows)
    assert "Presets disagree on the order" not in done.out
    assert "- aster: 0." in done.out
    assert ", 6 runs of 2 tasks; rank " not in done.out  # parts are set apart by semicolons
    assert "; 6 runs of 2 tasks; rank " in done.out
    assert "| test_pass_rate × 0.45 |" in done.out
    assert "| Under encore-parity |" in done.out
    assert done.out.rstrip().endswith("or other models and agents.")


def priced(folder: Path, model: str, *options: str | Path) -> tuple[dict[str, Any], str]:
    """Score runs that hold a cost of 0.05 USD and used a million tokens; as JSON and Markdown."""
    data = two_lanes(usage=[tokens(1_000_000, 0, 0, 0, model=model).model_dump()])
    file = write(folder / "rows.ndjson", [row | {"total_cost_usd": 0.05} for row in data])
    document = json.loads(run("score", file, *options, "--format", "json").out)
    return document, run("score", file, *options).out


def costs(document: dict[str, Any]) -> set[float]:
    return {
        part["normalized"]
        for lane in document["lanes"]
        for part in lane["components"]
        if part["name"] == "cost_usd"
    }


def test_cost_is_priced_again_by_a_named_and_dated_table(tmp_path: Path) -> None:
    document, text = priced(tmp_path, "claude-haiku-4-5-20251001")
    (share,) = costs(document)
    assert share == pytest.approx((2 - 1) / (2 - 0.05))  # 1 USD per million
    assert document["prices"] == {
        "table": "pricing.toml",
        "days": {"claude-haiku-4-5-20251001": "2026-12-01"},
        "runsPricedAgain": 12,
        "modelsWithoutPrice": [],
        "runsOfUnknownTokens": 0,
    }
    assert "list prices of pricing.toml: claude-haiku-4-5-20251001 of 2026-12-01." in text


def test_a_model_without_a_price_keeps_its_cost_and_a_file_of_prices_gives_it_one(
    tmp_path: Path,
) -> None:
    document, text = priced(tmp_path, "acme/builder-2.0")
    assert costs(document) == {1.0}  # of the 0.05 USD that the rows hold
    assert document["prices"]["modelsWithoutPrice"] == ["acme/builder-2.0"]
    assert (
        "pricing.toml has no price of acme/builder-2.0: those runs count with their own cost"
        in text
    )
    own = tmp_path / "own.toml"
    rates = "input = 2\noutput = 0\ncache_write = 0\ncache_read = 0"
    own.write_text(f'["acme/builder-2.0"]\n{rates}\nas_of = 2026-11-30\nsource = "x"\n', "utf-8")
    document, text = priced(tmp_path, "acme/builder-2.0", "--prices", own)
    assert costs(document) == {0.0}
    assert "list prices of own.toml over pricing.toml: acme/builder-2.0 of 2026-11-30." in text
    own.write_text("[m]\ninput = 1\n", "utf-8")
    said = refused(run("score", tmp_path / "rows.ndjson", "--prices", own))
    assert "own.toml: m: output: is missing" in said


def test_a_run_of_unknown_tokens_keeps_its_cost(tmp_path: Path) -> None:
    usage = tokens(1_000_000, None, 0, 0, model="claude-haiku-4-5").model_dump()
    data = [row | {"usage": [usage], "total_cost_usd": 0.05} for row in two_lanes()]
    done = run("score", write(tmp_path / "rows.ndjson", data), "--format", "json")
    document = json.loads(done.out)
    assert costs(document) == {1.0}
    assert document["prices"]["runsOfUnknownTokens"] == 12


def test_json_and_csv_hold_the_same_numbers(rows: Path) -> None:
    document = json.loads(run("score", rows, "--format", "json").out)
    lines = list(csv.DictReader(io.StringIO(run("score", rows, "--format", "csv").out)))
    assert [lane["lane"] for lane in document["lanes"]] == ["aster", "birch"]
    assert len(lines) == 2 * 5
    for lane in document["lanes"]:
        mine = [line for line in lines if line["lane"] == lane["lane"]]
        assert {float(line["composite"]) for line in mine} == {lane["composite"]}
        assert {float(line["low"]) for line in mine} == {lane["interval"]["low"]}
        total = sum(float(line["weight"]) * float(line["normalized"]) for line in mine)
        assert total == pytest.approx(lane["composite"])
        assert 1 <= lane["rank"][0] <= lane["rank"][1] <= 2


def test_presets_that_disagree_on_a_verdict_say_so(tmp_path: Path) -> None:
    data = two_lanes()
    for row in data:
        row["rubric_pass_rate"] = 0.0 if row["lane"] == "birch" else 1.0
    many = data + [
        row | {"run_id": row["run_id"].replace("-4000-", "-4001-"), "repeat": row["repeat"] + 3}
        for row in data
    ]
    for row in many:
        row["planned_repeats"] = 6
    document = json.loads(run("score", write(tmp_path / "a.ndjson", many), "--format", "json").out)
    (words,) = [w for w in document["disagreements"] if "verdict" in w]
    assert words == (
        "Presets disagree on the verdict: birch against aster: worse under default,"
        " better under encore-parity."
    )
    assert [lane["rank"] for lane in document["lanes"]] == [[1, 1], [2, 2]]


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_a_file_of_weights_scores_the_same_rows(tmp_path: Path, rows: Path, suffix: str) -> None:
    own = tmp_path / f"own.{suffix}"
    axes = {"test_pass_rate": {"weight": 1}}
    toml = 'name = "own"\n[axes.test_pass_rate]\nweight = 1\n'
    own.write_text(toml if suffix == "toml" else json.dumps({"name": "own", "axes": axes}), "utf-8")
    document = json.loads(run("score", rows, "--preset", own, "--format", "json").out)
    assert document["preset"] == "own"
    assert [lane["composite"] for lane in document["lanes"]] == [1.0, 1.0]
    assert list(document["lanes"][0]["otherPresets"]) == ["default", "encore-parity"]


def test_stand_in_rows_carry_the_banner(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", two_lanes(endpoint="stand_in"))
    assert run("score", file).out.splitlines()[2].startswith("**SYNTHETIC: ")


@pytest.mark.parametrize(
    ("preset", "words"),
    [
        ("defualt", "no preset is named `defualt`; did you mean `default`?"),
        ("nowhere.toml", "nowhere.toml: cannot be read: No such file or directory"),
    ],
)
def test_a_preset_that_is_not_there_is_an_error(rows: Path, preset: str, words: str) -> None:
    assert words in refused(run("score", rows, "--preset", preset))


def test_rows_that_cannot_be_scored_are_an_error(tmp_path: Path) -> None:
    assert "jev-social compares nothing" in refused(run("score", DEMO))
    file = write(tmp_path / "a.ndjson", two_lanes(total_cost_usd=None))
    assert "no row can be scored" in refused(run("score", file))
