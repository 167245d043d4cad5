"""Saves a plan for another process to apply: one archive with everything that was decided and what it was based on.

    plan.json                 the plan, and the variables as they were given, except ephemeral ones
    prior.tfstate             the state as it was found, from which apply starts
    previous.tfstate          the state as the last run left it
    config.json, config/N     the configuration files of every module, as they were

Kept from the original on purpose: changes of outputs are saved for the root module only, so applying a saved plan
evaluates outputs of other modules again, where applying a plan at once uses what was planned. An archive that cannot be
read gives exactly one diagnostic, whatever is wrong with it.
"""

from __future__ import annotations

import base64
import os
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.config.installed_modules import manifest_of, manifest_text
from shared_nodes.config.tree import ConfigTree
from shared_nodes.encryption.payload import DecryptionError
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES
from shared_nodes.plan.change import (
    Action,
    ActionReason,
    Changes,
    DeferralReason,
    DeferredChange,
    OutputChange,
    ResourceChange,
)
from shared_nodes.plan.importing import ImportKey
from shared_nodes.plan.options import Mode
from shared_nodes.plan.plan import Plan, ResourceAttribute
from shared_nodes.plan.stored_values import value_from_plan, value_to_plan
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.record import record
from shared_nodes.state.file import Schemas, StateMeta, read_state, write_state
from shared_nodes.state.model import CheckedObject, CheckResult, State
from shared_nodes.state.stored_addresses import AddressError, parse_instance
from shared_nodes.state.stored_providers import parse_provider_instance
from shared_nodes.values.json import JsonError, JsonNumber, Tree, dumps, loads, path_from_json, path_to_json
from shared_nodes.values.value import Value
from shared_nodes.world import DATA_DIRECTORY, MANIFEST, DirectoryEntry, Files

__all__ = ["SavedPlan", "SnapshotFiles", "read_plan", "schema_problem", "snapshot_of", "stale_problem", "write_plan"]

_FORMAT: Final = 1
_MANIFEST: Final = posixpath.join(DATA_DIRECTORY, *MANIFEST)


@record
class SnapshotFiles(Files):
    """The configuration files of a plan, instead of those in the directory now. All other files are read as they
    are."""

    contents: Mapping[str, bytes] = field(default_factory=dict)

    def read_bytes(self, path: str, limit: int = 512 * 1024 * 1024) -> bytes:
        content = self.contents.get(posixpath.normpath(path))
        return Files.read_bytes(self, path, limit) if content is None else content

    def module_manifest(self, data_directory: str = "") -> bytes | None:  # noqa: ARG002
        """Return the manifest of the plan. What has been installed since does not matter."""
        return self.contents.get(_MANIFEST)

    def list_directory(self, path: str) -> list[DirectoryEntry]:
        """List the saved configuration files together with all other files present, since files of variables are read
        again. A module may have had no configuration files."""
        wanted = posixpath.normpath(path)
        names = [posixpath.split(name) for name in self.contents]
        found = sorted(
            DirectoryEntry(name, False, False) for parent, name in names if posixpath.normpath(parent or ".") == wanted
        )
        try:
            others = [entry for entry in Files.list_directory(self, path) if not _is_configuration(entry)]
        except FileNotFoundError:
            if not found:
                raise
            others = []
        return sorted([*found, *others])


@record
class SavedPlan:
    """A plan with what applying it requires. `meta` is that of the state file the plan was made from."""

    plan: Plan
    meta: StateMeta
    configuration: Mapping[str, bytes]
    schema_fingerprints: Mapping[str, str] = field(default_factory=dict)

    def files(self, around: Files) -> SnapshotFiles:
        return SnapshotFiles(around.working_directory, around.root, around.home, self.configuration)


def _is_configuration(entry: DirectoryEntry) -> bool:
    return not entry.is_directory and entry.name.endswith(CONFIGURATION_SUFFIXES)


def snapshot_of(config: ConfigTree, files: Files) -> dict[str, bytes]:
    """Return the configuration files of every module of the tree, by their path from the working directory, and a
    manifest if sources alone do not lead to the modules."""
    contents: dict[str, bytes] = {}
    manifest = manifest_of(config)
    if manifest is not None:
        contents[_MANIFEST] = manifest_text(manifest).encode()
    for directory in {node.module.directory: None for node in config.walk()}:
        for entry in files.list_directory(directory):
            if _is_configuration(entry):
                path = posixpath.normpath(posixpath.join(directory, entry.name))
                contents[path] = files.read_bytes(path)
    return contents


