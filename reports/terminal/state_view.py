"""Renders a state: every object with all its attributes, and the outputs. It works on the published JSON form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from reports.terminal.change import ValueChange
from reports.terminal.differences import Drafter
from reports.terminal.draft import Style
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import Flavour
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.record import record
from shared_nodes.values.json import Tree, type_from_json

__all__ = ["StateView"]

_STYLE: Final = Style(shows_unchanged=True, has_symbols=False)


@record
class StateView:
    flavour: Flavour
    schemas: Mapping[ProviderSource, ProviderSchema]
    """Schemas of all providers that have objects in the state."""

    def text(self, document: Mapping[str, Any]) -> str:
        """Render the whole state, ending with a newline."""
        values = document.get("values")
        if values is None:
            return "The state file is empty. No resources are represented.\n"
        lines = [*self._module(values["root_module"], is_first=True), *self._outputs(values.get("outputs") or {})]
        return "".join(f"{line}\n" for line in lines)

    def _module(self, module: Mapping[str, Any], *, is_first: bool) -> Iterator[str]:
        """Render a module and its child modules.

        Two empty lines precede a module and one separates objects, but no line separates modules below an empty root
        module: a quirk of the original that is kept on purpose.
        """
        objects = module.get("resources") or []
        if objects and not is_first:
            yield ""
        for item in objects:
            if not is_first:
                yield ""
            is_first = False
            yield from self._object(item)
        for child in module.get("child_modules") or []:
            yield from self._module(child, is_first=is_first)

    def _object(self, item: Mapping[str, Any]) -> Iterator[str]:
        is_data = item["mode"] == "data"
        note = f" (deposed object {item['deposed_key']})" if "deposed_key" in item else ""
        yield f"# {item['address']}:{note or (' (tainted)' if item.get('tainted') else '')}"
        schema = self.schemas[ProviderSource(*item["provider_name"].split("/", 2))]
        block = (schema.data if is_data else schema.managed)[item["type"]].block
        change = _unchanged(item["values"], item.get("sensitive_values", False))
        drawn = Drafter(self.flavour).resource(change, block).text(0, _STYLE)
        yield f'{"data" if is_data else "resource"} "{item["type"]}" "{item["name"]}" {drawn}'

    def _outputs(self, outputs: Mapping[str, Any]) -> Iterator[str]:
        if outputs:
            yield from ("", "", "Outputs:", "")
        for name, output in sorted(outputs.items()):
            change = _unchanged(output["value"], output["sensitive"])
            drawn = Drafter(self.flavour).output(change, type_from_json(output["type"])).text(0, _STYLE)
            yield f"{name} = {drawn}"


def _unchanged(value: Tree, sensitive: Tree) -> ValueChange:
    return ValueChange(value, value, False, sensitive, sensitive)
