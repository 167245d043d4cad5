"""What the conditions of a story see of an operation: `result`, plain data made of what was observed.

Made of the normalised observation, so that the conditions of two engines that did the same see the same, down to the
names of identifiers.

| key | is |
|---|---|
| ok | whether the operation succeeded |
| operation, config | which, and in which configuration |
| changes | how many resource instances the plan creates, updates, replaces or deletes |
| actions | those by address: create, update, delete, delete+create, create+delete, forget |
| clean | the plan was made, and applying it would change nothing, no output either |
| drift | how many objects had changed outside |
| diagnostics | severity, summary and, where there is one, address of each |
| errors, warnings | how many of them |
| outputs | values in the state after it |
| state | resources: addresses of all managed objects; tainted, deposed: those of some |
| cloud | how many objects live in the simulated cloud |

What an operation has not come to is empty, nought or false, so that a condition can always ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from harness.observe.normalise import managed_instances
from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["condition_result"]

_UNCHANGED: Final = (["no-op"], ["read"])


def condition_result(observation: Mapping[str, Tree]) -> dict[str, Any]:
    plan, state = _object(observation.get("plan")), _object(observation.get("state"))
    actions = dict(_actions(plan.get("resource_changes")))
    diagnostics = [_diagnostic(each) for each in _objects(observation.get("diagnostics"))]
    severities = [each["severity"] for each in diagnostics]
    return {
        "ok": observation.get("ok") is True,
        "operation": observation["op"],
        "config": observation.get("config", ""),
        "changes": len(actions),
        "actions": actions,
        "clean": bool(plan) and not plan["errored"] and not plan["applyable"],
        "drift": len(_objects(plan.get("resource_drift"))),
        "diagnostics": diagnostics,
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "outputs": {name: _plain(_object(each).get("value")) for name, each in _object(state.get("outputs")).items()},
        "state": _summary(state),
        "cloud": len(_objects(observation.get("inventory"))),
    }


def _actions(changes: Tree) -> Iterable[tuple[str, str]]:
    for change in _objects(changes):
        actions = _object(change.get("change")).get("actions")
        if isinstance(actions, list) and actions not in _UNCHANGED:
            deposed = f" ({change['deposed']})" if "deposed" in change else ""
            yield f"{change['address']}{deposed}", "+".join(map(str, actions))


def _diagnostic(tree: Mapping[str, Tree]) -> dict[str, str]:
    return {name: str(tree[name]) for name in ("severity", "summary", "address") if name in tree}


def _summary(state: Mapping[str, Tree]) -> dict[str, list[str]]:
    found = list(managed_instances(dict(state))) if state else []
    return {
        "resources": [address for address, instance in found if "deposed" not in instance],
        "tainted": [address for address, instance in found if instance.get("status") == "tainted"],
        "deposed": [address for address, instance in found if "deposed" in instance],
    }


def _object(tree: Tree) -> Mapping[str, Tree]:
    return tree if isinstance(tree, dict) else {}


def _objects(tree: Tree) -> list[dict[str, Tree]]:
    return [item for item in tree if isinstance(item, dict)] if isinstance(tree, list) else []


def _plain(tree: Tree) -> Any:
    """With numbers that can be compared. Conditions need no more digits than their language has."""
    if isinstance(tree, JsonNumber):
        number = float(tree.text)
        return int(number) if number.is_integer() else number
    if isinstance(tree, list):
        return [_plain(item) for item in tree]
    return {key: _plain(item) for key, item in tree.items()} if isinstance(tree, dict) else tree
