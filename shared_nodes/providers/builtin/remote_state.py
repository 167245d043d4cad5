"""`terraform_remote_state`: the root outputs of another configuration's state.

Only the `local` backend can be read here. The original's other backends are known by name, so that an unavailable
backend is distinguished from a misspelt one. Unlike the original, reading has no side effects: Terraform creates the
directory of a workspace just by looking for its state.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, Severity, error
from shared_nodes.providers.contract import ReadDataRequest, ReadObject
from shared_nodes.providers.schema import ResourceSchema, SchemaAttribute, SchemaBlock
from shared_nodes.record import record
from shared_nodes.state.file import read_state
from shared_nodes.state.model import OutputState
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import Deprecation
from shared_nodes.values.paths import AttributeStep
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, STRING, MapType, ObjectType, Type
from shared_nodes.values.value import EMPTY_OBJECT, Value, null, object_of
from shared_nodes.world import Files

__all__ = ["SCHEMA", "read", "validate"]

SCHEMA: Final = ResourceSchema(
    SchemaBlock(
        {
            "backend": SchemaAttribute(STRING, required=True),
            "config": SchemaAttribute(DYNAMIC, optional=True),
            "defaults": SchemaAttribute(DYNAMIC, optional=True),
            "outputs": SchemaAttribute(DYNAMIC, computed=True),
            "workspace": SchemaAttribute(STRING, optional=True),
        }
    )
)

_REQUIRED_BY_BACKEND: Final = {
    "azurerm": ("container_name", "key", "storage_account_name"),
    "cloud": (),
    "consul": ("path",),
    "cos": ("bucket", "region"),
    "gcs": ("bucket",),
    "http": (),
    "inmem": (),
    "kubernetes": ("secret_suffix",),
    "oss": ("bucket",),
    "pg": (),
    "remote": ("organization",),
    "s3": ("bucket", "key"),
}
"""Backends that cannot be read here, and the required arguments of their configuration."""

_REMOVED_BACKENDS: Final = ("artifactory", "azure", "etcd", "etcdv3", "manta", "swift")

_DEFAULT_WORKSPACE: Final = "default"


@record
class _LocalBackend:
    path: str = "terraform.tfstate"
    workspace_directory: str = "terraform.tfstate.d"

    def state_path(self, workspace: str) -> str:
        if workspace in ("", _DEFAULT_WORKSPACE):
            return self.path
        return os.path.join(self.workspace_directory, workspace, "terraform.tfstate")


def validate(config: Value, flavour: Flavour) -> list[Diagnostic]:
    """Validate the backend's configuration once all of it is known; until then check only its type."""
    backend, settings, defaults = (config.payload[name] for name in ("backend", "config", "defaults"))
    problems: list[Diagnostic] = []
    if settings.is_wholly_known and backend.is_known:
        chosen = _backend(backend, settings, flavour)
        if not isinstance(chosen, _LocalBackend):
            problems += chosen
    elif not _may_be_object(settings.type):
        problems.append(
            _attribute_problem("config", "Invalid backend configuration", "The configuration must be an object value.")
        )
    if not _may_be_object(defaults.type):
        problems.append(
            _attribute_problem("defaults", "Invalid default values", "Defaults must be given in an object value.")
        )
    return problems


def read(request: ReadDataRequest, files: Files, flavour: Flavour) -> ReadObject:
    """Return the complete object for a wholly known configuration. Errors in the state file itself are not tied to the
    block."""
    answer = _read(request, files, flavour)
    if answer.value is not None or not flavour.unreadable_states_are_reported_twice:
        return answer
    return replace(answer, problems=[*answer.problems, error(f"{request.address}: Unable to read remote state")])


def _read(request: ReadDataRequest, files: Files, flavour: Flavour) -> ReadObject:
    given = request.config.payload
    chosen = _backend(given["backend"], given["config"], flavour)
    if not isinstance(chosen, _LocalBackend):
        return ReadObject(None, problems=chosen or [_unavailable_backend_problem(given["backend"].payload)])
    workspace = _DEFAULT_WORKSPACE if given["workspace"].is_null else given["workspace"].payload
    try:
        content = files.read_bytes(chosen.state_path(workspace))
    except FileNotFoundError:
        content = b""
    except OSError as failure:
        return ReadObject(None, problems=[_unreadable_problem(chosen.state_path(workspace), failure)])
    if not content:
        return ReadObject(None, problems=[_missing_state_problem()])
    state, _meta, problems = read_state(content.decode(errors="replace"), flavour)
    if problems:
        return ReadObject(None, problems=problems)
    outputs = {} if given["defaults"].is_null else dict(given["defaults"].payload)
    outputs |= {name: _output_value(f"{request.owner}.{name}", output) for name, output in state.outputs.items()}
    return ReadObject(object_of({**given, "outputs": object_of(outputs)}))


