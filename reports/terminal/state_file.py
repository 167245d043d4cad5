"""Renders the state after a step as text, one line for each value: two states that differ are compared line by line.

It is made from the file of a state, as observations have it, and not from the document that `show` prints: the file
alone says what an object depends on, and which provider has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from reports.terminal.change import ValueChange
from reports.terminal.differences import Drafter
from reports.terminal.draft import Style
from shared_nodes.flavour import Flavour
from shared_nodes.providers.schema import SchemaAttribute, SchemaBlock
from shared_nodes.values.json import JsonNumber, Tree, dumps
from shared_nodes.values.types import DYNAMIC

__all__ = ["state_file_text"]

_STYLE: Final = Style(shows_unchanged=True, has_symbols=False)
_SHOWN: Final = frozenset({"attributes", "attributes_flat", "index_key", "deposed", "status"})
"""What the block of an object and its heading say. The rest of an object follows as comments."""


def state_file_text(state: Mapping[str, Tree], flavour: Flavour) -> str:
    """Return the whole state. What is malformed in it is rendered as JSON."""
    lines: list[str] = []
    for resource in _objects(state.get("resources")):
        for instance in _objects(resource.get("instances")) or [{}]:
            lines += [*_object(resource, instance, flavour), ""]
    outputs = state.get("outputs")
    if isinstance(outputs, dict) and outputs:
        lines += ["Outputs:", ""]
        lines += [line for name, output in sorted(outputs.items()) for line in _output(name, output, flavour)]
    if state.get("check_results"):
        lines += ["", "Checks:", "", *dumps(state["check_results"], escape_html=False, indent=2).split("\n")]
    return "\n".join(lines).strip("\n") + "\n" if lines else "The state is empty.\n"


def _object(resource: Mapping[str, Tree], instance: Mapping[str, Tree], flavour: Flavour) -> Iterator[str]:
    kind, name, mode = (str(resource.get(key, "")) for key in ("type", "name", "mode"))
    module = f"{resource['module']}." if resource.get("module") else ""
    data = "data." if mode == "data" else ""
    deposed = f" (deposed object {instance['deposed']})" if instance.get("deposed") else ""
    status = f" ({instance['status']})" if instance.get("status") else ""
    yield f"# {module}{data}{kind}.{name}{_key(instance.get('index_key'))}:{deposed}{status}"
    for key, value in {"provider": resource.get("provider"), **instance}.items():
        if key not in _SHOWN and value not in (None, [], {}, "", False):
            yield f"# {key}: {_member(value)}"
    values = instance.get("attributes")
    if not isinstance(values, dict):
        yield f'{"data" if data else "resource"} "{kind}" "{name}" {dumps(values, escape_html=False)}'
        return
    block = SchemaBlock({key: SchemaAttribute(DYNAMIC, optional=True) for key in values})
    drawn = Drafter(flavour).resource(ValueChange(values, values), block).text(0, _STYLE)
    yield from f'{"data" if data else "resource"} "{kind}" "{name}" {drawn}'.split("\n")


def _member(value: Tree) -> str:
    """Return what a file of a state says about an object: addresses as a list, and paths of attributes as they are
    written in a configuration."""
    if isinstance(value, str):
        return value
    words = [_attribute(item) if isinstance(item, list) else item for item in value] if isinstance(value, list) else []
    texts = [word for word in words if isinstance(word, str)]
    return ", ".join(texts) if texts and len(texts) == len(words) else dumps(value, escape_html=False)


def _attribute(path: Sequence[Tree]) -> str | None:
    """Return a path to a sensitive attribute, such as `rule[0].secret`; None if it is malformed."""
    text = ""
    for step in _objects([*path]):
        value = step.get("value")
        text += f".{value}" if step.get("type") == "get_attr" and isinstance(value, str) else _index(value)
    return text.removeprefix(".") or None


def _index(value: Tree) -> str:
    """Return an index; in an observation it has its type beside it."""
    key = value.get("value") if isinstance(value, dict) else value
    return f"[{dumps(key, escape_html=False)}]"


def _output(name: str, output: Tree, flavour: Flavour) -> list[str]:
    if not isinstance(output, dict) or "value" not in output:
        return [f"{name} = {dumps(output, escape_html=False)}"]
    value = output["value"]
    drawn = Drafter(flavour).output(ValueChange(value, value)).text(0, _STYLE)
    return f"{name} = {drawn}{' # sensitive' if output.get('sensitive') else ''}".split("\n")


def _key(key: Tree) -> str:
    if key is None:
        return ""
    return f"[{key.text}]" if isinstance(key, JsonNumber) else f"[{dumps(key, escape_html=False)}]"


def _objects(tree: Tree) -> list[dict[str, Tree]]:
    return [item for item in tree if isinstance(item, dict)] if isinstance(tree, list) else []
