"""Renders a plan: which objects change, how and why, which outputs change, and how many changes there are.

It works on the published JSON form, so it does not matter which engine made the plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from textwrap import fill
from typing import Any, Final

from reports.terminal.change import NONE, ValueChange
from reports.terminal.differences import Drafter
from reports.terminal.draft import Draft, Style, member_lines
from reports.terminal.drift import relevant_drift
from reports.terminal.titles import Titles
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import Flavour
from shared_nodes.providers.schema import ProviderSchema, SchemaAttribute, SchemaBlock
from shared_nodes.record import record
from shared_nodes.values.types import DYNAMIC

__all__ = ["RULE", "PlanView"]

_WIDTH: Final = 77
RULE: Final = "─" * _WIDTH

_FORGET: Final = ("forget",)
_FORGET_AND_CREATE: Final = ("forget", "create")
_LEGEND: Final[Mapping[tuple[str, ...], str]] = {
    ("create",): "  + create",
    ("update",): "  ~ update in-place",
    ("delete",): "  - destroy",
    ("delete", "create"): "-/+ destroy and then create replacement",
    ("create", "delete"): "+/- create replacement and then destroy",
    ("read",): " <= read (data resources)",
}
"""The lines of the legend, in its order: the symbol of an action, and its meaning."""

_FULL_LEGEND: Final = {
    **_LEGEND,
    ("update",): "  ~ update in-place (current -> planned)",
    _FORGET_AND_CREATE: "./+ forget and then create replacement",
    _FORGET: "  . forget",
}

_SYMBOLS: Final[Mapping[tuple[str, ...], str]] = {
    ("create",): "  + ",
    ("update",): "  ~ ",
    ("delete",): "  - ",
    ("delete", "create"): "-/+ ",
    ("create", "delete"): "+/- ",
    ("read",): " <= ",
    ("no-op",): "    ",
    _FORGET_AND_CREATE: "  ./+ ",
    _FORGET: "  . ",
}
"""What precedes the block of a resource, by action."""


@record
class PlanView:
    """Renders plans. The fields are what is needed in addition to the document."""

    flavour: Flavour
    mode: str = "normal"
    schemas: Mapping[ProviderSource, ProviderSchema] | None = None

    def text(self, document: Mapping[str, Any]) -> str:
        """Render the whole plan, ending with a newline."""
        shown, outputs = self._select_changes(document), self._output_drafts(document)
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
            titles = Titles(self.flavour)
            for change in shown:
                lines += [*self._resource_lines(change, titles), ""]
            lines += [self._count_line(shown), ""]
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
        titles = Titles(self.flavour, of_drift=True)
        yield f"Note: Objects have changed outside of {product}"
        yield ""
        yield fill(
            f"{product} detected the following changes made outside of {product} since the last "
            f'"{command} apply" which may have affected this plan:',
            _WIDTH,
        )
        yield ""
        for change in drift:
            yield from self._resource_lines(change, titles)
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
        legend = _FULL_LEGEND if self.flavour.legend_explains_every_symbol else _LEGEND
        yield fill(
            f"{self.flavour.product} used the selected providers to generate the following execution plan. Resource "
            "actions are indicated with the following symbols:",
            _WIDTH,
        )
        yield from (line for actions, line in legend.items() if actions in used)
        yield ""

    def _count_line(self, shown: Sequence[Mapping[str, Any]]) -> str:
        actions = [change["change"]["actions"] for change in shown if change["mode"] == "managed"]
        imported = sum(bool(change["change"].get("importing")) for change in shown)
        kinds = {"create": "add", "update": "change", "delete": "destroy"}
        counts = [f"{imported} to import"] if imported else []
        counts += [f"{sum(step in each for each in actions)} to {word}" for step, word in kinds.items()]
        forgotten = sum("forget" in each for each in actions)
        if forgotten and self.flavour.forgotten_objects_show_their_values:
            counts.append(f"{forgotten} to forget")
        return f"Plan: {', '.join(counts)}."

    def _output_drafts(self, document: Mapping[str, Any]) -> dict[str, Draft]:
        """Return drafts of changed outputs. An output that only became sensitive counts as unchanged."""
        outputs = document.get("output_changes") or {}
        changed = {name: _value_change(change) for name, change in outputs.items() if change["actions"] != ["no-op"]}
        drafts = {name: Drafter(self.flavour).output(change) for name, change in changed.items()}
        return {name: draft for name, draft in drafts.items() if draft.symbol != NONE}

    # One resource

    def _resource_lines(self, change: Mapping[str, Any], titles: Titles) -> Iterator[str]:
        detail = change["change"]
        actions = tuple(detail["actions"])
        yield from titles.lines(change)
        block = "data" if change["mode"] == "data" else "resource"
        drawn = Drafter(self.flavour).resource(self._value_change(detail), self._block(change))
        text = drawn.text(0, self._style(actions, is_imported=bool(detail.get("importing"))))
        yield f'{self._symbol(actions)}{block} "{change["type"]}" "{change["name"]}" {text}'

    def _symbol(self, actions: tuple[str, ...]) -> str:
        is_indented = actions != _FORGET or self.flavour.forgotten_objects_show_their_values
        return _SYMBOLS[actions] if is_indented else _SYMBOLS[actions][1:]

    def _style(self, actions: tuple[str, ...], *, is_imported: bool) -> Style:
        if actions != _FORGET:
            return Style(shows_unchanged=is_imported)
        return Style(hides_null=True, has_symbols=not self.flavour.forgotten_objects_show_their_values)

    def _value_change(self, detail: Mapping[str, Any]) -> ValueChange:
        """Return the change of a whole object. Where a forgotten one is not shown with its values, nothing happens to
        it."""
        change = _value_change(detail)
        is_left_alone = not self.flavour.forgotten_objects_show_their_values and detail["actions"] == ["forget"]
        return change.unchanged() if is_left_alone else change

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
    return ValueChange(
        detail.get("before"),
        detail.get("after"),
        detail.get("after_unknown", False),
        detail.get("before_sensitive", False),
        detail.get("after_sensitive", False),
        tuple(tuple(path) for path in detail.get("replace_paths") or ()),
    )


def _is_shown(change: Mapping[str, Any]) -> bool:
    detail = change["change"]
    moved = "previous_address" in change
    return detail["actions"] != ["no-op"] or moved or bool(detail.get("importing"))


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