def _output_value(source: str, output: OutputState) -> Value:
    """Return the value of an output, marked if it is deprecated. It is not sensitive, even if it was."""
    value = output.value.unmark_deep()[0]
    return value.mark(Deprecation(source, output.deprecated)) if output.deprecated else value


def _backend(name: Value, settings: Value, flavour: Flavour) -> _LocalBackend | list[Diagnostic]:
    """Return the configured backend, or what is wrong with it; an empty list for a valid backend that cannot be read
    here."""
    if name.is_null:
        return [_invalid_backend("The backend type must not be null.", about="backend")]
    if name.payload in _REMOVED_BACKENDS:
        detail = f"The {quoted(name.payload)} backend is not supported in {flavour.product} v1.3 or later."
        if name.payload == "azure":
            detail = 'The "azure" backend name has been removed, please use "azurerm".'
        return [_invalid_backend(detail, about="backend")]
    if name.payload != "local" and name.payload not in _REQUIRED_BY_BACKEND:
        return [_invalid_backend(f"There is no backend type named {quoted(name.payload)}.", about="backend")]
    complaint, given = _settings_of(settings)
    if not complaint and name.payload == "local":
        complaint, given = _local_settings(given, flavour)
    elif not complaint:
        missing = [required for required in _REQUIRED_BY_BACKEND[name.payload] if required not in given]
        complaint = f"attribute {quoted(missing[0])} is required" if missing else ""
    if complaint:
        detail = f"The given configuration is not valid for backend {quoted(name.payload)}: {complaint}."
        return [_invalid_backend(detail, about="config")]
    return _local_backend(given) if name.payload == "local" else []


def _settings_of(settings: Value) -> tuple[str, dict[str, Value]]:
    """Return the settings. Null counts as empty, and a map is accepted in place of an object."""
    if settings.is_null:
        settings = EMPTY_OBJECT
    if not isinstance(settings.type, ObjectType | MapType):
        return "an object is required", {}
    return "", dict(settings.payload)


def _local_settings(given: dict[str, Value], flavour: Flavour) -> tuple[str, dict[str, Value]]:
    names = ("path", "workspace_dir")
    unexpected = next((name for name in given if name not in names), None)
    if unexpected is not None:
        return f"unexpected attribute {quoted(unexpected)}", {}
    converted: dict[str, Value] = {}
    for name in names:
        try:
            converted[name] = convert(given.get(name, null(STRING)), STRING)
        except ConversionError as failure:
            return f".{name}: {failure.explain(flavour)}", {}
    return "", converted


def _local_backend(given: dict[str, Value]) -> _LocalBackend | list[Diagnostic]:
    names = {"path": "Invalid local state file path", "workspace_dir": "Invalid local workspace directory path"}
    empty = [
        _attribute_problem(name, summary, f'The "{name}" attribute value must not be empty.')
        for name, summary in names.items()
        if given[name].payload == ""
    ]
    if empty:
        return empty
    default = _LocalBackend()
    path, directory = given["path"], given["workspace_dir"]
    return _LocalBackend(
        default.path if path.is_null else path.payload,
        default.workspace_directory if directory.is_null else directory.payload,
    )


def _may_be_object(type: Type) -> bool:
    return type is DYNAMIC or isinstance(type, ObjectType | MapType)


def _attribute_problem(attribute: str, summary: str, detail: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, summary, detail, attribute=(AttributeStep(attribute),))


def _invalid_backend(detail: str, *, about: str) -> Diagnostic:
    return _attribute_problem(about, "Invalid backend configuration", detail)


def _missing_state_problem() -> Diagnostic:
    detail = "No stored state was found for the given workspace in the given backend."
    return _attribute_problem("workspace", "Unable to find remote state", detail)


def _unreadable_problem(path: str, failure: OSError) -> Diagnostic:
    if isinstance(failure, IsADirectoryError):
        reason = f"read {path}: is a directory"
        return error("Failed to read state file", f"The state file could not be read: {reason}")
    return error(f"open {path}: {(failure.strerror or str(failure)).lower()}")


def _unavailable_backend_problem(backend: str) -> Diagnostic:
    if backend == "inmem":
        return _missing_state_problem()  # This backend keeps states in memory, so no other run can have written one.
    detail = f"States in the backend {quoted(backend)} cannot be read here: only those of the local backend can."
    return _attribute_problem("backend", "Backend not available", detail)
