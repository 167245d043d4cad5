"""Finds the plugin of a provider, in the places and in the order of the original.

A plugin that runs already (`TF_REATTACH_PROVIDERS`) precedes one in development (`dev_overrides`), and that the package
which the lock file of the directory selects. `init` has put the package into `.terraform/providers`; a package that is
only in a mirror is used as well, since our engines have no such command. Either must have a checksum of the lock file,
if that has an entry for the provider.
"""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from harness.plugins.driving.cli_configuration import CliConfiguration, read_cli_configuration
from harness.plugins.driving.lock_file import LOCK_FILE, LockedProvider, read_lock_file
from harness.plugins.driving.package_hashes import has_any_hash
from harness.plugins.wire.address import Address
from harness.plugins.wire.methods import Major
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.config.syntax.version_constraint import Version, parse_constraints, parse_version
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.record import record
from shared_nodes.world import World

__all__ = ["InstalledPlugin", "LocatedPlugin", "RunningElsewhere", "locate_plugin"]

_MACHINES: Final = {"x86_64": "amd64", "aarch64": "arm64", "i686": "386", "armv7l": "arm", "armv6l": "arm"}
_PLATFORM: Final = f"{sys.platform}_{_MACHINES.get(platform.machine(), platform.machine())}"


@record
class RunningElsewhere:
    """A plugin that something else has started, and will end."""

    address: Address
    major: Major


@record
class InstalledPlugin:
    """A program to start. `package` is the directory or archive it is in; an archive is unpacked first."""

    package: Path
    remarks: tuple[Diagnostic, ...] = ()

    @property
    def version(self) -> str:
        """The version that the place of the package states; empty for a plugin in development."""
        packed = re.fullmatch(r"terraform-provider-.+_(.+)_[^_]+_[^_]+\.zip", self.package.name)
        version = packed[1] if packed else self.package.parent.name
        return "" if parse_version(version) is None else version


LocatedPlugin = RunningElsewhere | InstalledPlugin | Diagnostic
"""Where a plugin is, or why the one that was selected cannot be used."""


def locate_plugin(
    source: ProviderSource, constraints: Sequence[str], world: World, flavour: Flavour
) -> LocatedPlugin | None:
    """Return the plugin of a provider; None if there is nothing to choose."""
    running = _reattached(source, world.environment)
    if running is not None:
        return running
    directory = world.files.working_directory
    configuration = read_cli_configuration(world.environment, world.files.home, directory, flavour.registry)
    if source in configuration.overrides:
        place = configuration.overrides[source]
        return InstalledPlugin(place, (_override_remark(configuration),))
    locked = _read_lock(directory).get(str(source))
    if locked is not None:
        version = parse_version(locked.version)
        unmet = next((text for text in constraints if version is None or not _allows(text, version)), None)
        if unmet is not None:
            return _outdated_lock(source, locked.version, unmet, flavour)
        return _locked_package(source, locked, world, configuration, flavour)
    newest = _newest_package(source, constraints, configuration)
    return None if newest is None else InstalledPlugin(newest)


# Plugins that run already


def _reattached(source: ProviderSource, environment: Mapping[str, str]) -> RunningElsewhere | None:
    try:
        entries = json.loads(environment.get("TF_REATTACH_PROVIDERS") or "{}")
        entry = entries.get(str(source)) or entries.get(f"{source.namespace}/{source.type}")
        if entry is None:
            return None
        address = Address(entry["Addr"]["Network"], entry["Addr"]["String"])
        return RunningElsewhere(address, Major(entry.get("ProtocolVersion") or Major.FIVE))
    except (ValueError, AttributeError, KeyError, TypeError):
        return None


# Packages


def _read_lock(directory: Path) -> Mapping[str, LockedProvider]:
    try:
        return read_lock_file((directory / LOCK_FILE).read_text(encoding="utf-8", errors="surrogateescape"))
    except OSError:
        return {}


