"""References: the subjects that an expression can name, and how they are parsed from a traversal.

Only the text decides here. Whether the subject exists is checked by the module in which it is looked up. The
diagnostics reproduce the original's word by word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import ClassVar, Final, get_args

from shared_nodes.addresses.key import InstanceKey, key_text
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import NOWHERE, Range
from shared_nodes.lang.tree import Call, Step, Traversal, TraverseAttribute, TraverseIndex
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.number import number_text
from shared_nodes.values.types import NUMBER, STRING
from shared_nodes.values.value import Value

__all__ = [
    "CountAttribute",
    "EachAttribute",
    "InputVariable",
    "LocalValue",
    "ModuleCall",
    "ModuleOutput",
    "NamedUnderRoot",
    "PathAttribute",
    "ProviderFunction",
    "Reference",
    "ResourceInstance",
    "ScopedSubject",
    "Self",
    "Subject",
    "TerraformAttribute",
    "TofuAttribute",
    "fallback_subjects",
    "first_attribute",
    "nameless_reference",
    "parse_reference",
    "provider_function",
    "resource_of",
]


@record
class NamedUnderRoot:
    """A subject with one name under a fixed root: `var.name`."""

    name: str
    root: ClassVar[str]

    def __str__(self) -> str:
        return f"{self.root}.{self.name}"


class InputVariable(NamedUnderRoot):
    __slots__ = ()
    root = "var"


class LocalValue(NamedUnderRoot):
    __slots__ = ()
    root = "local"


class CountAttribute(NamedUnderRoot):
    __slots__ = ()
    root = "count"


class EachAttribute(NamedUnderRoot):
    __slots__ = ()
    root = "each"


class PathAttribute(NamedUnderRoot):
    __slots__ = ()
    root = "path"


class TerraformAttribute(NamedUnderRoot):
    __slots__ = ()
    root = "terraform"


class TofuAttribute(NamedUnderRoot):
    """The same attribute as that of `terraform`, by the object's other name."""

    __slots__ = ()
    root = "tofu"


@record
class Self:
    def __str__(self) -> str:
        return "self"


@record
class ResourceInstance:
    resource: Resource
    key: InstanceKey

    def __str__(self) -> str:
        return f"{self.resource}{key_text(self.key)}"


@record
class ModuleCall:
    name: str
    key: InstanceKey = None

    def __str__(self) -> str:
        return f"module.{self.name}{key_text(self.key)}"


@record
class ModuleOutput:
    call: ModuleCall
    name: str

    def __str__(self) -> str:
        return f"{self.call}.{self.name}"


@record
class ProviderFunction:
    """A function of a provider that a module requires by this name, in the provider's default configuration or in an
    alternate one. `range` is where it is called."""

    provider: str
    alias: str | None
    name: str
    range: Range = field(compare=False, repr=False)

    def __str__(self) -> str:
        return "::".join(part for part in ("provider", self.provider, self.alias, self.name) if part is not None)


_SingleAttribute = (
    InputVariable | LocalValue | CountAttribute | EachAttribute | PathAttribute | TerraformAttribute | TofuAttribute
)
Subject = _SingleAttribute | Self | Resource | ResourceInstance | ModuleCall | ModuleOutput | ProviderFunction


def resource_of(subject: Subject) -> Subject:
    """Return the resource that an instance belongs to; any other subject as it is."""
    return subject.resource if isinstance(subject, ResourceInstance) else subject


def fallback_subjects(subject: Subject) -> tuple[Subject, ...]:
    """What a name resolves to if nothing has exactly that name, the most specific subject first.

    An instance falls back to its resource, a module instance to its module, and an output that a module lacks to the
    whole module.
    """
    match subject:
        case ResourceInstance(resource, key) if key is not None:
            return (resource,)
        case ModuleOutput(ModuleCall(name), output):
            return (ModuleOutput(ModuleCall(name), output), ModuleCall(name))
        case ModuleCall(name, key) if key is not None:
            return (ModuleCall(name),)
    return ()