def stale_problem(saved: SavedPlan, current: StateMeta) -> Diagnostic | None:
    """Report a plan that was not made from exactly this state. A plan made before there was any state has no lineage,
    so only its serial is compared."""
    is_first = not saved.meta.lineage and not saved.meta.serial
    if not is_first and saved.meta.lineage != current.lineage:
        detail = "The given plan file can not be applied because it was created from a different state lineage."
        return error("Saved plan does not match the given state", detail)
    if saved.meta.serial != current.serial:
        detail = (
            "The given plan file can no longer be applied because the state was changed by another operation after the "
            "plan was created."
        )
        return error("Saved plan is stale", detail)
    return None


def schema_problem(saved: SavedPlan, schemas: Schemas) -> Diagnostic | None:
    """Report a plan that was made with other schemas, because its values do not fit these."""
    for source, schema in schemas.items():
        known = saved.schema_fingerprints.get(str(source))
        if known is not None and known != _fingerprint(schema):
            detail = f"The plan was made with another version of provider {source}, whose types have changed since."
            return error("Saved plan does not match the providers", detail)
    return None


# Writing


def write_plan(
    path: Path,
    saved: SavedPlan,
    schemas: Schemas,
    flavour: Flavour = TERRAFORM_1_11,
    encrypt: Callable[[bytes], bytes] = bytes,
) -> None:
    """Write the archive. Raises OSError. The file appears under its name only when it is complete."""
    from shared_nodes.plan.archive import pack

    plan, meta, configuration = saved.plan, saved.meta, saved.configuration
    members = {"plan.json": dumps(_plan_to_json(plan, meta, schemas, flavour)).encode()}
    for name, state in (("prior.tfstate", plan.prior_state), ("previous.tfstate", plan.previous_state)):
        members[name] = write_state(state, meta, schemas).encode("utf-8", "surrogateescape")
    names = sorted(configuration)
    members["config.json"] = dumps([*names]).encode()
    members |= {f"config/{position}": configuration[name] for position, name in enumerate(names)}
    temporary = path.with_name(f".{path.name}.new")
    try:
        temporary.write_bytes(encrypt(pack(members)))
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _plan_to_json(plan: Plan, meta: StateMeta, schemas: Schemas, flavour: Flavour) -> Tree:
    root_outputs = [change for change in plan.changes.outputs.values() if not change.module.steps]
    return {
        "format": JsonNumber(str(_FORMAT)),
        "written_by": f"{flavour.name} {flavour.version}",
        "state": {"lineage": meta.lineage, "serial": JsonNumber(str(meta.serial))},
        "schemas": {str(source): _fingerprint(schemas[source]) for source in sorted(schemas, key=str)},
        "mode": plan.mode.value,
        "resources": [_change_to_json(change) for change in plan.changes.in_order()],
        "outputs": [_output_to_json(change) for change in sorted(root_outputs, key=lambda change: change.name)],
        "drift": [_change_to_json(change) for change in plan.drift],
        "checks": [_check_to_json(result) for result in plan.checks],
        "variables": {name: value_to_plan(plan.variables[name]) for name in sorted(plan.variables)},
        "apply_time_variables": [*sorted(plan.apply_time_variables)],
        "targets": [*plan.targets],
        "excludes": [*plan.excludes],
        "force_replace": [*plan.force_replace],
        "timestamp": plan.timestamp.astimezone(UTC).isoformat(),
        "errored": plan.errored,
        "applyable": plan.applyable,
        "relevant_attributes": [
            {"resource": str(each.resource), "path": path_to_json(each.path)} for each in plan.relevant_attributes
        ],
        "deferred": [_deferred_to_json(change) for change in plan.deferred],
        "execution": plan.execution_tree,
    }


_FINGERPRINT_CACHE_SIZE: Final = 32
_FINGERPRINTS: Final[dict[int, tuple[ProviderSchema, str]]] = {}


def _fingerprint(schema: ProviderSchema) -> str:
    """Return a digest that differs if any type, attribute or version differs. The last few are cached by the identity
    of the schema, which is kept alive with them: printing a schema is slow."""
    known = _FINGERPRINTS.get(id(schema))
    if known is None:
        import hashlib

        if len(_FINGERPRINTS) == _FINGERPRINT_CACHE_SIZE:
            _FINGERPRINTS.clear()
        known = _FINGERPRINTS[id(schema)] = (schema, hashlib.sha256(_stable_text(schema).encode()).hexdigest())
    return known[1]


