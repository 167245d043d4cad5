"""B: bugs that an engine of this kind has had, or still has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from typing import Any, Final

from harness.mutants.mutant import Mutant
from harness.mutants.patches import answers, changes_later, is_a, told
from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.context.operation import Operation
from shared_nodes.values.value import DYNAMIC_UNKNOWN

__all__ = ["MUTANTS"]

Function = Callable[..., Any]


def _destroy_after_change(original: Function) -> Function:
    def broken(legs: Any, recorded: Any, is_reachable: Any) -> Any:
        edges = original(legs, recorded, is_reachable)
        for leg in legs:
            for other in legs:
                if leg.is_removal and other.leg.kind.name == "APPLY" and other.address in recorded[leg]:
                    edges[leg][other] = None
        return edges

    return broken


def _not_inherited(_original: Function) -> Function:
    return lambda table, config: table._known.get(config)


def _null_for_default(original: Function) -> Function:
    def broken(context: Any, address: str, declaration: Any, given: Any) -> Any:
        return original(context, address, replace(declaration, nullable=True), given)

    return broken


def _never_halted(_original: Function) -> Function:
    def broken(context: Any, event: Any) -> list[Any]:
        context.events.emit(event)
        return []

    return broken


def _only_configured(original: Function) -> Function:
    def broken(table: Any, config: Any, *, exact: bool) -> Any:
        found = original(table, config, exact=exact)
        return None if exact and found is not None and found.block is None else found

    return broken


def _without_state_notices(original: Function) -> Function:
    """A context of its own for each call: several are under way at a time, and share one sink of events."""

    def broken(context: Any, *arguments: Any) -> Any:
        silent = copy(context)
        silent.events = _SilentEvents(context.events)
        return original(silent, *arguments)

    return broken


class _SilentEvents:
    def __init__(self, events: Any) -> None:
        self._events = events

    def __getattr__(self, name: str) -> Any:
        return getattr(self._events, name)

    def state_changed(self) -> None:
        """Tells nobody."""


def _without_alias(original: Function) -> Function:
    return lambda resource: replace(original(resource), alias=None)


def _without_waiting_for_provider(original: Function) -> Function:
    def broken(resource: Any, compiled: Any) -> Iterator[Any]:
        return (node for node in original(resource, compiled) if not is_a(node, "ProviderNode"))

    return broken


def _data_unknown_while_destroying(original: Function) -> Function:
    def broken(names: Any, resource: Any) -> Any:
        is_destroying = names._context.operation in (Operation.PLAN_DESTROY, Operation.DESTROY)
        return DYNAMIC_UNKNOWN if is_destroying and resource.mode is ResourceMode.DATA else original(names, resource)

    return broken


def _gone_object_kept(original: Function) -> Function:
    async def broken(context: Any, request: Any, known: Any) -> Any:
        found, problems = await original(context, request, known)
        return (known if found is None else found), problems

    return broken


def _data_not_stored(original: Function) -> Function:
    async def broken(context: Any, request: Any) -> Any:
        problems = await original(context, request)
        context.working.put(request.address, request.provider, None)
        return problems

    return broken


def _declared_sensitivity_lost(original: Function) -> Function:
    def broken(context: Any, module: Any, declaration: Any, value: Any, subject: Any) -> Any:
        return original(context, module, replace(declaration, sensitive=False), value, subject)

    return broken


def _marks_lost_on_the_way_back(original: Function) -> Function:
    def broken(context: Any, request: Any) -> Any:
        change = replace(request.change, after=request.change.after.unmark_deep()[0])
        return original(context, replace(request, change=change))

    return broken


def _null_for_elements_of_sets(original: Function) -> Function:
    def broken(scope: Any, expression: Any, address: Any) -> Any:
        found, problems = original(scope, expression, address)
        if found is not None and is_a(scope.evaluate(expression)[0].type, "SetType"):
            found = replace(found, each=dict.fromkeys(found.each, DYNAMIC_UNKNOWN))
        return found, problems

    return broken


def _all_named_paths(_original: Function) -> Function:
    return lambda prior, _planned, required: (() if prior.is_null else tuple(dict.fromkeys(required)), [])


MUTANTS: Final = (
    Mutant(
        "B01",
        "Destroying an object waits for the change of what it depended on, so that orders go round in circles.",
        "new_engine.connecting:_straight",
        _destroy_after_change,
        "plan",
        "diagnostics",
        ("replace", "ordering"),
    ),
    Mutant(
        "B02",
        "A module does not inherit the provider configurations of its caller.",
        "new_engine.providers:ProviderTable._inherited",
        _not_inherited,
        "validate",
        "diagnostics",
        ("providers", "modules"),
    ),
    Mutant(
        "B03",
        "A null for a variable that takes none stays null, in the place of the default.",
        "shared_nodes.nodes.values.variable:_accept",
        _null_for_default,
        "plan",
        "plan",
        ("variables",),
    ),
    Mutant(
        "B04",
        "After an interrupt operations go on as if there had been none.",
        "shared_nodes.nodes.resource.instance:announce",
        _never_halted,
        "apply",
        "events",
        ("failure-and-resume", "interactions"),
    ),
    Mutant(
        "B05",
        "An object whose provider only the state names cannot be planned.",
        "new_engine.providers:ProviderTable.resolve",
        _only_configured,
        "plan",
        "diagnostics",
        ("destroy", "removed", "state"),
    ),
    Mutant(
        "B06",
        "The state does not say that an object is replaced by creating first.",
        "shared_nodes.nodes.resource.apply:perform_managed",
        told(1, create_before_destroy=False),
        "apply",
        "state",
        ("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "B07",
        "Nobody is told that the state has changed, so that after a crash it lacks what was done.",
        "shared_nodes.nodes.resource.apply:_apply_and_record",
        _without_state_notices,
        "apply",
        "state",
        ("stories", "failure-and-resume"),
    ),
    Mutant(
        "B08",
        "The alias in a resource's `provider` argument is ignored.",
        "new_engine.nodes.resource:ResourceNode.provider_request",
        _without_alias,
        "plan",
        "plan_calls",
        ("providers",),
    ),
    Mutant(
        "B09",
        "A block does not wait until its provider is configured: it depends on the schedule whether that is so.",
        "new_engine.nodes.resource:ResourceNode.needs",
        _without_waiting_for_provider,
        "plan",
        "plan_calls",
        ("providers",),
    ),
    Mutant(
        "B10",
        "While everything is destroyed, data resources are unknown.",
        "shared_nodes.context.named_values:NamedValues.resource",
        _data_unknown_while_destroying,
        "destroy",
        "plan_calls",
        ("destroy", "providers"),
    ),
    Mutant(
        "B11",
        "An object that is gone is still believed to be there.",
        "shared_nodes.nodes.resource.refresh:refresh_object",
        _gone_object_kept,
        "plan",
        "plan",
        ("drift",),
    ),
    Mutant(
        "B12",
        "Data is read while planning although what it depends on is about to change.",
        "shared_nodes.nodes.resource.data:_has_pending_changes",
        answers(lambda: False),
        "plan",
        "plan",
        ("data", "data_sources"),
    ),
    Mutant(
        "B12b",
        "Data that is read while applying is not kept in the state.",
        "shared_nodes.nodes.resource.data:apply_data",
        _data_not_stored,
        "apply",
        "state",
        ("data", "data_sources"),
    ),
    Mutant(
        "B13",
        "A variable declared as sensitive is not.",
        "shared_nodes.nodes.values.variable:_set",
        _declared_sensitivity_lost,
        "plan",
        "plan",
        ("sensitive", "variables"),
    ),
    Mutant(
        "B14",
        "What is sensitive in the configuration of an object is not so in the object.",
        "shared_nodes.nodes.resource.provider_apply:apply_change",
        _marks_lost_on_the_way_back,
        "apply",
        "state",
        ("sensitive",),
    ),
    Mutant(
        "B15",
        "An object whose creation failed half-way is not tainted.",
        "shared_nodes.nodes.resource.apply:_taint_on_failure",
        lambda _original: lambda kept, _change, _problems: kept,
        "apply",
        "state",
        ("failure-and-resume", "create_errors", "provisioners"),
    ),
    Mutant(
        "B15b",
        "Where a replacement could not be created at all, the old object stays deposed.",
        "shared_nodes.nodes.resource.apply:_restore",
        answers(lambda: None),
        "apply",
        "state",
        ("create-before-destroy", "deposed", "failure-and-resume"),
    ),
    Mutant(
        "B16",
        "`each.value` is unknown where `for_each` is a set.",
        "shared_nodes.context.repetition:_evaluate_for_each",
        _null_for_elements_of_sets,
        "plan",
        "plan",
        ("expansion",),
    ),
    Mutant(
        "B17",
        "An object is replaced because of an argument that a provider names and that does not change.",
        "shared_nodes.nodes.resource.replacement:changed_paths",
        _all_named_paths,
        "plan",
        "plan",
        ("replace",),
    ),
    Mutant(
        "B18",
        "What a provider notes for itself while it plans a deletion does not get to the deletion.",
        "shared_nodes.nodes.resource.plan_destroy:_plan_destroy",
        changes_later(lambda answer: (b"", answer[1])),
        "apply",
        "calls",
        ("failure-and-resume", "destroy"),
    ),
    Mutant(
        "B19",
        "Rules of variables do not wait for what they refer to, so that two that need each other are no cycle.",
        "new_engine.nodes.variable:VariableRules.references",
        answers(list),
        "validate",
        "diagnostics",
        ("variables", "cycles"),
    ),
)