@record
class ScopedSubject:
    """A subject, and the module in which the reference to it is located."""

    module: ModulePath
    subject: Subject
    _names: tuple[tuple[ModulePath, str], ...] = field(default=(), init=False, repr=False, compare=False)

    @property
    def names(self) -> tuple[tuple[ModulePath, str], ...]:
        """The names under which the subject may be found, the exact name first. Cached, since each operation looks up
        all references again."""
        if not self._names:
            several = (self.subject, *fallback_subjects(self.subject))
            object.__setattr__(self, "_names", tuple([(self.module, str(subject)) for subject in several]))
        return self._names


@record
class Reference:
    """A subject, the range that names it, and the steps that follow.

    `is_prefixed` marks a managed resource written with the optional root `resource`.
    """

    subject: Subject
    range: Range
    remaining: tuple[Step, ...]
    is_prefixed: bool = False


_SINGLE_ATTRIBUTE: Final[Mapping[str, type[_SingleAttribute]]] = {
    kind.root: kind for kind in get_args(_SingleAttribute)
}

_RESOURCE_PREFIXES: Final = {
    "data": (ResourceMode.DATA, "data source type"),
    "ephemeral": (ResourceMode.EPHEMERAL, "ephemeral resource type"),
    "resource": (ResourceMode.MANAGED, "resource type"),
}

_RESERVED: Final = frozenset(("template", "lazy", "arg"))


def parse_reference(traversal: Traversal, flavour: Flavour) -> Reference | Diagnostic:
    root = traversal.root
    kind = _single_attribute_kind(root, flavour)
    if kind is not None:
        return _single_attribute(traversal, kind)
    if root in _RESOURCE_PREFIXES:
        return _prefixed_resource(traversal, flavour)
    if root == "module":
        return _module(traversal)
    if root == "self":
        return Reference(Self(), traversal.root_range, traversal.steps)
    if root in _RESERVED:
        return error(
            "Reserved symbol name",
            f'The symbol name "{root}" is reserved for use in a future {flavour.product} version. If you are using a '
            'provider that already uses this as a resource type name, add the prefix "resource." to force '
            "interpretation as a resource type name.",
            traversal.root_range,
        )
    if not traversal.steps:
        return _invalid_reference(_missing_name_detail("a resource type"), traversal.root_range)
    return _resource(ResourceMode.MANAGED, root, traversal.root_range, traversal.steps, flavour)


def _single_attribute_kind(root: str, flavour: Flavour) -> type[_SingleAttribute] | None:
    """Return the kind of subject that consists of this root and one name; None if the root is none of these objects."""
    if root == TofuAttribute.root and not flavour.tofu_names_the_program:
        return None
    return _SINGLE_ATTRIBUTE.get(root)


def nameless_reference(traversal: Traversal, flavour: Flavour) -> Reference | None:
    """The reference with which the original continues after one that lacks a name, such as `var` or `local[0]`.

    Its name is empty, so the subject is not found.
    """
    kind = _single_attribute_kind(traversal.root, flavour)
    return None if kind is None else Reference(kind(""), NOWHERE, ())


def _invalid_reference(detail: str, subject: Range) -> Diagnostic:
    return error("Invalid reference", detail, subject)


def _missing_name_detail(what: str) -> str:
    return f"A reference to {what} must be followed by at least one attribute access, specifying the resource name."


def first_attribute(traversal: Traversal) -> TraverseAttribute | Diagnostic:
    if not traversal.steps:
        detail = f'The "{traversal.root}" object cannot be accessed directly. Instead, access one of its attributes.'
        return _invalid_reference(detail, traversal.root_range)
    step = traversal.steps[0]
    if isinstance(step, TraverseIndex):
        return _invalid_reference(f'The "{traversal.root}" object does not support this operation.', step.range)
    return step


def _single_attribute(traversal: Traversal, kind: type[_SingleAttribute]) -> Reference | Diagnostic:
    step = first_attribute(traversal)
    if isinstance(step, Diagnostic):
        return step
    return Reference(kind(step.name), traversal.root_range.through(step.range), traversal.steps[1:])


