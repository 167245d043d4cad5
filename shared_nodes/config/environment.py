"""The environment variable that adds to the `encryption` block of a configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shared_nodes.config.blocks.encryption import EncryptionSettings, read_encryption
from shared_nodes.config.files import ENCRYPTION_SCHEMA
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.json_syntax import body_from_json, parse_json
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.source import Position, Range, Source
from shared_nodes.lang.tree import Body

__all__ = ["encryption_in_environment"]

_NAME: Final = "TF_ENCRYPTION"
_WHOLE: Final = Range(Source(_NAME, "", Position(0, 0, 0)), 0, 0)
"""What is blamed for mistakes that are in no single line."""


def encryption_in_environment(
    environment: Mapping[str, str],
) -> tuple[EncryptionSettings | None, list[Diagnostic]]:
    """Read the content of an `encryption` block from the environment, in either syntax; None if there is none."""
    text = environment.get(_NAME, "").strip()
    if not text:
        return None, []
    body, problems = _parse(Source(_NAME, text, is_json=text.startswith("{")))
    settings, found = read_encryption(body, _WHOLE)
    return settings, [*problems, *found]


def _parse(source: Source) -> tuple[Body, list[Diagnostic]]:
    if not source.is_json:
        return parse_body(source)
    value, problems = parse_json(source)
    body, found = body_from_json(value, ENCRYPTION_SCHEMA)
    return body, [*problems, *found]
