"""What values were computed from: instances of resources, carried by the values as marks.

This is used only if the engine is asked for exact dependencies or for deferral; otherwise no value ever has such a
mark. Even then nothing else sees one: nodes are evaluated in the ordinary way, and here their expressions are evaluated
once more, in a scope where resources are marked and where locals, variables and outputs are the marked values of a
table kept here. So a mark cannot affect the outcome.

Marks follow the rules of the language for marks; what these rules drop is added again (`lost_marks.py`). For a
conditional only the branch taken counts, and for `length(...)` only what decided the length.

Dependencies are sound, and at most those of the references (`new_engine.discovery.dependencies`). The cost is that of
evaluating everything twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from new_engine.compat.exact_dependencies.lost_marks import find_lost_marks, marks_of_references
from new_engine.compat.exact_dependencies.marks import (
    DEFERRED,
    InstanceMark,
    attach_dependencies,
    dependency_marks,
    marked_instances,
)
from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ModuleInstance, ModulePath, ModuleStep
from shared_nodes.addresses.references import (
    InputVariable,
    LocalValue,
    ModuleCall,
    ModuleOutput,
    Reference,
    ResourceInstance,
    parse_reference,
)
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource, Resource
from shared_nodes.addresses.resource_sets import ResourceSets
from shared_nodes.config.blocks import OutputBlock, ProvisionerWhen, ResourceBlock
from shared_nodes.config.blocks.variable import Variable
from shared_nodes.config.module import LocalDeclaration
from shared_nodes.config.provider_configurations import ProviderConfiguration
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import Repeatable, deciding_argument
from shared_nodes.context.scope import ModuleScope, ValueSource
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError
from shared_nodes.values.marks import NO_MARKS, Marks
from shared_nodes.values.types import SetType
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, object_of, tuple_of

__all__ = ["ValueOrigins"]


class ValueOrigins:
    """The marked values of one operation. Those of a node are recorded after it was evaluated, so that they exist when
    something refers to the node: nothing here waits, and no chain is followed recursively."""

    __slots__ = (
        "_below",
        "_context",
        "_deciding",
        "_direct",
        "_locals",
        "_modules",
        "_of_resource",
        "_outputs",
        "_providers",
        "_scopes",
        "_sets",
        "_variables",
    )

    def __init__(self, context: NodeContext) -> None:
        self._context = context
        self._locals: dict[tuple[ModuleInstance, str], Value] = {}
        self._variables: dict[tuple[ModuleInstance, str], Value] = {}
        self._outputs: dict[tuple[ModuleInstance, str], Value] = {}
        self._deciding: dict[AbsResource | ModuleInstance, Value | None] = {}
        self._modules: dict[ModuleInstance, Marks] = {}
        self._providers: dict[ProviderConfiguration, Marks] = {}
        self._scopes: dict[ModuleInstance, ModuleScope] = {}
        self._direct: dict[AbsResourceInstance, frozenset[AbsResourceInstance]] = {}
        self._of_resource: dict[AbsResource, list[AbsResourceInstance]] = defaultdict(list)
        self._below: dict[AbsResourceInstance, int] = {}
        nodes = context.config.walk()
        self._sets = ResourceSets(ConfigResource(node.path, each) for node in nodes for each in node.module.resources)

    # Questions of other modules

    def record_local(self, path: ModulePath, declaration: LocalDeclaration) -> None:
        """Record what a local was computed from, in each instance of its module."""
        for module in self._context.expander.modules(path):
            marked = self.evaluate(self._scope(module), declaration.expression)
            ordinary = self._context.working.locals[module, declaration.name]
            self._locals[module, declaration.name] = attach_dependencies(marked, ordinary)

    def record_variable(self, path: ModulePath, declaration: Variable) -> None:
        """Record what a variable was computed from, in each instance of its module."""
        for module in self._context.expander.modules(path):
            self._record_variable(module, declaration)

    def record_output(self, path: ModulePath, block: OutputBlock) -> None:
        """Record what an output was computed from, in each instance of its module, including what the module and the
        output wait for."""
        for module in self._context.expander.modules(path):
            marked = self.evaluate(self._scope(module), block.expression)
            waited = self._module_marks(module) | self._marks_of_depends_on(module, block.depends_on)
            recorded = self._context.working.outputs_of(module).get(block.name)
            ordinary = DYNAMIC_UNKNOWN if recorded is None else recorded.value
            self._outputs[module, block.name] = attach_dependencies(marked, ordinary).with_marks(waited)

    def record_instance(
        self, instance: AbsResourceInstance, block: ResourceBlock, provider: ProviderConfiguration | None
    ) -> Marks:
        """Record everything that the configuration of an instance depends on, and return it as marks. The instance's
        own values are not needed for that, so this can be called before they exist."""
        marks = self._configuration(instance, block) | self._module_marks(instance.module)
        if provider is not None:
            marks |= self._provider_marks(provider)
        direct = self._direct[instance] = marked_instances(marks) - {instance}
        self._of_resource[instance.containing].append(instance)
        below = 0
        for other in direct:
            below |= self._sets.of(other.config) | self._below.get(other, 0)
        self._below[instance] = below & ~self._sets.of(instance.config)
        return marks

    def in_order(self) -> Iterable[AbsResourceInstance]:
        """All instances that were planned, each after those it was computed from."""
        return self._direct

    def direct(self, instance: AbsResourceInstance) -> frozenset[AbsResourceInstance]:
        """Return the instances that one was computed from directly."""
        return self._direct[instance]

    def dependencies(self, instance: AbsResourceInstance) -> tuple[ConfigResource, ...]:
        """Return everything an instance depends on, directly or not, as resources: that is what a state file can
        record."""
        return self._sets.members(self._below.get(instance, 0))

    def output_marks(self, module: ModuleInstance, block: OutputBlock) -> Marks:
        """Return what an output is computed from. Its own value is not needed, so this can be called before that
        exists."""
        return self._deep_marks_of(self._scope(module), block.expression)

    # Values

    def _record_variable(self, module: ModuleInstance, declaration: Variable) -> None:
        node = self._context.config.at(module.path)
        assert node is not None
        assert node.call is not None
        argument = node.call.body.attributes.get(declaration.name)
        if argument is None:
            return
        scope = replace(self._scope(module.parent), repetition=self._module_data(module))
        marked = self.evaluate(scope, argument.expression)
        ordinary = self._context.variables[module, declaration.name]
        try:
            accepted = declaration.accept(marked)
        except ConversionError:
            accepted = marked
        lost = dependency_marks(marked.deep_marks()) - accepted.deep_marks()
        self._variables[module, declaration.name] = attach_dependencies(accepted.with_marks(lost), ordinary)

    def evaluate(self, scope: ModuleScope, expression: tree.Expression) -> Value:
        """Evaluate in a scope of marked values. If that fails, the value may have been computed from anything the
        expression names."""
        value, problems = scope.evaluate(expression)
        if has_errors(problems):
            return DYNAMIC_UNKNOWN.with_marks(marks_of_references(scope, expression))
        match expression:
            case tree.Parentheses(inner=inner):
                return self.evaluate(scope, inner)
            case tree.TupleConstructor(items=items):
                return tuple_of([self.evaluate(scope, item) for item in items])
            case tree.ObjectConstructor(items=items):
                literal = {item.literal_key: self.evaluate(scope, item.value) for item in items}
                if None not in literal:
                    return object_of({str(key): part for key, part in literal.items()})
        return value.with_marks(find_lost_marks(scope, expression, value))

    def _scope(self, module: ModuleInstance) -> ModuleScope:
        scope = self._scopes.get(module)
        if scope is None:
            ordinary = self._context.scope(module)
            scope = self._scopes[module] = replace(ordinary, names=_MarkedValues(self, module, ordinary.names))
        return scope

    def local(self, module: ModuleInstance, name: str) -> Value | None:
        return self._locals.get((module, name))

    def variable(self, module: ModuleInstance, name: str) -> Value | None:
        return self._variables.get((module, name))

    def resource(self, address: AbsResource, ordinary: Value) -> Value:
        """Return the value of a whole resource: each instance has its own mark, and the whole has the marks of what
        decided which instances exist."""
        if address in self._context.unsettled:
            return ordinary.mark(DEFERRED).with_marks(self._deciding_marks(address))
        node = self._context.config.at(address.module.path)
        assert node is not None
        kind = node.module.resources[address.resource].repetition
        if kind is None:
            return ordinary.mark(InstanceMark(address.instance(None))).with_marks(self._deciding_marks(address))
        if not ordinary.is_known:
            return ordinary.with_marks(frozenset(InstanceMark(each) for each in self._of_resource[address]))
        if kind == "count":
            whole = tuple_of(
                [element.mark(InstanceMark(address.instance(index))) for index, element in enumerate(ordinary.payload)]
            )
        else:
            whole = object_of(
                {key: element.mark(InstanceMark(address.instance(key))) for key, element in ordinary.payload.items()}
            )
        return whole.with_marks(ordinary.marks | self._deciding_marks(address))

    def module(self, parent: ModuleInstance, name: str, ordinary: Value) -> Value:
        if parent.child(name) in self._context.unsettled:
            return ordinary.mark(DEFERRED).with_marks(self._deciding_marks(parent.child(name)))
        repetition = self._context.expander.call(parent, name)
        if repetition.kind == "count":
            parts = zip(repetition.keys, ordinary.payload, strict=True)
            whole = tuple_of([self._outputs_of(parent.child(name, key), value) for key, value in parts])
        elif repetition.kind == "for_each":
            named = ordinary.payload.items()
            whole = object_of({key: self._outputs_of(parent.child(name, key), value) for key, value in named})
        else:
            whole = ordinary if ordinary.is_null else self._outputs_of(parent.child(name), ordinary)
        return whole.with_marks(self._deciding_marks(parent.child(name)))

    def _outputs_of(self, module: ModuleInstance, ordinary: Value) -> Value:
        parts = {}
        for name, value in ordinary.payload.items():
            marked = self._outputs.get((module, name))
            parts[name] = value if marked is None else attach_dependencies(marked, value)
        return object_of(parts)

    # What decides which instances there are

    def _decide(self, address: AbsResource | ModuleInstance, module: ModuleInstance, block: Repeatable) -> None:
        """Evaluate what decides. In the meantime nothing does: the argument may refer to its own resource."""
        if address not in self._deciding:
            self._deciding[address] = None
            expression = deciding_argument(block)
            if expression is not None:
                self._deciding[address] = self.evaluate(self._scope(module), expression)

    def _deciding_marks(self, address: AbsResource | ModuleInstance) -> Marks:
        """Return what decided which instances exist: the marks of the collection as a whole, since elements decide no
        key. The address of a call has no key."""
        if isinstance(address, AbsResource):
            node = self._context.config.at(address.module.path)
            assert node is not None
            self._decide(address, address.module, node.module.resources[address.resource])
        else:
            node = self._context.config.at(address.path)
            assert node is not None
            assert node.call is not None
            self._decide(address, address.parent, node.call)
        value = self._deciding[address]
        return NO_MARKS if value is None else dependency_marks(value.marks)

    def _repetition_data(
        self, address: AbsResource | ModuleInstance, repetition: Repetition, key: InstanceKey
    ) -> Mapping[str, Mapping[str, Value]]:
        """Return `count` and `each`, which reveal something about what decided the instances."""
        marks = self._deciding_marks(address)
        decided = self._deciding[address]
        found = {}
        for root, attributes in repetition.data(key).items():
            marked = {name: value.with_marks(marks) for name, value in attributes.items()}
            if root == "each" and decided is not None and not isinstance(decided.type, SetType):
                element = decided.payload.get(key) if isinstance(decided.payload, dict) else None
                if element is not None:
                    marked["value"] = attach_dependencies(element, attributes["value"]).with_marks(marks)
            found[root] = marked
        return found

    def _module_data(self, module: ModuleInstance) -> Mapping[str, Mapping[str, Value]]:
        parent, name = module.call
        return self._repetition_data(
            parent.child(name), self._context.expander.call(parent, name), module.steps[-1].key
        )

    # What instances are configured by

    def _configuration(self, instance: AbsResourceInstance, block: ResourceBlock) -> Marks:
        address, module = instance.containing, instance.module
        marks = self._deciding_marks(address) | self._marks_of_depends_on(module, block.depends_on)
        repetition = self._context.expander.resource(address)
        scope = replace(self._scope(module), repetition=self._repetition_data(address, repetition, instance.key))
        marks |= self._body(scope, block.body)
        for expression in block.lifecycle.replace_triggered_by:
            marks |= self._deep_marks_of(scope, expression)
        scope = scope.with_self(DYNAMIC_UNKNOWN)
        for rule in (*block.lifecycle.preconditions, *block.lifecycle.postconditions):
            marks |= self._deep_marks_of(scope, rule.condition) | self._deep_marks_of(scope, rule.error_message)
        created = [each for each in block.provisioners if each.when is ProvisionerWhen.CREATE]
        bodies = [block.connection, *(part for each in created for part in (each.body, each.connection))]
        for body in bodies:
            marks |= NO_MARKS if body is None else self._body(scope, body)
        return marks

    def _deep_marks_of(self, scope: ModuleScope, expression: tree.Expression) -> Marks:
        return dependency_marks(self.evaluate(scope, expression).deep_marks())

    def _body(self, scope: ModuleScope, body: tree.Body) -> Marks:
        marks = NO_MARKS
        for attribute in body.attributes.values():
            marks |= self._deep_marks_of(scope, attribute.expression)
        for block in body.blocks:
            if block.type == "dynamic":
                for expression in _expressions(block.body):
                    marks |= marks_of_references(scope, expression)
            else:
                marks |= self._body(scope, block.body)
        return marks

    def _provider_marks(self, provider: ProviderConfiguration) -> Marks:
        """Return the marks of everything a provider was configured with: it may compute anything from that."""
        if provider not in self._providers:
            module = ModuleInstance(tuple(ModuleStep(name) for name in provider.config.module.names))
            marks = NO_MARKS
            if provider.block is not None:
                marks = self._body(self._scope(module), provider.block.body)
            self._providers[provider] = marks
        return self._providers[provider]

    def _module_marks(self, module: ModuleInstance) -> Marks:
        """Return what everything in a module instance waits for: what its call depends on, and what decided that it
        exists."""
        if not module.steps:
            return NO_MARKS
        if module not in self._modules:
            node = self._context.config.at(module.path)
            assert node is not None
            assert node.call is not None
            parent, name = module.call
            marks = self._marks_of_depends_on(parent, node.call.depends_on) | self._deciding_marks(parent.child(name))
            self._modules[module] = marks | self._module_marks(parent)
        return self._modules[module]

    # What `depends_on` names

    def _marks_of_depends_on(self, module: ModuleInstance, traversals: Iterable[tree.Traversal]) -> Marks:
        """Return the marks of what `depends_on` names. Undeclared names have none; whether they are a mistake is
        decided elsewhere."""
        marks = NO_MARKS
        for traversal in traversals:
            scope = self._scope(module)
            reference = parse_reference(traversal, scope.flavour)
            if isinstance(reference, Reference) and not scope.check([reference]):
                marks |= self._marks_behind(module, reference)
        return marks

    def _marks_behind(self, module: ModuleInstance, reference: Reference) -> Marks:
        """For a module, return the marks of everything below it, whatever its outputs are; for an instance, only its
        own."""
        match reference.subject:
            case Resource() as resource:
                address = AbsResource(module, resource)
                return _marks(self._of_resource[address]) | self._deferred_mark(address) | self._deciding_marks(address)
            case ResourceInstance(resource, key):
                address = AbsResource(module, resource)
                return _marks([address.instance(key)]) | self._deferred_mark(address)
            case ModuleCall(name, key) | ModuleOutput(ModuleCall(name, key)):
                call = module.child(name)
                inside = [each for each in self._direct if _is_inside(each.module, module, name, key)]
                inside = [each for each in inside if not self._outlasts_module(each)]
                return _marks(inside) | self._deferred_mark(call) | self._deciding_marks(call)
            case InputVariable(name):
                return dependency_marks(self._scope(module).names.variable(name).deep_marks())
            case LocalValue(name):
                return dependency_marks(self._scope(module).names.local(name).deep_marks())
        return NO_MARKS

    def _outlasts_module(self, instance: AbsResourceInstance) -> bool:
        """Whether the module of an instance ends before the instance. Data of a check waits for every change, so that
        waiting for it would be a cycle."""
        if not self._context.flavour.modules_close_before_checks:
            return False
        node = self._context.config.at(instance.module.path)
        block = None if node is None else node.module.resources.get(instance.resource)
        return block is not None and block.check is not None

    def _deferred_mark(self, address: AbsResource | ModuleInstance) -> Marks:
        return frozenset([DEFERRED]) if address in self._context.unsettled else NO_MARKS


def _marks(instances: Iterable[AbsResourceInstance]) -> Marks:
    return frozenset([InstanceMark(instance) for instance in instances])


def _is_inside(module: ModuleInstance, parent: ModuleInstance, name: str, key: InstanceKey) -> bool:
    depth = len(parent.steps)
    if len(module.steps) <= depth or not parent.contains(module):
        return False
    step = module.steps[depth]
    return step.name == name and (key is None or step.key == key)


@record
class _MarkedValues:
    """The names of a module instance, with marked values if there are any."""

    _origins: ValueOrigins
    _module: ModuleInstance
    _ordinary: ValueSource
    _resources: dict[Resource, tuple[Value, Value]] = field(default_factory=dict)
    """For each resource, the ordinary value and the marked value made from it: a resource is read often and seldom
    changes in between."""

    def variable(self, name: str) -> Value:
        marked = self._origins.variable(self._module, name)
        return self._ordinary.variable(name) if marked is None else marked

    def local(self, name: str) -> Value:
        marked = self._origins.local(self._module, name)
        return self._ordinary.local(name) if marked is None else marked

    def resource(self, resource: Resource) -> Value:
        ordinary = self._ordinary.resource(resource)
        known = self._resources.get(resource)
        if known is None or known[0] is not ordinary:
            known = ordinary, self._origins.resource(AbsResource(self._module, resource), ordinary)
            self._resources[resource] = known
        return known[1]

    def module(self, name: str) -> Value:
        return self._origins.module(self._module, name, self._ordinary.module(name))

    def path(self, name: str) -> Value:
        return self._ordinary.path(name)

    def terraform(self, name: str) -> Value:
        return self._ordinary.terraform(name)


def _expressions(body: tree.Body) -> Iterator[tree.Expression]:
    yield from (attribute.expression for attribute in body.attributes.values())
    for block in body.blocks:
        yield from _expressions(block.body)
