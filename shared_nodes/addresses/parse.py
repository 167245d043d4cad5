"""Addresses as users write them: on the command line, and in `moved`, `removed` and `import` blocks.

Each is a module path with keys, optionally followed by a resource. They differ in whether keys are allowed and what may
come at the end. The diagnostics reproduce the original's word by word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ModuleInstance, ModulePath, ModuleStep
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource, Resource, ResourceMode
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.parser import parse_traversal
from shared_nodes.lang.source import NOWHERE, Range, Source
from shared_nodes.lang.tree import (
    Expression,
    Index,
    RelativeTraversal,
    Step,
    Traversal,
    TraverseAttribute,
    TraverseIndex,
)
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.text import quoted
from shared_nodes.values.types import NUMBER, STRING
from shared_nodes.values.value import Value

__all__ = [
    "BadKey",
    "ImportAddress",
    "KeyExpression",
    "Target",
    "key_of",
    "module_prefix",
    "parse_import_address",
    "parse_instance",
    "parse_removed",
    "parse_replace_option",
    "parse_target",
    "parse_target_option",
]

Target = ModuleInstance | AbsResource | AbsResourceInstance
"""What a command line option or a `moved` block may name. A resource without key means the whole resource."""

_RESERVED: Final = frozenset(("arg", "count", "each", "lazy", "local", "path", "self", "template", "terraform", "var"))
_MODES: Final = {
    "data": ResourceMode.DATA,
    "ephemeral": ResourceMode.EPHEMERAL,
}
_MANAGED_PREFIX: Final = "resource"


@record
class KeyExpression:
    """An index that is not a literal, in the `to` of an import. It has a value only per `for_each` element."""

    key: Expression
    range: Range


_Part = TraverseAttribute | TraverseIndex | KeyExpression


def parse_target(traversal: Traversal, flavour: Flavour = TERRAFORM_1_11) -> Target | Diagnostic:
    module = _read_module(_parts(traversal))
    if isinstance(module, Diagnostic):
        return module
    if not module.rest:
        return module.instance
    found = _read_resource(module, flavour)
    if isinstance(found, Diagnostic):
        return found
    return found.containing if found.key is None else found


def parse_instance(traversal: Traversal, flavour: Flavour = TERRAFORM_1_11) -> AbsResourceInstance | Diagnostic:
    """Read the address of one instance. Without a key, it is the only instance."""
    target = parse_target(traversal, flavour)
    if isinstance(target, AbsResource):
        return target.instance(None)
    if isinstance(target, ModuleInstance):
        detail = (
            "A resource instance address is required here. The module path must be followed by a resource instance "
            "specification."
        )
        return error("Invalid address", detail, traversal.range)
    return target


def parse_target_option(text: str, flavour: Flavour = TERRAFORM_1_11, *, option: str = "target") -> Target | Diagnostic:
    """Parse the value of `-target` or `-exclude`."""
    traversal, problems = parse_traversal(Source("", text))
    outcome = problems[0] if problems or traversal is None else parse_target(traversal, flavour)
    if isinstance(outcome, Diagnostic):
        return error(f"Invalid {option} {quoted(text)}", outcome.detail)
    return outcome


def parse_replace_option(text: str, flavour: Flavour = TERRAFORM_1_11) -> AbsResourceInstance | Diagnostic:
    """Parse the value of `-replace`."""
    traversal, problems = parse_traversal(Source("", text))
    outcome = problems[0] if problems or traversal is None else parse_instance(traversal, flavour)
    if isinstance(outcome, Diagnostic):
        return error(f"Invalid force-replace address {quoted(text)}", outcome.detail)
    if outcome.resource.mode is not ResourceMode.MANAGED:
        detail = "Only managed resources can be used with the -replace=... option."
        return error(f"Invalid force-replace address {quoted(text)}", detail)
    return outcome


def parse_removed(traversal: Traversal, flavour: Flavour) -> ModulePath | ConfigResource | Diagnostic:
    """Read the `from` of a `removed` block. Words that are reserved elsewhere are ordinary resource types here."""
    words = _REMOVED_WORDS[flavour.removed_problems_say_block]
    parts = _parts(traversal)
    for at in range(2, len(parts), 2):
        if _name(parts[at - 2]) != "module" or _name(parts[at - 1]) is None:
            break
        if isinstance(parts[at], TraverseIndex):
            return error(*words.module_key, parts[at].range)
    module = _read_module(parts)
    if isinstance(module, Diagnostic):
        return module
    path, rest = module.instance.path, module.rest
    if not rest:
        return path
    mode = {"data": ResourceMode.DATA, "ephemeral": words.ephemeral_mode}.get(_name(rest[0]) or "")
    rest = rest if mode is None else rest[1:]
    if len(rest) < 2:
        return _incomplete_problem(rest)
    names = _read_names(mode or ResourceMode.MANAGED, rest)
    if isinstance(names, Diagnostic):
        return names
    if len(rest) > 3 and words.counts_operators:
        return error("Invalid address", "Unexpected extra operators after address.", rest[3].range)
    if len(rest) > 2:
        return error(*words.key, rest[2].range)
    if mode is not None:
        return error(*words.modes[mode], traversal.range)
    return ConfigResource(path, names)


@record
class _RemovedWords:
    """How the address of a `removed` block is refused: summaries and details."""

    module_key: tuple[str, str]
    key: tuple[str, str]
    modes: Mapping[ResourceMode, tuple[str, str]]
    ephemeral_mode: ResourceMode | None = None
    """What an address that begins with `ephemeral` names; None if it is an ordinary resource type."""
    counts_operators: bool = False
    """An address with more than one operator too many has a message of its own."""


_REMOVED_WORDS: Final = {
    False: _RemovedWords(
        module_key=(
            "Module instance keys not allowed",
            'Module address must be a module (e.g. "module.foo"), not a module instance (e.g. "module.foo[1]").',
        ),
        key=(
            "Resource instance keys not allowed",
            'Resource address must be a resource (e.g. "test_instance.foo"), not a resource instance (e.g. '
            '"test_instance.foo[1]").',
        ),
        modes={
            ResourceMode.DATA: (
                "Data source address not allowed",
                "Data sources are never destroyed, so they are not valid targets of removed blocks. To remove the data "
                "source from state, remove the data source block from configuration.",
            )
        },
    ),
    True: _RemovedWords(
        module_key=(
            "Module instance address with keys is not allowed",
            'Module address cannot be a module instance (e.g. "module.a[0]"), it must be a module instead (e.g. '
            '"module.a").',
        ),
        key=(
            "Resource instance address with keys is not allowed",
            'Resource address cannot be a resource instance (e.g. "null_resource.a[0]"), it must be a resource instead '
            '(e.g. "null_resource.a").',
        ),
        modes={
            ResourceMode.DATA: (
                "Data source address is not allowed",
                "Data sources cannot be destroyed, and therefore, 'removed' blocks are not allowed to target them. To "
                "remove data sources from the state, you should remove the data source block from the configuration.",
            ),
            ResourceMode.EPHEMERAL: (
                "Ephemeral resource address is not allowed",
                "Ephemeral resources cannot be destroyed, and therefore, 'removed' blocks are not allowed to target "
                "them. To remove ephemeral resources from the state, you should remove the ephemeral resource block "
                "from the configuration.",
            ),
        },
        ephemeral_mode=ResourceMode.EPHEMERAL,
        counts_operators=True,
    ),
}


@record
class ImportAddress:
    """The `to` of an import: the block it refers to, whatever its keys will be.

    `instance` is set if all keys are literals.
    """

    resource: ConfigResource
    parts: tuple[_Part, ...]
    instance: AbsResourceInstance | None
    flavour: Flavour

    def resolve(self, keys: dict[Range, Value]) -> AbsResourceInstance | Diagnostic:
        """The instance, given the values of the key expressions by their range."""
        known = tuple(
            TraverseIndex(keys[part.range], part.range) if isinstance(part, KeyExpression) else part
            for part in self.parts
        )
        module = _read_module(known)
        return module if isinstance(module, Diagnostic) else _read_resource(module, self.flavour)


def parse_import_address(expression: Expression, flavour: Flavour = TERRAFORM_1_11) -> ImportAddress | Diagnostic:
    parts = _expression_parts(expression)
    if isinstance(parts, Diagnostic):
        return parts
    is_static = not any(isinstance(part, KeyExpression) for part in parts)
    module = _read_module(parts)
    if isinstance(module, Diagnostic):
        return module
    if not module.rest:
        detail = (
            "A resource instance address is required here. The module path must be followed by a resource instance "
            "specification."
        )
        return error("Invalid address", detail, expression.range)
    found = _read_resource(module, flavour)
    if isinstance(found, Diagnostic):
        return found
    return ImportAddress(found.config, parts, found if is_static else None, flavour)


def module_prefix(traversal: Traversal) -> tuple[ModuleInstance, tuple[Step, ...]] | Diagnostic:
    """Split an address into the module it begins with, and what follows."""
    module = _read_module(_parts(traversal))
    if isinstance(module, Diagnostic):
        return module
    return module.instance, tuple(part for part in module.rest if not isinstance(part, KeyExpression))


def _parts(traversal: Traversal) -> tuple[_Part, ...]:
    return (TraverseAttribute(traversal.root, traversal.root_range), *traversal.steps)


def _expression_parts(expression: Expression) -> tuple[_Part, ...] | Diagnostic:
    """The parts of a reference whose indexes may be arbitrary expressions."""
    pending: list[_Part] = []
    while not isinstance(expression, Traversal):
        if isinstance(expression, Index):
            pending.insert(0, KeyExpression(expression.key, expression.key.range))
            expression = expression.collection
        elif isinstance(expression, RelativeTraversal):
            pending[:0] = expression.steps
            expression = expression.source
        else:
            return error(
                "Invalid expression",
                "A single static variable reference is required: only attribute access and indexing with constant "
                "keys. No calculations, function calls, template expressions, etc are allowed here.",
                expression.range,
            )
    return (*_parts(expression), *pending)


def _name(part: _Part) -> str | None:
    return part.name if isinstance(part, TraverseAttribute) else None


@record
class _Module:
    instance: ModuleInstance
    rest: tuple[_Part, ...]


def _read_module(parts: tuple[_Part, ...]) -> _Module | Diagnostic:
    steps: list[ModuleStep] = []
    while parts:
        word = _name(parts[0])
        if word is None:
            detail = "Module address prefix must be followed by dot and then a name."
            return error("Invalid address operator", detail, parts[0].range)
        if word != "module":
            break
        name = _name(parts[1]) if len(parts) > 1 else None
        if name is None:
            detail = 'Prefix "module." must be followed by a module name.'
            return error("Invalid address operator", detail, parts[min(1, len(parts) - 1)].range)
        parts = parts[2:]
        key: InstanceKey = None
        if parts and not isinstance(parts[0], TraverseAttribute):
            outcome = key_of(parts[0])
            if isinstance(outcome, BadKey):
                return error("Invalid address operator", f"Invalid module index: {outcome}.", parts[0].range)
            key, parts = outcome, parts[1:]
        steps.append(ModuleStep(name, key))
    return _Module(ModuleInstance(tuple(steps)), parts)


def _read_resource(module: _Module, flavour: Flavour) -> AbsResourceInstance | Diagnostic:
    parts = module.rest
    word = _name(parts[0])
    if word in _RESERVED and flavour.addresses_reserve_words:
        detail = (
            f'The keyword "{word}" is reserved and cannot be used to target a resource address. If you are targeting a '
            'resource type that uses a reserved keyword, please prefix your address with "resource.".'
        )
        return error("Invalid address", detail, parts[0].range.through(parts[-1].range))
    mode = ResourceMode.MANAGED
    if word in _MODES or (word == _MANAGED_PREFIX and flavour.addresses_reserve_words):
        mode, parts = _MODES.get(word, mode), parts[1:]
    if len(parts) < 2:
        return _incomplete_problem(parts)
    resource = _read_names(mode, parts, flavour)
    if isinstance(resource, Diagnostic):
        return resource
    keys = parts[2:]
    if not keys:
        return AbsResourceInstance(module.instance, resource)
    if len(keys) > 1:
        return error("Invalid address", "Unexpected extra operators after address.", keys[1].range)
    if isinstance(keys[0], TraverseAttribute):
        return error("Invalid address", "Resource instance key must be given in square brackets.", keys[0].range)
    key = key_of(keys[0])
    if isinstance(key, BadKey):
        return error("Invalid address", f"Invalid resource instance key: {key}.", keys[0].range)
    return AbsResourceInstance(module.instance, resource, key)


def _incomplete_problem(parts: tuple[_Part, ...]) -> Diagnostic:
    detail = "Resource specification must include a resource type and name."
    return error("Invalid address", detail, parts[0].range.through(parts[-1].range) if parts else NOWHERE)


_TYPE_WORDS: Final = {
    ResourceMode.MANAGED: "A resource type name is required.",
    ResourceMode.DATA: "A data source name is required.",
    ResourceMode.EPHEMERAL: "An ephemeral resource name is required.",
}


def _read_names(
    mode: ResourceMode, parts: tuple[_Part, ...], flavour: Flavour = TERRAFORM_1_11
) -> Resource | Diagnostic:
    type_name, name = _name(parts[0]), _name(parts[1])
    if type_name is None:
        detail = _TYPE_WORDS[mode]
        if mode is ResourceMode.EPHEMERAL and flavour.addresses_reserve_words:
            detail = "An ephemeral resource type name is required."
        return error("Invalid address", detail, parts[0].range)
    if name is None:
        return error("Invalid address", "A resource name is required.", parts[1].range)
    return Resource(mode, type_name, name)


class BadKey(str):
    """The reason why a value cannot be a key."""

    __slots__ = ()


def key_of(part: TraverseIndex | KeyExpression) -> InstanceKey | BadKey:
    """The instance key of a part. A key that is still an expression counts as no key: only the block matters then."""
    if isinstance(part, KeyExpression):
        return None
    value = part.key
    if value.type is STRING and value.is_known and not value.is_null:
        return str(value.payload)
    if value.type is not NUMBER or not value.is_known or value.is_null:
        return BadKey("either a string or an integer is required")
    payload = value.payload
    if numbers.is_infinite(payload) or not numbers.is_whole(payload) or abs(payload) > 2**63:
        return BadKey(_NOT_WHOLE)
    whole = numbers.to_int(payload)
    return whole if -(2**63) <= whole < 2**63 else BadKey(_NOT_WHOLE)


_NOT_WHOLE: Final = "value must be a whole number, between -9223372036854775808 and 9223372036854775807"
