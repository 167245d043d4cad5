"""Where the modules that others call are.

`terraform init` and `tofu init` install modules below the data directory, and list all of them, local ones too, in
`modules/modules.json`: the manifest. With a manifest, a module is where that says, and is refused if the manifest was
written for another source or version. Without one, a local source leads to its directory, as if it were installed, and
any other module is missing. Directories that stand in for sources come first, whatever is installed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Final, Protocol

from shared_nodes.addresses.module import ModulePath
from shared_nodes.config.blocks import ModuleCallBlock
from shared_nodes.config.given_modules import NO_GIVEN_MODULES, GivenModules
from shared_nodes.config.syntax.module_source import canonical_source, is_local, local_directory
from shared_nodes.config.syntax.version_constraint import (
    Version,
    VersionConstraint,
    parse_constraints,
    parse_version,
)
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, Tree, dumps, kind_of, loads
from shared_nodes.world import Files

__all__ = [
    "InstalledModule",
    "InstalledPlaces",
    "Manifest",
    "ManifestError",
    "ModulePlaces",
    "Place",
    "manifest_of",
    "manifest_text",
    "module_key",
    "not_installed_problem",
    "outdated_problems",
    "places_in",
    "read_manifest",
    "satisfying_version",
]

_FIELDS: Final = {"key": "Key", "source": "Source", "version": "Version", "dir": "Dir"}
"""The fields of a record by their names in lower case, in which they are compared."""


class ManifestError(Exception):
    """The manifest cannot be used. The message is the original's."""


@record
class InstalledModule:
    source: str
    """The canonical source."""

    directory: str
    version: str = ""


Manifest = Mapping[str, InstalledModule]
"""Installed modules by key: the names of the calls that lead to them, with dots between them."""


def module_key(path: ModulePath) -> str:
    return ".".join(path.names)


# The manifest


def read_manifest(content: bytes, flavour: Flavour) -> Manifest:
    """Read a manifest. An empty file is an empty manifest."""
    if not content:
        return {}
    text = content.decode("utf-8", errors="replace")
    try:
        tree = loads(text)
    except JsonError:
        from shared_nodes.functions.json_encoding import explain_syntax

        raise ManifestError(f"error unmarshalling snapshot: {explain_syntax(text)[0]}") from None
    manifest: dict[str, InstalledModule] = {}
    for entry in _records(tree):
        version = entry["Version"]
        if version and parse_version(version) is None:
            raise ManifestError(f'invalid version "{version}" for {entry["Key"]}: Malformed version: {version}')
        if entry["Key"] in manifest:
            raise ManifestError(f"snapshot file contains two records for path {entry['Key']}")
        source = canonical_source(entry["Source"], flavour) if entry["Source"] else ""
        manifest[entry["Key"]] = InstalledModule(source, entry["Dir"], version)
    return manifest


def _records(tree: Tree) -> list[dict[str, str]]:
    """Return the records, each with all fields. Names of fields are compared without regard to case, as the original
    does."""
    if tree is None:
        return []
    if not isinstance(tree, dict):
        raise _mismatch(tree, "value of type modsdir.manifestSnapshotFile")
    records: Tree = None
    for name, value in tree.items():
        if name.lower() == "modules":
            records = value
    if records is None:
        return []
    if not isinstance(records, list):
        raise _mismatch(records, "struct field manifestSnapshotFile.Modules of type []modsdir.Record")
    return [_record(record) for record in records]


def _record(tree: Tree) -> dict[str, str]:
    record = dict.fromkeys(_FIELDS.values(), "")
    if tree is not None and not isinstance(tree, dict):
        raise _mismatch(tree, "struct field manifestSnapshotFile.Modules of type modsdir.Record")
    for name, value in (tree or {}).items():
        field_name = _FIELDS.get(name.lower())
        if field_name is None or value is None:
            continue
        if not isinstance(value, str):
            raise _mismatch(value, f"struct field Record.Modules.{field_name} of type string")
        record[field_name] = value
    return record


