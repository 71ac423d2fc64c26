"""What draws starts without the grammars of an optional check; who wants them has them."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys

import pytest

from benchdata.startup import GRAMMARS, without

DRAWS = "from benchdata.reports import open_report"


def printed(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_a_report_loads_jsonschema_and_no_grammars() -> None:
    pytest.importorskip(GRAMMARS)
    asked = f"import sys; print('jsonschema' in sys.modules, {GRAMMARS!r} in sys.modules)"
    assert printed(f"import jsonschema\n{asked}") == "True True"
    assert printed(f"{DRAWS}\n{asked}") == "True False"


@pytest.mark.slow
def test_whoever_wants_the_grammars_has_them_before_and_after() -> None:
    pytest.importorskip(GRAMMARS)
    valid = f"from {GRAMMARS} import is_valid_syntax; print(is_valid_syntax('iri', 'urn:é'))"
    assert printed(f"{DRAWS}\n{valid}") == "True"
    check = "from jsonschema import FormatChecker; print(FormatChecker().conforms('no iri', 'iri'))"
    assert printed(f"import jsonschema\n{DRAWS}\n{check}") == "False"


def test_a_module_can_seem_not_to_be_installed_and_is_itself_again_after() -> None:
    hidden = ("json", "json.decoder", "antigravity")
    with without(*hidden):
        for name in hidden:
            with pytest.raises(ModuleNotFoundError):
                importlib.import_module(name)
    assert importlib.import_module("json") is json
    assert "antigravity" not in sys.modules
