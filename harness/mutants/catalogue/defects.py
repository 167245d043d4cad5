"""L: defects that were found by reading an engine of this kind.

Not here: what concerns a graph made by hand (L06), deferred changes without a plan (L09), which nothing makes here,
diagnostics of `count` and `for_each` that no configuration can provoke (L17), versions of modules (L18). What a failed
replacement leaves to those that refer to it (L07) is B15b.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import trio

from harness.mutants.mutant import Mutant
from harness.mutants.patches import answers, changes, changes_later, is_a
from shared_nodes.lang.diagnostics import Severity, error, has_errors
from shared_nodes.plan.options import Mode

__all__ = ["MUTANTS"]

Function = Callable[..., Any]


def _nested_orphans_forgotten(original: Function) -> Function:
    def broken(compiled: Any, node: Any, *, is_needed_only: bool = False) -> Any:
        if is_a(node, "OrphanNode") and len(node.module.names) > 1:
            return None
        return original(compiled, node, is_needed_only=is_needed_only)

    return broken


def _changed_under_users(original: Function) -> Function:
    def broken(legs: Any, recorded: Any, is_reachable: Any) -> Any:
        edges = original(legs, recorded, is_reachable)
        for waiting, others in edges.items():
            for other in list(others) if waiting.leg.kind.name == "APPLY" else ():
                if other.is_removal and waiting.address in recorded[other]:
                    del others[other]
        return edges

    return broken


def _new_objects_depend_on_nothing(original: Function) -> Function:
    def broken(compiled: Any, legs: Any, marking: Any) -> Any:
        found = original(compiled, legs, marking)
        return {leg: found[leg] if compiled.state.current(leg.instance) is not None else () for leg in found}

    return broken


def _not_behind_providers(original: Function) -> Function:
    def broken(found: Any, edges: Any, own: Any, declared: Any) -> Any:
        kept = {node: [other for other in others if not is_a(other, "ProviderNode")] for node, others in edges.items()}
        return original(found, kept, own, declared)

    return broken


def _one_protected_is_enough(answer: Any) -> Any:
    context, problems = answer
    protected = [problem for problem in problems if problem.summary.endswith("cannot be destroyed")]
    return context, [problem for problem in problems if problem not in protected[1:]]


def _open_after_errors(original: Function) -> Function:
    async def broken(evaluation: Any, opened: Any, close: Any) -> Any:
        users, _operations = evaluation._users(opened)
        await evaluation.succeeded([user for user in users if user in evaluation._visits])
        return False if has_errors(evaluation.diagnostics) else await original(evaluation, opened, close)

    return broken


def _waits_forever_after_errors(original: Function) -> Function:
    async def broken(evaluation: Any) -> None:
        await original(evaluation)
        if has_errors(evaluation.diagnostics):
            await trio.sleep_forever()

    return broken


def _newer_objects_crash(original: Function) -> Function:
    def broken(context: Any, address: Any, provider: Any, stored: Any, schema: Any) -> Any:
        assert stored.stored_version <= schema.version, "an object from the future"
        return original(context, address, provider, stored, schema)

    return broken


def _normal_mode(plan: Any) -> Any:
    plan.mode = Mode.NORMAL
    return plan


def _told_for_each_user(original: Function) -> Function:
    async def broken(provider: Any, evaluation: Any) -> Any:
        problems = list(await original(provider, evaluation))
        nodes = evaluation.compiled.nodes
        users = [node for node in nodes if is_a(node, "ResourceNode") and node.provider is provider]
        return problems * len(users) if has_errors(problems) else problems

    return broken


def _told_by_each_member(cycles: Any) -> Any:
    return [cycle for cycle in cycles for _ in range(1 + cycle.summary.count(", "))]


def _explicit_false_refused(original: Function) -> Function:
    async def broken(resource: Any, evaluation: Any) -> Any:
        if resource.block.lifecycle.create_before_destroy is False:
            return [error("Unsupported lifecycle argument", "", resource.block.range)]
        return await original(resource, evaluation)

    return broken


def _explicit_false_believed(original: Function) -> Function:
    def broken(compiled: Any, nodes: Any) -> Any:
        refusing = {
            node.address
            for node in nodes
            if is_a(node, "ResourceNode") and node.block.lifecycle.create_before_destroy is False
        }
        return original(compiled, nodes) - refusing

    return broken


MUTANTS: Final = (
    Mutant(
        "L01",
        "Objects two or more modules deep are not planned to go when the outermost call is removed.",
        "new_engine.compiled:Compiled.add",
        _nested_orphans_forgotten,
        "plan",
        "plan",
        ("modules", "destroy"),
    ),
    Mutant(
        "L02",
        "An object is changed before what used it, and is deleted, has gone.",
        "new_engine.connecting:_straight",
        _changed_under_users,
        "apply",
        "order",
        ("ordering", "destroy_order"),
    ),
    Mutant(
        "L03",
        "A dependency that is new in this run has no place in the order of destroying.",
        "new_engine.building:_recorded",
        _new_objects_depend_on_nothing,
        "apply",
        "order",
        ("ordering", "create-before-destroy"),
    ),
    Mutant(
        "L04",
        "What a provider is configured with is not among the dependencies of its objects.",
        "new_engine.analysis:_pass_up",
        _not_behind_providers,
        "apply",
        "state",
        ("providers", "destroy"),
    ),
    Mutant(
        "L05",
        "Warnings about an instance are lost while it is planned.",
        "shared_nodes.nodes.resource.plan:plan_managed",
        changes_later(lambda problems: [each for each in problems if each.severity is not Severity.WARNING]),
        "plan",
        "diagnostics",
        ("conditions", "providers", "contract"),
    ),
    Mutant(
        "L08",
        "All deposed objects have one key.",
        "shared_nodes.nodes.resource.deposed:new_deposed_key",
        answers(lambda: "00000000"),
        "plan",
        "crash",
        ("deposed", "create-before-destroy"),
    ),
    Mutant(
        "L10",
        "Of several objects that must not be destroyed only one is told.",
        "new_engine.planning:walk_plan",
        changes_later(_one_protected_is_enough),
        "plan",
        "diagnostics",
        ("destroy", "lifecycle_misc"),
    ),
    Mutant(
        "L11",
        "What was opened is not closed after an error.",
        "new_engine.evaluation:Evaluation._close_served",
        _open_after_errors,
        "plan",
        "plan_calls",
        ("ephemeral",),
    ),
    Mutant(
        "L12",
        "After an error closing waits forever.",
        "new_engine.evaluation:Evaluation.close",
        _waits_forever_after_errors,
        "plan",
        "hang",
        ("ephemeral", "failure-and-resume"),
    ),
    Mutant(
        "L13",
        "A stored object of a newer schema crashes the engine.",
        "shared_nodes.nodes.resource.upgrade:_upgrade",
        _newer_objects_crash,
        "plan",
        "crash",
        ("state", "prior_state"),
    ),
    Mutant(
        "L14",
        "A plan to destroy everything says that it is a normal one.",
        "shared_nodes.operations.plan_apply:_Planning._build_plan",
        changes(_normal_mode),
        "destroy",
        "state",
        ("destroy",),
    ),
    Mutant(
        "L15",
        "That a provider cannot be configured is told once for each of its blocks.",
        "new_engine.nodes.provider:ProviderNode.evaluate",
        _told_for_each_user,
        "plan",
        "diagnostics",
        ("providers",),
    ),
    Mutant(
        "L16",
        "A cycle is told once by each of its members.",
        "new_engine.validating:_cycles",
        changes(_told_by_each_member),
        "validate",
        "diagnostics",
        ("cycles",),
    ),
    Mutant(
        "L19",
        "`create_before_destroy = false` is refused.",
        "new_engine.nodes.resource:PlanResource.evaluate",
        _explicit_false_refused,
        "plan",
        "diagnostics",
        ("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "L19b",
        "`create_before_destroy = false` stands, although something that depends on the object creates first.",
        "new_engine.replace_order:creating_first",
        _explicit_false_believed,
        "plan",
        "plan",
        ("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "L20",
        "There is no limit to the number of calls at a time.",
        "new_engine.limiting:limit_calls",
        answers(lambda: None),
        "apply",
        "over_limit",
        ("ordering",),
    ),
)