def _mismatch(tree: Tree, wanted: str) -> ManifestError:
    return ManifestError(f"error unmarshalling snapshot: json: cannot unmarshal {kind_of(tree)} into Go {wanted}")


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest as the products write it."""
    records: list[Tree] = []
    for key, module in sorted(manifest.items()):
        record: dict[str, Tree] = {"Key": key, "Source": module.source}
        if module.version:
            record["Version"] = module.version
        records.append({**record, "Dir": module.directory})
    return dumps({"Modules": records})


def manifest_of(root: ConfigTree) -> Manifest | None:
    """Return a manifest that leads to the modules of a tree; None if their sources are enough for that."""
    called = [(node.call, node) for node in root.walk() if node.call is not None]
    if all(is_local(call.source) for call, _ in called):
        return None
    return {
        module_key(node.path): InstalledModule(
            canonical_source(call.source, node.module.flavour), node.module.directory, node.version
        )
        for call, node in called
    }


# Versions


def satisfying_version(constraint: str) -> str:
    """Return a version that a constraint allows, for a module whose version is not known; empty if there is no
    constraint, or none was found."""
    constraints = parse_constraints(constraint) if constraint else None
    if not constraints:
        return ""
    candidates = [candidate for one in constraints for candidate in _near(one.version)]
    allowed = (each for each in candidates if all(one.allows(each) for one in constraints))
    return next((_version_text(each) for each in allowed), "")


def _near(version: Version) -> tuple[Version, ...]:
    *first, last = version.segments
    lower = Version((*first, last - 1)) if last else Version((0, 0, 0))
    return version, Version((*first, last + 1)), lower, Version((version.segments[0] + 1, 0, 0)), Version((0, 0, 0))


def _version_text(version: Version) -> str:
    numbers = ".".join(map(str, version.segments))
    return f"{numbers}-{version.prerelease}" if version.prerelease else numbers


# Places


@record
class Place:
    """Where a called module is. Its directory is empty if it cannot be read; the problems then say why."""

    directory: str = ""
    version: str = ""
    """The version that is installed; empty for a module without versions."""

    problems: tuple[Diagnostic, ...] = ()


class ModulePlaces(Protocol):
    def place(self, path: ModulePath, call: ModuleCallBlock, parent: str) -> Place:
        """Return the place of the module at a path, which a module in the directory `parent` calls."""
        ...


@record
class InstalledPlaces:
    """The places that a manifest names; or, without a manifest, those of local sources."""

    files: Files
    flavour: Flavour
    manifest: Manifest | None = None
    given: GivenModules = NO_GIVEN_MODULES
    _given_paths: set[ModulePath] = field(default_factory=set, init=False)
    """Calls inside of given modules, which no manifest knows, are among them."""

    def place(self, path: ModulePath, call: ModuleCallBlock, parent: str) -> Place:
        directory = self.given.find(call.source, self.flavour)
        if directory is not None or (path.parent in self._given_paths and is_local(call.source)):
            self._given_paths.add(path)
            found = self._readable(call, directory or local_directory(parent, call.source), directory or "")
            return replace(found, version=satisfying_version(call.version))
        if self.manifest is not None:
            return self._recorded(path, call, self.manifest)
        if not is_local(call.source):
            return Place(problems=(not_installed_problem(call.range, self.flavour),))
        return self._readable(call, local_directory(parent, call.source), "")

    def _recorded(self, path: ModulePath, call: ModuleCallBlock, manifest: Manifest) -> Place:
        record = manifest.get(module_key(path))
        if record is None:
            return Place(problems=(not_installed_problem(call.range, self.flavour),))
        found = self._readable(call, record.directory, record.directory)
        if found.problems:
            return found
        directory = posixpath.normpath(record.directory)
        return Place(directory, record.version, tuple(outdated_problems(record, call, self.flavour)))

    def _readable(self, call: ModuleCallBlock, directory: str, shown: str) -> Place:
        try:
            is_readable = bool(directory) and self.files.is_directory(directory)
        except OSError:
            is_readable = False
        if is_readable:
            return Place(directory)
        state = f"'s local cache directory {shown} could not be read"
        return Place(problems=(not_installed_problem(call.range, self.flavour, state),))


def places_in(
    files: Files, flavour: Flavour, data_directory: str = "", given: GivenModules = NO_GIVEN_MODULES
) -> InstalledPlaces:
    """Return the places of modules in a working directory. ManifestError says why its manifest cannot be used."""
    try:
        content = files.module_manifest(data_directory)
        manifest = None if content is None else read_manifest(content, flavour)
    except OSError as failure:
        reason = (failure.strerror or str(failure)).lower()
        raise ManifestError(f"read {files.manifest_path(data_directory)}: {reason}") from failure
    return InstalledPlaces(files, flavour, manifest, given)


def not_installed_problem(where: Range, flavour: Flavour, state: str = " is not yet installed") -> Diagnostic:
    return error("Module not installed", f"This module{state}. {_advice(flavour)}", where)


def outdated_problems(record: InstalledModule, call: ModuleCallBlock, flavour: Flavour) -> list[Diagnostic]:
    """Report a module that was installed for another source or another version than the call wants."""
    problems: list[Diagnostic] = []
    wanted = canonical_source(call.source, flavour)
    if call.source and wanted != record.source:
        change = f' from "{record.source}" to "{wanted}"' if flavour.changed_sources_are_quoted else ""
        detail = f"The source address was changed{change} since this module was installed. {_advice(flavour)}"
        problems.append(error("Module source has changed", detail, call.source_range))
    if not _allows(call.version, record.version):
        installed = f" ({_version_text(version)})" if (version := parse_version(record.version)) else ""
        detail = (
            "The version requirements have changed since this module was installed and the installed "
            f"version{installed} is no longer acceptable. {_advice(flavour)}"
        )
        problems.append(error("Module version requirements have changed", detail, call.source_range))
    return problems


def _allows(constraint: str, version: str) -> bool:
    constraints: tuple[VersionConstraint, ...] = (parse_constraints(constraint) or ()) if constraint else ()
    installed = parse_version(version)
    return not constraints if installed is None else all(one.allows(installed) for one in constraints)


def _advice(flavour: Flavour) -> str:
    return f'Run "{flavour.command} init" to install all modules required by this configuration.'
