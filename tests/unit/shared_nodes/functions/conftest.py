"""Evaluation of whole expressions, for tests of functions on collections and types.

Such functions are best tested in the language itself, since conversion of arguments, marks and unknowns all take part.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.functions import (
    collections,
    json_encoding,
    maps,
    numbers,
    sequences,
    sets,
    strings,
    types,
)
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.function import Function
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Source
from shared_nodes.values.marks import EPHEMERAL
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, MapType, ObjectType, SetType, TupleType
from shared_nodes.values.value import DYNAMIC_UNKNOWN, null, object_of, string, unknown, value_text
from shared_nodes.world import World

_FAMILIES = (collections, json_encoding, maps, numbers, sequences, sets, strings, types)

_VARIABLES = {
    "unknown": object_of(
        {
            "any": DYNAMIC_UNKNOWN,
            "bool": unknown(BOOL),
            "list": unknown(ListType(STRING)),
            "map": unknown(MapType(STRING)),
            "nullable": unknown(STRING),
            "number": unknown(NUMBER),
            "numbers": unknown(ListType(NUMBER)),
            "object": unknown(ObjectType({"a": STRING, "n": NUMBER})),
            "object1": unknown(ObjectType({"a": STRING})),
            "set": unknown(SetType(STRING)),
            "string": unknown(STRING, NOT_NULL),
            "tuple": unknown(TupleType([STRING, NUMBER])),
            "tuple1": unknown(TupleType([STRING])),
        }
    ),
    "absent": object_of(
        {
            "list": null(ListType(STRING)),
            "map": null(MapType(STRING)),
            "object": null(ObjectType({"a": STRING})),
        }
    ),
    "ephemeral": object_of(
        {"string": string("passing").mark(EPHEMERAL), "unknown": unknown(STRING, NOT_NULL).mark(EPHEMERAL)}
    ),
}

Answer = Callable[..., str]


def _functions(flavour: Flavour) -> dict[str, Function]:
    context = FunctionContext(World.real(Path()), flavour)
    return {function.name: function for family in _FAMILIES for function in family.functions(context)}


@pytest.fixture(scope="session")
def signatures() -> dict[str, Function]:
    return _functions(TERRAFORM_1_11)


@pytest.fixture(scope="session")
def answer() -> Answer:
    """The text of an expression's value, or the details of its errors, one per line."""
    tables: dict[str, dict[str, Function]] = {}

    def ask(text: str, flavour: Flavour = TERRAFORM_1_11) -> str:
        if flavour.name not in tables:
            tables[flavour.name] = _functions(flavour)
        expression, problems = parse_expression(Source("main.tf", text))
        assert expression is not None, problems
        value, diagnostics = evaluate(expression, Scope(_VARIABLES, tables[flavour.name], flavour))
        return "\n".join(diagnostic.detail for diagnostic in diagnostics) or value_text(value)

    return ask