def _stable_text(schema: ProviderSchema) -> str:
    """The printed form with the class names that plan files were first written with, so that saved plans stay valid."""
    return repr(schema).replace("SchemaBlock(", "Block(").replace("SchemaAttribute(", "Attribute(")


def _change_to_json(change: ResourceChange) -> Tree:
    return {
        "address": str(change.address),
        "previous_address": str(change.previous_address),
        "provider": str(change.provider),
        "action": change.action.value,
        "reason": change.reason.value,
        "deposed": change.deposed,
        "before": value_to_plan(change.before),
        "after": value_to_plan(change.after),
        "replace_paths": [path_to_json(path) for path in change.replace_paths],
        "private": base64.b64encode(change.private).decode(),
        "importing": value_to_plan(change.importing) if isinstance(change.importing, Value) else change.importing,
        **_identities_to_json(change),
    }


def _identities_to_json(change: ResourceChange) -> dict[str, Tree]:
    """Return only those that there are: most providers have none."""
    found = {"before_identity": change.before_identity, "after_identity": change.after_identity}
    return {name: value_to_plan(identity) for name, identity in found.items() if identity is not None}


def _deferred_to_json(change: DeferredChange) -> Tree:
    resource = change.resource
    return {
        "address": change.address,
        "resource": [str(resource.mode), resource.type, resource.name],
        "provider": str(AbsProviderConfig(change.provider)),
        "reason": change.reason.value,
    }


def _output_to_json(change: OutputChange) -> Tree:
    return {
        "name": change.name,
        "action": change.action.value,
        "before": value_to_plan(change.before),
        "after": value_to_plan(change.after),
        "sensitive": change.sensitive,
    }


def _check_to_json(result: CheckResult) -> Tree:
    objects: Tree = None
    if result.objects is not None:
        objects = [[each.address, each.status, [*each.failures]] for each in result.objects]
    return {"kind": result.kind, "address": result.address, "status": result.status, "objects": objects}


# Reading


def read_plan(
    path: Path, flavour: Flavour = TERRAFORM_1_11, decrypt: Callable[[bytes], bytes] = bytes
) -> SavedPlan | Diagnostic:
    from shared_nodes.plan.archive import DamagedArchiveError, unpack

    try:
        return _read_members(unpack(decrypt(path.read_bytes())), flavour)
    except DecryptionError as failure:
        return _unreadable_problem(path, str(failure))
    except FileNotFoundError:
        return _unreadable_problem(path, f"stat {path.name}: no such file or directory")
    except OSError as failure:
        return _unreadable_problem(path, (failure.strerror or str(failure)).lower())
    except DamagedArchiveError:
        return _unreadable_problem(path, "zip: not a valid zip file")
    except (JsonError, AddressError, LookupError, ValueError):
        return _unreadable_problem(path, "this is not a saved plan, or it was changed after it was saved")


def _unreadable_problem(path: Path, reason: str) -> Diagnostic:
    return error(f'Failed to load "{path.name}" as a plan file', f"Error: {reason}")


def _read_members(members: Mapping[str, bytes], flavour: Flavour) -> SavedPlan:
    record = _record(loads(members["plan.json"].decode()))
    if record.get("format") != JsonNumber(str(_FORMAT)):
        raise JsonError("another format")
    prior, meta = _state(members["prior.tfstate"], flavour)
    previous, _ = _state(members["previous.tfstate"], flavour)
    plan = _plan_from_json(record, prior, previous)
    names = _texts(loads(members["config.json"].decode()))
    configuration = {name: members[f"config/{position}"] for position, name in enumerate(names)}
    fingerprints = {source: _text(digest) for source, digest in _record(record["schemas"]).items()}
    return SavedPlan(plan, meta, configuration, fingerprints)


def _state(content: bytes, flavour: Flavour) -> tuple[State, StateMeta]:
    state, meta, problems = read_state(content.decode("utf-8", "surrogateescape"), flavour)
    if problems:
        raise JsonError(problems[0].summary)
    return state, meta


def _record(tree: Tree) -> dict[str, Tree]:
    if not isinstance(tree, dict):
        raise JsonError("a record is required")
    return tree


