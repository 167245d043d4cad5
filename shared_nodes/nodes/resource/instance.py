"""What all work on one resource instance shares: its block and schema, the scope of its expressions, its events.

Values that pass through the provider contract have the type of the schema: the contract promises it, as the encoding of
the plugin protocol does for the original, so nothing here checks it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from shared_nodes.addresses.key import key_text
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance, Resource
from shared_nodes.config.blocks import Condition, ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.check_results import CheckKind
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.scope import ModuleScope
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.tree import Body
from shared_nodes.nodes.body.decode import body_references, decode_body
from shared_nodes.nodes.checks.conditions import check_rules
from shared_nodes.nodes.provider.conformance import write_only_values
from shared_nodes.nodes.provider.diagnostics import attributed
from shared_nodes.plan.events import HALTED, Event, EventType
from shared_nodes.providers.schema import BlockType, IdentitySchema, ResourceSchema, SchemaAttribute, SchemaBlock
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.paths import IndexStep, Path, marks_by_path, path_text
from shared_nodes.values.text import quoted
from shared_nodes.values.types import STRING, MapType, ObjectType
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, integer, string

__all__ = [
    "PROVIDER_BUG",
    "DeclaredInstance",
    "announce",
    "blamed_provider",
    "ephemeral_problems",
    "evaluate_configuration",
    "forbidden_ephemerals",
    "halt",
    "identified",
    "known_identity",
    "record_change",
    "resource_schema",
    "run_conditions",
    "schema_attribute",
    "self_references",
    "sent_identity",
    "write_only_details",
]

PROVIDER_BUG: Final = "This is a bug in the provider, which should be reported in the provider's own issue tracker."


def blamed_provider(provider: ProviderInstance, flavour: Flavour) -> str:
    """Return the provider as messages about its plans name it."""
    return quoted(str(provider if flavour.provider_problems_name_it_fully else provider.source))


def write_only_details(
    schema: SchemaBlock, value: Value, address: AbsResourceInstance, provider: ProviderInstance, when: str
) -> list[str]:
    """Describe write-only values that a provider returned, `during planning` or `after apply`."""
    return [
        f'Provider {quoted(str(provider))} returned a value for the write-only attribute "{address}{path}" {when}. '
        f"Write-only attributes cannot be read back from the provider. {PROVIDER_BUG}"
        for path in write_only_values(schema, value)
    ]


@record
class DeclaredInstance:
    """One instance of a block in the configuration. `repetition` is that of the block in this module instance."""

    address: AbsResourceInstance
    node: ConfigTree
    block: ResourceBlock
    provider: ProviderInstance
    repetition: Repetition

    def scope(self, context: NodeContext) -> ModuleScope:
        """Return the scope of the expressions of this instance, with its `count` or `each`."""
        scope = context.scope(self.address.module)
        data = self.repetition.data(self.address.key)
        return scope.with_repetition(data) if data else scope


def resource_schema(context: NodeContext, provider: ProviderInstance, resource: Resource) -> ResourceSchema | None:
    offered = context.schemas.get(provider.source)
    return None if offered is None else offered.resource(resource)


def known_identity(
    context: NodeContext, provider: ProviderInstance, resource: Resource, identity: Value | None
) -> Value | None:
    """Return the identity that a provider has given to an object, or None. Not every product asks for identities, and
    those of a type that has none by its schema are left out."""
    schema = _identity_schema(context, provider, resource)
    return None if identity is None or identity.is_null or schema is None else identity


def _identity_schema(context: NodeContext, provider: ProviderInstance, resource: Resource) -> IdentitySchema | None:
    schema = resource_schema(context, provider, resource) if context.flavour.states_have_identities else None
    return None if schema is None else schema.identity


def sent_identity(
    context: NodeContext, provider: ProviderInstance, resource: Resource, identity: Value | None
) -> tuple[Value | None, list[Diagnostic]]:
    """Return the identity of an object as its provider gets it, which that of a state may not fit."""
    schema = _identity_schema(context, provider, resource)
    if identity is None or schema is None:
        return None, []
    try:
        return convert(identity, schema.type), []
    except ConversionError as failure:
        return None, [error(failure.explain(context.flavour))]


def self_references(instance: DeclaredInstance, schema: SchemaBlock) -> list[Diagnostic]:
    """Report references of an object to itself. The instance and the whole resource are searched for separately;
    without a key both print the same, so such a mistake is reported twice, as in the original."""
    resource = str(instance.block.resource)
    names = (f"{resource}{key_text(instance.address.key)}", resource)
    return [
        error("Self-referential block", f"Configuration for {name} may not refer to itself.", reference.range)
        for reference in body_references(instance.node.module, instance.block.body, schema)
        for name in names
        if str(reference.subject) == name
    ]


def evaluate_configuration(
    context: NodeContext, instance: DeclaredInstance, schema: SchemaBlock
) -> tuple[Value, list[Diagnostic]]:
    value, problems = decode_body(instance.scope(context), instance.block.body, schema)
    if has_errors(problems):
        return value, problems
    return value, [*problems, *_check_ephemerals(context, instance, value, schema)]


def _check_ephemerals(
    context: NodeContext, instance: DeclaredInstance, value: Value, schema: SchemaBlock
) -> list[Diagnostic]:
    return forbidden_ephemerals(value, schema, instance.block.body, instance.address, context.flavour)


def forbidden_ephemerals(
    value: Value, schema: SchemaBlock, body: Body, address: object, flavour: Flavour = TERRAFORM_1_11
) -> list[Diagnostic]:
    """Report ephemeral values in what is written to the state, one problem per value, at its attribute."""
    return attributed(ephemeral_problems(value, schema, flavour), body, address)


def ephemeral_problems(value: Value, schema: SchemaBlock, flavour: Flavour) -> list[Diagnostic]:
    """Report ephemeral values in what is written to the state, each with the path of its attribute."""
    problems: list[Diagnostic] = []
    for path, marks in marks_by_path(value):
        if EPHEMERAL not in marks:
            continue
        if flavour.ephemeral_problems_name_context:
            steps, attribute = schema_attribute(schema, path)
            if attribute is None or not attribute.write_only:
                problems.append(replace(_ephemeral_problem(steps), attribute=steps))
        elif not _is_write_only(schema, path):
            problems.append(replace(_ephemeral_argument_problem(schema, path[:1]), attribute=path[:1]))
    return problems


def _is_write_only(schema: SchemaBlock, path: Path) -> bool:
    """Whether a write-only attribute is on the way to a part of the value, or is the part."""
    found = (schema_attribute(schema, path[:length])[1] for length in range(1, len(path) + 1))
    return any(attribute is not None and attribute.write_only for attribute in found)


def _ephemeral_argument_problem(schema: SchemaBlock, path: Path) -> Diagnostic:
    """Report an ephemeral value somewhere in an argument or block at the top."""
    reason = (
        "it is not an assignable attribute"
        if schema_attribute(schema, path)[1] is None
        else "it is not a write-only attribute and must be persisted to state"
    )
    name = path_text(path).removeprefix(".")
    return error("Invalid use of ephemeral value", f'Ephemeral values are not valid for "{name}", because {reason}.')


def _ephemeral_problem(path: Path) -> Diagnostic:
    return error(
        "Ephemeral value used in non-ephemeral context",
        f"Attribute {quoted(path_text(path))} is referencing an ephemeral value but ephemeral values can be referenced "
        "only by other ephemeral attributes or by write-only ones.",
    )


def schema_attribute(schema: SchemaBlock, path: Path) -> tuple[Path, SchemaAttribute | None]:
    """Return the attribute that a path leads to or into, with the path to it; None if the path ends at a nested
    block."""
    attributes: Mapping[str, SchemaAttribute] = schema.attributes
    blocks: Mapping[str, BlockType] = schema.block_types
    for position, step in enumerate(path):
        if isinstance(step, IndexStep):
            continue
        attribute = attributes.get(step.name)
        if attribute is not None and attribute.nested is None:
            return path[: position + 1], attribute
        if attribute is not None and attribute.nested is not None:
            if position == len(path) - 1:
                return path, attribute
            attributes, blocks = attribute.nested.attributes, {}
        elif step.name in blocks:
            attributes, blocks = blocks[step.name].block.attributes, blocks[step.name].block.block_types
        else:
            break
    return path, None


def run_conditions(
    context: NodeContext,
    instance: DeclaredInstance,
    kind: str,
    *,
    as_warning: bool,
    self_value: Value | None = None,
) -> list[Diagnostic]:
    """Evaluate pre- or postconditions of one instance. Only postconditions see `self`."""
    lifecycle = instance.block.lifecycle
    rules: tuple[Condition, ...] = lifecycle.preconditions if kind == "precondition" else lifecycle.postconditions
    if not rules:
        return []
    scope = instance.scope(context)
    if self_value is not None:
        scope = scope.with_object(self_value, instance.address.resource)
        if self_value is DYNAMIC_UNKNOWN and not context.flavour.missing_self_is_unknown:
            scope = _with_self_lookup(scope, instance.address)
    checkable = (CheckKind.RESOURCE, str(instance.address.config), str(instance.address))
    return check_rules(context, checkable, kind, rules, scope, as_warning=as_warning)


def _with_self_lookup(scope: ModuleScope, address: AbsResourceInstance) -> ModuleScope:
    """For an instance without an object, look up `self` in the value of its resource, by key."""
    key = address.key
    if key is None:
        return scope
    index = integer(key) if isinstance(key, int) else string(key)
    return replace(scope, self_index=(scope.names.resource(address.resource), index))


def halt(context: NodeContext) -> list[Diagnostic]:
    """Return an error after an interrupt, which is what ends the work. The original asks at fixed points of the work,
    and each of them reports its own error."""
    return [error(HALTED)] if context.events.stopping else []


def announce(context: NodeContext, event: Event) -> list[Diagnostic]:
    """Emit an event, and halt after an interrupt: what does not begin any more, or was just finished, is shown."""
    context.events.emit(event)
    return halt(context)


def record_change(context: NodeContext) -> list[Diagnostic]:
    """Have the working state saved, and halt after an interrupt."""
    context.events.state_changed()
    return halt(context)


def identified(event: Event, value: Value | None) -> Event:
    """Add to the event what identifies the object for people: its `id` or else its `name`. A start event falls back to
    a name in `tags`. Sensitive and unknown values are never used."""
    if value is None or value.is_null or not value.is_known or not isinstance(value.type, ObjectType):
        return event
    found = _text_at(value, ("id",) if value.type.attributes.get("id") is STRING else ("name",))
    if found is None and event.type is EventType.APPLY_START:
        found = _find_name(value)
    return event if found is None else replace(event, identifier_key=found[0], identifier=found[1])


def _text_at(value: Value, path: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the text at a path of names, if it is a known string that is not sensitive."""
    for name in path:
        part = value.payload.get(name)
        if part is None or not part.is_known or part.is_null or SENSITIVE in part.marks:
            return None
        value = part
    return (".".join(path), value.payload) if value.type is STRING else None


def _find_name(value: Value) -> tuple[str, str] | None:
    assert isinstance(value.type, ObjectType)
    if value.type.attributes.get("name") is STRING:
        return _text_at(value, ("name",))
    if value.type.attributes.get("tags") != MapType(STRING):
        return None
    tags: Value = value.payload["tags"]
    if tags.is_null or not tags.is_wholly_known:
        return None
    return _text_at(value, ("tags", "name" if "name" in tags.payload else "Name"))
