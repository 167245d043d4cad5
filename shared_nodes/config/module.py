"""A module: what the files of one directory declare.

Reading collects declarations and the static checks that need no values: unknown blocks and arguments, labels, names,
duplicates, type constraints, defaults. Everything found wrong is a diagnostic; what is sound can still be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.config.block_checks import check_block
from shared_nodes.config.blocks import ProviderRequirement
from shared_nodes.config.content import ContentSchema, read_content
from shared_nodes.config.json_static import literal_text
from shared_nodes.config.names import check_name
from shared_nodes.config.variable import Variable, read_variable
from shared_nodes.diagnostics import Diagnostic, error
from shared_nodes.lang import tree
from shared_nodes.lang.body_schema import BlockSchema, BodySchema
from shared_nodes.lang.json_syntax import body_from_json, parse_json
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.prepared import PreparedExpressions
from shared_nodes.lang.source import Range, Source

__all__ = [
    "LocalDeclaration",
    "Module",
    "ResourceDeclaration",
    "declarations_of",
    "parse_file",
    "read_module",
    "sources_in",
]

_FILE_SCHEMA: Final = ContentSchema(
    blocks={
        "terraform": (),
        "provider": ("name",),
        "variable": ("name",),
        "locals": (),
        "output": ("name",),
        "module": ("name",),
        "resource": ("type", "name"),
        "data": ("type", "name"),
        "ephemeral": ("type", "name"),
        "moved": (),
        "import": (),
        "check": ("name",),
        "removed": (),
    }
)

_OUTPUT_SCHEMA: Final = ContentSchema(
    arguments=frozenset(("description", "depends_on", "sensitive", "ephemeral")),
    required=("value",),
    blocks={"precondition": ()},
)


@dataclass(frozen=True, slots=True)
class LocalDeclaration:
    name: str
    expression: tree.Expression
    range: Range


@dataclass(frozen=True, slots=True)
class ResourceDeclaration:
    resource: Resource
    block: tree.Block

    @property
    def repetition(self) -> str | None:
        """`count` or `for_each`, where the block has one of them."""
        return next((word for word in ("count", "for_each") if word in self.block.body.attributes), None)


@dataclass(slots=True)
class Module:
    """Declarations by name. Built by `read_module`, not changed afterwards."""

    variables: dict[str, Variable] = field(default_factory=dict)
    locals: dict[str, LocalDeclaration] = field(default_factory=dict)
    outputs: dict[str, tree.Block] = field(default_factory=dict)
    resources: dict[Resource, ResourceDeclaration] = field(default_factory=dict)
    module_calls: dict[str, tree.Block] = field(default_factory=dict)
    required_providers: dict[str, ProviderRequirement] = field(default_factory=dict)
    prepared: PreparedExpressions = field(default_factory=PreparedExpressions)


_RULE: Final = BlockSchema()
_LIFECYCLE: Final = BlockSchema(body=BodySchema(blocks={"precondition": _RULE, "postcondition": _RULE}))
_RESOURCE_BLOCKS: Final = {
    "lifecycle": _LIFECYCLE,
    "connection": BlockSchema(),
    "provisioner": BlockSchema(("type",), BodySchema(blocks={"connection": BlockSchema()})),
    "dynamic": BlockSchema(("type",)),
}
_JSON_BODIES: Final[Mapping[str, BodySchema]] = {
    "terraform": BodySchema(
        blocks={
            "required_providers": BlockSchema(),
            "provider_meta": BlockSchema(("provider",)),
            "backend": BlockSchema(("type",)),
            "cloud": BlockSchema(),
        }
    ),
    "variable": BodySchema(blocks={"validation": _RULE}),
    "output": BodySchema(blocks={"precondition": _RULE}),
    "resource": BodySchema(blocks=_RESOURCE_BLOCKS),
    "data": BodySchema(blocks=_RESOURCE_BLOCKS),
    "ephemeral": BodySchema(blocks=_RESOURCE_BLOCKS),
    "removed": BodySchema(blocks={"lifecycle": BlockSchema(), "provisioner": BlockSchema(("type",))}),
    "check": BodySchema(blocks={"data": BlockSchema(("type", "name")), "assert": _RULE}),
}
"""Which names are blocks inside each block: in JSON, the text does not tell."""

_JSON_SCHEMA: Final = BodySchema(
    frozenset(),
    {name: BlockSchema(labels, _JSON_BODIES.get(name, BodySchema())) for name, labels in _FILE_SCHEMA.blocks.items()},
)


def sources_in(directory: Path) -> list[Source]:
    """The configuration files of a directory, in the order they are read."""
    paths = [path for path in directory.iterdir() if path.name.endswith((".tf", ".tf.json"))]
    return [Source(path.name, path.read_bytes()) for path in sorted(paths) if not path.name.startswith(".")]


def parse_file(source: Source) -> tuple[tree.Body, list[Diagnostic]]:
    """The body of a file in either syntax."""
    if not source.is_json:
        return parse_body(source)
    value, problems = parse_json(source)
    body, found = body_from_json(value, _JSON_SCHEMA)
    return body, [*problems, *found]


def read_module(sources: Iterable[Source]) -> tuple[Module, list[Diagnostic]]:
    """Parse files and collect what they declare. What syntax errors leave of a file is still read."""
    parsed = [parse_file(source) for source in sources]
    module, problems = declarations_of(body for body, _ in parsed)
    return module, [*(problem for _, found in parsed for problem in found), *problems]


def declarations_of(bodies: Iterable[tree.Body]) -> tuple[Module, list[Diagnostic]]:
    module = Module()
    problems: list[Diagnostic] = []
    for body in bodies:
        content, found = read_content(body, _FILE_SCHEMA)
        problems.extend(found)
        for block in content.blocks:
            reader = _READERS.get(block.type)
            if reader is not None:
                problems.extend(reader(module, block))
            problems.extend(check_block(block))
    return module, problems


def _add_variable(module: Module, block: tree.Block) -> list[Diagnostic]:
    variable, problems = read_variable(block)
    existing = module.variables.get(variable.name)
    if existing is not None:
        detail = (
            f'A variable named "{variable.name}" was already declared at {existing.range}. Variable names must be '
            "unique within a module."
        )
        return [*problems, error("Duplicate variable declaration", detail, block.header_range)]
    module.variables[variable.name] = variable
    return problems


def _add_locals(module: Module, block: tree.Block) -> list[Diagnostic]:
    problems: list[Diagnostic] = []
    for name, attribute in block.body.attributes.items():
        existing = module.locals.get(name)
        if existing is not None:
            detail = (
                f'A local value named "{name}" was already defined at {existing.range}. Local value names must be '
                "unique within a module."
            )
            problems.append(error("Duplicate local value definition", detail, attribute.range))
            continue
        module.locals[name] = LocalDeclaration(name, attribute.expression, attribute.range)
    for inner in block.body.blocks[:1]:
        problems.append(error(f'Unexpected "{inner.type}" block', "Blocks are not allowed here.", inner.type_range))
    return problems


def _add_output(module: Module, block: tree.Block) -> list[Diagnostic]:
    name = block.labels[0]
    problems = check_name("output", name, block.label_ranges[0])
    _, found = read_content(block.body, _OUTPUT_SCHEMA)
    module.outputs[name] = block
    return [*problems, *found]


_MODES: Final[Mapping[str, ResourceMode]] = {
    "resource": ResourceMode.MANAGED,
    "data": ResourceMode.DATA,
    "ephemeral": ResourceMode.EPHEMERAL,
}


def _add_resource(module: Module, block: tree.Block) -> list[Diagnostic]:
    problems = check_name("resource", block.labels[1], block.label_ranges[1])
    resource = Resource(_MODES[block.type], block.labels[0], block.labels[1])
    existing = module.resources.get(resource)
    if existing is not None:
        detail = (
            f'A {resource.type} resource named "{resource.name}" was already declared at '
            f"{existing.block.header_range}. Resource names must be unique per type in each module."
        )
        problems.append(error(f'Duplicate resource "{resource.type}" configuration', detail, block.header_range))
        return problems
    module.resources[resource] = ResourceDeclaration(resource, block)
    return problems


def _add_module_call(module: Module, block: tree.Block) -> list[Diagnostic]:
    module.module_calls[block.labels[0]] = block
    return []


def _add_terraform(module: Module, block: tree.Block) -> list[Diagnostic]:
    for inner in block.body.blocks:
        if inner.type != "required_providers":
            continue
        for name, attribute in inner.body.attributes.items():
            source = _provider_source(name, attribute.expression)
            module.required_providers[name] = ProviderRequirement(name, source, range=attribute.range)
    return []


def _provider_source(local_name: str, expression: tree.Expression) -> ProviderSource:
    text = f"hashicorp/{local_name}"
    if isinstance(expression, tree.ObjectConstructor):
        for item in expression.items:
            if item.literal_key == "source":
                text = literal_text(item.value) or text
    *host, namespace, name = ["registry.terraform.io", *text.split("/")][-3:]
    return ProviderSource(host[0], namespace, name)


_READERS: Final = {
    "variable": _add_variable,
    "locals": _add_locals,
    "output": _add_output,
    "resource": _add_resource,
    "data": _add_resource,
    "ephemeral": _add_resource,
    "module": _add_module_call,
    "terraform": _add_terraform,
}
