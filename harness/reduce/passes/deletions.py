"""Passes that drop files, modules, blocks, arguments and lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from harness.reduce.specimens.specimen import Specimen, SpecimenChange, TextEdit, merge_changes
from harness.reduce.specimens.syntax import (
    Key,
    Part,
    attributes_of,
    blocks_of,
    bodies_of,
    body_of,
    called_directory,
    directory_of,
    in_all_versions,
    in_one_version,
    make_deletion,
)
from shared_nodes.lang.file_names import NATIVE_SUFFIXES
from shared_nodes.lang.tree import Attribute, Block, Expression, Traversal, walk

__all__ = [
    "drop_arguments",
    "drop_arguments_in_one_version",
    "drop_blocks",
    "drop_blocks_in_one_version",
    "drop_blocks_with_references",
    "drop_files",
    "drop_files_in_one_version",
    "drop_lines",
    "drop_modules",
    "join_files",
]


def drop_files(specimen: Specimen) -> list[SpecimenChange]:
    return in_all_versions(_file_deletions(specimen))


def drop_files_in_one_version(specimen: Specimen) -> list[SpecimenChange]:
    return in_one_version(_file_deletions(specimen))


def _file_deletions(specimen: Specimen) -> Iterator[tuple[Key, SpecimenChange]]:
    for path in sorted(specimen.files):
        yield (path.partition("/")[2],), SpecimenChange(without=frozenset([path]))


def join_files(specimen: Specimen) -> list[SpecimenChange]:
    """Join the configuration files of each module into one for each suffix, because suffixes can matter."""
    found: list[tuple[Key, SpecimenChange]] = []
    directories = sorted({directory_of(path) for path in specimen.files})
    for directory, suffix in product(directories, NATIVE_SUFFIXES):
        inside = [path for path, _ in bodies_of(specimen) if directory_of(path) == directory and path.endswith(suffix)]
        target = f"{directory}/main{suffix}"
        if inside not in ([], [target]):
            text = "".join(specimen.files[path].rstrip("\n") + "\n" for path in inside)
            found.append(((target.partition("/")[2],), SpecimenChange(without=frozenset(inside), files={target: text})))
    return in_all_versions(found)


def drop_modules(specimen: Specimen) -> list[SpecimenChange]:
    """Drop modules: the directory and all calls of it."""
    found: list[tuple[Key, SpecimenChange]] = []
    for directory in sorted({directory_of(path) for path in specimen.files}):
        inside = directory.partition("/")[2]
        if inside:
            within = frozenset(path for path in specimen.files if path.startswith(f"{directory}/"))
            calls = [part for part in blocks_of(specimen) if called_directory(part) == directory]
            found.append(
                ((inside,), SpecimenChange(tuple(make_deletion(part.path, part.node) for part in calls), within))
            )
    return in_all_versions(found)


def drop_blocks(specimen: Specimen) -> list[SpecimenChange]:
    return in_all_versions(_deletions(blocks_of(specimen)))


def drop_blocks_in_one_version(specimen: Specimen) -> list[SpecimenChange]:
    return in_one_version(_deletions(blocks_of(specimen)))


def drop_arguments(specimen: Specimen) -> list[SpecimenChange]:
    return in_all_versions(_deletions(attributes_of(specimen)))


def drop_arguments_in_one_version(specimen: Specimen) -> list[SpecimenChange]:
    return in_one_version(_deletions(attributes_of(specimen)))


def _deletions(parts: Iterator[Part]) -> Iterator[tuple[Key, SpecimenChange]]:
    for part in parts:
        yield part.key, SpecimenChange((make_deletion(part.path, part.node),))


def drop_blocks_with_references(specimen: Specimen) -> list[SpecimenChange]:
    """Drop a block together with every argument and list item that refers to it, where neither can be dropped alone."""
    parts = list(attributes_of(specimen))
    found: list[tuple[Key, SpecimenChange]] = []
    for part in blocks_of(specimen):
        names = _reference_names(part)
        if names:
            edits = [
                edit for other in parts if _is_in_same_module(part, other) for edit in _drop_reference(other, names)
            ]
            if edits:
                found.append(
                    (
                        part.key,
                        merge_changes(
                            [SpecimenChange((make_deletion(part.path, part.node),)), SpecimenChange(tuple(edits))]
                        ),
                    )
                )
    return in_all_versions(found)


def _is_in_same_module(part: Part, other: Part) -> bool:
    return directory_of(part.path) == directory_of(other.path)


def _reference_names(part: Part) -> tuple[str, ...]:
    """Return how other blocks of the module refer to a block; empty if they cannot."""
    if part.around or not isinstance(part.node, Block):
        return ()
    match part.node.type, *part.node.labels:
        case "resource", type_name, name:
            return (type_name, name)
        case ("data" | "ephemeral") as kind, type_name, name:
            return (kind, type_name, name)
        case "module", name:
            return ("module", name)
        case "variable", name:
            return ("var", name)
    return ()


def _drop_reference(part: Part, names: tuple[str, ...]) -> list[TextEdit]:
    assert isinstance(part.node, Attribute)
    expression = part.node.expression
    if not _refers_to(expression, names):
        return []
    if part.node.name == "depends_on":
        items = [item for item in expression.children() if not _refers_to(item, names)]
        if items:
            text = f"[{', '.join(item.range.text for item in items)}]"
            return [TextEdit(part.path, expression.range.start, expression.range.end, text)]
    if part.node.name in ("value", "from", "to", "condition") and part.around:
        return [make_deletion(part.path, part.around[-1])]
    return [make_deletion(part.path, part.node)]


def _refers_to(expression: Expression, names: tuple[str, ...]) -> bool:
    for node in walk(expression):
        if isinstance(node, Traversal):
            found = (node.root, *(getattr(step, "name", None) for step in node.steps))
            if found[: len(names)] == names:
                return True
    return False


def drop_lines(specimen: Specimen) -> list[SpecimenChange]:
    """Drop lines of files with syntax errors, where only the error matters."""
    found: list[SpecimenChange] = []
    for path, text in sorted(specimen.files.items()):
        if body_of(path, text) is None and not path.endswith(".json"):
            at = 0
            for line in text.splitlines(keepends=True):
                found.append(SpecimenChange((TextEdit(path, at, at + len(line)),)))
                at += len(line)
    return found
