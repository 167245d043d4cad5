"""Expectations: what the author of a case says a step comes to, whichever engine does it.

    steps:
      - op: apply
        config: v1
        expect: {add: 2, outputs: {name: web}}
      - op: plan
        config: broken
        expect: {errors: [Unsupported attribute]}

A step with expectations must succeed unless it expects errors. Only what is named is judged.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import yaml

from harness.case.yaml_fields import CaseError, Fields, line_of
from shared_nodes.record import record

__all__ = ["COUNTS", "Expectation", "Expected", "read_expectation"]

COUNTS: Final = ("add", "change", "destroy", "import", "forget")
"""What a plan counts, by the words that products print."""

_PLANS_NOTHING: Final = "validate"


@record
class Expected:
    """One thing that is expected. `value` is the text of a number, JSON text, or the summary of a diagnostic."""

    name: str
    value: str
    place: str
    """File and line."""


@record
class Expectation:
    counts: tuple[Expected, ...] = ()
    outputs: tuple[Expected, ...] = ()
    """By name, as JSON; null for an output that is not there."""

    errors: tuple[str, ...] = ()
    """The summaries of all errors, each once, in any order."""

    errors_place: str = ""
    warnings: tuple[str, ...] | None = None
    """The summaries of all warnings; None if they are not judged."""

    warnings_place: str = ""


def read_expectation(file: Path, operation: str) -> Callable[[str, yaml.Node], Expectation]:
    """Return the reader of the key `expect` of a step."""

    def read(_key: str, node: yaml.Node) -> Expectation:
        fields = Fields(file, node, "the expectation")
        lines = {key.value: line_of(key) for key, _ in node.value}
        places = {name: f"{file.name}:{line}" for name, line in lines.items()}
        planned = [name for name in (*COUNTS, "outputs") if name in fields]
        if operation == _PLANS_NOTHING and planned:
            raise CaseError(f"{file}:{lines[planned[0]]}: {planned[0]}: a step that validates plans nothing")
        counts = [(name, fields.take(name, _whole(fields), None)) for name in COUNTS]
        expectation = Expectation(
            tuple(Expected(name, str(count), places[name]) for name, count in counts if count is not None),
            fields.take("outputs", lambda key, value: _read_outputs(file, fields, key, value), ()),
            fields.take("errors", fields.texts, ()),
            places.get("errors", f"{file.name}:{line_of(node)}"),
            fields.take("warnings", fields.texts, None),
            places.get("warnings", ""),
        )
        fields.finish()
        if not node.value:
            raise CaseError(f"{file}:{line_of(node)}: expect: expects nothing; name at least one of {_KEYS}")
        return expectation

    return read


def _whole(fields: Fields) -> Callable[[str, yaml.Node], int]:
    def read(key: str, node: yaml.Node) -> int:
        count = fields.integer(key, node)
        if count < 0:
            raise fields.wrong(key, node, "a number of objects, not less than 0")
        return count

    return read


_KEYS: Final = ", ".join((*COUNTS, "outputs", "errors", "warnings"))


def _read_outputs(file: Path, fields: Fields, key: str, node: yaml.Node) -> tuple[Expected, ...]:
    values = json.loads(fields.json_object(key, node))
    lines = {name.value: line_of(name) for name, _ in node.value}
    return tuple(
        Expected(name, json.dumps(value, ensure_ascii=False), f"{file.name}:{lines.get(name, line_of(node))}")
        for name, value in values.items()
    )
