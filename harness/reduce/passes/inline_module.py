"""The pass that inlines a module: its blocks move to where it is called.

Only a module that is called once can be inlined. Arguments of the call are lost, so this helps once the variables have
defaults or are inlined, which other passes do.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.reduce.passes.json_data import with_texts
from harness.reduce.specimens.specimen import Specimen, SpecimenChange, TextEdit
from harness.reduce.specimens.syntax import (
    Key,
    Part,
    blocks_of,
    bodies_of,
    called_directory,
    directory_of,
    in_all_versions,
    make_deletion,
    traversals_in,
)
from shared_nodes.lang.tree import Block, TraverseAttribute

__all__ = ["inline_modules"]


def inline_modules(specimen: Specimen) -> list[SpecimenChange]:
    parts = list(blocks_of(specimen))
    found: list[tuple[Key, SpecimenChange]] = []
    for part in parts:
        directory = called_directory(part)
        calls = [other for other in parts if directory is not None and called_directory(other) == directory]
        if directory is not None and len(calls) == 1:
            found.append((part.key, _inline_module(specimen, part, directory)))
    return in_all_versions(found)


def _inline_module(specimen: Specimen, call: Part, directory: str) -> SpecimenChange:
    assert isinstance(call.node, Block)
    name = call.node.labels[0]
    parent = directory_of(call.path)
    inside = [path for path in specimen.files if path.startswith(f"{directory}/")]
    files = {}
    for path in inside:
        rest = path.removeprefix(f"{directory}/")
        files[f"{parent}/{rest}" if "/" in rest else f"{parent}/{name}_{rest}"] = specimen.files[path]
    edits = [make_deletion(call.path, call.node), *_inline_outputs(specimen, parent, directory, name)]
    case_yaml = with_texts(specimen.case_yaml, lambda text: text.replace(f"module.{name}.", ""))
    return SpecimenChange(tuple(edits), frozenset(inside), files, case_yaml)


def _inline_outputs(specimen: Specimen, parent: str, directory: str, name: str) -> Iterator[TextEdit]:
    texts = {
        block.labels[0]: f"({block.body.attributes['value'].expression.range.text})"
        for path, body in bodies_of(specimen)
        if directory_of(path) == directory
        for block in body.blocks
        if block.type == "output" and block.labels and "value" in block.body.attributes
    }
    for path, body in bodies_of(specimen):
        if directory_of(path) == parent:
            for traversal in traversals_in(body, "module", name):
                output = traversal.steps[1] if len(traversal.steps) > 1 else None
                if isinstance(output, TraverseAttribute) and output.name in texts:
                    yield TextEdit(path, traversal.range.start, output.range.end, texts[output.name])
