"""Whether an object that is not wanted any more is destroyed or only forgotten, and why.

A `removed` block decides. Without one, `destroy = false` in the `lifecycle` block of the resource keeps its objects;
and what was set there when an object was last written is recorded with it, and holds when the block is gone.
"""

from __future__ import annotations

from typing import Final

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.lang.json_static import static_value
from shared_nodes.plan.change import ActionReason
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject
from shared_nodes.values.types import BOOL

__all__ = ["DESTROY", "Removal", "decide_removal", "forgotten_warning", "keeps_objects"]


@record
class Removal:
    """How an object is removed. `reason` says why it is forgotten, unless a `removed` block is the only reason."""

    forgets: bool
    reason: ActionReason = ActionReason.NONE


DESTROY: Final = Removal(forgets=False)


def keeps_objects(block: ResourceBlock | None) -> tuple[bool, list[Diagnostic]]:
    """Return whether the objects of a resource are kept where they would be destroyed. Anything but a boolean constant
    is an error."""
    expression = None if block is None else block.lifecycle.destroy
    if expression is None:
        return False, []
    value, _ = static_value(expression)
    if value.type is BOOL and value.is_known and not value.is_null:
        return not value.payload, []
    detail = "The lifecycle destroy expression must be a boolean constant."
    return False, [error("Invalid lifecycle destroy expression", detail, expression.range)]


def decide_removal(
    block: ResourceBlock | None, stored: InstanceObject | None, removed_destroys: bool | None = None
) -> tuple[Removal, list[Diagnostic]]:
    """Decide how an object is removed. `removed_destroys` is what `removed` blocks say; None if there is none for the
    object."""
    keeps, problems = keeps_objects(block)
    was_kept = stored is not None and stored.skip_destroy
    forgets = keeps or was_kept if removed_destroys is None else not removed_destroys
    if not forgets:
        return DESTROY, problems
    reason = ActionReason.FORGOT_BY_STATE if was_kept else ActionReason.NONE
    return Removal(forgets=True, reason=ActionReason.FORGOT_BY_CONFIG if keeps else reason), problems


def forgotten_warning(address: AbsResourceInstance, flavour: Flavour) -> list[Diagnostic]:
    """Warn that an object will only be forgotten, unless one warning is about all of them."""
    if not flavour.forgotten_objects_warn_one_by_one:
        return []
    detail = (
        f"After this plan is applied, the resource {address} will not be managed anymore by {flavour.product}.\n\nIn "
        "case you want to manage the resource again, you will have to import it."
    )
    return [warning("Resource will be removed from the state", detail)]
