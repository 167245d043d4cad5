"""Expressions of a module, evaluated with the names the module declares.

References are checked before anything is evaluated, everywhere in the expression, even in a branch that will not be
taken: first their form, then whether resources and modules exist, then the rest. Any problem there ends it, because
evaluating would only repeat it.

Local values are found by need and evaluated in dependency order with an explicit stack, so a chain of any length works.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from shared_nodes.addresses.references import (
    CountAttribute,
    EachAttribute,
    InputVariable,
    LocalValue,
    ModuleCall,
    ModuleOutput,
    PathAttribute,
    Reference,
    ResourceInstance,
    Self,
    TerraformAttribute,
)
from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.config.module import Module
from shared_nodes.diagnostics import Diagnostic, error
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.function import Function
from shared_nodes.functions.registry import function_table, terraform_provider_functions
from shared_nodes.lang import tree
from shared_nodes.lang.access import follow
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.lazy import LazyFunction
from shared_nodes.lang.references import references
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.suggestions import did_you_mean
from shared_nodes.providers.builtin import attributes_of
from shared_nodes.values.marks import EPHEMERAL
from shared_nodes.values.types import BOOL, DYNAMIC
from shared_nodes.values.value import DYNAMIC_UNKNOWN, FALSE, TRUE, Value, null, object_of, string, unknown
from shared_nodes.world import World

__all__ = ["ModuleEvaluator", "Phase"]


class Phase(Enum):
    """When an evaluation happens. Validating, nothing given from outside is known; planning, nothing impure is."""

    VALIDATE = "validate"
    PLAN = "plan"
    APPLY = "apply"


_BUILTIN_PROVIDER: Final = "terraform.io/builtin/terraform"
_PATHS: Final = ("cwd", "module", "root")


@dataclass(slots=True)
class ModuleEvaluator:
    """Evaluates expressions of one root module in one phase. Values of locals are kept once computed."""

    module: Module
    world: World
    phase: Phase
    flavour: Flavour = TERRAFORM_1_11
    given: Mapping[str, Value] = field(default_factory=dict)
    """Values of input variables, converted and marked; those missing here have their default."""

    resources: Mapping[Resource, Value] | None = None
    """Values of declared resources; None while validating, when nothing is known of any of them."""

    repetition: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """The attributes of `count` or `each`, inside a repeated block."""

    _functions: Mapping[str, Function | LazyFunction] = field(init=False)
    _locals: dict[str, Value] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        context = FunctionContext(self.world, self.flavour, impure_results_known=self.phase is Phase.APPLY)
        functions = dict(function_table(context))
        for name, source in self.module.required_providers.items():
            if source == _BUILTIN_PROVIDER:
                functions |= terraform_provider_functions(context, name)
        self._functions = functions

    def repeated(self, root: str, attributes: Mapping[str, Value]) -> ModuleEvaluator:
        """The same module, seen from one instance of a block with `count` or `for_each`."""
        return replace(self, repetition={root: attributes})

    def evaluate(self, expression: tree.Expression) -> tuple[Value, list[Diagnostic]]:
        problems = self._compute_locals_for(expression)
        if problems:
            return DYNAMIC_UNKNOWN, problems
        return self._evaluate_with_known_locals(expression)

    def check(self, expression: tree.Expression) -> tuple[list[Reference], list[Diagnostic]]:
        """The expression's references, and what is wrong with them."""
        found, problems = references(expression)
        static = [problem for reference in found for problem in self._check_static(reference)]
        if static:
            return found, [*problems, *static]
        return found, [*problems, *(problem for reference in found if (problem := self._check_name(reference)))]

    def _evaluate_with_known_locals(self, expression: tree.Expression) -> tuple[Value, list[Diagnostic]]:
        found, problems = self.check(expression)
        if problems:
            return DYNAMIC_UNKNOWN, problems
        return evaluate(expression, self._scope(found))

    def _compute_locals_for(self, expression: tree.Expression) -> list[Diagnostic]:
        """Evaluate, dependencies first, every local value the expression needs."""
        problems: list[Diagnostic] = []
        pending = [(name, False) for name in self._local_names(expression)]
        open_names: dict[str, None] = {}
        while pending:
            name, dependencies_done = pending.pop()
            if name in self._locals:
                open_names.pop(name, None)
                continue
            body = self.module.locals[name].expression
            if dependencies_done:
                open_names.pop(name)
                self._locals[name], found = self._evaluate_with_known_locals(body)
                problems.extend(found)
                continue
            if name in open_names:
                return [_cycle(open_names, name)]
            open_names[name] = None
            pending.append((name, True))
            pending.extend((needed, False) for needed in self._local_names(body) if needed not in self._locals)
        return problems

    def _local_names(self, expression: tree.Expression) -> list[str]:
        names = [r.subject.name for r in references(expression)[0] if isinstance(r.subject, LocalValue)]
        return [name for name in dict.fromkeys(names) if name in self.module.locals]

    def _scope(self, found: Sequence[Reference]) -> Scope:
        variables: dict[str, Value] = {}
        by_root: dict[str, dict[str, Value]] = {}
        for reference in found:
            subject = reference.subject
            match subject:
                case InputVariable(name):
                    by_root.setdefault("var", {})[name] = self._variable(name)
                case LocalValue(name):
                    by_root.setdefault("local", {})[name] = self._locals[name]
                case PathAttribute(name):
                    by_root.setdefault("path", {})[name] = self._path(name)
                case TerraformAttribute(name):
                    by_root.setdefault("terraform", {})[name] = self._terraform(name)
                case CountAttribute(name):
                    by_root.setdefault("count", {})[name] = self.repetition["count"][name]
                case EachAttribute(name):
                    by_root.setdefault("each", {})[name] = self.repetition["each"][name]
                case ModuleCall(name) | ModuleOutput(ModuleCall(name)):
                    by_root.setdefault("module", {})[name] = DYNAMIC_UNKNOWN
                case Resource() as resource:
                    self._put_resource(by_root, resource)
                case ResourceInstance(resource):
                    self._put_resource(by_root, resource)
        variables.update((root, object_of(attributes)) for root, attributes in by_root.items())
        return Scope(variables, self._functions, self.flavour)

    def _put_resource(self, by_root: dict[str, dict[str, Value]], resource: Resource) -> None:
        """Resources of one type are attributes of a root named like the type; other modes stand one level below."""
        value = DYNAMIC_UNKNOWN if self.resources is None else self.resources[resource]
        if resource.mode is ResourceMode.MANAGED:
            by_root.setdefault(resource.type, {})[resource.name] = value
            return
        types = by_root.setdefault(resource.mode.value, {})
        siblings = types[resource.type].payload if resource.type in types else {}
        types[resource.type] = object_of({**siblings, resource.name: value})

    def _variable(self, name: str) -> Value:
        variable = self.module.variables[name]
        if self.phase is Phase.VALIDATE:
            return variable.unknown_value()
        if name in self.given:
            return self.given[name]
        default = variable.default if variable.default is not None else null(DYNAMIC)
        return variable.mark(default)

    def _path(self, name: str) -> Value:
        return string(str(self.world.files.working_directory) if name == "cwd" else ".")

    def _terraform(self, name: str) -> Value:
        if name == "workspace":
            return string("default")
        applying = {Phase.VALIDATE: unknown(BOOL), Phase.PLAN: FALSE, Phase.APPLY: TRUE}[self.phase]
        return applying.mark(EPHEMERAL)

    def _check_static(self, reference: Reference) -> list[Diagnostic]:
        subject = reference.subject
        if isinstance(subject, Resource | ResourceInstance):
            return self._check_resource(subject, reference)
        if isinstance(subject, ModuleOutput):
            subject = subject.call
        if isinstance(subject, ModuleCall) and subject.name not in self.module.module_calls:
            suggestion = did_you_mean(subject.name, self.module.module_calls)
            detail = f'No module call named "{subject.name}" is declared in the root module.{suggestion}'
            return [error("Reference to undeclared module", detail, reference.range)]
        return []

    def _check_resource(self, subject: Resource | ResourceInstance, reference: Reference) -> list[Diagnostic]:
        """Against the declaration: does it exist, is a key given just where it is repeated, has it such attributes?"""
        resource, key = (subject, None) if isinstance(subject, Resource) else (subject.resource, subject.key)
        declaration = self.module.resources.get(resource)
        if declaration is None:
            return [error("Reference to undeclared resource", _undeclared_resource(resource), reference.range)]
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
        return [*problems, *_check_attributes(resource, reference.remaining, self.flavour)]

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
            case CountAttribute(name) if name not in self.repetition.get("count", ()):
                return error(*_unavailable(subject), where)
            case EachAttribute(name) if name not in self.repetition.get("each", ()):
                return error(*_unavailable(subject), where)
            case Self():
                return error(*_unavailable(subject), where)
            case PathAttribute(name) if name not in _PATHS:
                detail = f'The "path" object does not have an attribute named "{name}".{did_you_mean(name, _PATHS)}'
                return error('Invalid "path" attribute', detail, where)
            case TerraformAttribute(name) if name not in ("workspace", "applying"):
                return error('Invalid "terraform" attribute', _terraform_attribute(name), where)
        return None


