"""Which modules a configuration needs, and where they are: what `init` would find out, without downloading anything.

A module is taken from the directory that the user has given for its source; from next to its caller if the source is
local; or from where `init` has installed it, as the manifest says. What is in none of these places is missing, and the
configuration cannot be run. All others are copied with the configuration, together with a manifest that leads every
engine to them, real binaries included.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Final

from harness.case.given import NO_DIRECTORIES, GivenDirectories
from harness.case.yaml_fields import CaseError
from shared_nodes.addresses.module import ModulePath
from shared_nodes.config.blocks import ModuleCallBlock
from shared_nodes.config.given_modules import GivenModules
from shared_nodes.config.installed_modules import (
    InstalledModule,
    Manifest,
    ManifestError,
    Place,
    module_key,
    not_installed_problem,
    outdated_problems,
    places_in,
    satisfying_version,
)
from shared_nodes.config.loading import read_tree
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.config.syntax.module_source import canonical_source, is_local, local_directory, split_source
from shared_nodes.flavour import Flavour
from shared_nodes.record import record
from shared_nodes.world import DATA_DIRECTORY, MANIFEST, ConfinementError, Files

__all__ = ["NOTHING_INSTALLED", "Installation", "MissingModule", "Package", "PartFiles", "install_modules"]

_MODULES: Final = f"{DATA_DIRECTORY}/{MANIFEST[0]}"


@record
class MissingModule:
    address: str
    source: str
    """As it is written."""

    canonical: str
    """Without a query: versions of one module are one source."""

    reason: str

    def __str__(self) -> str:
        return self.reason


@record
class Package:
    """A directory that is copied as a whole, because its modules may call each other."""

    directory: Path
    place: str
    """Where its copy is, relative to the configuration."""


@record
class Installation:
    """The modules of a configuration. Without a manifest, sources alone lead to them."""

    packages: tuple[Package, ...] = ()
    manifest: Manifest | None = None
    """The manifest for a copy of the configuration and its packages."""

    manifest_here: Manifest | None = None
    """The manifest for the configuration where it is."""

    missing: tuple[MissingModule, ...] = ()

    @property
    def missing_sources(self) -> tuple[str, ...]:
        return tuple(sorted({module.canonical for module in self.missing}))


NOTHING_INSTALLED: Final = Installation()


@record
class PartFiles(Files):
    """The files of a configuration where it is, and of everything that belongs to it, but no others."""

    allowed: GivenDirectories = NO_DIRECTORIES
    manifest: bytes | None = None

    def locate(self, path: str) -> Path:
        located = Files.locate(self, path)
        if not self.allowed.contain(located):
            raise ConfinementError(f"{path} is not in a directory that was given")
        return located

    def module_manifest(self, data_directory: str = "") -> bytes | None:  # noqa: ARG002
        return self.manifest


def install_modules(
    main: Path, allowed: GivenDirectories, given: Mapping[str, str], flavour: Flavour, inputs: StaticInputs
) -> Installation:
    """Find the modules of the configuration in the directory `main`. CaseError names a module in a directory that was
    not given, and a manifest that cannot be used. `inputs` are for products in which sources may use variables."""
    own = Files(main, root=main)
    try:
        manifest = places_in(own, flavour).manifest or {}
    except ManifestError as problem:
        raise CaseError(f"{own.locate(own.manifest_path())}: {problem}") from problem
    search = _Search(main, allowed, GivenModules(given), flavour, manifest)
    read_tree(inputs.world.files, flavour, inputs, places=search)
    if not search.packages and not search.missing:
        return NOTHING_INSTALLED
    return search.installation()


@record
class _Found:
    source: str
    directory: str
    """Where the module is, relative to the configuration, or absolute."""

    version: str = ""
    package: Path | None = None
    """The package that it is in; None for a local module of the configuration."""


@record
class _Search:
    """Finds the place of each module when the tree is read, and remembers it."""

    main: Path
    allowed: GivenDirectories
    given: GivenModules
    flavour: Flavour
    manifest: Manifest
    found: dict[ModulePath, _Found] = field(default_factory=dict)
    packages: dict[Path, str] = field(default_factory=dict)
    """The name of each package below the directory of installed modules."""

    missing: list[MissingModule] = field(default_factory=list)

    def place(self, path: ModulePath, call: ModuleCallBlock, parent: str) -> Place:
        found = self._local(path, call, parent) if is_local(call.source) else self._from_elsewhere(path, call)
        if found is None:
            return Place(problems=(not_installed_problem(call.range, self.flavour),))
        place = Path(os.path.normpath(self.main / found.directory))
        if not place.is_dir():
            return Place(problems=(not_installed_problem(call.range, self.flavour, "'s directory does not exist"),))
        if not self.allowed.contain(place):
            called_at = f"{self.main / call.range.source.filename}:{call.range.first.line}"
            raise CaseError(
                f"{called_at}: calls the module {place}, which is not in a directory that was given; "
                f"add --include {place} if it belongs to the configuration"
            )
        self.found[path] = found
        return Place(found.directory, found.version)

    def _local(self, path: ModulePath, call: ModuleCallBlock, parent: str) -> _Found | None:
        """Return a module next to its caller. One of a package must be in the same package, since no other is copied
        with it."""
        directory = local_directory(parent, call.source)
        caller = self.found.get(path.parent)
        package = None if caller is None else caller.package
        if package is not None and not Path(os.path.normpath(self.main / directory)).is_relative_to(package):
            self._miss(path, call, f"leads to {call.source}, which is outside of {package}")
            return None
        return _Found(canonical_source(call.source, self.flavour), directory, package=package)

    def _from_elsewhere(self, path: ModulePath, call: ModuleCallBlock) -> _Found | None:
        source = canonical_source(call.source, self.flavour)
        if not call.source:
            return None
        directory = self.given.find(call.source, self.flavour)
        if directory is not None:
            package = self._given_package(call.source, directory)
            self.packages.setdefault(package, module_key(path))
            return _Found(source, directory, satisfying_version(call.version), package)
        record = self.manifest.get(module_key(path))
        if record is None or not (self.main / record.directory).is_dir():
            self._miss(path, call, f"comes from {source}{_version(call)}, which is not here")
            return None
        if outdated_problems(record, call, self.flavour):
            installed = f"{record.source} {record.version}".strip()
            self._miss(path, call, f"comes from {source}{_version(call)}, and what is installed is {installed}")
            return None
        directory = os.path.normpath(record.directory)
        package = self._installed_package(directory)
        self.packages.setdefault(package, package.name)
        return _Found(source, directory, record.version, package)

    def _given_package(self, source: str, directory: str) -> Path:
        """Return the directory that was given, of which a source may want only a directory inside."""
        given = map(os.path.normpath, self.given.directories.values())
        inside = [Path(root) for root in given if Path(directory).is_relative_to(root)]
        assert inside, f"the directory for {source} is one that was given"
        return max(inside, key=lambda root: len(root.parts))

    def _installed_package(self, directory: str) -> Path:
        """Return the package of an installed module. One that `init` has put elsewhere is a package by itself."""
        parts = Path(directory).parts
        beginning = Path(_MODULES).parts
        depth = len(beginning) + 1 if parts[: len(beginning)] == beginning else len(parts)
        return Path(os.path.normpath(self.main / Path(*parts[:depth])))

    def _miss(self, path: ModulePath, call: ModuleCallBlock, why: str) -> None:
        package = split_source(canonical_source(call.source, self.flavour))[0]
        command = f"{self.flavour.command} init"
        advice = f"run {command} in {self.main}, or add --module {split_source(call.source)[0]}=DIR"
        self.missing.append(MissingModule(str(path), call.source, package, f"{path} {why}: {advice}"))

    def installation(self) -> Installation:
        names = dict(_distinct(self.packages))
        here = {
            module_key(path): InstalledModule(found.source, found.directory, found.version)
            for path, found in self.found.items()
        }
        copied = {
            module_key(path): InstalledModule(found.source, self._copied_directory(found, names), found.version)
            for path, found in self.found.items()
        }
        packages = tuple(Package(directory, f"{_MODULES}/{name}") for directory, name in names.items())
        return Installation(packages, copied, here, tuple(self.missing))

    def _copied_directory(self, found: _Found, names: Mapping[Path, str]) -> str:
        if found.package is None:
            return found.directory
        inside = os.path.relpath(self.main / found.directory, found.package)
        return os.path.normpath(f"{_MODULES}/{names[found.package]}/{inside}")


def _distinct(packages: Mapping[Path, str]) -> Iterator[tuple[Path, str]]:
    """Give each package a name of its own."""
    taken: set[str] = set()
    for directory, wanted in packages.items():
        name, number = wanted, 1
        while name in taken:
            number += 1
            name = f"{wanted}-{number}"
        taken.add(name)
        yield directory, name


def _version(call: ModuleCallBlock) -> str:
    return f" {call.version}" if call.version else ""
