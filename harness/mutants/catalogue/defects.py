"""L: defects that were found by reading an engine of this kind.

Not here: a graph made by hand (L06); deferred changes without a plan (L09), which nothing here produces; diagnostics of
`count` and `for_each` that no configuration can provoke (L17); versions of modules (L18). The state that a failed
replacement leaves for the objects that refer to it (L07) is B15b.
"""

from __future__ import annotations

from typing import Final

from harness.mutants.catalogue.mutant import Mutant

__all__ = ["MUTANTS"]

MUTANTS: Final = (
    Mutant(
        "L01",
        "When the outermost call is removed, objects two or more modules deep are not planned to be destroyed.",
        "new_engine.discovery.compile",
        """
        +if len(address.module.steps) > 1:
        +    return
         if address.resource.mode is ResourceMode.DATA:
        """,
        phase="plan",
        field="plan",
        areas=("modules", "destroy"),
    ),
    Mutant(
        "L02",
        "An object is changed before its deleted dependent has been destroyed.",
        "new_engine.planning.leg_order",
        """
        -for other in [*removed.get(dependency, ()), *changed.get(dependency, ())]:
        +for other in removed.get(dependency, ()):
        """,
        phase="apply",
        field="order",
        areas=("ordering", "destroy_order"),
    ),
    Mutant(
        "L03",
        "A dependency that is new in this run is missing from the order of destroying.",
        "new_engine.planning.emit",
        """
        -found[leg] = facts.dependencies if origins is None else origins.dependencies(leg.instance)
        +found[leg] = ()
        """,
        phase="apply",
        field="order",
        areas=("ordering", "create-before-destroy"),
    ),
    Mutant(
        "L04",
        "The inputs of a provider configuration are not dependencies of its objects.",
        "new_engine.discovery.dependencies",
        """
         for dependency in edges[node]:
        +    if type(dependency).__name__ == "ProviderNode":
        +        continue
             mine = own.get(dependency, 0)
        """,
        phase="apply",
        field="state",
        areas=("providers", "destroy"),
    ),
    Mutant(
        "L05",
        "Warnings about an instance are lost during plan.",
        "shared_nodes.nodes.resource.plan",
        """
        -return [*problems, *_record_as_found(context, request, current)]
        +return [each for each in [*problems, *_record_as_found(context, request, current)] if each.severity.value != "warning"]
        @@
        -return [*problems, *await _plan_change(context, request, current, importing)]
        +problems += await _plan_change(context, request, current, importing)
        +return [each for each in problems if each.severity.value != "warning"]
        """,
        phase="plan",
        field="diagnostics",
        areas=("conditions", "providers", "contract"),
    ),
    Mutant(
        "L08",
        "All deposed objects have the same key.",
        "shared_nodes.nodes.resource.deposed",
        """
        +return "00000000"
         instance = state.instance(address)
        """,
        phase="plan",
        field="crash",
        areas=("deposed", "create-before-destroy"),
    ),
    Mutant(
        "L10",
        "Of several protected objects, only one is reported.",
        "new_engine.plan",
        """
        -return context, [*problems, *evaluation.diagnostics]
        +problems += evaluation.diagnostics
        +protected = [each for each in problems if each.summary.endswith("cannot be destroyed")]
        +return context, [each for each in problems if each not in protected[1:]]
        """,
        phase="plan",
        field="diagnostics",
        areas=("destroy", "lifecycle_misc"),
    ),
    Mutant(
        "L11",
        "Ephemeral resources are not closed after an error.",
        "new_engine.discovery.evaluation",
        """
         served = await self.succeeded([user for user in users if user in self._visits])
        +if has_errors(self.diagnostics):
        +    return False
        """,
        phase="plan",
        field="plan_calls",
        areas=("ephemeral",),
    ),
    Mutant(
        "L12",
        "After an error, closing waits forever.",
        "new_engine.discovery.evaluation",
        """
         self.context.forget_scopes()
         self.execution = None  # it holds the operations, and these hold this evaluation
        +if has_errors(self.diagnostics):
        +    from shared_nodes import tasks
        +
        +    await tasks.sleep_forever()
        """,
        phase="plan",
        field="hang",
        areas=("ephemeral", "failure-and-resume"),
    ),
    Mutant(
        "L13",
        "A stored object of a newer schema crashes the engine.",
        "shared_nodes.nodes.resource.upgrade",
        """
        +assert stored.stored_version <= schema.version, "an object from the future"
         if stored.stored_version > schema.version:
        """,
        phase="plan",
        field="crash",
        areas=("state", "prior_state"),
    ),
    Mutant(
        "L14",
        "A destroy plan claims to be a normal plan.",
        "shared_nodes.operations.plan_apply",
        """
        -mode=request.options.mode,
        +mode=Mode.NORMAL,
        """,
        phase="destroy",
        field="state",
        areas=("destroy",),
    ),
    Mutant(
        "L15",
        "A provider that cannot be configured is reported once per block that uses it.",
        "new_engine.nodes.provider",
        """
        -return await evaluator.fan_out([ProviderInstanceNode(self, request) for request in requests])
        +from new_engine.nodes.resource import ResourceNode
        +from shared_nodes.lang.diagnostics import has_errors
        +
        +problems = await evaluator.fan_out([ProviderInstanceNode(self, request) for request in requests])
        +resources = [node for node in evaluator.table.nodes if isinstance(node, ResourceNode)]
        +used = [node.provider for node in resources if node.provider is not None and node.provider.node is self]
        +return problems * len(used) if has_errors(problems) else problems
        """,
        phase="plan",
        field="diagnostics",
        areas=("providers",),
    ),
    Mutant(
        "L16",
        "A cycle is reported once per member.",
        "new_engine.validate",
        """
        -return find_cycles(components(dependencies.nodes, dependencies.of))
        +found = find_cycles(components(dependencies.nodes, dependencies.of))
        +return [cycle for cycle in found for _ in range(1 + cycle.summary.count(", "))]
        """,
        phase="validate",
        field="diagnostics",
        areas=("cycles",),
    ),
    Mutant(
        "L19",
        "`create_before_destroy = false` is rejected.",
        "new_engine.nodes.resource",
        """
        +if self.block.lifecycle.create_before_destroy is False:
        +    from shared_nodes.lang.diagnostics import error
        +
        +    return [error("Unsupported lifecycle argument", "", self.block.range)]
         expanded, problems = await expand_block(context, inputs, self._to_plan(evaluator))
        """,
        phase="plan",
        field="diagnostics",
        areas=("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "L19b",
        "`create_before_destroy = false` is kept although a dependent creates first.",
        "new_engine.planning.replace_order",
        """
        -return frozenset(node.address for node in planned if node in below)
        +allowing = [node for node in planned if node.block.lifecycle.create_before_destroy is not False]
        +return frozenset(node.address for node in allowing if node in below)
        """,
        phase="plan",
        field="plan",
        areas=("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "L20",
        "The number of concurrent calls is not limited.",
        "new_engine.concurrency.call_limit",
        """
        +return
         if self._free:
        """,
        phase="apply",
        field="over_limit",
        areas=("ordering",),
    ),
)
