"""Which action a planned object requires, and why.

Nothing here calls a provider. A replacement is planned a second time, as a new object, between `decide_action` and
`settle_action`: the result of the first makes that second call necessary.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from shared_nodes.checksum import signed_crc64
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang import tree
from shared_nodes.lang.access import follow
from shared_nodes.lang.source import Range, Source
from shared_nodes.plan.change import Action, ActionReason
from shared_nodes.values.equality import equals
from shared_nodes.values.go_syntax import go_path
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.paths import AttributeStep, Path, marks_by_path
from shared_nodes.values.value import Value

__all__ = ["Decision", "changed_paths", "decide_action", "replacement", "settle_action"]


class Decision(NamedTuple):
    action: Action
    reason: ActionReason = ActionReason.NONE
    replace_paths: tuple[Path, ...] = ()


def replacement(*, create_before_destroy: bool) -> Action:
    return Action.CREATE_THEN_DELETE if create_before_destroy else Action.DELETE_THEN_CREATE


_NOWHERE: Final = Range(Source("", ""), 0, 0)


def changed_paths(prior: Value, planned: Value, required: Iterable[Path]) -> tuple[tuple[Path, ...], list[str]]:
    """Return those of the paths for which a provider requires replacement where the value changes; and, in the spelling
    of the original, those that exist in neither value, which a provider must not return. An unknown value may turn out
    different, so it counts as a change. Marks do not count."""
    if prior.is_null:
        return (), []
    prior, planned = prior.unmark_deep()[0], planned.unmark_deep()[0]
    changed: dict[Path, None] = {}
    missing: list[str] = []
    for path in required:
        before, after = _value_at(prior, path), _value_at(planned, path)
        if before is None and after is None:
            missing.append(go_path(path))
            continue
        if not _are_equal(before, after):
            changed[path] = None
    return tuple(sorted(changed, key=_sort_key)), missing


def _sort_key(path: Path) -> int:
    """Order paths by their checksums, as the original's set of paths does. Which element of a list or map a path leads
    through does not count."""
    return signed_crc64("".join(step.name if isinstance(step, AttributeStep) else "#" for step in path).encode())


def _are_equal(before: Value | None, after: Value | None) -> bool:
    """Whether the values are equal. A value that is missing on one side counts as null."""
    if before is None or after is None:
        present = before or after
        return present is not None and present.is_null
    return equals(after, before).payload is True


def _value_at(value: Value, path: Path) -> Value | None:
    steps = tuple(
        tree.TraverseAttribute(step.name, _NOWHERE)
        if isinstance(step, AttributeStep)
        else tree.TraverseIndex(step.key, _NOWHERE)
        for step in path
    )
    outcome = follow(value, steps, TERRAFORM_1_11)
    return outcome if isinstance(outcome, Value) else None


def decide_action(
    prior: Value, planned: Value, replace_paths: tuple[Path, ...], *, forced: bool, create_before_destroy: bool
) -> Decision:
    """Decide on the action. `replace_paths` are those of `changed_paths`; `forced` is a replacement requested by the
    user or by a trigger.

    The prior of a tainted object must be given as null, so that its replacement is planned as a creation.
    """
    if prior.is_null:
        return Decision(Action.CREATE, replace_paths=replace_paths)
    if not forced:
        unchanged = equals(planned.unmark_deep()[0], prior.unmark_deep()[0]).payload is True
        if unchanged:
            return Decision(Action.NO_OP, replace_paths=replace_paths)
        if not replace_paths:
            return Decision(Action.UPDATE)
    reason = ActionReason.REPLACE_BY_REQUEST if forced else ActionReason.REPLACE_CANNOT_UPDATE
    return Decision(replacement(create_before_destroy=create_before_destroy), reason, replace_paths)


def settle_action(
    decision: Decision, prior: Value, planned: Value, *, tainted: bool, create_before_destroy: bool
) -> Decision:
    """Return the final decision, once the final planned value is known.

    The creation of an object in place of a tainted one becomes a replacement. An object that only changes in
    sensitivity must be updated, or else the state would not record it.
    """
    if decision.action is Action.CREATE and tainted:
        action = replacement(create_before_destroy=create_before_destroy)
        return decision._replace(action=action, reason=ActionReason.REPLACE_TAINTED)
    if decision.action is Action.NO_OP and _sensitive_paths(prior) != _sensitive_paths(planned):
        return decision._replace(action=Action.UPDATE)
    return decision


def _sensitive_paths(value: Value) -> frozenset[Path]:
    return frozenset(path for path, marks in marks_by_path(value) if SENSITIVE in marks)
