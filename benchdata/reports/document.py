"""An HTML document of ours: how each begins, what it may load, and whether a text is one.

A content-security policy names the style sheet and every script by their digests, and nothing else
may be loaded, from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
    "style-src {styles}; script-src {scripts}"
)
HEAD = "reports/head.html.j2"
STYLE = "reports/page.css"
DIGEST = r"'sha256\-[A-Za-z0-9+/]{43}='"
OURS = re.compile(
    re.escape(POLICY)
    .replace(re.escape("{styles}"), DIGEST)
    .replace(re.escape("{scripts}"), rf"(?:'none'|{DIGEST}(?:\ {DIGEST})*)")
)
# Inside a script element these could end it, open a comment, or break a line of JavaScript.
UNSAFE_IN_SCRIPT = str.maketrans(
    {char: f"\\u{ord(char):04x}" for char in ("<", ">", "&", "\u2028", "\u2029")}
)


def drawn(
    template: str,
    *,
    title: str,
    style: str,
    scripts: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
    **values: Any,
) -> str:
    """Return the document of a template: the same text for the same input, all values escaped.

    `template` is its path in the package. `facts` are what the document says of itself to a
    program, by the name of a meta element.
    """
    document = _templates().get_template(template)
    return document.render(
        title=title,
        style=Markup(style),
        scripts=[Markup(script) for script in scripts],
        policy=POLICY.format(
            styles=_digest(style), scripts=" ".join(map(_digest, scripts)) or "'none'"
        ),
        facts=facts or {},
        **values,
    )


def is_ours(text: str) -> bool:
    """Tell whether a text begins as our documents do: nothing stands before its policy.

    So whatever follows, a browser lets it load nothing.
    """
    beginning, _, _ = asset(HEAD).partition("{{ policy }}")
    policy, quote, _ = text.removeprefix(beginning).partition('"')
    whole = text.startswith(beginning) and bool(quote)
    return whole and OURS.fullmatch(html.unescape(policy)) is not None


def script_json(value: Any) -> str:
    """Return `value` as JSON that is safe as the text of a script element."""
    text = json.dumps(
        value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return text.translate(UNSAFE_IN_SCRIPT)


@cache
def asset(name: str) -> str:
    """Return a text file of the package by its path in it."""
    return (files("benchdata") / name).read_text(encoding="utf-8")


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, loader=jinja2.FunctionLoader(asset)
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
