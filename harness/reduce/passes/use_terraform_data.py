"""The pass that turns resources of any provider into `terraform_data`, which needs no provider declaration.

A bug of an engine seldom depends on what a provider does. It needs an object that changes or is replaced, and others
that refer to it. One argument of each resource is therefore kept as the one that triggers a change or replacement: one
that refers to something, or else the last, since the first is usually a name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from harness.reduce.passes.inlining import is_constant
from harness.reduce.passes.json_data import with_texts
from harness.reduce.specimens.specimen import Specimen, SpecimenChange, TextEdit, merge_changes
from harness.reduce.specimens.syntax import Part, blocks_of, bodies_of, expressions_in, make_deletion
from shared_nodes.lang.printer import print_string
from shared_nodes.lang.tree import Block, Traversal, TraverseAttribute

__all__ = ["use_terraform_data"]

_PLAIN: Final = "terraform_data"
_ROLES: Final = (("input", "output"), ("triggers_replace", "id"))
"""The name for the argument that is kept, and the attribute that references use: it is unknown when the argument
changes."""

_META: Final = ("count", "for_each", "depends_on")
_META_BLOCKS: Final = ("lifecycle", "provisioner")


def use_terraform_data(specimen: Specimen) -> list[SpecimenChange]:
    """Convert all resources, or those of one type, in all versions; if possible also drop the provider declarations."""
    types = sorted({block.labels[0] for _, block in _resources(specimen)} - {_PLAIN})
    sets = [types, *([name] for name in types)] if len(types) > 1 else [[name] for name in types]
    each = [_convert(specimen, some, *role) for some in sets for role in _ROLES]
    without = SpecimenChange(
        tuple(make_deletion(part.path, part.node) for part in blocks_of(specimen) if _is_declaration(part))
    )
    return [*(merge_changes([one, without]) for one in each), *each]


def _is_declaration(part: Part) -> bool:
    return isinstance(part.node, Block) and part.node.type in ("terraform", "provider") and not part.around


def _resources(specimen: Specimen) -> Iterator[tuple[str, Block]]:
    for part in blocks_of(specimen):
        if isinstance(part.node, Block) and part.node.type == "resource" and len(part.node.labels) == 2:
            yield part.path, part.node


def _convert(specimen: Specimen, types: Collection[str], argument: str, attribute: str) -> SpecimenChange:
    edits: list[TextEdit] = []
    for path, block in _resources(specimen):
        if block.labels[0] in types:
            label = block.label_ranges[0]
            edits.append(TextEdit(path, label.start, label.end, print_string(_PLAIN)))
            edits += _convert_content(path, block, argument)
    for path, body in bodies_of(specimen):
        for expression in expressions_in(body):
            if isinstance(expression, Traversal) and expression.root in types and expression.steps:
                edits += _convert_reference(path, expression, attribute)

    def rename(text: str) -> str:
        for name in types:
            text = text.replace(f"{name}.", f"{_PLAIN}.")
        return text

    return SpecimenChange(tuple(edits), case_yaml=with_texts(specimen.case_yaml, rename))


def _convert_content(path: str, block: Block, argument: str) -> Iterator[TextEdit]:
    arguments = [each for name, each in block.body.attributes.items() if name not in _META]
    kept = next((each for each in arguments if not is_constant(each.expression)), arguments[-1] if arguments else None)
    for each in arguments:
        if each is kept:
            yield TextEdit(path, each.name_range.start, each.name_range.end, argument)
        else:
            yield make_deletion(path, each)
    yield from (make_deletion(path, inner) for inner in block.body.blocks if inner.type not in _META_BLOCKS)


def _convert_reference(path: str, traversal: Traversal, attribute: str) -> Iterator[TextEdit]:
    """Convert a reference up to the first attribute."""
    yield TextEdit(path, traversal.root_range.start, traversal.root_range.end, _PLAIN)
    attributes = [step for step in traversal.steps[1:] if isinstance(step, TraverseAttribute)]
    if attributes:
        yield TextEdit(path, attributes[0].range.start, traversal.range.end, f".{attribute}")
