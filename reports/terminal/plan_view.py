"""Renders a plan: which objects change, how and why, which outputs change, and how many changes there are.

It works on the published JSON form, so it does not matter which engine made the plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from textwrap import fill
from typing import Any, Final

from reports.terminal.change import NONE, ValueChange
from reports.terminal.differences import block_draft, value_draft
from reports.terminal.draft import Draft, Style, member_lines
from reports.terminal.drift import relevant_drift
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import Flavour
from shared_nodes.providers.schema import ProviderSchema, SchemaAttribute, SchemaBlock
from shared_nodes.values.json import JsonNumber, dumps
from shared_nodes.values.types import DYNAMIC

__all__ = ["RULE", "PlanView"]

_WIDTH: Final = 77
RULE: Final = "─" * _WIDTH

_ACTIONS: Final = {
    ("create",): ("  + ", "create"),
    ("update",): ("  ~ ", "update in-place"),
    ("delete",): ("  - ", "destroy"),
    ("delete", "create"): ("-/+ ", "destroy and then create replacement"),
    ("create", "delete"): ("+/- ", "create replacement and then destroy"),
    ("read",): (" <= ", "read (data resources)"),
    ("forget",): (" . ", ""),
    ("no-op",): ("    ", ""),
}
"""The symbol of each action, four columns wide, and its meaning in the legend (empty: not in the legend)."""

_DRIFT_TITLES: Final[Mapping[tuple[str, ...], str]] = {("update",): "has changed", ("delete",): "has been deleted"}


@dataclass(frozen=True, slots=True)
class PlanView:
    """Renders plans. The fields are what is needed in addition to the document."""

    flavour: Flavour
    mode: str = "normal"
    schemas: Mapping[ProviderSource, ProviderSchema] | None = None

    def text(self, document: Mapping[str, Any]) -> str:
        """Render the whole plan, ending with a newline."""
        shown, outputs = self._select_changes(document), _output_drafts(document)
        drift = self._select_drift(document, bool(shown or outputs))
        lines = [*self._drift_lines(drift), RULE, ""] if drift else []
        if document.get("errored") and not shown and not outputs:
            lines += [
                f"Planning failed. {self.flavour.product} encountered an error while generating this plan.",
                "",
            ]
        elif not shown and not outputs and document.get("deferred_changes"):
            return "\n".join([*lines, *_deferred_lines(document)])
        elif not shown and not outputs:
            return "\n".join(lines[:-2]) if drift else self._no_changes()
        return "\n".join([*lines, *self._change_lines(document, shown, outputs), *_deferred_lines(document)])

    def _change_lines(
        self, document: Mapping[str, Any], shown: Sequence[Mapping[str, Any]], outputs: Mapping[str, Draft]
    ) -> list[str]:
        lines: list[str] = []
        acts = any(change["change"]["actions"] != ["no-op"] for change in shown)
        if acts:
            lines += self._legend(shown)
        if shown:
            outcome = "will perform the following actions"
            if document.get("errored"):
                outcome = "planned the following actions, but then encountered a problem"
            lines += [f"{self.flavour.product} {outcome}:", ""]
            for change in shown:
                lines += [*self._resource_lines(change), ""]
            lines += [_count_line(document), ""]
        if outputs:
            lines += ["Changes to Outputs:", *member_lines(outputs, 0, Style()), ""]
            if not acts:
                note = (
                    f"You can apply this plan to save these new output values to the {self.flavour.product} state, "
                    "without changing any real infrastructure."
                )
                lines += [fill(note, _WIDTH), ""]
        return lines

    def _select_drift(self, document: Mapping[str, Any], does_something: bool) -> Sequence[Mapping[str, Any]]:
        """Select the drift to show. A plan without changes has nothing to explain, unless it is refresh-only."""
        if self.mode == "refresh-only":
            return document.get("resource_drift") or []
        return relevant_drift(document) if does_something else []

    def _drift_lines(self, drift: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        product, command = self.flavour.product, self.flavour.command
        yield f"Note: Objects have changed outside of {product}"
        yield ""
        yield fill(
            f"{product} detected the following changes made outside of {product} since the last "
            f'"{command} apply" which may have affected this plan:',
            _WIDTH,
        )
        yield ""
        for change in drift:
            yield from self._resource_lines(change, _DRIFT_TITLES)
            yield ""
        yield ""
        if self.mode == "refresh-only":
            closing = (
                f"This is a refresh-only plan, so {product} will not take any actions to undo these. If you were "
                f"expecting these changes then you can apply this plan to record the updated values in the {product} "
                "state without changing any remote objects."
            )
        else:
            closing = (
                "Unless you have made equivalent changes to your configuration, or ignored the relevant attributes "
                "using ignore_changes, the following plan may include actions to undo or respond to these changes."
            )
        yield fill(closing, _WIDTH)
        yield ""

    def _no_changes(self) -> str:
        product = self.flavour.product
        title, reason = {
            "normal": (
                "Your infrastructure matches the configuration.",
                f"{product} has compared your real infrastructure against your configuration and found no "
                "differences, so no changes are needed.",
            ),
            "refresh-only": (
                "Your infrastructure still matches the configuration.",
                f"{product} has checked that the real remote objects still match the result of your most recent "
                "changes, and found no differences.",
            ),
            "destroy": (
                "No objects need to be destroyed.",
                "Either you have not created any objects yet or the existing objects were already deleted outside of "
                f"{product}.",
            ),
        }[self.mode]
        return f"No changes. {title}\n\n{fill(reason, _WIDTH)}\n"

    def _select_changes(self, document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        return [change for change in document.get("resource_changes") or [] if _is_shown(change)]

    def _legend(self, shown: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        used = {tuple(change["change"]["actions"]) for change in shown}
        kinds = [_ACTIONS[actions] for actions in _ACTIONS if actions in used]
        meanings = [f"{symbol}{meaning}" for symbol, meaning in kinds if meaning]
        yield fill(
            f"{self.flavour.product} used the selected providers to generate the following execution plan. Resource "
            "actions are indicated with the following symbols:",
            _WIDTH,
        )
        yield from meanings
        yield ""

    # One resource

    def _resource_lines(
        self, change: Mapping[str, Any], titles: Mapping[tuple[str, ...], str] | None = None
    ) -> Iterator[str]:
        """Render one resource. `titles` are used, by action, for changes that have already happened."""
        detail = change["change"]
        actions = tuple(detail["actions"])
        symbol = _ACTIONS[actions][0]
        indent = " " if symbol == " . " else "  "
        happened = None if titles is None else titles.get(actions)
        if happened is not None:
            yield f"{indent}# {change['address']} {happened}"
            if "previous_address" in change:
                yield f"{indent}# (moved from {change['previous_address']})"
        else:
            yield from (f"{indent}# {text}" for text in self._titles(change))
        block = "data" if change["mode"] == "data" else "resource"
        style = Style(hides_null=actions == ("forget",))
        drawn = block_draft(_value_change(detail), self._block(change)).text(0, style)
        yield f'{symbol}{block} "{change["type"]}" "{change["name"]}" {drawn}'

    def _titles(self, change: Mapping[str, Any]) -> Iterator[str]:
        address, actions = change["address"], change["change"]["actions"]
        reason = change.get("action_reason", "")
        moved_from = change.get("previous_address")
        importing = change["change"].get("importing")
        if change.get("deposed"):
            yield f"{address} (deposed object {change['deposed']}) will be destroyed"
            yield "(left over from a partially-failed replacement of this instance)"
            return
        if actions == ["no-op"]:
            yield f"{address} will be imported" if importing else f"{moved_from} has moved to {address}"
            if importing and moved_from:
                yield f"(moved from {moved_from})"
            return
        yield self._title(address, actions, reason)
        why = "destroy = false is set in the configuration" if actions == ["forget"] else self._reason(change, reason)
        if why:
            yield f"({why})"
        if moved_from:
            yield f"(moved from {moved_from})"
        if importing:
            yield f'(imported from "{importing["id"]}")'

    def _title(self, address: str, actions: Sequence[str], reason: str) -> str:
        match actions:
            case ["create"]:
                return f"{address} will be created"
            case ["read"]:
                return f"{address} will be read during apply"
            case ["update"]:
                return f"{address} will be updated in-place"
            case ["delete"]:
                return f"{address} will be destroyed"
            case ["forget"]:
                return f"{address} will no longer be managed by {self.flavour.product}, but will not be destroyed"
        match reason:
            case "replace_because_tainted":
                return f"{address} is tainted, so must be replaced"
            case "replace_by_request":
                return f"{address} will be replaced, as requested"
            case "replace_by_triggers":
                return f"{address} will be replaced due to changes in replace_triggered_by"
        return f"{address} must be replaced"

    @staticmethod
    def _reason(change: Mapping[str, Any], reason: str) -> str:
        resource = f"{'data.' if change['mode'] == 'data' else ''}{change['type']}.{change['name']}"
        key = change.get("index")
        match reason:
            case "read_because_config_unknown":
                return "config refers to values not yet known"
            case "read_because_dependency_pending":
                return "depends on a resource or a module with changes pending"
            case "read_because_check_nested":
                return "config will be reloaded to verify a check block"
            case "delete_because_no_resource_config":
                return f"because {resource} is not in configuration"
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
        return ""

    def _block(self, change: Mapping[str, Any]) -> SchemaBlock:
        """Return the schema of a resource. If it is unknown, every existing key is an attribute of any type."""
        schema = (self.schemas or {}).get(_source(change["provider_name"]))
        if schema is not None:
            resource = (schema.data if change["mode"] == "data" else schema.managed).get(change["type"])
            if resource is not None:
                return resource.block
        return SchemaBlock(
            {name: SchemaAttribute(DYNAMIC, optional=True) for name in _value_change(change["change"]).keys}
        )


@lru_cache(64)
def _source(name: str) -> ProviderSource:
    return ProviderSource(*name.split("/", 2))


def _value_change(detail: Mapping[str, Any]) -> ValueChange:
    change = ValueChange(
        detail.get("before"),
        detail.get("after"),
        detail.get("after_unknown", False),
        detail.get("before_sensitive", False),
        detail.get("after_sensitive", False),
        tuple(tuple(path) for path in detail.get("replace_paths") or ()),
    )
    return change.unchanged() if detail["actions"] == ["forget"] else change


def _is_shown(change: Mapping[str, Any]) -> bool:
    detail = change["change"]
    moved = "previous_address" in change
    return detail["actions"] != ["no-op"] or moved or bool(detail.get("importing"))


def _key(key: Any) -> str:
    return f"[{key.text}]" if isinstance(key, JsonNumber) else f"[{dumps(key, escape_html=False)}]"


def _count_line(document: Mapping[str, Any]) -> str:
    changes = [change for change in document.get("resource_changes") or [] if change["mode"] == "managed"]
    actions = [change["change"]["actions"] for change in changes]
    imported = sum(bool(change["change"].get("importing")) for change in changes)
    add, change, remove = (sum(verb in action for action in actions) for verb in ("create", "update", "delete"))
    parts = [f"{imported} to import"] if imported else []
    return "Plan: " + ", ".join([*parts, f"{add} to add", f"{change} to change", f"{remove} to destroy"]) + "."


_REASONS: Final = {
    "instance_count_unknown": "it is not known yet which instances there will be",
    "deferred_prereq": "it is made from something that is left to another run",
}


def _deferred_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the plan defers, so that it is not mistaken for complete."""
    deferred = document.get("deferred_changes") or []
    if deferred:
        yield "Left to another run:"
        yield from (f"  {each['resource_change']['address']}: {_REASONS[each['reason']]}" for each in deferred)
        yield ""


# Outputs


def _output_drafts(document: Mapping[str, Any]) -> dict[str, Draft]:
    """Return drafts of changed outputs. An output that only became sensitive counts as unchanged."""
    outputs = document.get("output_changes") or {}
    drafts = {
        name: value_draft(_value_change(change)) for name, change in outputs.items() if change["actions"] != ["no-op"]
    }
    return {name: draft for name, draft in drafts.items() if draft.symbol != NONE}
