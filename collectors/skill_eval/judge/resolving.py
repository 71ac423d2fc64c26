"""Binds the judge's name to what is here: a program that is installed, or an endpoint; who pays."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from benchdata.contracts.grammar import Billing
from benchdata.errors import InputError, did_you_mean
from collectors.harness import billing, judging, user_settings
from collectors.harness.agents.driver import Call, Report
from collectors.harness.agents.registry import driver
from collectors.harness.attempt import Setting
from collectors.harness.sandbox.probe import choose
from collectors.harness.user_settings import MODELS
from collectors.skill_eval.judge import chat
from collectors.skill_eval.judge.judge import Judge

ENDPOINT = "BENCHDATA_JUDGE_ENDPOINT"
"""The variable that declares another model API than the vendor's, as that API's clients know it:
with `/v1` for codex and openai, without for claude."""
OPENAI = "openai"
ALLOWED: Mapping[str, tuple[Billing, ...]] = {
    "claude": ("subscription",),
    "codex": ("subscription",),
    OPENAI: ("api-key",),
}
"""Who judges, and who may pay for that. An endpoint has no subscription; its key has a variable of
its own, so that nothing becomes a bill by accident."""
LIMIT_S = 600.0
"""Of one call."""


def resolve(
    name: str,
    model: str | None,
    environment: Mapping[str, str],
    *,
    halted: Callable[[], bool] = lambda: False,
) -> Judge:
    """Return the judge of this name: `claude`, `codex`, or `openai` for any endpoint of that shape.

    Without a `model` it is the one that skill-eval pins for a program. `halted` is asked all the
    time: a call that it ends is an `error`.

    Raises:
        BenchdataError: There is no such judge, its program, login or key is absent, or no model is
            named.
    """
    if name not in ALLOWED:
        raise InputError(
            f"judge: {name}: must be one of {', '.join(ALLOWED)}"
            f"{did_you_mean(name, tuple(ALLOWED))}"
        )
    model = model or MODELS.get(name)
    if model is None:
        raise InputError(f"judge: {name} serves many models; name one with --judge-model")
    payer = billing.choose(
        name, environment, allowed=ALLOWED[name], base_url=environment.get(ENDPOINT)
    )
    prices = user_settings.prices(environment)
    ask: Callable[[Call], Report]
    if name == OPENAI:
        ask = chat.Endpoint(payer.base_url, payer.headers, prices, LIMIT_S, halted)
    else:
        setting = Setting(
            driver=driver(name), sandbox=choose(), payer=payer, timeout_s=LIMIT_S, prices=prices
        )
        ask = partial(_through, setting, halted)
    return Judge(name, model, payer.endpoint, payer.sentence, ask)


def _through(setting: Setting, halted: Callable[[], bool], call: Call) -> Report:
    """Ask a program in a folder of no name, which nothing is left of."""
    with tempfile.TemporaryDirectory(prefix="judge-", ignore_cleanup_errors=True) as place:
        return judging.through(setting, Path(place), halted)(call)
