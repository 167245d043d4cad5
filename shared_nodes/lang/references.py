"""The traversals of an expression, found without evaluating it."""

from __future__ import annotations

from collections.abc import Iterator

from shared_nodes.lang import tree

__all__ = ["free_traversals"]


def free_traversals(expression: tree.Expression) -> Iterator[tree.Traversal]:
    """Traversals whose root is not a variable of an enclosing `for`, in source order. Not recursive."""
    pending: list[tuple[tree.Expression, frozenset[str]]] = [(expression, frozenset())]
    while pending:
        node, bound = pending.pop()
        if isinstance(node, tree.Traversal):
            if node.root not in bound:
                yield node
        elif isinstance(node, tree.For):
            inner = bound | {name for name in (node.key_name, node.value_name) if name is not None}
            bodies = [part for part in (node.key, node.value, node.condition) if part is not None]
            pending.extend((part, inner) for part in reversed(bodies))
            pending.append((node.collection, bound))
        elif isinstance(node, tree.ObjectConstructor):
            for item in reversed(node.items):
                pending.append((item.value, bound))
                if item.literal_key is None:
                    pending.append((item.key, bound))
        else:
            pending.extend((child, bound) for child in reversed(node.children()))