def _locked_package(
    source: ProviderSource,
    locked: LockedProvider,
    world: World,
    configuration: CliConfiguration,
    flavour: Flavour,
) -> LocatedPlugin:
    version = parse_version(locked.version)
    data = world.environment.get("TF_DATA_DIR") or ".terraform"
    cache = f"{data}/providers"
    installed = world.files.working_directory / cache / str(source) / locked.version / _PLATFORM
    candidates = (
        [installed]
        if installed.is_dir()
        else [package for package, found in _mirrored_packages(source, configuration) if found == version]
    )
    if not candidates:
        reason = f"there is no package for {source} {locked.version} cached in {cache}"
        return _not_installed(source, reason, flavour)
    try:
        chosen = next((one for one in candidates if not locked.hashes or has_any_hash(one, locked.hashes)), None)
    except (OSError, zipfile.BadZipFile) as problem:
        return _not_installed(source, f"failed to verify checksum of {source} {locked.version}: {problem}", flavour)
    if chosen is None:
        reason = (
            f"the cached package for {source} {locked.version} (in {cache}) does not match any of the checksums "
            "recorded in the dependency lock file"
        )
        return _not_installed(source, reason, flavour)
    return InstalledPlugin(chosen)


def _newest_package(source: ProviderSource, constraints: Sequence[str], configuration: CliConfiguration) -> Path | None:
    packages = [
        (package, version)
        for package, version in _mirrored_packages(source, configuration)
        if all(_allows(text, version) for text in constraints)
    ]
    newest: tuple[Path, Version] | None = None
    for package, version in packages:
        if newest is None or version.compare(newest[1]) > 0:
            newest = package, version
    return None if newest is None else newest[0]


def _mirrored_packages(source: ProviderSource, configuration: CliConfiguration) -> Iterator[tuple[Path, Version]]:
    """Yield the packages in all mirrors. A mirror has a directory for each version, or an archive."""
    archive = re.compile(rf"terraform-provider-{re.escape(source.type)}_(.+)_{re.escape(_PLATFORM)}\.zip")
    for mirror in configuration.mirrors:
        place = mirror.path / str(source)
        if not mirror.serves(source) or not place.is_dir():
            continue
        for name in sorted(os.listdir(place)):
            packed = archive.fullmatch(name)
            version = parse_version(packed[1] if packed else name)
            package = place / name if packed else place / name / _PLATFORM
            if version is not None and package.exists():
                yield package, version


def _allows(text: str, version: Version) -> bool:
    constraints = parse_constraints(text)
    return constraints is None or all(constraint.allows(version) for constraint in constraints)


# Diagnostics


def _override_remark(configuration: CliConfiguration) -> Diagnostic:
    places = "".join(f"\n - {source} in {place}" for source, place in sorted(configuration.overrides.items(), key=str))
    detail = (
        f"The following provider development overrides are set in the CLI configuration:{places}\n\nThe behavior may "
        "therefore not match any released version of the provider and applying changes may cause the state to become "
        "incompatible with published releases."
    )
    return warning("Provider development overrides are in effect", detail)


def _outdated_lock(source: ProviderSource, version: str, constraints: str, flavour: Flavour) -> Diagnostic:
    detail = (
        "The following dependency selections recorded in the lock file are inconsistent with the current "
        f"configuration:\n  - provider {source}: locked version selection {version} doesn't match the updated version "
        f'constraints "{constraints}"\n\nTo update the locked dependency selections to match a changed configuration, '
        f"run:\n  {flavour.command} init -upgrade"
    )
    return error("Inconsistent dependency lock file", detail)


def _not_installed(source: ProviderSource, reason: str, flavour: Flavour) -> Diagnostic:
    detail = (
        "The installed provider plugins are not consistent with the packages selected in the dependency lock file:\n"
        f"  - {source}: {reason}\n\n{flavour.product} uses external plugins to integrate with a variety of different "
        "infrastructure services. To download the plugins required for this configuration, run:\n"
        f"  {flavour.command} init"
    )
    return error("Required plugins are not installed", detail)