def _cycle(open_names: Iterable[str], name: str) -> Diagnostic:
    names = list(open_names)
    loop = names[names.index(name) :]
    return error(f"Cycle: {', '.join(f'local.{member} (expand)' for member in loop)}")


def _undeclared_resource(resource: Resource) -> str:
    article = "An" if resource.mode is ResourceMode.EPHEMERAL else "A"
    return (
        f'{article} {resource.mode} resource "{resource.type}" "{resource.name}" has not been declared in the root '
        "module."
    )


_KEY_EXAMPLES: Final = {"count": "count.index", "for_each": "each.key"}


def _missing_key(resource: Resource, repetition: str) -> str:
    return (
        f'Because {resource} has "{repetition}" set, its attributes must be accessed on specific instances.\n\n'
        f"For example, to correlate with indices of a referring resource, use:\n    "
        f"{resource}[{_KEY_EXAMPLES[repetition]}]"
    )


def _check_attributes(resource: Resource, steps: tuple[tree.Step, ...], flavour: Flavour) -> list[Diagnostic]:
    """Steps behind a resource, followed through its schema as far as that is certain."""
    attributes = attributes_of(resource)
    if attributes is None or not steps or not isinstance(steps[0], tree.AttributeStep):
        return []
    name, subject = steps[0].name, steps[0].range
    if name not in attributes:
        detail = (
            f'This object has no argument, nested block, or exported attribute named "{name}".'
            f"{did_you_mean(name, attributes)}"
        )
        return [error("Unsupported attribute", detail, subject)]
    outcome = follow(unknown(attributes[name]), steps[1:], flavour)
    return [outcome] if isinstance(outcome, Diagnostic) else []


def _unavailable(subject: CountAttribute | EachAttribute | Self) -> tuple[str, str]:
    """Names that exist only inside certain blocks, used outside of them: summary and detail."""
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


def _terraform_attribute(name: str) -> str:
    if name == "env":
        return (
            'The terraform.env attribute was deprecated in v0.10 and removed in v0.12. The "state environment" concept '
            'was renamed to "workspace" in v0.12, and so the workspace name can now be accessed using the '
            "terraform.workspace attribute."
        )
    return (
        f'The "terraform" object does not have an attribute named "{name}". The only supported attributes are '
        "terraform.workspace, the name of the currently-selected workspace, and terraform.applying, a boolean which is "
        "true only during apply."
    )
