"""S: places where an order or a rule is easily turned round, in either engine.

The first 24 are the positions that reading the engine that is replaced suggests; the others are those of the promise
engine's own parts, and of the graph engine's. Not here: reading data that a refresh-only plan puts off (S23), since
such a plan has no changes to wait for; and the private data a replacement is planned with (S24), since no provider
here looks at those of a predecessor.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final

from harness.mutants.mutant import Mutant
from harness.mutants.patches import answers, answers_later, changes, is_a
from shared_nodes.addresses.resource import AbsResource
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Severity, error
from shared_nodes.nodes.resource.ignore_changes import apply_ignore_changes
from shared_nodes.plan.change import Action, ActionReason
from shared_nodes.state.model import ObjectStatus
from shared_nodes.values.value import tuple_of

__all__ = ["MUTANTS"]

Function = Callable[..., Any]


def _dependencies_go_first(original: Function) -> Function:
    def broken(legs: Any, recorded: Any, is_reachable: Any) -> Any:
        turned: Any = defaultdict(dict)
        for waiting, others in original(legs, recorded, is_reachable).items():
            for other in others:
                first, second = (other, waiting) if waiting.is_removal and other.is_removal else (waiting, other)
                turned[first][second] = None
        return turned

    return broken


def _by_configuration(original: Function) -> Function:
    def broken(compiled: Any, legs: Any, marking: Any) -> Any:
        found = original(compiled, legs, marking)
        declared = [leg for leg in found if leg.declared is not None]
        return {**found, **{leg: compiled.analysis.of(leg.address).dependencies for leg in declared}}

    return broken


def _record_ignored_without_block(original: Function) -> Function:
    def broken(compiled: Any, leg: Any) -> Any:
        return original(compiled, leg) and (leg.block is not None or leg.leg.deposed is not None)

    return broken


def _forced_upon_dependents(_original: Function) -> Function:
    def broken(compiled: Any, nodes: Any) -> Any:
        planned = [node for node in nodes if is_a(node, "PlanResource")]
        asking = [node for node in planned if node.block.lifecycle.create_before_destroy]
        above = compiled.reach.all_above(asking)
        return frozenset(node.address for node in planned if node in asking or node in above)

    return broken


def _taint_ignored(original: Function) -> Function:
    def broken(planning: Any, current: Any, intent: Any) -> Any:
        current = current if current is None else replace(current, status=ObjectStatus.READY)
        return original(planning, current, intent)

    return broken


def _ignored_for_successors(original: Function) -> Function:
    def broken(planning: Any, first: Any) -> Any:
        current = planning.context.refreshed.current(planning.instance.address)
        if current is None or current.value is None:
            return original(planning, first)
        lifecycle = planning.instance.block.lifecycle
        config = apply_ignore_changes(lifecycle, planning.schema, current.value, planning.config)
        return original(replace(planning, config=config), first)

    return broken


def _all_named_paths(_original: Function) -> Function:
    return lambda prior, _planned, required: (() if prior.is_null else tuple(dict.fromkeys(required)), [])


def _has_failed_postcondition(problems: Any) -> bool:
    return any(problem.summary == "Resource postcondition failed" for problem in problems)


def _saved_after_postconditions(original: Function) -> Function:
    async def broken(context: Any, request: Any, settled: Any, deposed_key: Any) -> Any:
        problems = await original(context, request, settled, deposed_key)
        if _has_failed_postcondition(problems):
            context.working.put(request.address, request.provider, settled.current)
        return problems

    return broken


def _tainted_by_postconditions(original: Function) -> Function:
    async def broken(context: Any, request: Any, settled: Any, deposed_key: Any) -> Any:
        problems = await original(context, request, settled, deposed_key)
        current = context.working.current(request.address)
        if current is not None and _has_failed_postcondition(problems):
            tainted = replace(current, status=ObjectStatus.TAINTED)
            context.working.put(request.address, request.provider, tainted)
        return problems

    return broken


def _constants_survive(original: Function) -> Function:
    return lambda kept, output, reach: original(kept, output, reach) or not reach.dependencies[output]


def _doomed_are_seen(original: Function) -> Function:
    def broken(names: Any, resource: Any, current: Any, change: Any) -> Any:
        is_doomed = change is not None and change.action is Action.DELETE
        return original(names, resource, current, None if is_doomed else change)

    return broken


def _counted_by_expander(original: Function) -> Function:
    def broken(names: Any, resource: Any, instances: Any) -> Any:
        value = original(names, resource, instances)
        wanted = names._context.expander.known_resource(AbsResource(names._module, resource))
        if wanted is None or wanted.kind != "count" or len(wanted.keys) <= len(value.payload):
            return value
        missing = names._unknown_instance(resource)
        return tuple_of([*value.payload, *[missing] * (len(wanted.keys) - len(value.payload))])

    return broken


def _without_nested_ends(original: Function) -> Function:
    def broken(compiled: Any, module: Any) -> Iterator[Any]:
        return (node for node in original(compiled, module) if not is_a(node, "ModuleEnd"))

    return broken


def _warnings_fail(_original: Function) -> Function:
    async def broken(evaluation: Any, node: Any) -> bool:
        if not await evaluation.succeeded(evaluation.compiled.dependencies(node)):
            return False
        problems = await node.evaluate(evaluation)
        evaluation.diagnostics.extend(problems)
        return not problems

    return broken


def _consequences_told(original: Function) -> Function:
    async def broken(evaluation: Any, node: Any) -> Any:
        if not await evaluation.succeeded(evaluation.compiled.dependencies(node)):
            evaluation.diagnostics.append(error(f"{node.name}: a dependency failed"))
            return False
        return await original(evaluation, node)

    return broken


def _blocked_moves_overwrite(original: Function) -> Function:
    def broken(state: Any, source: Any, target: Any, results: Any) -> Any:
        if state.instance(target) is not None:
            del state.resources[target.containing].instances[target.key]
        return original(state, source, target, results)

    return broken


def _implied_for_any_repetition(original: Function) -> Function:
    def broken(config: Any, state: Any, explicit: Any) -> Any:
        def resource(address: Any) -> Any:
            block = config.resource(address)
            if block is None or block.for_each is None:
                return block
            return replace(block, count=block.for_each, for_each=None)

        return original(SimpleNamespace(resource=resource), state, explicit)

    return broken


_SWAPPED: Final = {
    ActionReason.DELETE_NO_MOVE_TARGET: ActionReason.DELETE_NO_RESOURCE_CONFIG,
    ActionReason.DELETE_NO_RESOURCE_CONFIG: ActionReason.DELETE_NO_MOVE_TARGET,
}


def _never_turned(_original: Function) -> Function:
    return lambda edges, _creates_first: edges


def _only_direct(original: Function) -> Function:
    def broken(reach: Any, legs: Any) -> Any:
        positions = {leg: 1 << index for index, leg in enumerate(legs)}
        found = original(reach, legs)
        direct = {leg: sum(positions.get(node, 0) for node in dict.fromkeys(reach.dependencies[leg])) for leg in legs}
        return {leg: found[leg] & direct[leg] for leg in legs}

    return broken


def _waiters_ignored(original: Function) -> Function:
    def broken(execution: Any, operation: Any, own: Any) -> Any:
        operands = tuple(ref for ref in operation.operands if ref is None or ref.kind.name != "WAITER")
        return original(execution, operation._replace(operands=operands), own)

    return broken


def _flags_lost_in_file(original: Function) -> Function:
    def broken(record: Any) -> Iterator[Any]:
        return ((instance, kept._replace(create_before_destroy=False)) for instance, kept in original(record))

    return broken


def _only_direct_dependencies(_original: Function) -> Function:
    return lambda graph, instance: graph.resources[instance.config].depends_on


def _checked_while_planning_only(original: Function) -> Function:
    async def broken(check: Any, evaluation: Any) -> Any:
        return () if evaluation.context.operation.is_applying else await original(check, evaluation)

    return broken


def _became_nothing_refused(original: Function) -> Function:
    def broken(context: Any, request: Any, planned: Any, actual: Any, schema: Any) -> Iterator[Any]:
        if planned.action is Action.UPDATE and actual.action is Action.NO_OP:
            yield error("Provider produced inconsistent final plan")
        yield from original(context, request, planned, actual, schema)

    return broken


def _stays_in_state(_original: Function) -> Function:
    async def broken(_context: Any, _request: Any) -> Any:
        return []

    return broken


def _first_leg_of_instance(original: Function) -> Function:
    def broken(change: Any, config: Any, new_key: Any) -> Any:
        legs = list(original(change, config, new_key))
        return legs[:1] if change.action is Action.DELETE_THEN_CREATE else legs

    return broken


def _by_configuration_in_graph(original: Function) -> Function:
    def broken(vertex: Any) -> Any:
        return getattr(vertex, "dependencies", None) or original(vertex)

    return broken


def _without_dependencies_of_creators(original: Function) -> Function:
    def broken(vertex: Any, *groups: Any) -> Any:
        return () if len(groups) == 1 else original(vertex, *groups)

    return broken


def _errors_of_data_stay(problems: Any) -> Any:
    return [replace(problem, severity=Severity.ERROR) for problem in problems]


def _sensitivity_unnoticed(original: Function) -> Function:
    def broken(decision: Any, *arguments: Any, **named: Any) -> Any:
        settled = original(decision, *arguments, **named)
        was_nothing = decision.action is Action.NO_OP and settled.action is Action.UPDATE
        return decision if was_nothing else settled

    return broken


def _siblings_see_each_other(_original: Function) -> Function:
    return lambda _vertex, namesakes: namesakes.everything


def _undeclared_outputs_stay(original: Function) -> Function:
    def broken(self: Any, node: Any, **named: Any) -> None:
        if not (self.start.operation is Operation.PLAN_DESTROY and is_a(node, "RemovedOutput")):
            original(self, node, **named)

    return broken


def _former_address_unknown(original: Function) -> Function:
    async def broken(context: Any, request: Any) -> Any:
        return await original(context, replace(request, previous_address=None))

    return broken


def _data_not_waited_for(original: Function) -> Function:
    def broken(self: Any) -> Any:
        own = None if self._block.data is None else self._block.data.resource
        return [reference for reference in original(self) if reference.subject != own]

    return broken


def _block_believed(original: Function) -> Function:
    """Of what is destroyed, where there still is one."""

    def broken(compiled: Any, leg: Any) -> Any:
        if not leg.is_removal or leg.leg.deposed is not None or leg.block is None:
            return original(compiled, leg)
        return bool(leg.block.lifecycle.create_before_destroy)

    return broken


def _only_what_a_call_names(_original: Function) -> Function:
    def broken(self: Any, call: Any) -> int:
        found: int = self._around(call)
        for target in self._compiled.behind(call.depends_on()):
            found |= self._sets.of(target.address) if is_a(target, "ResourceNode") else self._below.get(target, 0)
        return found

    return broken


def _imports_not_waited_for(original: Function) -> Function:
    def broken(self: Any, compiled: Any) -> Iterator[Any]:
        imports, self.imports = self.imports, ()
        found = list(original(self, compiled))
        self.imports = imports
        yield from found

    return broken


def _one_closed_for_all(original: Function) -> Function:
    def broken(self: Any, opened: Any, close: Any) -> None:
        if not any(closing.promise.name == f"{opened.name} (close)" for closing in self._closings):
            original(self, opened, close)

    return broken


def _no_references_in_modules(original: Function) -> Function:
    return lambda self: [] if self.module.names else original(self)


def _empty_record_taken_for_none(original: Function) -> Function:
    def broken(vertex: Any) -> Any:
        return original(vertex) or getattr(vertex, "dependencies", ())

    return broken


def _siblings_seen(_original: Function) -> Function:
    """Whatever instance of the module they stand in."""

    def broken(self: Any, node: Any) -> Iterator[Any]:
        yield from self._removals_by_dependency().get(node.instance.config, ())

    return broken


MUTANTS: Final = (
    Mutant(
        "S01",
        "Dependencies are destroyed before what depends on them.",
        "new_engine.connecting:_straight",
        _dependencies_go_first,
        "destroy",
        "order",
        ("destroy", "destroy_order"),
    ),
    Mutant(
        "S02",
        "Legs in different instances of one module wait for each other.",
        "new_engine.connecting:_see_each_other",
        answers(lambda: True),
        "apply",
        "order",
        ("modules", "ordering"),
    ),
    Mutant(
        "S03",
        "The order of destroying follows the configuration, and not what was recorded with the objects.",
        "new_engine.building:_recorded",
        _by_configuration,
        "destroy",
        "order",
        ("ordering", "destroy_order", "cycles"),
    ),
    Mutant(
        "S04",
        "Refreshing an object does not add the dependencies it has by now.",
        "shared_nodes.nodes.resource.plan:_merge_dependencies",
        lambda _original: lambda _first, second: second,
        "apply",
        "order",
        ("ordering", "drift"),
    ),
    Mutant(
        "S05",
        "That an object was created first is not believed to the state where its block is gone.",
        "new_engine.building:_is_destroyed_last",
        _record_ignored_without_block,
        "apply",
        "order",
        ("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "S06",
        "Creating first is forced upon dependents, and not upon dependencies.",
        "new_engine.replace_order:creating_first",
        _forced_upon_dependents,
        "plan",
        "plan",
        ("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "S07",
        "The graph engine does not replace tainted objects.",
        "shared_nodes.nodes.resource.change:_Planning.plan",
        _taint_ignored,
        "plan",
        "plan",
        ("replace", "failure-and-resume"),
        "legacy",
    ),
    Mutant(
        "S08",
        "What is ignored for an object is ignored for its replacement, too.",
        "shared_nodes.nodes.resource.change:_Planning._plan_replacement",
        _ignored_for_successors,
        "plan",
        "plan",
        ("replace", "lifecycle_misc"),
    ),
    Mutant(
        "S09",
        "The graph engine replaces an object because of an argument that does not change.",
        "shared_nodes.nodes.resource.replacement:changed_paths",
        _all_named_paths,
        "plan",
        "plan",
        ("replace",),
        "legacy",
    ),
    Mutant(
        "S10",
        "An object is saved only after its postconditions hold.",
        "shared_nodes.nodes.resource.apply:perform_managed",
        _saved_after_postconditions,
        "apply",
        "state",
        ("conditions",),
    ),
    Mutant(
        "S11",
        "A failed postcondition taints the object.",
        "shared_nodes.nodes.resource.apply:perform_managed",
        _tainted_by_postconditions,
        "apply",
        "state",
        ("conditions",),
    ),
    Mutant(
        "S12",
        "Outputs that refer to nothing are planned whatever the targets are.",
        "new_engine.targets:_is_kept_with",
        _constants_survive,
        "plan",
        "plan",
        ("targets", "targeting", "planning_modes"),
    ),
    Mutant(
        "S13",
        "Expressions see objects that are about to be deleted.",
        "shared_nodes.context.named_values:NamedValues._instance_value",
        _doomed_are_seen,
        "apply",
        "diagnostics",
        ("expansion", "create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "S14",
        "A counted resource has as many elements as it is to have instances, and not as the state has.",
        "shared_nodes.context.named_values:NamedValues._combine_instances",
        _counted_by_expander,
        "plan",
        "plan",
        ("expansion", "targets"),
    ),
    Mutant(
        "S15",
        "An output of a module is known by the module's name only, so that whoever takes one waits for all.",
        "new_engine.nodes.output:OutputNode.names",
        changes(lambda names: names[:1]),
        "validate",
        "diagnostics",
        ("modules", "cycles"),
    ),
    Mutant(
        "S16",
        "The end of a module does not wait for the modules in it.",
        "new_engine.compiled:Compiled.inside",
        _without_nested_ends,
        "apply",
        "order",
        ("modules",),
    ),
    Mutant(
        "S17",
        "A warning keeps dependents from being looked at, as an error does.",
        "new_engine.evaluation:Evaluation._visit",
        _warnings_fail,
        "plan",
        "plan",
        ("conditions", "checks", "variables"),
    ),
    Mutant(
        "S18",
        "Consequences of an error are told as errors.",
        "new_engine.evaluation:Evaluation._visit",
        _consequences_told,
        "plan",
        "diagnostics",
        ("conditions", "static_errors"),
    ),
    Mutant(
        "S19",
        "A move onto an existing object overwrites it.",
        "shared_nodes.nodes.statements.moved:_move_instance",
        _blocked_moves_overwrite,
        "plan",
        "plan",
        ("moved",),
    ),
    Mutant(
        "S20",
        "A move to the first index is implied where `for_each` was added.",
        "shared_nodes.nodes.statements.moved:implied_moves",
        _implied_for_any_repetition,
        "plan",
        "plan",
        ("moved",),
    ),
    Mutant(
        "S21",
        "Chains of moves are taken in the order they are written in.",
        "shared_nodes.nodes.statements.moved:_dependencies",
        lambda _original: lambda statements: {position: [] for position in range(len(statements))},
        "plan",
        "plan",
        ("moved",),
    ),
    Mutant(
        "S22",
        "Objects that moved to where no block is, and those that have no block, are told the wrong way round.",
        "shared_nodes.nodes.resource.orphan:delete_reason",
        changes(lambda reason: _SWAPPED.get(reason, reason)),
        "plan",
        "plan",
        ("moved", "plan"),
    ),
    Mutant(
        "S25",
        "Creating first turns no order round.",
        "new_engine.connecting:_turned_round",
        _never_turned,
        "apply",
        "order",
        ("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "S26",
        "A leg waits only for legs that it names itself, and not for those behind values.",
        "new_engine.building:_contracted",
        _only_direct,
        "apply",
        "order",
        ("ordering", "modules"),
    ),
    Mutant(
        "S27",
        "Following the execution graph ignores its waiters.",
        "new_engine.execgraph.run:Execution._awaited",
        _waiters_ignored,
        "apply",
        "events",
        ("ordering", "destroy"),
    ),
    Mutant(
        "S28",
        "A saved plan does not say which objects are replaced by creating first.",
        "new_engine.execgraph.codec:_instance_records",
        _flags_lost_in_file,
        "apply",
        "state",
        ("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "S29",
        "An object is planned to go although something that depends on it may not.",
        "new_engine.compiled:Compiled.removed_before",
        answers(tuple),
        "destroy",
        "diagnostics",
        ("destroy",),
    ),
    Mutant(
        "S30",
        "Objects in module instances that are gone are not planned to go.",
        "new_engine.nodes.resource:PlanResource._lost",
        answers(tuple),
        "plan",
        "plan",
        ("modules", "expansion"),
    ),
    Mutant(
        "S31",
        "Instances whose key is gone are not planned to go.",
        "new_engine.nodes.resource:PlanResource._without_key",
        answers(tuple),
        "plan",
        "plan",
        ("expansion",),
    ),
    Mutant(
        "S32",
        "Data in a module is read before what the module call depends on has changed.",
        "new_engine.analysis:_ReadAfter._around",
        answers(lambda: 0),
        "plan",
        "plan",
        ("data", "modules"),
    ),
    Mutant(
        "S33",
        "Only direct dependencies are recorded with objects.",
        "new_engine.execgraph.graph:ExecutionGraph.recorded_dependencies",
        _only_direct_dependencies,
        "apply",
        "state",
        ("ordering", "modules"),
    ),
    Mutant(
        "S34",
        "The graph engine orders destroying by the configuration, and not by what was recorded.",
        "legacy_engine.transforms.destroy_order:_dependencies",
        _by_configuration_in_graph,
        "apply",
        "order",
        ("ordering", "destroy_order", "cycles"),
        "legacy",
    ),
    Mutant(
        "S35",
        "In the graph engine what is changed does not wait until what it used is destroyed.",
        "legacy_engine.transforms.destroy_order:_behind",
        _without_dependencies_of_creators,
        "apply",
        "order",
        ("ordering", "expansion"),
        "legacy",
    ),
    Mutant(
        "S36",
        "In the graph engine instances of one module wait for each other's resources.",
        "legacy_engine.nodes.references:seen_by",
        _siblings_see_each_other,
        "apply",
        "order",
        ("modules", "ordering"),
        "legacy",
    ),
    Mutant(
        "S37",
        "While everything is destroyed, the graph engine evaluates values nobody needs.",
        "legacy_engine.transforms.prune:_keep_the_destroyed",
        answers(list),
        "destroy",
        "diagnostics",
        ("destroy",),
        "legacy",
    ),
    Mutant(
        "S38",
        "A resource that was emptied and made anew keeps an empty record.",
        "shared_nodes.state.empty_resources:forget_emptied",
        answers(lambda: None),
        "apply",
        "state",
        ("failure-and-resume",),
    ),
    Mutant(
        "S39",
        "Outputs that are not declared any more stay in the state.",
        "shared_nodes.nodes.values.output:delete_output",
        answers(list),
        "plan",
        "plan",
        ("outputs", "outputs_locals", "destroy"),
    ),
    Mutant(
        "S40",
        "Every output changes in every plan.",
        "shared_nodes.nodes.values.output:_is_same",
        answers(lambda: False),
        "plan",
        "plan",
        ("outputs", "outputs_locals"),
    ),
    Mutant(
        "S41",
        "Check blocks are not evaluated again while applying.",
        "new_engine.nodes.check:CheckNode.evaluate",
        _checked_while_planning_only,
        "apply",
        "state",
        ("checks",),
    ),
    Mutant(
        "S42",
        "An object that only becomes sensitive, or no longer is, stays as it is.",
        "shared_nodes.nodes.resource.replacement:settle_action",
        _sensitivity_unnoticed,
        "plan",
        "plan",
        ("sensitive", "plan"),
    ),
    Mutant(
        "S43",
        "An update that turns out unnecessary is refused.",
        "shared_nodes.nodes.resource.apply:_find_inconsistencies",
        _became_nothing_refused,
        "apply",
        "diagnostics",
        ("plan", "partial_apply", "terraform_data"),
    ),
    Mutant(
        "S44",
        "What a provider answers is not held against what was planned.",
        "shared_nodes.nodes.provider.conformance:compatibility_problems",
        answers(list),
        "apply",
        "diagnostics",
        ("contract", "providers"),
    ),
    Mutant(
        "S45",
        "What is to be forgotten stays in the state.",
        "shared_nodes.nodes.resource.forget:forget_instance",
        _stays_in_state,
        "apply",
        "state",
        ("removed",),
    ),
    Mutant(
        "S46",
        "Changes made outside are not reported.",
        "shared_nodes.plan.drift:drift_between",
        answers(list),
        "plan",
        "plan",
        ("drift",),
    ),
    Mutant(
        "S47",
        "Which attributes matter to a plan is not said.",
        "shared_nodes.operations.relevant_attributes:relevant_attributes",
        answers(tuple),
        "plan",
        "plan",
        ("plan", "basics"),
    ),
    Mutant(
        "S48",
        "Nobody is warned that a replacement asked for names no instance.",
        "shared_nodes.plan.targets:incomplete_replacement",
        answers(list),
        "plan",
        "diagnostics",
        ("replace", "planning_modes"),
    ),
    Mutant(
        "S49",
        "Targets may leave out what has moved.",
        "shared_nodes.plan.targets:excluded_moves",
        answers(list),
        "plan",
        "diagnostics",
        ("targets", "moved"),
    ),
    Mutant(
        "S50",
        "Importing into an instance that does not exist is no mistake.",
        "shared_nodes.nodes.statements.imports:imports_of_missing_instances",
        answers(list),
        "plan",
        "diagnostics",
        ("import", "imports"),
    ),
    Mutant(
        "S51",
        "What is said to be removed may still be there.",
        "shared_nodes.nodes.statements.removed:validate_removed",
        answers(list),
        "plan",
        "diagnostics",
        ("removed",),
    ),
    Mutant(
        "S52",
        "Moves are not validated.",
        "shared_nodes.nodes.statements.moved_validation:validate_moves",
        answers(list),
        "plan",
        "diagnostics",
        ("moved",),
    ),
    Mutant(
        "S53",
        "A block may refer to itself.",
        "shared_nodes.nodes.resource.instance:self_references",
        answers(list),
        "plan",
        "diagnostics",
        ("cycles", "static_errors"),
    ),
    Mutant(
        "S54",
        "What was opened is never closed.",
        "shared_nodes.nodes.resource.ephemeral:close_ephemeral",
        answers_later(list),
        "plan",
        "plan_calls",
        ("ephemeral",),
    ),
    Mutant(
        "S55",
        "A data resource in a check block fails the run.",
        "shared_nodes.nodes.resource.data:_as_warnings",
        changes(_errors_of_data_stay),
        "plan",
        "diagnostics",
        ("checks",),
    ),
    Mutant(
        "S56",
        "A replacement that destroys first never destroys.",
        "new_engine.legs:_legs",
        _first_leg_of_instance,
        "apply",
        "events",
        ("replace",),
    ),
    Mutant(
        "S57",
        "While everything is destroyed, outputs that are no longer declared stay.",
        "new_engine.compiled:Compiled.add",
        _undeclared_outputs_stay,
        "destroy",
        "plan",
        ("destroy", "outputs"),
    ),
    Mutant(
        "S58",
        "A plan to destroy everything does not say where objects were before they moved.",
        "shared_nodes.nodes.resource.destroy:plan_destroy_instance",
        _former_address_unknown,
        "destroy",
        "plan",
        ("moved", "destroy"),
    ),
    Mutant(
        "S59",
        "Assertions of a check wait for its data only where they refer to it.",
        "new_engine.nodes.check:CheckNode.references",
        _data_not_waited_for,
        "plan",
        "diagnostics",
        ("checks",),
    ),
    Mutant(
        "S60",
        "Whether an object goes last is asked of its block, where there still is one, and not of the state.",
        "new_engine.building:_is_destroyed_last",
        _block_believed,
        "apply",
        "order",
        ("create-before-destroy", "ordering"),
    ),
    Mutant(
        "S61",
        "Data in a module waits for what the call depends on, and not for what lies behind that.",
        "new_engine.analysis:_ReadAfter._of_call",
        _only_what_a_call_names,
        "apply",
        "plan",
        ("data", "modules"),
    ),
    Mutant(
        "S62",
        "A resource does not wait for what the imports into it refer to.",
        "new_engine.nodes.resource:ResourceNode.needs",
        _imports_not_waited_for,
        "plan",
        "diagnostics",
        ("import",),
    ),
    Mutant(
        "S63",
        "Of several instances of an ephemeral resource only one is closed.",
        "new_engine.evaluation:Evaluation.when_served",
        _one_closed_for_all,
        "plan",
        "plan_calls",
        ("ephemeral",),
    ),
    Mutant(
        "S64",
        "A provider configuration inside a module does not wait for what it refers to.",
        "new_engine.nodes.provider:ProviderNode.references",
        _no_references_in_modules,
        "apply",
        "calls",
        ("providers",),
    ),
    Mutant(
        "S65",
        "In the graph engine an object that is recorded without dependencies has those of the configuration.",
        "legacy_engine.transforms.destroy_order:_dependencies",
        _empty_record_taken_for_none,
        "apply",
        "order",
        ("ordering",),
        "legacy",
    ),
    Mutant(
        "S66",
        "What may not be destroyed in one instance of a module holds up the others.",
        "new_engine.compiled:Compiled.removed_before",
        _siblings_seen,
        "destroy",
        "plan",
        ("destroy", "modules"),
    ),
)
