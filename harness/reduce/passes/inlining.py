"""Passes that inline local values and variables: their values are written where they are used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from harness.reduce.specimens.specimen import Specimen, SpecimenChange, TextEdit
from harness.reduce.specimens.syntax import (
    Key,
    Part,
    attributes_of,
    blocks_of,
    bodies_of,
    called_directory,
    directory_of,
    in_all_versions,
    in_one_version,
    make_deletion,
    traversals_in,
)
from shared_nodes.lang.printer import print_string
from shared_nodes.lang.tree import (
    Attribute,
    Block,
    Call,
    Expression,
    Literal,
    ObjectConstructor,
    Template,
    Traversal,
    TupleConstructor,
    walk,
)

__all__ = ["inline_values", "inline_values_in_one_version", "is_constant"]

_SELF_CONTAINED: Final = (Literal, Template, Traversal, Call, TupleConstructor, ObjectConstructor)


def inline_values(specimen: Specimen) -> list[SpecimenChange]:
    return in_all_versions(_inlinings(specimen))


def inline_values_in_one_version(specimen: Specimen) -> list[SpecimenChange]:
    return in_one_version(_inlinings(specimen))


def _inlinings(specimen: Specimen) -> Iterator[tuple[Key, SpecimenChange]]:
    for part in attributes_of(specimen):
        if isinstance(part.node, Attribute) and [block.type for block in part.around] == ["locals"]:
            edits = _replace_references(
                specimen, part.path, ("local", part.node.name), _as_operand(part.node.expression)
            )
            yield part.key, SpecimenChange((make_deletion(part.path, part.node), *edits))
    for part in blocks_of(specimen):
        if isinstance(part.node, Block) and part.node.type == "variable" and not part.around:
            change = _inline_variable(specimen, part, part.node)
            if change is not None:
                yield part.key, change


def _as_operand(expression: Expression) -> str:
    text = expression.range.text
    return text if isinstance(expression, _SELF_CONTAINED) else f"({text})"


def _replace_references(specimen: Specimen, path: str, names: tuple[str, str], text: str) -> Iterator[TextEdit]:
    """Replace each reference in the module of the file. The rest of a reference, which selects a part of the value, is
    kept."""
    for other, body in bodies_of(specimen):
        if directory_of(other) == directory_of(path):
            for traversal in traversals_in(body, *names):
                yield TextEdit(other, traversal.range.start, traversal.steps[0].range.end, text)


def _inline_variable(specimen: Specimen, part: Part, block: Block) -> SpecimenChange | None:
    """Inline a variable with the value given by all calls of its module or by the steps, or else with its default."""
    name = block.labels[0] if block.labels else ""
    calls = [call for call in blocks_of(specimen) if called_directory(call) == directory_of(part.path)]
    given = [
        (call.path, call.node.body.attributes[name])
        for call in calls
        if isinstance(call.node, Block) and name in call.node.body.attributes
    ]
    texts = {attribute.expression.range.text for _, attribute in given if is_constant(attribute.expression)}
    case_yaml = None
    if "/" not in directory_of(part.path):
        values, case_yaml = _values_from_steps(specimen.case_yaml, name)
        texts |= set(values)
    elif len(texts) != len({attribute.expression.range.text for _, attribute in given}):
        return None
    default = block.body.attributes.get("default")
    if not texts and default is not None:
        texts = {_as_operand(default.expression)}
    if len(texts) != 1:
        return None
    edits = [make_deletion(path, attribute) for path, attribute in given]
    edits += _replace_references(specimen, part.path, ("var", name), texts.pop())
    return SpecimenChange((make_deletion(part.path, block), *edits), case_yaml=case_yaml)


def is_constant(expression: Expression) -> bool:
    return not any(isinstance(node, Traversal) and node.steps for node in walk(expression))


def _values_from_steps(case_yaml: Any, name: str) -> tuple[list[str], Any]:
    """Return the values as expressions, and case.yaml without them."""
    found: list[str] = []
    steps = case_yaml.get("steps")
    if not isinstance(steps, list):
        return found, None
    changed = []
    for step in steps:
        given = step.get("vars", {})
        if name in given:
            value = given[name]
            found.append(print_string(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
            given = {key: each for key, each in given.items() if key != name}
        rest = {key: each for key, each in step.items() if key != "vars"}
        changed.append({**rest, "vars": given} if given else rest)
    return found, {**case_yaml, "steps": changed} if found else None
