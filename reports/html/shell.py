"""Renders a template into a file that needs nothing else: one style sheet, one script, and a policy for both."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

__all__ = ["render_page", "script_text"]

_STYLE: Final = "report.css"
_BREAK: Final = re.compile(r"([/_@])(?=.)")


def render_page(template: str, scripts: tuple[str, ...], **values: Any) -> str:
    """Return the page. `scripts` are the parts of the script, in one scope; the template escapes all values."""
    script, style = script_text(scripts), _style()
    return _environment().get_template(template).render(script=script, style=style, policy=_policy(scripts), **values)


@cache
def script_text(parts: tuple[str, ...]) -> Markup:
    """Return our script as markup. It contains no data of a run."""
    text = '"use strict";\n(() => {\n' + "\n".join(_text("static", name) for name in parts) + "})();\n"
    assert "</" not in text, "a script that could end its own element"
    return Markup(text)


@cache
def _style() -> Markup:
    text = _text("static", _STYLE)
    assert "<" not in text, "a style sheet that could end its own element"
    return Markup(text)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(lambda name: _text("templates", name)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"spoken": _spoken, "breakable": _breakable}
    return environment


def _spoken(text: str) -> Markup:
    """Return a sentence in which what stands between backticks is code."""
    parts = text.split("`")
    pieces = [
        Markup("<code>{}</code>").format(part) if number % 2 and number < len(parts) - 1 else escape(part)
        for number, part in enumerate(parts)
    ]
    return Markup("").join(pieces if len(parts) % 2 else [escape(text)])


def _breakable(name: str) -> Markup:
    """Return a name that may be broken after a slash or an underscore, and so is not broken within a word."""
    return Markup(_BREAK.sub(r"\1<wbr>", str(escape(name))))


def _text(directory: str, name: str) -> str:
    return files(__package__).joinpath(directory, name).read_text(encoding="utf-8")


@cache
def _policy(scripts: tuple[str, ...]) -> str:
    """Return a policy that allows one script and one style sheet, by hash, and no images, frames, requests or markup
    made from text."""
    script, style = _hash(script_text(scripts)), _hash(_style())
    return (
        f"default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
