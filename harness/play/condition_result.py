"""`result`, the outcome of an operation as conditions of tasks see it.

It is plain data, made from the normalised observation, so that conditions see the same for two engines that did the
same, down to the names of identifiers.

| key | value |
|---|---|
| ok | whether the operation succeeded |
| operation, config | the operation, and its configuration |
| changes | how many resource instances the plan creates, updates, replaces or deletes |
| actions | those by address: create, update, delete, delete+create, create+delete, forget |
| clean | a plan was made, and applying it would change nothing, outputs included |
| drift | how many objects had changed outside |
| diagnostics | severity, summary and, where there is one, address of each |
| errors, warnings | how many of them |
| outputs | values in the state after it |
| state | resources: addresses of all managed objects; tainted, deposed: those of some |
| cloud | how many objects exist in the simulated cloud |

What an operation did not reach is empty, zero or false, so that every condition can be evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from harness.observe.json_trees import as_object, as_objects
from harness.observe.normalise import managed_instances
from harness.observe.observation import would_change
from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["condition_result"]

_UNCHANGED: Final = (["no-op"], ["read"])


def condition_result(observation: Mapping[str, Tree]) -> dict[str, Any]:
    plan, state = as_object(observation.get("plan")), as_object(observation.get("state"))
    actions = dict(_actions(plan.get("resource_changes")))
    diagnostics = [_diagnostic(each) for each in as_objects(observation.get("diagnostics"))]
    severities = [each["severity"] for each in diagnostics]
    return {
        "ok": observation.get("ok") is True,
        "operation": observation["op"],
        "config": observation.get("config", ""),
        "changes": len(actions),
        "actions": actions,
        "clean": bool(plan) and not plan["errored"] and not would_change(plan),
        "drift": len(as_objects(plan.get("resource_drift"))),
        "diagnostics": diagnostics,
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "outputs": {
            name: _plain(as_object(each).get("value")) for name, each in as_object(state.get("outputs")).items()
        },
        "state": _summary(state),
        "cloud": len(as_objects(observation.get("inventory"))),
    }


def _actions(changes: Tree) -> Iterable[tuple[str, str]]:
    for change in as_objects(changes):
        actions = as_object(change.get("change")).get("actions")
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


def _plain(tree: Tree) -> Any:
    """Return plain data with ordinary numbers: conditions need no more digits than their language has."""
    if isinstance(tree, JsonNumber):
        number = float(tree.text)
        return int(number) if number.is_integer() else number
    if isinstance(tree, list):
        return [_plain(item) for item in tree]
    return {key: _plain(item) for key, item in tree.items()} if isinstance(tree, dict) else tree
