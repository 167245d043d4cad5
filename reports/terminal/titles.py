"""Titles of objects in a plan: the comment lines that say what happens to an object, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from shared_nodes.flavour import Flavour
from shared_nodes.record import record
from shared_nodes.values.json import JsonNumber, dumps

__all__ = ["Titles"]

_LEFT_OVER: Final = "(left over from a partially-failed replacement of this instance)"
_DRIFT: Final[Mapping[tuple[str, ...], str]] = {("update",): "has changed", ("delete",): "has been deleted"}
_ENDINGS: Final[Mapping[tuple[str, ...], str]] = {
    ("create",): "will be created",
    ("read",): "will be read during apply",
    ("update",): "will be updated in-place",
    ("delete",): "will be destroyed",
}
_REPLACEMENTS: Final = {
    "replace_by_request": "will be replaced, as requested",
    "replace_by_triggers": "will be replaced due to changes in replace_triggered_by",
}
_FIXED_REASONS: Final = {
    "read_because_config_unknown": "config refers to values not yet known",
    "read_because_dependency_pending": "depends on a resource or a module with changes pending",
    "read_because_check_nested": "config will be reloaded to verify a check block",
    "delete_because_enabled_false": "because enabled is false",
}
_FORGETTING_REASONS: Final = {
    "forgot_because_lifecycle_destroy_in_state": (
        "lifecycle.destroy = false was configured before this resource was removed from the configuration"
    ),
    "forgot_because_lifecycle_destroy_in_config": "lifecycle.destroy = false is set in the configuration",
}


@record
class Titles:
    """Makes titles as one product words them."""

    flavour: Flavour
    of_drift: bool = False
    """Whether the changes have happened already."""

    def lines(self, change: Mapping[str, Any]) -> Iterator[str]:
        actions = tuple(change["change"]["actions"])
        if actions == ("no-op",):
            yield from self._unchanged_lines(change)
        elif actions == ("forget",):
            yield from self._forgotten_lines(change)
        else:
            yield f"  # {_subject(change)} {self._ending(actions, change.get('action_reason', ''))}"
            reason = _reason(change)
            if reason:
                yield f"  # ({reason})"
            if change.get("deposed") and "create" not in actions:
                yield f"  # {_LEFT_OVER}"
            if "previous_address" in change:
                yield f"  # (moved from {change['previous_address']})"
            yield from _import_lines(change)

    def _ending(self, actions: tuple[str, ...], reason: str) -> str:
        if self.of_drift and actions in _DRIFT:
            return _DRIFT[actions]
        if actions in _ENDINGS:
            return _ENDINGS[actions]
        tainted = reason == "replace_because_tainted"
        ending = self.flavour.tainted_title if tainted else _REPLACEMENTS.get(reason, "must be replaced")
        if actions == ("forget", "create"):
            return f"{ending} - older instance will not be destroyed (lifecycle.destroy = false)"
        return ending

    def _unchanged_lines(self, change: Mapping[str, Any]) -> Iterator[str]:
        """Yield the title of an object that only moves, or is only imported."""
        moved_from = change.get("previous_address")
        if moved_from is not None:
            yield f"  # {moved_from} has moved to {change['address']}"
            yield from _import_lines(change)
            return
        yield f"  # {change['address']} will be imported"
        if self.flavour.pure_imports_name_their_id:
            yield from _import_lines(change)

    def _forgotten_lines(self, change: Mapping[str, Any]) -> Iterator[str]:
        product, is_deposed = self.flavour.product, bool(change.get("deposed"))
        if not self.flavour.forgotten_objects_show_their_values:
            if is_deposed:
                yield f" # {_subject(change)} will be removed from {product} state, but will not be destroyed"
                yield f" # {_LEFT_OVER}"
            else:
                yield f" # {_subject(change)} will no longer be managed by {product}, but will not be destroyed"
            yield " # (destroy = false is set in the configuration)"
            return
        title = f"  # {_subject(change)} will be removed from the {product} state but will not be destroyed"
        reason = _FORGETTING_REASONS.get(change.get("action_reason", ""))
        yield f"{title} " if reason else title
        if reason:
            yield f" (because {reason})"
        if is_deposed:
            yield f"  # {_LEFT_OVER}"


def _subject(change: Mapping[str, Any]) -> str:
    deposed = change.get("deposed")
    return f"{change['address']} (deposed object {deposed})" if deposed else str(change["address"])


def _import_lines(change: Mapping[str, Any]) -> Iterator[str]:
    detail = change["change"]
    importing = detail.get("importing")
    if importing is None:
        return
    if importing.get("id"):
        yield f'  # (imported from "{importing["id"]}")'
    elif importing.get("identity") is not None:
        document = dumps(importing["identity"], indent=2).replace("\n", "\n  # ")
        yield f"  # imported using resource identity: {document}"
    else:
        yield "  # (will be imported first)"
    if len(detail["actions"]) == 2:
        yield "  # Warning: this will destroy the imported resource"


def _reason(change: Mapping[str, Any]) -> str:
    reason, key = change.get("action_reason", ""), change.get("index")
    match reason:
        case "delete_because_no_resource_config":
            return f"because {change['type']}.{change['name']} is not in configuration"
        case "delete_because_no_module":
            return f"because {change.get('module_address', '')} is not in configuration"
        case "delete_because_no_move_target":
            moved_from = change.get("previous_address", change["address"])
            return f"because {moved_from} was moved to {change['address']}, which is not in configuration"
        case "delete_because_count_index":
            return f"because index {_key(key)} is out of range for count"
        case "delete_because_each_key":
            return f"because key {_key(key)} is not in for_each map"
        case "delete_because_wrong_repetition":
            if key is None:
                return "because resource uses count or for_each"
            return f"because resource does not use {'for_each' if isinstance(key, str) else 'count'}"
    return _FIXED_REASONS.get(reason, "")


def _key(key: Any) -> str:
    return f"[{key.text}]" if isinstance(key, JsonNumber) else f"[{dumps(key, escape_html=False)}]"
