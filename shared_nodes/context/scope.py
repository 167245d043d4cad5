"""Expressions of one module instance, evaluated with the names that its module declares.

References are checked before anything is evaluated, everywhere in the expression, even in a branch that will not be
taken: first their form, then whether resources and modules exist, then the rest. A problem there prevents the
evaluation, which would only repeat it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import Final, Protocol

from shared_nodes.addresses.module import ROOT_PATH, ModulePath
from shared_nodes.addresses.references import (
    CountAttribute,
    EachAttribute,
    InputVariable,
    LocalValue,
    ModuleCall,
    ModuleOutput,
    NamedUnderRoot,
    PathAttribute,
    ProviderFunction,
    Reference,
    ResourceInstance,
    Self,
    TerraformAttribute,
    TofuAttribute,
)
from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.config.module import Module
from shared_nodes.context.attribute_steps import check_attributes
from shared_nodes.context.deprecation import mark_deprecated_parts, report_deprecations
from shared_nodes.context.provider_functions import undeclared_function_providers
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.access import get_index
from shared_nodes.lang.diagnostics import Diagnostic, error, found_in, has_errors
from shared_nodes.lang.function import Function
from shared_nodes.lang.lazy_function import LazyFunction
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Range
from shared_nodes.lang.suggestions import did_you_mean
from shared_nodes.lang.unknown_functions import explain_unknown_functions
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.types import Type
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, object_of, unknown

__all__ = ["ModuleScope", "ValueSource"]

_PATHS: Final = ("cwd", "module", "root")


class ValueSource(Protocol):
    """Supplies the values of references. It is only called for names that were checked to be declared."""

    def variable(self, name: str) -> Value: ...

    def local(self, name: str) -> Value: ...

    def resource(self, resource: Resource) -> Value: ...

    def module(self, name: str) -> Value: ...

    def path(self, name: str) -> Value: ...

    def terraform(self, name: str) -> Value: ...


@record
class ModuleScope:
    """What expressions of one module instance may refer to. `repetition` holds the attributes of `count` or `each`,
    `self_value` the object that `self` refers to, if there are any."""

    module: Module
    names: ValueSource
    functions: Mapping[str, Function | LazyFunction]
    schema_of: Callable[[Resource], SchemaBlock | None]
    path: ModulePath = ROOT_PATH
    flavour: Flavour = TERRAFORM_1_11
    repetition: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    self_value: Value | None = None
    self_block: SchemaBlock | None = None
    """The schema of the object that `self` refers to, if it is known. References through `self` are checked
    against it."""
    self_index: tuple[Value, Value] | None = None
    """For an instance that may not exist: the value of its resource, and the key to look up `self` with."""
    in_check: str | None = None
    """The check block that contains these expressions: only they may refer to the data resource nested in it."""
    outlives_values: bool = False
    """Whether these expressions are evaluated when the values of the module may be gone. There are no names but those
    of `self`, of keys and of what never changes, and these are found when they are used."""

    def repeated(self, root: str, attributes: Mapping[str, Value]) -> ModuleScope:
        """Return this scope as one instance of a block with `count` or `for_each` sees it."""
        return self.with_repetition({root: attributes})

    def with_repetition(self, repetition: Mapping[str, Mapping[str, Value]]) -> ModuleScope:
        """Return this scope with other repetition data. Every instance needs one, and `dataclasses.replace`, which
        looks up all fields by name, takes several times as long as the constructor."""
        return ModuleScope(
            self.module,
            self.names,
            self.functions,
            self.schema_of,
            self.path,
            self.flavour,
            repetition,
            self.self_value,
            self.self_block,
            self.self_index,
            self.in_check,
            self.outlives_values,
        )

    def with_self(self, value: Value, block: SchemaBlock | None = None) -> ModuleScope:
        return replace(self, self_value=value, self_block=block)

    def with_object(self, value: Value, resource: Resource) -> ModuleScope:
        """Return this scope with `self` for an object of a resource, as expressions elsewhere see it."""
        block = self.schema_of(resource)
        if block is not None:
            value = mark_deprecated_parts(value, block, resource, self.flavour)
        return self.with_self(value, block)

    def evaluate(self, expression: tree.Expression) -> tuple[Value, list[Diagnostic]]:
        problems = self.reference_problems(expression)
        if has_errors(problems):
            return DYNAMIC_UNKNOWN, problems
        prepared = self.module.expressions.prepare(expression)
        value, found = prepared.compiled.evaluate(self.values_for(prepared.references))
        found = explain_unknown_functions(found, self.flavour)
        if self.flavour.values_can_be_deprecated:
            value, warnings = report_deprecations(value, expression)
            found = [*found, *warnings]
        return value, [*problems, *found]

    def evaluate_as(self, expression: tree.Expression, wanted: Type) -> tuple[Value, list[Diagnostic]]:
        """Evaluate and convert. Whatever fails, the value is unknown."""
        value, problems = self.evaluate(expression)
        if has_errors(problems):
            return unknown(wanted), problems
        try:
            return convert(value, wanted), problems
        except ConversionError as failure:
            detail = f"Invalid expression value: {failure.explain(self.flavour)}."
            problem = error("Incorrect value type", detail, expression.range)
            return unknown(wanted), [*problems, found_in(problem, expression, self.seen_by(expression))]

    def reference_problems(self, expression: tree.Expression) -> list[Diagnostic]:
        """Return the problems that keep an expression from being evaluated at all."""
        prepared = self.module.expressions.prepare(expression)
        return [*prepared.problems, *self.check(prepared.references)]

    def seen_by(self, expression: tree.Expression) -> Scope:
        """Return what an expression without reference problems saw, to describe what is wrong with its result."""
        return self.values_for(self.module.expressions.prepare(expression).references)

    def check(self, references: Iterable[Reference]) -> list[Diagnostic]:
        """Check references. Problems with resources, modules and `self` hide those with other names."""
        found = list(references)
        static = self._check_function_providers(found)
        static = static or [problem for reference in found for problem in self._check_static(reference)]
        if has_errors(static):
            return static
        return [*static, *(problem for reference in found if (problem := self._check_name(reference)))]

    def lenient_values_for(self, references: Iterable[Reference]) -> tuple[Scope, list[Diagnostic]]:
        """Return values for rules, whose expressions are evaluated even if their references are wrong. A missing
        resource, module or `self` leaves no names at all; another undeclared name is unknown."""
        found = list(references)
        static = [problem for reference in found for problem in self._check_static(reference)]
        if has_errors(static):
            return Scope({}, self.functions, self.flavour), static
        checked = [(reference, self._check_name(reference)) for reference in found]
        values = self.values_for((reference for reference, problem in checked if problem is None), all_roots=True)
        variables = dict(values.variables or {})
        for reference, problem in checked:
            subject = reference.subject
            if problem is not None and isinstance(subject, Self):
                variables["self"] = DYNAMIC_UNKNOWN
            elif problem is not None and isinstance(subject, NamedUnderRoot):
                siblings = variables[subject.root].payload if subject.root in variables else {}
                variables[subject.root] = object_of({**siblings, subject.name: DYNAMIC_UNKNOWN})
        return replace(values, variables=variables), [
            *static,
            *(problem for _, problem in checked if problem is not None),
        ]

    def values_for(self, references: Iterable[Reference], *, all_roots: bool = False) -> Scope:
        """Return the values of checked references, by the root names that an expression sees. With `all_roots` a
        managed resource appears under both of its roots, not only under the one used, because a message about an
        undeclared name may suggest either."""
        by_root: dict[str, dict[str, Value]] = {}
        variables: dict[str, Value] = {}
        for reference in references:
            subject = reference.subject
            match subject:
                case InputVariable(name):
                    by_root.setdefault("var", {})[name] = self.names.variable(name)
                case LocalValue(name):
                    by_root.setdefault("local", {})[name] = self.names.local(name)
                case PathAttribute(name):
                    by_root.setdefault("path", {})[name] = self.names.path(name)
                case TerraformAttribute(name) | TofuAttribute(name):
                    by_root.setdefault(subject.root, {})[name] = self.names.terraform(name)
                case CountAttribute(name) | EachAttribute(name):
                    by_root.setdefault(subject.root, {})[name] = self.repetition[subject.root][name]
                case ModuleCall(name) | ModuleOutput(ModuleCall(name)):
                    by_root.setdefault("module", {})[name] = self.names.module(name)
                case ResourceInstance(resource) | (Resource() as resource):
                    is_managed = resource.mode is ResourceMode.MANAGED
                    value = self.names.resource(resource)
                    if is_managed and (all_roots or not reference.is_prefixed):
                        by_root.setdefault(resource.type, {})[resource.name] = value
                    if all_roots or reference.is_prefixed or not is_managed:
                        _add_resource(by_root.setdefault(_PREFIXES[resource.mode], {}), resource, value)
                case Self():
                    assert self.self_value is not None
                    variables["self"] = self.self_value
        variables.update((root, object_of(attributes)) for root, attributes in by_root.items())
        return Scope(variables, self.functions, self.flavour)

    def _check_function_providers(self, references: Iterable[Reference]) -> list[Diagnostic]:
        if self.outlives_values:
            return []
        subjects = (reference.subject for reference in references)
        return undeclared_function_providers(self.module, subjects)

    def _check_static(self, reference: Reference) -> list[Diagnostic]:
        subject = reference.subject
        if isinstance(subject, Resource | ResourceInstance):
            return self._check_resource(subject, reference)
        if isinstance(subject, Self):
            if self.self_value is None:
                return [error(*_describe_unavailable(subject), reference.range)]
            return check_attributes(self.self_block, reference.remaining, self.flavour)
        if isinstance(subject, ModuleOutput):
            subject = subject.call
        if isinstance(subject, ModuleCall) and subject.name not in self.module.module_calls:
            suggestion = did_you_mean(subject.name, self.module.module_calls)
            detail = f'No module call named "{subject.name}" is declared in {self._module_label}.{suggestion}'
            return [error("Reference to undeclared module", detail, reference.range)]
        return []

    @property
    def _module_label(self) -> str:
        return str(self.path) if self.path.names else "the root module"

    def _check_resource(self, subject: Resource | ResourceInstance, reference: Reference) -> list[Diagnostic]:
        """Check a reference against the declaration: the resource must exist, have a key exactly if it is repeated, and
        have the attributes referred to."""
        resource, key = (subject, None) if isinstance(subject, Resource) else (subject.resource, subject.key)
        declaration = self.module.resources.get(resource)
        if declaration is None:
            detail = _undeclared_resource(resource, self._module_label, self.flavour)
            meant = _namesake(resource, self.module, self.flavour)
            if meant is not None:
                detail += f"\n\nDid you mean the {_PREFIXES[meant.mode]} resource {meant}?"
            return [error("Reference to undeclared resource", detail, reference.range)]
        if declaration.check is not None and declaration.check != self.in_check:
            detail = (
                f'The referenced {resource.mode} resource "{resource.type}" "{resource.name}" is not available from '
                "this context."
            )
            return [error("Reference to scoped resource", detail, reference.range)]
        problems: list[Diagnostic] = []
        if key is not None and declaration.repetition is None:
            detail = (
                f'Because {resource} does not have "count" or "for_each" set, references to it must not include an '
                "index key. Remove the bracketed index to refer to the single instance of this resource."
            )
            problems.append(error("Unexpected resource instance key", detail, reference.range))
        if key is None and declaration.repetition is not None and reference.remaining:
            detail = _missing_key(resource, declaration.repetition)
            problems.append(error("Missing resource instance key", detail, reference.range))
        first = reference.remaining[0] if reference.remaining else None
        if isinstance(first, tree.TraverseAttribute) and first.name == "count":
            detail = (
                f'The special "count" attribute is no longer supported after {self.flavour.product} v0.12. Instead, '
                f"use length({resource}) to count resource instances."
            )
            return [*problems, error("Invalid resource count attribute", detail, reference.range)]
        return [*problems, *check_attributes(self.schema_of(resource), reference.remaining, self.flavour)]

    def _check_name(self, reference: Reference) -> Diagnostic | None:
        subject, where = reference.subject, reference.range
        match subject:
            case InputVariable(name) if name not in self.module.variables:
                hint = did_you_mean(name, self.module.variables)
                hint = hint or f' This variable can be declared with a variable "{name}" {{}} block.'
                detail = f'An input variable with the name "{name}" has not been declared.{hint}'
                return error("Reference to undeclared input variable", detail, where)
            case LocalValue(name) if name not in self.module.locals:
                detail = (
                    f'A local value with the name "{name}" has not been declared.'
                    f"{did_you_mean(name, self.module.locals)}"
                )
                return error("Reference to undeclared local value", detail, where)
            case CountAttribute(name) | EachAttribute(name) if name not in self.repetition.get(subject.root, ()):
                if self.outlives_values and subject.root not in self.repetition:
                    return self._unknown_variable(subject.root, where)
                return error(*_describe_unavailable(subject), where)
            case Self() if self.self_index is not None:
                outcome = get_index(*self.self_index, where, self.flavour)
                return outcome if isinstance(outcome, Diagnostic) else None
            case ProviderFunction() if str(subject) not in self.functions and not self.outlives_values:
                detail = f'Function "{subject}" was not registered by provider'
                return error("Function not found in provider", detail, where)
            case PathAttribute(name) if name not in _PATHS:
                detail = f'The "path" object does not have an attribute named "{name}".{did_you_mean(name, _PATHS)}'
                return error('Invalid "path" attribute', detail, where)
            case TerraformAttribute(name) | TofuAttribute(name) if name not in ("workspace", "applying"):
                detail = _describe_program_attribute(subject, self.flavour)
                return error(f'Invalid "{subject.root}" attribute', detail, where)
        return None

    def _unknown_variable(self, name: str, where: Range) -> Diagnostic:
        suggestion = did_you_mean(name, [*self.repetition, "path", "self", "terraform"])
        return error("Unknown variable", f'There is no variable named "{name}".{suggestion}', where)


_PREFIXES: Final = {
    ResourceMode.MANAGED: "resource",
    ResourceMode.DATA: "data",
    ResourceMode.EPHEMERAL: "ephemeral",
}
"""The roots that contain resources by type and name. Managed resources are also directly below a root named after their
type."""


def _add_resource(types: dict[str, Value], resource: Resource, value: Value) -> None:
    siblings = types[resource.type].payload if resource.type in types else {}
    types[resource.type] = object_of({**siblings, resource.name: value})


def _namesake(resource: Resource, module: Module, flavour: Flavour) -> Resource | None:
    """A declared resource of another mode with the same type and name. Some flavours look for a data resource only."""
    modes = tuple(ResourceMode) if flavour.undeclared_resources_lack_definition else (ResourceMode.DATA,)
    if resource.mode is not ResourceMode.MANAGED and not flavour.undeclared_resources_lack_definition:
        return None
    others = (Resource(mode, resource.type, resource.name) for mode in modes if mode is not resource.mode)
    return next((other for other in others if other in module.resources), None)


def _undeclared_resource(resource: Resource, where: str, flavour: Flavour) -> str:
    if flavour.undeclared_resources_lack_definition:
        return f'There is no {resource.mode} resource "{resource.type}" "{resource.name}" definition in {where}.'
    article = "An" if resource.mode is ResourceMode.EPHEMERAL else "A"
    return f'{article} {resource.mode} resource "{resource.type}" "{resource.name}" has not been declared in {where}.'


_KEY_EXAMPLES: Final = {"count": "count.index", "for_each": "each.key"}


def _missing_key(resource: Resource, repetition: str) -> str:
    return (
        f'Because {resource} has "{repetition}" set, its attributes must be accessed on specific instances.\n\n'
        f"For example, to correlate with indices of a referring resource, use:\n    "
        f"{resource}[{_KEY_EXAMPLES[repetition]}]"
    )


def _describe_unavailable(subject: CountAttribute | EachAttribute | Self) -> tuple[str, str]:
    """Return summary and detail for a name that exists only inside certain blocks, used outside of them."""
    match subject:
        case CountAttribute("index"):
            return (
                'Reference to "count" in non-counted context',
                'The "count" object can only be used in "module", "resource", and "data" blocks, and only when the '
                '"count" argument is set.',
            )
        case CountAttribute(name):
            return (
                'Invalid "count" attribute',
                f'The "count" object does not have an attribute named "{name}". The only supported attribute is '
                'count.index, which is the index of each instance of a resource block that has the "count" argument '
                "set.",
            )
        case EachAttribute("key"):
            return (
                'Reference to "each" in context without for_each',
                'The "each" object can be used only in "module" or "resource" blocks, and only when the "for_each" '
                "argument is set.",
            )
        case EachAttribute("value"):
            return (
                "each.value cannot be used in this context",
                'A reference to "each.value" has been used in a context in which it is unavailable, such as when the '
                'configuration no longer contains the value in its "for_each" expression. Remove this reference to '
                "each.value in your configuration to work around this error.",
            )
        case EachAttribute(name):
            return (
                'Invalid "each" attribute',
                f'The "each" object does not have an attribute named "{name}". The supported attributes are each.key '
                'and each.value, the current key and value pair of the "for_each" attribute set.',
            )
    return (
        'Invalid "self" reference',
        'The "self" object is not available in this context. This object can be used only in resource provisioner, '
        "connection, and postcondition blocks.",
    )


def _describe_program_attribute(subject: TerraformAttribute | TofuAttribute, flavour: Flavour) -> str:
    root, name = subject.root, subject.name
    if name == "env":
        return (
            f'The {root}.env attribute was deprecated in v0.10 and removed in v0.12. The "state environment" concept '
            'was renamed to "workspace" in v0.12, and so the workspace name can now be accessed using the '
            f"{root}.workspace attribute."
        )
    missing = f'The "{root}" object does not have an attribute named "{name}".'
    if flavour.tofu_names_the_program:
        return (
            f"{missing} The only supported attribute is {root}.workspace, the name of the currently-selected workspace."
        )
    return (
        f"{missing} The only supported attributes are {root}.workspace, the name of the currently-selected workspace, "
        f"and {root}.applying, a boolean which is true only during apply."
    )
