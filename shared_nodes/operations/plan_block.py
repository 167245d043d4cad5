"""Planning a resource block: which of its instances are to be planned, and which objects of the state are not wanted.

The sequence decides which mistakes a user sees first, so both engines share it: imports are resolved, the block is
expanded in each instance of its module, requests for replacement are matched, and imports must lead to instances that
exist. Each engine then plans what is found here in its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import ResourceExpansion, expand_resource
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.statements.import_targets import ImportTarget
from shared_nodes.nodes.statements.imports import expand_imports, imports_of_missing_instances
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.plan.importing import ImportKey
from shared_nodes.plan.targets import contains_any, incomplete_replacement, selects
from shared_nodes.record import record

__all__ = ["BlockToPlan", "ExpandedBlock", "InstanceFilter", "expand_block", "report_checked_instances"]


def _never(_address: object) -> bool:
    return False


@record
class BlockToPlan:
    """A resource block to plan. `is_resource_deferred` and `is_module_deferred` are for engines that can postpone a
    resource, or everything in a module instance, to a later run."""

    address: ConfigResource
    block: ResourceBlock
    provider: AbsProviderConfig
    imports: tuple[ImportTarget, ...] = ()
    is_resource_deferred: Callable[[AbsResource], bool] = _never
    is_module_deferred: Callable[[ModuleInstance], bool] = _never


@record
class ExpandedBlock:
    """What is to be planned for a block. `in_lost_modules` are objects whose module instance no longer exists.
    `resources` has the block in each existing module instance: the wanted instances, and the objects of the state whose
    key is not wanted any more."""

    in_lost_modules: Sequence[AbsResourceInstance] = ()
    resources: Sequence[tuple[Sequence[AbsResourceInstance], Sequence[AbsResourceInstance]]] = ()
    import_keys: Mapping[AbsResourceInstance, ImportKey] = field(default_factory=dict)

    @property
    def wanted(self) -> list[AbsResourceInstance]:
        return [instance for wanted, _ in self.resources for instance in wanted]


async def expand_block(
    context: NodeContext, inputs: PlanInput, request: BlockToPlan
) -> tuple[ExpandedBlock, list[Diagnostic]]:
    """Return what is to be planned for a block. If there are errors, nothing is to be planned."""
    imports, problems = expand_imports(context, request.imports, request.block)
    at_the_end = context.flavour.imports_are_resolved_when_planning
    if has_errors(problems) and not at_the_end:
        return ExpandedBlock(), problems
    modules = context.expander.modules(request.address.module)
    resources = []
    for module in modules:
        address = AbsResource(module, request.address.resource)
        if request.is_resource_deferred(address):
            continue
        found = await expand_resource(context, ResourceExpansion(address, request.block, request.provider))
        problems += found
        if has_errors(found):
            continue
        wanted = [address.instance(key) for key in context.expander.resource(address).keys]
        resources.append((wanted, list(_without_key(context, inputs, address))))
        problems += incomplete_replacement(context.options.force_replace, address, wanted)
    if not has_errors(problems) and not at_the_end:
        settled = [instance for instance in imports if instance.containing not in context.unsettled]
        problems += imports_of_missing_instances(context, settled)
    lost = list(_in_lost_modules(inputs, request, modules))
    return ExpandedBlock(lost, resources, dict(imports)), problems


def report_checked_instances(
    context: NodeContext, address: ConfigResource, block: ResourceBlock, wanted: Sequence[AbsResourceInstance]
) -> None:
    """Declare the instances whose conditions will be checked, before any of them can fail."""
    if block.lifecycle.has_conditions:
        context.checks.report_objects(str(address), map(str, wanted))


def _without_key(context: NodeContext, inputs: PlanInput, address: AbsResource) -> Iterator[AbsResourceInstance]:
    record = inputs.state.resources.get(address)
    if record is None:
        return
    keys = set(context.expander.resource(address).keys)
    for key in record.keys_in_order():
        if record.instances[key].current is not None and key not in keys:
            yield address.instance(key)


def _in_lost_modules(
    inputs: PlanInput, request: BlockToPlan, modules: Sequence[ModuleInstance]
) -> Iterator[AbsResourceInstance]:
    """Yield the objects whose module instance no longer exists. Quirk `targets-miss-lost-modules`: targets do not apply
    to these."""
    if not request.address.module.names:
        return
    existing = set(modules)
    for address in inputs.state_resources(request.address):
        if address.module not in existing and not request.is_module_deferred(address.module):
            record = inputs.state.resources[address]
            for key in record.keys_in_order():
                if record.instances[key].current is not None:
                    yield address.instance(key)


class InstanceFilter:
    """Selects the instances of a block that targets and exclusions leave. A block that is planned only because a target
    needs it keeps all its instances."""

    __slots__ = ("_excludes", "_targets")

    def __init__(self, inputs: PlanInput, block: ConfigResource) -> None:
        self._targets = inputs.targets if selects(inputs.targets, block) else ()
        self._excludes = inputs.excludes

    def keeps(self, instance: AbsResourceInstance) -> bool:
        if self._targets and not contains_any(self._targets, instance):
            return False
        return not (self._excludes and contains_any(self._excludes, instance))
