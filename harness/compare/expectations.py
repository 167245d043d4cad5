"""Judges a step by what its case expects of it, whatever other engines do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from harness.case.expectation import Expectation, Expected
from harness.compare.difference import Difference
from harness.observe.json_trees import as_object, as_objects
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["EXPECTED", "unmet_expectations"]

EXPECTED: Final = "expect"
"""The first word of the field of a difference from an expectation, and who is against it."""

_COUNTED: Final = {"destroy": "remove"}
"""Counts that have another name in observations."""


def unmet_expectations(
    expected: Mapping[str, Expectation], observations: Mapping[str, Mapping[str, Tree]]
) -> list[tuple[str, Difference]]:
    """Return a difference for everything that did not come as expected. `expected` is by the place of the step; an
    engine has always been to each of them."""
    return [
        (place, difference)
        for place, expectation in expected.items()
        if place in observations
        for difference in _judge(expectation, observations[place])
    ]


def _judge(expectation: Expectation, step: Mapping[str, Tree]) -> Iterator[Difference]:
    diagnostics = as_objects(step.get("diagnostics"))
    yield from _compare_summaries("errors", expectation.errors, expectation.errors_place, diagnostics)
    if expectation.warnings is not None:
        yield from _compare_summaries("warnings", expectation.warnings, expectation.warnings_place, diagnostics)
    summary = step.get("plan_summary")
    for count in expectation.counts:
        planned = "no plan" if summary is None else _count(as_object(summary), count.name)
        if planned != count.value:
            yield _difference(count.name, count.value, planned, count.place)
    for output in expectation.outputs:
        yield from _compare_output(output, _output(step, output.name))


def _compare_summaries(
    name: str, wanted: Sequence[str], place: str, diagnostics: Sequence[Mapping[str, Tree]]
) -> Iterator[Difference]:
    severity = name.removesuffix("s")
    found = {str(each["summary"]) for each in diagnostics if each.get("severity") == severity}
    if set(wanted) != found:
        yield _difference(name, _listed(sorted(wanted), name), _listed(sorted(found), name), place)


def _listed(summaries: Sequence[str], name: str) -> str:
    return ", ".join(json.dumps(each, ensure_ascii=False) for each in summaries) or f"no {name}"


def _count(summary: Mapping[str, Tree], name: str) -> str:
    """Return a count. A product without a count never does what it would count."""
    found = summary.get(_COUNTED.get(name, name))
    return found.text if isinstance(found, JsonNumber) else "0"


_ABSENT: Final = "null"
_UNKNOWN: Final = "(known after apply)"


def _output(step: Mapping[str, Tree], name: str) -> str:
    """Return the value of an output as JSON: in the state after the step, or else as it is planned."""
    if step.get("op") != "plan":
        outputs = as_object(as_object(step.get("state")).get("outputs"))
        return dumps(as_object(outputs[name]).get("value"), escape_html=False) if name in outputs else _ABSENT
    change = as_object(as_object(as_object(step.get("plan")).get("output_changes")).get(name))
    if _has_unknown(change.get("after_unknown")):
        return _UNKNOWN
    return dumps(change.get("after"), escape_html=False)


def _has_unknown(tree: Tree) -> bool:
    if isinstance(tree, dict):
        return any(map(_has_unknown, tree.values()))
    return any(map(_has_unknown, tree)) if isinstance(tree, list) else tree is True


def _compare_output(wanted: Expected, found: str) -> Iterator[Difference]:
    if found == _UNKNOWN or _value(found) != _value(wanted.value):
        yield _difference(f"outputs.{wanted.name}", wanted.value, found, wanted.place)


def _value(text: str) -> Any:
    """Return what a JSON text means, numbers exactly and never equal to a truth value."""
    return _tagged(json.loads(text, parse_int=Decimal, parse_float=Decimal))


def _tagged(tree: Any) -> Any:
    if isinstance(tree, list):
        return [_tagged(each) for each in tree]
    if isinstance(tree, dict):
        return {name: _tagged(each) for name, each in tree.items()}
    return type(tree), tree


def _difference(name: str, wanted: str, found: str, place: str) -> Difference:
    """Return the difference. Names of outputs are part of the shape: no other case has the same expectation."""
    return Difference(f"{EXPECTED}.{name}", f"{wanted} ({place})", found, shape=f"{EXPECTED}.{name}")
