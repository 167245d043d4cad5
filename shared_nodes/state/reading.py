"""Reads state files: version 4 directly, older versions through `old_formats`.

Attributes stay JSON (see `model`): most objects of a large state are only written out again. A file that cannot be read
gives diagnostics in the original's words and no state at all: with half a state, the next run would create again what
already exists.

Quirks kept on purpose: a resource with an invalid provider address is silently dropped; a key such as 1.5 is truncated
to an integer; check results of an unknown kind or status are ignored.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.provider import AbsProviderConfig, ProviderInstance
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, Resource, ResourceMode
from shared_nodes.config.syntax.version_constraint import parse_version
from shared_nodes.encryption.payload import is_encrypted, payload_obstacle
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, joined_problems
from shared_nodes.lang.parser import parse_traversal
from shared_nodes.lang.source import Source
from shared_nodes.record import record
from shared_nodes.state.fields import (
    MalformedError,
    invalid_format,
    is_integer,
    records_field,
    text_field,
    texts_by_name_field,
    texts_field,
    truth_field,
    whole_field,
    wrong_field,
)
from shared_nodes.state.go_literal import go_literal
from shared_nodes.state.model import (
    CheckedObject,
    CheckResult,
    InstanceObject,
    InstanceState,
    ObjectStatus,
    OutputState,
    ResourceState,
    State,
)
from shared_nodes.state.sensitive_paths import read_sensitive_paths
from shared_nodes.state.stored_addresses import (
    AddressError,
    parse_config_resource,
    parse_module_instance,
)
from shared_nodes.state.stored_providers import parse_stored_instance, parse_stored_provider
from shared_nodes.values.json import (
    JsonError,
    JsonNumber,
    Tree,
    kind_of,
    loads,
    type_from_json,
    value_from_json,
)
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.paths import Path
from shared_nodes.values.text import quoted

__all__ = ["FORMAT_VERSION", "StateMeta", "read_state", "state_from_instance"]

FORMAT_VERSION: Final = 4
_FORMAT_NUMBER: Final = JsonNumber(str(FORMAT_VERSION))


@record
class StateMeta:
    """What a file states about itself. States of one `lineage` descend from each other; the higher `serial` is
    newer."""

    lineage: str = ""
    serial: int = 0
    terraform_version: str = ""


def read_state(text: str, flavour: Flavour = TERRAFORM_1_11) -> tuple[State, StateMeta, list[Diagnostic]]:
    """Read a state. If there is any diagnostic, the state is empty and must not be used. Empty text is a new state."""
    if not text:
        return State(), StateMeta(), []
    if text.startswith(_OLDEST_START):
        state, meta, problems = State(), StateMeta(), [_unsupported_format(_OLDEST)]
    else:
        tree, problems = _identified(text, flavour)
        if tree is None:
            return State(), StateMeta(), problems
        state, meta, problems = _read_tree(tree, flavour)
    if problems and flavour.unusable_states_have_one_problem:
        problems = [error(joined_problems(problems))]
    return state, meta, problems


def _read_tree(tree: dict[str, Tree], flavour: Flavour) -> tuple[State, StateMeta, list[Diagnostic]]:
    """Read what has a version, and is therefore meant to be a state."""
    try:
        _check_supported(tree, flavour)
        if tree["version"] != _FORMAT_NUMBER:
            from shared_nodes.state.old_formats import upgrade_format

            tree = upgrade_format(tree)
        meta = _meta(tree)
        state, problems = _Reading(flavour).read(tree)
    except MalformedError as failure:
        return State(), StateMeta(), [failure.problem]
    if meta.terraform_version and parse_version(meta.terraform_version) is None:
        detail = (
            f"State file claims to have been written by {flavour.product} version {quoted(meta.terraform_version)}, "
            "which is not a valid version string."
        )
        problems = [error(f"Invalid {flavour.product} version string", detail)]
    return (State(), meta, problems) if problems else (state, meta, [])


def state_from_instance(tree: Tree, flavour: Flavour = TERRAFORM_1_11) -> State | None:
    """Return a state that contains only the result of `instance_to_json`; None if the input is not such a result."""
    if not isinstance(tree, dict):
        return None
    try:
        state, problems = _Reading(flavour).read({"resources": [tree]})
    except MalformedError:
        return None
    return None if problems else state


# The version


_OLDEST_START: Final = "tfstate"
_OLDEST: Final = (
    "The state is stored in a legacy binary format that is not supported since Terraform v0.7. To continue, first "
    "upgrade the state using Terraform 0.6.16 or earlier."
)
_NO_VERSION: Final = (
    'The state file does not have a "version" attribute, which is required to identify the format version.'
)
_ENCRYPTED: Final = "This state file is encrypted and can not be read without an encryption configuration"
_NEWER_WRITER: Final = "may have been created by a newer version of {}"
_LARGEST_VERSION: Final = (1 << 64) - 1


def _unsupported_format(detail: str) -> Diagnostic:
    return error("Unsupported state file format", detail)


def _identified(text: str, flavour: Flavour) -> tuple[dict[str, Tree] | None, list[Diagnostic]]:
    """Return what has a version; None and the reasons if it has not. This comes first, since everything else may have
    another structure."""
    try:
        tree = loads(text)
    except JsonError:
        from shared_nodes.functions.json_encoding import explain_syntax

        reason, read = explain_syntax(text)
        offset = len(text[:read].encode("utf-8", "surrogateescape"))
        syntax = f"The state file could not be parsed as JSON: syntax error at byte offset {offset}."
        return None, [_unsupported_format(syntax), _without_version(reason, flavour)]
    if isinstance(tree, dict) and tree.get("version") is not None:
        problems = _version_problems(tree["version"])
        return None if problems else tree, problems
    problem = _without_version(payload_obstacle(tree), flavour, has_sigil=is_encrypted(text))
    if isinstance(tree, dict) or tree is None:
        return None, [problem]
    wrong = f"The version in the state file is {kind_of(tree)}. A positive whole number is required."
    return None, [_unsupported_format(wrong), problem]


def _without_version(obstacle: str, flavour: Flavour, *, has_sigil: bool = False) -> Diagnostic:
    """Report that there is no version. Where files can be encrypted, it is first examined whether this is one."""
    if not flavour.files_can_be_encrypted:
        return _unsupported_format(_NO_VERSION)
    if obstacle:
        return _unsupported_format(f"The state file can not be checked for presence of encryption: {obstacle}")
    return _unsupported_format(_ENCRYPTED if has_sigil else _NO_VERSION)


def _version_problems(version: Tree) -> list[Diagnostic]:
    if isinstance(version, JsonNumber) and is_integer(version.text, 0, _LARGEST_VERSION):
        return []
    number = f" {version.text}" if isinstance(version, JsonNumber) else ""
    wrong = f"The version in the state file is {kind_of(version)}{number}. A positive whole number is required."
    return [_unsupported_format(wrong)]


def _check_supported(tree: Mapping[str, Tree], flavour: Flavour) -> None:
    version = tree["version"]
    assert isinstance(version, JsonNumber), "the version was checked before"
    if 0 < int(version.text) <= FORMAT_VERSION:
        return
    if version.text == "0":
        detail = (
            "The state file uses JSON syntax but has a version number of zero. There was never a JSON-based state "
            "format zero, so this state file is invalid and cannot be processed."
        )
        raise MalformedError(_unsupported_format(detail))
    writer = tree.get("terraform_version")
    is_known = isinstance(writer, str) and parse_version(writer) is not None
    origin = f"was created by {flavour.product} {writer}" if is_known else _NEWER_WRITER.format(flavour.product)
    detail = (
        f"The state file uses format version {version.text}, which is not supported by {flavour.product} "
        f"{flavour.version}. This state file {origin}."
    )
    raise MalformedError(_unsupported_format(detail))


def _meta(tree: Mapping[str, Tree]) -> StateMeta:
    return StateMeta(text_field(tree, "lineage"), whole_field(tree, "serial"), text_field(tree, "terraform_version"))


# Reading


class _Reading:
    """One pass over a file. Structural errors end it; errors in the content are collected."""

    def __init__(self, flavour: Flavour) -> None:
        self.flavour = flavour
        self.problems: list[Diagnostic] = []

    def read(self, tree: Mapping[str, Tree]) -> tuple[State, list[Diagnostic]]:
        state = State()
        for resource in records_field(tree, "resources"):
            try:
                self._resource(state, resource)
            except AddressError as failure:
                self.problems.append(failure.problem)
        outputs = tree.get("outputs")
        if outputs is not None and not isinstance(outputs, dict):
            raise wrong_field("outputs", outputs)
        for name in sorted(outputs or {}):
            self._output(state, name, (outputs or {})[name])
        state.check_results = self._check_results(tree)
        return state, self.problems

    def _problem(self, summary: str, detail: str) -> None:
        self.problems.append(error(summary, detail))

    def _resource(self, state: State, record: Mapping[str, Tree]) -> None:
        path = "resources."
        module_text = text_field(record, "module", path)
        module = parse_module_instance(module_text) if module_text else ROOT_INSTANCE
        mode, type_name, name = (text_field(record, field, path) for field in ("mode", "type", "name"))
        if mode not in (ResourceMode.MANAGED, ResourceMode.DATA):
            detail = (
                f"State contains a resource with mode {quoted(mode)} ({quoted(type_name)} {quoted(name)}) which is not "
                "supported."
            )
            self._problem("Invalid resource mode in state", detail)
            return
        address = AbsResource(module, Resource(ResourceMode(mode), type_name, name))
        given = text_field(record, "provider", path)
        shared = None
        if given or not self.flavour.providers_repeat:
            shared = self._resource_provider(given)
            if shared is None:
                return
            state.resources.setdefault(address, ResourceState(shared))
        own: list[AbsProviderConfig] = []
        for instance in records_field(record, "instances", path):
            provider = self._instance_provider(address, shared, instance, own)
            if provider is None:
                continue
            resource = state.resources.setdefault(address, ResourceState(provider.config))
            resource.provider = provider.config
            try:
                self._instance(resource, address, instance, provider.key)
            except AddressError as failure:
                self.problems.append(failure.problem)
        self._check_agreement(address, own)

    def _resource_provider(self, given: str) -> AbsProviderConfig | None:
        """Return the provider configuration of a resource; None if it cannot be read, and the resource is left out."""
        found = parse_stored_provider(given, self.flavour)
        if not isinstance(found, Diagnostic):
            return found
        self.problems += [found] if self.flavour.unreadable_providers_are_reported else []
        return None

    def _instance_provider(
        self,
        address: AbsResource,
        shared: AbsProviderConfig | None,
        record: Mapping[str, Tree],
        own: list[AbsProviderConfig],
    ) -> ProviderInstance | None:
        """Return the provider instance of an instance: its own, whose configuration is added to `own`, or that of the
        resource."""
        given = text_field(record, "provider", "resources.instances.") if self.flavour.providers_repeat else ""
        if not given:
            if shared is not None:
                return ProviderInstance(shared)
            detail = (
                f"Resource {address} is missing a provider address, both on the resource and the resource instances."
            )
            self._problem("Provider field missing state", detail)
            return None
        found = parse_stored_instance(given, self.flavour)
        if isinstance(found, Diagnostic):
            self.problems.append(found)
            return None
        own.append(found.config)
        return found

    def _check_agreement(self, address: AbsResource, own: Sequence[AbsProviderConfig]) -> None:
        for one, other in pairwise(own):
            if one != other:
                detail = (
                    f"Resource {address} has instances with different provider addresses: {quoted(str(one))} != "
                    f"{quoted(str(other))}."
                )
                self._problem("Provider instance field conflict in state", detail)
                return

    def _instance(
        self, resource: ResourceState, address: AbsResource, record: Mapping[str, Tree], provider_key: InstanceKey
    ) -> None:
        metadata = "Invalid resource instance metadata in state"
        key = _instance_key(record.get("index_key"))
        if isinstance(key, bool):
            shown = go_literal(record["index_key"])
            self._problem(metadata, f"Resource {address} has an instance with the invalid instance key {shown}.")
            return
        instance_address = address.instance(key)
        stored = self._object(instance_address, record)
        instance = resource.instances.setdefault(key, InstanceState())
        instance.provider_key = provider_key
        deposed = text_field(record, "deposed", "resources.instances.")
        duplicate = "Duplicate resource instance in state"
        if not deposed:
            if instance.current is not None:
                detail = f"Instance {instance_address} appears multiple times in the state file."
                self._problem(duplicate, detail)
            instance.current = stored
            return
        if len(deposed) != _DEPOSED_LENGTH:
            detail = (
                f"Instance {instance_address} has an object with deposed key {quoted(deposed)}, which is not correctly "
                "formatted."
            )
            self._problem(metadata, detail)
        elif deposed in instance.deposed:
            detail = (
                f"Instance {instance_address} deposed object {quoted(deposed)} appears multiple times in the state "
                "file."
            )
            self._problem(duplicate, detail)
        else:
            instance.deposed[deposed] = stored

    def _object(self, address: AbsResourceInstance, record: Mapping[str, Tree]) -> InstanceObject:
        path = "resources.instances."
        status = text_field(record, "status", path)
        if status not in _STATUSES:
            detail = f"Instance {address} has invalid status {quoted(status)}."
            self._problem("Invalid resource instance metadata in state", detail)
        version = whole_field(record, "schema_version", path)
        given = texts_by_name_field(record, "attributes_flat", path)
        flat = None if "attributes" in record or record.get("attributes_flat") is None else given
        return InstanceObject(
            _STATUSES.get(status, ObjectStatus.READY),
            stored=record.get("attributes", None if flat is not None else {}),
            stored_flat=flat,
            stored_version=version,
            stored_sensitive=self._sensitive(record.get("sensitive_attributes")),
            private=_private(record),
            dependencies=tuple(map(parse_config_resource, texts_field(record, "dependencies", path))),
            create_before_destroy=truth_field(record, "create_before_destroy", path),
            skip_destroy=self.flavour.lifecycle_can_keep_objects and truth_field(record, "skip_destroy", path),
            schema_version=version,
            stored_identity=self._identity(record),
        )

    def _identity(self, record: Mapping[str, Tree]) -> dict[str, Tree]:
        if not self.flavour.states_have_identities:
            return {}
        whole_field(record, "identity_schema_version", "resources.instances.")
        if record.get("identity") is None:
            return {}
        return {name: record[name] for name in ("identity", "identity_schema_version") if name in record}

    def _sensitive(self, tree: Tree) -> tuple[Path, ...]:
        paths, problems = read_sensitive_paths(tree)
        self.problems += problems
        return paths

    def _output(self, state: State, name: str, record: Tree) -> None:
        if not isinstance(record, dict):
            raise wrong_field("outputs", record)
        try:
            type_ = type_from_json(record.get("type"))
        except JsonError as failure:
            reason = failure.message if "type" in record else "EOF"
            if isinstance(record.get("type"), str):
                reason = f"invalid primitive type name {quoted(text_field(record, 'type'))}"
            detail = f"The state file has an invalid type specification for output {quoted(name)}: {reason}."
            self._problem("Invalid output value type in state", detail)
            return
        try:
            if "value" not in record:
                raise JsonError("EOF")
            value = value_from_json(record["value"], type_)
        except JsonError as failure:
            detail = f"The state file has an invalid value for output {quoted(name)}: {failure.message}."
            self._problem("Invalid output value saved in state", detail)
            return
        sensitive = truth_field(record, "sensitive", "outputs.")
        deprecated = text_field(record, "deprecated", "outputs.") if self.flavour.values_can_be_deprecated else ""
        state.outputs[name] = OutputState(value.mark(SENSITIVE) if sensitive else value, sensitive, deprecated)

    def _check_results(self, tree: Mapping[str, Tree]) -> tuple[CheckResult, ...] | None:
        if tree.get("check_results") is None:
            return None
        results: list[CheckResult] = []
        for check in records_field(tree, "check_results"):
            kind = text_field(check, "object_kind", "check_results.")
            if kind not in _CHECK_KINDS:
                continue
            objects = tuple(
                CheckedObject(
                    text_field(checked, "object_addr", "check_results.objects."),
                    _check_status(checked),
                    tuple(texts_field(checked, "failure_messages", "check_results.objects.")),
                )
                for checked in records_field(check, "objects", "check_results.")
            )
            address = text_field(check, "config_addr", "check_results.")
            _, found = parse_traversal(Source("", address))
            self.problems.extend(error(problem.summary, problem.detail) for problem in found[:1])
            results.append(CheckResult(kind, address, _check_status(check), objects or None))
        return tuple(results)


_DEPOSED_LENGTH: Final = 8
_STATUSES: Final = {"": ObjectStatus.READY, "tainted": ObjectStatus.TAINTED}
_CHECK_KINDS: Final = ("resource", "output", "check", "var")
_CHECK_STATUSES: Final = ("pass", "fail", "error")


def _check_status(record: Mapping[str, Tree]) -> str:
    status = text_field(record, "status", "check_results.")
    return status if status in _CHECK_STATUSES else "unknown"


def _instance_key(tree: Tree) -> InstanceKey | bool:
    """Return the key; False if it is invalid (a bool is never a valid key, so it is unambiguous)."""
    if tree is None or isinstance(tree, str):
        return tree
    if not isinstance(tree, JsonNumber):
        return False
    number = float(tree.text)
    if math.isinf(number):
        raise wrong_field("resources.instances.index_key", tree, show_number=True)
    return int(number)


def _private(record: Mapping[str, Tree]) -> bytes:
    text = text_field(record, "private", "resources.instances.")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as failure:
        at = next((place for place, letter in enumerate(text) if not (letter.isalnum() or letter in "+/=")), len(text))
        detail = (
            "The state file does not conform to the expected JSON data structure: illegal base64 data at input byte "
            f"{at}."
        )
        raise invalid_format(detail) from failure