def _prefixed_resource(traversal: Traversal, flavour: Flavour) -> Reference | Diagnostic:
    mode, type_name = _RESOURCE_PREFIXES[traversal.root]
    root, steps = traversal.root, traversal.steps
    if len(steps) < 2:
        is_own = mode is ResourceMode.EPHEMERAL and flavour.malformed_references_blame_data
        name = "its name" if is_own else "the resource name"
        detail = f'The "{root}" object must be followed by two attribute names: the {type_name} and {name}.'
        return _invalid_reference(detail, traversal.range)
    first = steps[0]
    if isinstance(first, TraverseIndex):
        blamed = "data" if flavour.malformed_references_blame_data else root
        return _invalid_reference(f'The "{blamed}" object does not support this operation.', first.range)
    found = _resource(mode, first.name, traversal.root_range, steps[1:], flavour)
    if isinstance(found, Reference) and mode is ResourceMode.MANAGED:
        return replace(found, is_prefixed=True)
    return found


_MODE_WORDS: Final = {
    ResourceMode.MANAGED: "a resource type",
    ResourceMode.DATA: "a data source",
    ResourceMode.EPHEMERAL: "an ephemeral resource type",
}


def _resource(
    mode: ResourceMode, type_name: str, start: Range, steps: tuple[Step, ...], flavour: Flavour
) -> Reference | Diagnostic:
    name_step, remaining = steps[0], steps[1:]
    if isinstance(name_step, TraverseIndex):
        what = _MODE_WORDS[mode]
        if mode is ResourceMode.EPHEMERAL and flavour.malformed_references_blame_data:
            what = "an ephemeral resource"
        return _invalid_reference(_missing_name_detail(what), name_step.range)
    resource = Resource(mode, type_name, name_step.name)
    where = start.through(name_step.range)
    if not remaining:
        return Reference(resource, where, ())
    first = remaining[0]
    if isinstance(first, TraverseAttribute):
        return Reference(ResourceInstance(resource, None), where, remaining)
    key = _instance_key(first, "resource")
    if isinstance(key, Diagnostic):
        return key
    return Reference(ResourceInstance(resource, key), start.through(first.range), remaining[1:])


def _module(traversal: Traversal) -> Reference | Diagnostic:
    step = first_attribute(traversal)
    if isinstance(step, Diagnostic):
        return step
    call = ModuleCall(step.name)
    where = traversal.root_range.through(step.range)
    remaining = traversal.steps[1:]
    if remaining and isinstance(remaining[0], TraverseIndex):
        key = _instance_key(remaining[0], "module")
        if isinstance(key, Diagnostic):
            return key
        call = ModuleCall(step.name, key)
        where = where.through(remaining[0].range)
        remaining = remaining[1:]
    if not remaining:
        return Reference(call, where, ())
    output = remaining[0]
    if isinstance(output, TraverseIndex):
        return _invalid_reference('The "module" object does not support this operation.', output.range)
    return Reference(ModuleOutput(call, output.name), where.through(output.range), remaining[1:])


def _instance_key(step: TraverseIndex, what: str) -> int | str | Diagnostic:
    key = step.key
    if key.type is STRING:
        return str(key.payload)
    if key.type is NUMBER and not key.is_null and _is_whole_int64(key):
        return numbers.to_int(key.payload)
    reason = "either a string or an integer is required"
    if key.type is NUMBER and not key.is_null:
        reason = "value must be a whole number, between -9223372036854775808 and 9223372036854775807"
    return error("Invalid index key", f"Invalid index for {what} instance: {reason}.", step.range)


def _is_whole_int64(key: Value) -> bool:
    if numbers.is_infinite(key.payload) or not numbers.is_whole(key.payload):
        return False
    return len(number_text(key.payload)) <= 20 and -(2**63) <= numbers.to_int(key.payload) < 2**63


def provider_function(call: Call) -> Reference | Diagnostic | None:
    """The function of a provider that a call refers to; None if it calls a function of the language."""
    if not call.name.startswith("provider::"):
        return None
    _, *names, own_name = call.name.split("::")
    if len(names) not in (1, 2):
        detail = (
            f'invalid provider function "{call.name}": expected provider::<name>::<function> or '
            "provider::<name>::<alias>::<function>"
        )
        return error("Unable to parse provider function", detail, call.name_range)
    alias = names[1] if len(names) == 2 else None
    return Reference(ProviderFunction(names[0], alias, own_name, call.name_range), call.name_range, ())
