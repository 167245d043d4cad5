"""Bodies decoded without an engine: a file in, values and diagnostics out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from shared_nodes.addresses.resource import Resource
from shared_nodes.config.module import Module
from shared_nodes.config.reader import read_module
from shared_nodes.context.scope import ModuleScope
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.registry import function_table
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.source import Source
from shared_nodes.nodes.body.decode import decode_body
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.values.types import STRING
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, object_of, string, unknown
from shared_nodes.world import Files, World

PROVIDER = 'terraform {\n required_providers {\n  t = { source = "dh.test/b/t" }\n }\n}\n'


class Unevaluated:
    """Names before anything is evaluated: declared objects have unknown values."""

    def __init__(self, variables: Mapping[str, Value] | None = None) -> None:
        self._variables = variables or {}

    def variable(self, name: str) -> Value:
        return self._variables.get(name, DYNAMIC_UNKNOWN)

    def local(self, _name: str) -> Value:
        return DYNAMIC_UNKNOWN

    def resource(self, _resource: Resource) -> Value:
        return object_of({"id": unknown(STRING), "output": DYNAMIC_UNKNOWN})

    def module(self, _name: str) -> Value:
        return DYNAMIC_UNKNOWN

    def path(self, _name: str) -> Value:
        return string(".")

    def terraform(self, _name: str) -> Value:
        return string("default")


def read(text: str, filename: str = "main.tf") -> tuple[Module, list[Diagnostic]]:
    return read_module([Source(filename, text), Source("providers.tf", PROVIDER)])


def scope_of(module: Module, block: SchemaBlock, variables: Mapping[str, Value] | None = None) -> ModuleScope:
    functions = function_table(FunctionContext(World(Files(Path.cwd())), TERRAFORM_1_11, impure_results_known=False))
    return ModuleScope(module, Unevaluated(variables), functions, lambda _resource: block)


def decode_file(
    text: str, block: SchemaBlock, filename: str = "main.tf", variables: Mapping[str, Value] | None = None
) -> tuple[dict[str, Value], list[Diagnostic]]:
    """Decode all resources of type `t_a` in a file, by name."""
    module, problems = read(text, filename)
    values: dict[str, Value] = {}
    scope = scope_of(module, block, variables)
    for resource, declared in module.resources.items():
        if resource.type == "t_a":
            values[resource.name], found = decode_body(scope, declared.body, block)
            problems.extend(found)
    return values, problems
