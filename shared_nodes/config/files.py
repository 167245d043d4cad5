"""The configuration files of a directory, parsed.

Overrides come last and amend what the other files declare. JSON text does not distinguish arguments from blocks, so
this module holds the schema of all block types.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final, Literal

from shared_nodes.flavour import Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.body_schema import BlockSchema, BodySchema
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.file_names import configuration_names, is_override
from shared_nodes.lang.json_syntax import body_from_json, parse_json
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.source import Source
from shared_nodes.record import record
from shared_nodes.world import DirectoryEntry, Files

__all__ = [
    "ENCRYPTION_SCHEMA",
    "ParseFile",
    "ParsedFile",
    "file_blocks",
    "missing_configuration",
    "parse_file",
    "parse_sources",
    "sources_in",
]

_FILE_BLOCKS: Final[Mapping[str, tuple[str, ...]]] = {
    "terraform": (),
    "required_providers": (),
    "provider": ("name",),
    "variable": ("name",),
    "locals": (),
    "output": ("name",),
    "module": ("name",),
    "resource": ("type", "name"),
    "data": ("type", "name"),
    "ephemeral": ("type", "name"),
    "moved": (),
    "import": (),
    "check": ("name",),
    "removed": (),
}


def file_blocks(flavour: Flavour) -> Mapping[str, tuple[str, ...]]:
    """Return the block types at the top level of a file, with the names of their labels."""
    return {**_FILE_BLOCKS, "language": ()} if flavour.language_blocks_exist else _FILE_BLOCKS


_RULE: Final = BlockSchema()
_LIFECYCLE: Final = BlockSchema(body=BodySchema(blocks={"precondition": _RULE, "postcondition": _RULE}))
_PROVISIONER: Final = BlockSchema(
    ("type",), BodySchema(blocks={"connection": BlockSchema(), "lifecycle": BlockSchema(), "_": BlockSchema()})
)
_DATA_BLOCKS: Final = {"lifecycle": _LIFECYCLE, "locals": BlockSchema(), "_": BlockSchema()}
_RESOURCE_BLOCKS: Final = {
    **_DATA_BLOCKS,
    "connection": BlockSchema(),
    "provisioner": _PROVISIONER,
    "dynamic": BlockSchema(("type",)),
}
_FALLBACK: Final = BlockSchema(body=BodySchema(blocks={"fallback": BlockSchema()}))
_TARGET: Final = BlockSchema(body=BodySchema(blocks={"fallback": _FALLBACK}))
ENCRYPTION_SCHEMA: Final = BodySchema(
    blocks={
        "key_provider": BlockSchema(("type", "name")),
        "method": BlockSchema(("type", "name")),
        "state": _TARGET,
        "plan": _TARGET,
        "remote_state_data_sources": BlockSchema(
            body=BodySchema(
                blocks={"default": _TARGET, "remote_state_data_source": BlockSchema(("name",), _TARGET.body)}
            )
        ),
    }
)
"""The names that are blocks inside an `encryption` block."""

_JSON_BODIES: Final[Mapping[str, BodySchema]] = {
    "terraform": BodySchema(
        blocks={
            "required_providers": BlockSchema(),
            "provider_meta": BlockSchema(("provider",)),
            "backend": BlockSchema(("type",)),
            "cloud": BlockSchema(),
            "encryption": BlockSchema(body=ENCRYPTION_SCHEMA),
        }
    ),
    "language": BodySchema(blocks={"compatible_with": BlockSchema()}),
    "variable": BodySchema(blocks={"validation": _RULE}),
    "moved": BodySchema(frozenset(("from", "to"))),
    "import": BodySchema(frozenset(("for_each", "id", "identity", "provider", "to"))),
    "output": BodySchema(blocks={"precondition": _RULE, "postcondition": _RULE}),
    "module": BodySchema(blocks={name: BlockSchema() for name in ("_", "lifecycle", "locals", "provider")}),
    "provider": BodySchema(blocks={"_": BlockSchema(), "lifecycle": BlockSchema(), "locals": BlockSchema()}),
    "resource": BodySchema(blocks=_RESOURCE_BLOCKS),
    "data": BodySchema(blocks={**_DATA_BLOCKS, "dynamic": BlockSchema(("type",))}),
    "ephemeral": BodySchema(blocks={**_DATA_BLOCKS, "dynamic": BlockSchema(("type",))}),
    "removed": BodySchema(
        blocks={"lifecycle": BlockSchema(), "provisioner": _PROVISIONER, "connection": BlockSchema()}
    ),
    "check": BodySchema(
        blocks={"data": BlockSchema(("type", "name"), BodySchema(blocks=_DATA_BLOCKS)), "assert": _RULE}
    ),
}
"""The names that are blocks inside each block."""


@cache
def _json_schema(flavour: Flavour) -> BodySchema:
    blocks, bodies = file_blocks(flavour).items(), _JSON_BODIES
    if flavour.ephemeral_blocks_read_as_resources:
        bodies = {**bodies, "ephemeral": bodies["resource"]}
    return BodySchema(
        frozenset(), {name: BlockSchema(labels, bodies.get(name, BodySchema())) for name, labels in blocks}
    )


ParseFile = Callable[[Source, Flavour], tuple[tree.Body, list[Diagnostic]]]
"""A function like `parse_file`. The caller owns the returned list."""


@record
class ParsedFile:
    body: tree.Body
    is_override: bool = False


def sources_in(files: Files, directory: str, flavour: Flavour) -> tuple[list[Source], list[Diagnostic]]:
    """Return the configuration files of a directory in the order in which they are read, with the original's file
    names."""
    try:
        entries = files.list_directory(directory)
    except OSError:
        detail = f"Module directory {directory} does not exist or cannot be read."
        return [], [error("Failed to read module directory", detail)]
    sources: list[Source] = []
    problems: list[Diagnostic] = []
    for name in _file_names(entries, flavour):
        path = posixpath.normpath(posixpath.join(directory, name))
        try:
            sources.append(Source(path, files.read_bytes(path)))
        except OSError:
            problems.append(error("Failed to read file", f'The file "{path}" could not be read.'))
    return sources, problems


def missing_configuration(files: Files, flavour: Flavour, command: Literal["plan", "apply"]) -> list[Diagnostic]:
    """Report a working directory without configuration files, in which a command would destroy everything."""
    if _file_names(files.list_directory("."), flavour):
        return []
    doing = {"plan": "Planning", "apply": "Applying"}[command]
    detail = (
        f"{command.title()} requires configuration to be present. {doing} without a configuration would mark "
        "everything for destruction, which is normally not what is desired. If you would like to destroy everything, "
    )
    if command == "plan":
        detail += (
            f"run plan with the -destroy option. Otherwise, create a {flavour.product} configuration file (.tf file) "
            "and try again."
        )
    else:
        detail += f"run '{flavour.command} destroy' instead."
    return [error("No configuration files", detail)]


def _file_names(entries: Iterable[DirectoryEntry], flavour: Flavour) -> list[str]:
    return configuration_names([entry.name for entry in entries if not entry.is_directory], flavour)


def _amends_others(source: Source) -> bool:
    return is_override(posixpath.basename(source.filename))


def parse_sources(
    sources: Iterable[Source], parse: ParseFile, flavour: Flavour
) -> tuple[list[ParsedFile], list[Diagnostic]]:
    """Parse the files, overrides last. What can be parsed of a file with syntax errors is still returned."""
    parsed: list[ParsedFile] = []
    problems: list[Diagnostic] = []
    for source in sorted(sources, key=_amends_others):
        body, found = parse(source, flavour)
        parsed.append(ParsedFile(body, _amends_others(source)))
        problems.extend(found)
    return parsed, problems


def parse_file(source: Source, flavour: Flavour) -> tuple[tree.Body, list[Diagnostic]]:
    """Parse a file in either syntax."""
    if not source.is_json:
        return parse_body(source)
    value, problems = parse_json(source)
    body, found = body_from_json(value, _json_schema(flavour))
    return body, [*problems, *found]
