"""Where in a body a part of its value comes from.

The path of the part is followed through the body as far as possible; if it leads nowhere, the range is that of a
missing item.
"""

from __future__ import annotations

from shared_nodes.config.syntax.content import missing_item_range
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.lang.json_static import static_value
from shared_nodes.lang.source import Range
from shared_nodes.nodes.body.content import blocks_named
from shared_nodes.values import number as numbers
from shared_nodes.values.paths import AttributeStep, IndexStep, Path
from shared_nodes.values.types import NUMBER, STRING
from shared_nodes.values.value import Value

__all__ = ["attribute_range"]


def attribute_range(body: tree.Body, path: Path) -> Range:
    if not path or isinstance(path[0], IndexStep):
        return missing_item_range(body)
    index = path[-1] if isinstance(path[-1], IndexStep) else None
    to_attribute = path if index is None else path[:-1]
    if len(to_attribute) > 1:
        body = _nested_body(body, to_attribute)
    final = to_attribute[-1]
    if not isinstance(final, AttributeStep) or final.name not in body.attributes:
        return missing_item_range(body)
    attribute = body.attributes[final.name]
    return attribute.expression.range if index is None else _element_range(attribute, index.key)


def _nested_body(body: tree.Body, steps: Path) -> tree.Body:
    """Return the body of the nested block at the path, or the deepest one that could be reached. A step that is no
    block is skipped, as in the original."""
    position = 0
    while position < len(steps):
        step = steps[position]
        if not isinstance(step, AttributeStep):
            return body
        following = steps[position + 1] if position + 1 < len(steps) else None
        has_label = isinstance(following, IndexStep) and following.key.type is STRING
        blocks = blocks_named(body, step.name, ("key",) if has_label else ())
        position += 2 if isinstance(following, IndexStep) else 1
        if not blocks:
            continue
        if isinstance(following, IndexStep):
            blocks = _blocks_at(blocks, following.key)
        if len(blocks) != 1:
            return body
        body = blocks[0].body
    return body


def _blocks_at(blocks: list[tree.Block], key: Value) -> list[tree.Block]:
    if key.type is NUMBER:
        position = numbers.to_int(key.payload)
        return blocks[position : position + 1] if position >= 0 else []
    return [block for block in blocks if block.labels[:1] == (key.payload,)][:1]


def _element_range(attribute: tree.Attribute, key: Value) -> Range:
    """Return the range of one element, if the expression lists its elements; of the name of the argument, if it has no
    such element. Keys are read in order, and one that needs values ends the search."""
    expression = attribute.expression
    if key.type is NUMBER and isinstance(expression, tree.TupleConstructor):
        position = numbers.to_int(key.payload)
        items = expression.items
        return items[position].range if 0 <= position < len(items) else attribute.name_range
    if key.type is STRING and isinstance(expression, tree.ObjectConstructor):
        for item in expression.items:
            found = item.literal_key
            if found is None:
                name, problems = static_value(item.key)
                if has_errors(problems):
                    return expression.range
                found = name.payload
            if found == key.payload:
                return item.value.start_range
        return attribute.name_range
    return expression.range