def _list(tree: Tree) -> list[Tree]:
    if not isinstance(tree, list):
        raise JsonError("a list is required")
    return tree


def _text(tree: Tree) -> str:
    if not isinstance(tree, str):
        raise JsonError("a text is required")
    return tree


def _texts(tree: Tree) -> tuple[str, ...]:
    return tuple(map(_text, _list(tree)))


def _optional_text(tree: Tree) -> str | None:
    return None if tree is None else _text(tree)


def _plan_from_json(record: Mapping[str, Tree], prior: State, previous: State) -> Plan:
    changes = Changes()
    for tree in _list(record["resources"]):
        changes.record(_change_from_json(_record(tree)))
    for tree in _list(record["outputs"]):
        output = _output_from_json(_record(tree))
        changes.outputs[output.module, output.name] = output
    return Plan(
        Mode(_text(record["mode"])),
        changes,
        prior_state=prior,
        planned_state=State(),
        previous_state=previous,
        timestamp=datetime.fromisoformat(_text(record["timestamp"])),
        drift=[_change_from_json(_record(tree)) for tree in _list(record["drift"])],
        checks=tuple(_check_from_json(_record(tree)) for tree in _list(record["checks"])),
        variables={name: value_from_plan(tree) for name, tree in _record(record["variables"]).items()},
        apply_time_variables=frozenset(_texts(record["apply_time_variables"])),
        targets=_texts(record["targets"]),
        excludes=_texts(record["excludes"]),
        force_replace=_texts(record["force_replace"]),
        errored=record["errored"] is True,
        found_applyable=record["applyable"] is True,
        relevant_attributes=tuple(_relevant_from_json(_record(tree)) for tree in _list(record["relevant_attributes"])),
        deferred=tuple(_deferred_from_json(_record(tree)) for tree in _list(record["deferred"])),
        execution=record["execution"],
    )


def _change_from_json(record: Mapping[str, Tree]) -> ResourceChange:
    provider = parse_provider_instance(_text(record["provider"]))
    if provider is None:
        raise JsonError("invalid provider address")
    return ResourceChange(
        parse_instance(_text(record["address"])),
        parse_instance(_text(record["previous_address"])),
        provider,
        Action(_text(record["action"])),
        value_from_plan(record["before"]),
        value_from_plan(record["after"]),
        ActionReason(_text(record["reason"])),
        _optional_text(record["deposed"]),
        tuple(map(path_from_json, _list(record["replace_paths"]))),
        base64.b64decode(_text(record["private"]), validate=True),
        _import_key_from_json(record["importing"]),
        _optional_value(record.get("before_identity")),
        _optional_value(record.get("after_identity")),
    )


def _import_key_from_json(tree: Tree) -> ImportKey | None:
    return tree if tree is None or isinstance(tree, str) else value_from_plan(tree)


def _optional_value(tree: Tree) -> Value | None:
    return None if tree is None else value_from_plan(tree)


def _deferred_from_json(record: Mapping[str, Tree]) -> DeferredChange:
    provider = parse_provider_instance(_text(record["provider"]))
    if provider is None:
        raise JsonError("invalid provider address")
    mode, kind, name = _texts(record["resource"])
    resource = Resource(ResourceMode(mode), kind, name)
    return DeferredChange(_text(record["address"]), resource, provider.source, DeferralReason(_text(record["reason"])))


def _output_from_json(record: Mapping[str, Tree]) -> OutputChange:
    return OutputChange(
        ROOT_INSTANCE,
        _text(record["name"]),
        Action(_text(record["action"])),
        value_from_plan(record["before"]),
        value_from_plan(record["after"]),
        record["sensitive"] is True,
    )


def _check_from_json(record: Mapping[str, Tree]) -> CheckResult:
    objects = None
    if record["objects"] is not None:
        objects = tuple(_checked_from_json(_list(tree)) for tree in _list(record["objects"]))
    return CheckResult(_text(record["kind"]), _text(record["address"]), _text(record["status"]), objects)


def _checked_from_json(parts: list[Tree]) -> CheckedObject:
    return CheckedObject(_text(parts[0]), _text(parts[1]), _texts(parts[2]))


def _relevant_from_json(record: Mapping[str, Tree]) -> ResourceAttribute:
    return ResourceAttribute(parse_instance(_text(record["resource"])), path_from_json(record["path"]))
