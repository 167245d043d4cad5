"""M and O: features that an engine does not have yet; what has them does not complain, they just have no effect.

Not here, because neither engine has them: for_each of providers (M02), `lifecycle { destroy = false }` (M17), prompting
for provider arguments (M38), `enabled` (M39). Not here, because nothing outside the engine could tell: local values in
the state in memory (M06), ephemeral objects in it (O03), the state a plan foresees (M29): what plans show of it is made
from their changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from harness.mutants.mutant import Mutant
from harness.mutants.patches import answers, answers_later, changes, changes_later, is_a, told
from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.context.check_results import CheckKind
from shared_nodes.nodes.references import expression_references
from shared_nodes.nodes.resource.upgrade import _decode
from shared_nodes.plan.change import Action, ActionReason
from shared_nodes.state.model import ObjectStatus
from shared_nodes.values.value import NULL_DYNAMIC, string

__all__ = ["MUTANTS"]

Function = Callable[..., Any]


def _without_deposed(original: Function) -> Function:
    def broken(compiled: Any, node: Any, *, is_needed_only: bool = False) -> Any:
        return None if is_a(node, "DeposedNode") else original(compiled, node, is_needed_only=is_needed_only)

    return broken


def _without_output_rules(original: Function) -> Function:
    def broken(context: Any, checkable: Any, *arguments: Any, **named: Any) -> Any:
        return [] if checkable[0] is CheckKind.OUTPUT else original(context, checkable, *arguments, **named)

    return broken


def _known_object(_original: Function) -> Function:
    async def broken(_context: Any, _request: Any, known: Any) -> Any:
        return known, []

    return broken


def _known_orphan(original: Function) -> Function:
    async def broken(context: Any, request: Any, known: Any) -> Any:
        return (known, []) if request.body is None else await original(context, request, known)

    return broken


def _with_options(**options: Any) -> Callable[[Function], Function]:
    def patch(original: Function) -> Function:
        def broken(session: Any, start: Any, **named: Any) -> Any:
            return original(session, replace(start, options=replace(start.options, **options)), **named)

        return broken

    return patch


def _deletions_not_seen(original: Function) -> Function:
    def broken(names: Any, resource: Any, current: Any, change: Any) -> Any:
        is_deleted = change is not None and change.action is Action.DELETE
        return None if is_deleted else original(names, resource, current, change)

    return broken


def _without_upgrade(_original: Function) -> Function:
    async def broken(_context: Any, _address: Any, _provider: Any, stored: Any, schema: Any) -> Any:
        return _decode(stored, schema)

    return broken


def _without_depends_on(original: Function) -> Function:
    def broken(node: Any, block: Any, schema: Any) -> Any:
        return original(node, replace(block, depends_on=()) if block.depends_on else block, schema)

    return broken


def _path_of_root(original: Function) -> Function:
    return lambda names, name: string(".") if name == "module" else original(names, name)


def _without_root_outputs(original: Function) -> Function:
    def broken(compiled: Any, graph: Any) -> Any:
        return [node for node in original(compiled, graph) if not (is_a(node, "OutputNode") and node.is_root)]

    return broken


def _references_of_whole_call(original: Function) -> Function:
    def broken(variable: Any) -> Any:
        arguments = variable._node.call.body.attributes.values()
        given = variable._node.module.variables
        found = [argument.expression for argument in arguments if argument.name in given]
        return [*original(variable), *expression_references(variable._parent, *found)]

    return broken


def _taint_ignored(original: Function) -> Function:
    def broken(planning: Any, current: Any, intent: Any) -> Any:
        current = current if current is None else replace(current, status=ObjectStatus.READY)
        return original(planning, current, intent)

    return broken


def _always_ready(original: Function) -> Function:
    def broken(*arguments: Any) -> Any:
        kept = original(*arguments)
        return kept if kept is None else replace(kept, status=ObjectStatus.READY)

    return broken


def _failed_update_removes(original: Function) -> Function:
    def broken(request: Any, answer: Any, value: Any, failed: bool, schema_version: int) -> Any:
        if failed and request.change.action is Action.UPDATE:
            return None
        return original(request, answer, value, failed, schema_version)

    return broken


def _failures_never_passed_over(original: Function) -> Function:
    def broken(context: Any, address: Any, step: Any) -> Any:
        return original(context, address, replace(step, block=replace(step.block, continue_on_failure=False)))

    return broken


def _data_destroyed_in_silence(original: Function) -> Function:
    async def broken(context: Any, request: Any) -> Any:
        is_data = request.address.resource.mode is not ResourceMode.MANAGED
        return [] if is_data else await original(context, request)

    return broken


MUTANTS: Final = (
    Mutant(
        "M01",
        "Dependencies are not recorded with objects.",
        "shared_nodes.nodes.resource.apply:perform_managed",
        told(1, dependencies=()),
        "apply",
        "state",
        ("ordering", "basics"),
    ),
    Mutant(
        "M03",
        "`create_before_destroy` has no effect.",
        "new_engine.replace_order:creating_first",
        answers(frozenset),
        "plan",
        "plan",
        ("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "M04",
        "Deposed objects are not looked at.",
        "new_engine.compiled:Compiled.add",
        _without_deposed,
        "plan",
        "plan",
        ("deposed", "create-before-destroy"),
    ),
    Mutant(
        "M05",
        "Pre- and postconditions of resources are not evaluated.",
        "shared_nodes.nodes.resource.instance:run_conditions",
        answers(list),
        "plan",
        "diagnostics",
        ("conditions",),
    ),
    Mutant(
        "M05b",
        "Preconditions of outputs are not evaluated.",
        "shared_nodes.nodes.checks.conditions:check_rules",
        _without_output_rules,
        "plan",
        "diagnostics",
        ("conditions", "outputs"),
    ),
    Mutant(
        "M07",
        "There are no check blocks.",
        "new_engine.compiled:_Compiler._checks",
        answers(lambda: None),
        "plan",
        "diagnostics",
        ("checks",),
    ),
    Mutant(
        "M08",
        "The plan does not say why an object is deleted.",
        "shared_nodes.nodes.resource.orphan:delete_reason",
        answers(lambda: ActionReason.NONE),
        "plan",
        "plan",
        ("expansion", "plan"),
    ),
    Mutant(
        "M09",
        "Nobody is warned of deprecated attributes.",
        "shared_nodes.context.attribute_steps:check_attributes",
        changes(lambda problems: [one for one in problems if "deprecated" not in one.detail]),
        "validate",
        "diagnostics",
        ("plan", "providers"),
    ),
    Mutant(
        "M10",
        "Import blocks have no effect.",
        "shared_nodes.nodes.statements.imports:expand_imports",
        answers(lambda: ({}, [])),
        "plan",
        "plan",
        ("import", "imports"),
    ),
    Mutant(
        "M11",
        "Nothing is refreshed.",
        "shared_nodes.nodes.resource.refresh:refresh_object",
        _known_object,
        "plan",
        "plan_events",
        ("drift",),
    ),
    Mutant(
        "M12",
        "A refresh-only plan is a plan like any other.",
        "new_engine.planning:walk_plan",
        _with_options(refresh_only=False),
        "plan",
        "plan",
        ("planning_modes", "drift"),
    ),
    Mutant(
        "M13",
        "Validation does not ask providers.",
        "shared_nodes.nodes.resource.validate:_ask_provider",
        answers_later(list),
        "validate",
        "calls",
        ("providers", "plan", "contract"),
    ),
    Mutant(
        "M14",
        "While everything is destroyed, what is going to be destroyed cannot be referred to any more.",
        "shared_nodes.context.named_values:NamedValues._instance_value",
        _deletions_not_seen,
        "destroy",
        "calls",
        ("destroy", "providers"),
    ),
    Mutant(
        "M15",
        "Moved blocks have no effect.",
        "shared_nodes.nodes.statements.moved:explicit_moves",
        answers(list),
        "plan",
        "plan",
        ("moved",),
    ),
    Mutant(
        "M15b",
        "Adding or removing `count` moves nothing.",
        "shared_nodes.nodes.statements.moved:implied_moves",
        answers(list),
        "plan",
        "plan",
        ("moved", "expansion"),
    ),
    Mutant(
        "M16",
        "`removed` blocks never make an object be forgotten.",
        "shared_nodes.nodes.statements.removed:is_forgotten",
        answers(lambda: False),
        "plan",
        "plan",
        ("removed",),
    ),
    Mutant(
        "M18",
        "Stored objects of an older schema are not upgraded.",
        "shared_nodes.nodes.resource.upgrade:_upgrade",
        _without_upgrade,
        "plan",
        "plan_calls",
        ("state", "prior_state"),
    ),
    Mutant(
        "M19",
        "Objects that no block wants are not refreshed before they are destroyed.",
        "shared_nodes.nodes.resource.refresh:refresh_object",
        _known_orphan,
        "plan",
        "plan_events",
        ("destroy", "drift", "deposed"),
    ),
    Mutant(
        "M20",
        "Nobody is told of what happens to objects.",
        "shared_nodes.nodes.resource.instance:announce",
        answers(list),
        "plan",
        "plan_events",
        ("plan", "basics"),
    ),
    Mutant(
        "M21",
        "Targets have no effect.",
        "new_engine.targets:selected_nodes",
        lambda _original: lambda compiled, _outputs=None: compiled.nodes,
        "plan",
        "plan",
        ("targets", "targeting"),
    ),
    Mutant(
        "M21b",
        "A target that names one instance takes all of them.",
        "new_engine.nodes.resource:PlanResource._limited",
        lambda _original: lambda _resource, work: iter(work),
        "plan",
        "plan",
        ("targets", "targeting"),
    ),
    Mutant(
        "M22",
        "`replace_triggered_by` has no effect.",
        "shared_nodes.nodes.resource.replace_triggers:replacement_triggered",
        answers(lambda: (False, [])),
        "plan",
        "plan",
        ("replace",),
    ),
    Mutant(
        "M23",
        "Provisioners are not run.",
        "shared_nodes.nodes.resource.provisioner:run_provisioners",
        answers_later(list),
        "apply",
        "events",
        ("provisioners",),
    ),
    Mutant(
        "M23b",
        "A provisioner that may fail makes its object fail.",
        "shared_nodes.nodes.resource.provisioner:_run_one",
        _failures_never_passed_over,
        "apply",
        "diagnostics",
        ("provisioners",),
    ),
    Mutant(
        "M24",
        "`depends_on` of resources has no effect.",
        "shared_nodes.nodes.references:resource_references",
        _without_depends_on,
        "apply",
        "events",
        ("ordering", "data"),
    ),
    Mutant(
        "M24b",
        "`depends_on` of module calls has no effect.",
        "shared_nodes.nodes.references:call_references",
        lambda _original: lambda parent, call: expression_references(parent, call.count, call.for_each),
        "apply",
        "events",
        ("modules", "ordering"),
    ),
    Mutant(
        "M25",
        "`ignore_changes` has no effect.",
        "shared_nodes.nodes.resource.ignore_changes:apply_ignore_changes",
        lambda _original: lambda _lifecycle, _block, _prior, config: config,
        "plan",
        "plan",
        ("lifecycle_misc", "plan", "drift"),
    ),
    Mutant(
        "M26",
        "Rules of variables are not evaluated.",
        "shared_nodes.nodes.values.variable:validate_variable",
        answers(list),
        "plan",
        "diagnostics",
        ("variables",),
    ),
    Mutant(
        "M27",
        "`path.module` is that of the root in every module.",
        "shared_nodes.context.named_values:NamedValues.path",
        _path_of_root,
        "plan",
        "plan",
        ("modules",),
    ),
    Mutant(
        "M28",
        "`prevent_destroy` has no effect.",
        "shared_nodes.nodes.resource.plan_destroy:check_prevent_destroy",
        answers(list),
        "plan",
        "diagnostics",
        ("destroy", "lifecycle_misc"),
    ),
    Mutant(
        "M30",
        "Replacements that are asked for by option are not planned.",
        "new_engine.planning:walk_plan",
        _with_options(force_replace=()),
        "plan",
        "plan",
        ("replace", "planning_modes"),
    ),
    Mutant(
        "M31",
        "Outputs of the root are not evaluated while applying.",
        "new_engine.applying.following:_wanted",
        _without_root_outputs,
        "apply",
        "state",
        ("outputs", "outputs_locals"),
    ),
    Mutant(
        "M32",
        "What a schema calls sensitive is not.",
        "shared_nodes.state.object_values:mark_sensitive",
        lambda _original: lambda value, _schema: value,
        "apply",
        "state",
        ("sensitive",),
    ),
    Mutant(
        "M32b",
        "Outputs of the root show what is sensitive without being declared to.",
        "shared_nodes.nodes.values.output:_forbidden_marks",
        answers(list),
        "plan",
        "diagnostics",
        ("sensitive", "outputs"),
    ),
    Mutant(
        "M33",
        "Each variable of a module waits for all arguments of the call, so that a module cannot use its own outputs.",
        "new_engine.nodes.variable:ModuleVariable.references",
        _references_of_whole_call,
        "validate",
        "diagnostics",
        ("modules", "cycles"),
    ),
    Mutant(
        "M34",
        "Providers do not hear what a module says of itself.",
        "shared_nodes.nodes.provider.meta:provider_meta",
        answers(lambda: (NULL_DYNAMIC, [])),
        "apply",
        "state",
        ("modules", "providers"),
    ),
    Mutant(
        "M35",
        "Tainted objects are not replaced.",
        "shared_nodes.nodes.resource.change:_Planning.plan",
        _taint_ignored,
        "plan",
        "plan",
        ("replace", "failure-and-resume"),
    ),
    Mutant(
        "M35b",
        "A tainted object that could not be destroyed is no longer tainted.",
        "shared_nodes.nodes.resource.provider_apply:_object_to_keep",
        _always_ready,
        "apply",
        "state",
        ("delete_errors", "failure-and-resume"),
    ),
    Mutant(
        "M36",
        "An object whose update failed is lost.",
        "shared_nodes.nodes.resource.provider_apply:_object_to_keep",
        _failed_update_removes,
        "apply",
        "state",
        ("update_errors", "failure-and-resume"),
    ),
    Mutant(
        "M37",
        "Functions of providers do not exist.",
        "shared_nodes.context.node_context:NodeContext._functions_of",
        lambda _original: lambda context, _node: context.functions,
        "validate",
        "diagnostics",
        ("providers",),
    ),
    Mutant(
        "O01",
        "An object stored as a flat map is taken for one that is not there.",
        "shared_nodes.nodes.resource.upgrade:_upgrade",
        changes_later(lambda answer: answer if answer[0] is not None else (None, [])),
        "plan",
        "diagnostics",
        ("state", "prior_state"),
    ),
    Mutant(
        "O02",
        "While everything is destroyed, data resources are not listed.",
        "shared_nodes.nodes.resource.destroy:plan_destroy_instance",
        _data_destroyed_in_silence,
        "destroy",
        "state",
        ("destroy", "data"),
    ),
)
