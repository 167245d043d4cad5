"""The calls of the provider contract as data: what is asked, and how answers are written to a tape and read from it.

A request has only what the plugin protocol transmits, so that every engine that asks the same asks it in the same
words: no addresses, no empty private data, no null `provider_meta`. Each function below makes the `Call` of one method
of `Provider`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Final, Generic, TypeVar

from harness.plugins.tapes.tape_error import TapeError
from harness.plugins.tapes.tape_values import bytes_from_tree, bytes_tree, raw_tree, value_from_tree, value_tree
from shared_nodes.lang.diagnostics import Diagnostic, Severity
from shared_nodes.lang.function import ArgumentError, FunctionError
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    FlatAttributes,
    Imported,
    ImportedObject,
    MoveRequest,
    OpenedEphemeral,
    PlanRequest,
    PlanResponse,
    Problems,
    ReadDataRequest,
    ReadObject,
    RenewedEphemeral,
    StoredAttributes,
    UpgradedIdentity,
)
from shared_nodes.providers.schema import ProviderSchema, ResourceSchema, SchemaBlock, implied_type
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.json import JsonNumber, Tree, dumps
from shared_nodes.values.paths import AttributeStep, IndexStep, Path, Step
from shared_nodes.values.types import DYNAMIC, Type
from shared_nodes.values.value import Value, integer, string

__all__ = [
    "KINDS",
    "Call",
    "FunctionAnswer",
    "Method",
    "apply_call",
    "close_ephemeral_call",
    "configure_call",
    "function_call",
    "import_by_identity_call",
    "import_call",
    "move_call",
    "open_ephemeral_call",
    "plan_call",
    "read_call",
    "read_data_call",
    "renew_ephemeral_call",
    "upgrade_call",
    "upgrade_identity_call",
    "validate_call",
]

_Answer = TypeVar("_Answer")
Members = dict[str, Tree]


class Method(StrEnum):
    """What can be asked, in the order in which a tape lists it."""

    VALIDATE_PROVIDER = "validate_provider_config"
    VALIDATE_RESOURCE = "validate_resource_config"
    VALIDATE_DATA = "validate_data_config"
    VALIDATE_EPHEMERAL = "validate_ephemeral_config"
    CONFIGURE = "configure"
    UPGRADE = "upgrade"
    UPGRADE_IDENTITY = "upgrade_identity"
    IMPORT = "import_object"
    MOVE = "move"
    READ = "read"
    READ_DATA = "read_data"
    PLAN = "plan"
    APPLY = "apply"
    OPEN_EPHEMERAL = "open_ephemeral"
    RENEW_EPHEMERAL = "renew_ephemeral"
    CLOSE_EPHEMERAL = "close_ephemeral"
    FUNCTION = "function"


KINDS: Final[Mapping[Method, str]] = {
    Method.VALIDATE_RESOURCE: "managed",
    Method.UPGRADE: "managed",
    Method.UPGRADE_IDENTITY: "managed",
    Method.IMPORT: "managed",
    Method.MOVE: "managed",
    Method.READ: "managed",
    Method.PLAN: "managed",
    Method.APPLY: "managed",
    Method.VALIDATE_DATA: "data",
    Method.READ_DATA: "data",
    Method.VALIDATE_EPHEMERAL: "ephemeral",
    Method.OPEN_EPHEMERAL: "ephemeral",
    Method.RENEW_EPHEMERAL: "ephemeral",
    Method.CLOSE_EPHEMERAL: "ephemeral",
}
"""To which kind the type of a call belongs. The other calls have none."""


@record
class Call(Generic[_Answer]):
    method: Method
    type_name: str
    """The type of the object, or the name of a function; empty for a call that concerns the provider as a whole."""

    request: Callable[[], Members]
    """Returns what is asked. TapeError if that has no form on a tape."""

    write: Callable[[_Answer], Members]
    read: Callable[[Tree], _Answer]
    refuse: Callable[[Diagnostic], _Answer]
    """Makes the answer of which nothing is known but a problem."""


# Configuration


def validate_call(schema: ProviderSchema, method: Method, type_name: str, config: Value) -> Call[Problems]:
    block = _block(_schemas(schema, method), type_name) if method in KINDS else schema.provider
    return _problems_call(method, type_name, lambda: {"config": _by_block(config, block)})


def configure_call(schema: ProviderSchema, config: Value) -> Call[Problems]:
    return _problems_call(Method.CONFIGURE, "", lambda: {"config": _by_block(config, schema.provider)})


def _problems_call(method: Method, type_name: str, request: Callable[[], Members]) -> Call[Problems]:
    return Call(
        method,
        type_name,
        request,
        lambda answer: _with_problems({}, answer),
        lambda tree: _problems(_members(tree)),
        lambda problem: [problem],
    )


# Managed objects


def upgrade_call(
    schema: ProviderSchema, type_name: str, version: int, attributes: StoredAttributes
) -> Call[ReadObject]:
    request: Members = {"version": JsonNumber(str(version)), **_stored_members(attributes)}
    return _object_call(Method.UPGRADE, type_name, lambda: request, _type(schema.managed, type_name))


def upgrade_identity_call(schema: ProviderSchema, type_name: str, version: int, stored: Tree) -> Call[UpgradedIdentity]:
    request: Members = {"version": JsonNumber(str(version)), "identity": raw_tree(stored)}
    ty = _identity_type(schema, type_name)
    return Call(
        Method.UPGRADE_IDENTITY,
        type_name,
        lambda: request,
        lambda answer: _with_problems(_identity_members(answer.identity, ty), answer.problems),
        lambda tree: UpgradedIdentity(_identity(tree, ty), _problems(_members(tree))),
        lambda problem: UpgradedIdentity(None, [problem]),
    )


def _stored_members(attributes: StoredAttributes) -> Members:
    if isinstance(attributes, FlatAttributes):
        return {"flat": raw_tree(dict(attributes.texts))}
    return {"attributes": raw_tree(attributes)}


def move_call(schema: ProviderSchema, request: MoveRequest) -> Call[ReadObject]:
    members: Members = {
        "source_provider": request.source_provider,
        "source_type": request.source_type_name,
        "source_version": JsonNumber(str(request.source_schema_version)),
        **_stored_members(request.source_attributes),
        **_private_members(request.source_private),
    }
    target = request.target_type_name
    return _object_call(Method.MOVE, target, lambda: members, _type(schema.managed, target))


def read_call(
    schema: ProviderSchema,
    type_name: str,
    current: Value,
    private: bytes,
    meta: Value,
    *,
    identity: Value | None = None,
) -> Call[ReadObject]:
    ty, identity_type = _type(schema.managed, type_name), _identity_type(schema, type_name)

    def request() -> Members:
        return {
            "current": value_tree(current, ty),
            **_private_members(private),
            **_meta_members(schema, meta),
            **_identity_members(identity, identity_type),
        }

    return _object_call(Method.READ, type_name, request, ty, identity_type)


def read_data_call(schema: ProviderSchema, request: ReadDataRequest) -> Call[ReadObject]:
    ty = _type(schema.data, request.type_name)

    def members() -> Members:
        return {"config": value_tree(request.config, ty), **_meta_members(schema, request.provider_meta)}

    return _object_call(Method.READ_DATA, request.type_name, members, ty)


def _object_call(
    method: Method, type_name: str, request: Callable[[], Members], ty: Type, identity_type: Type = DYNAMIC
) -> Call[ReadObject]:
    def write(answer: ReadObject) -> Members:
        result = _result(answer.value, answer.private, answer.problems, ty)
        return {**result, **_identity_members(answer.identity, identity_type)}

    def read(tree: Tree) -> ReadObject:
        found = ReadObject(_value(tree, ty), _private(tree), _problems(_members(tree)))
        return replace(found, identity=_identity(tree, identity_type))

    return Call(
        method,
        type_name,
        request,
        write,
        read,
        lambda problem: ReadObject(None, problems=[problem]),
    )


def plan_call(schema: ProviderSchema, request: PlanRequest) -> Call[PlanResponse]:
    ty, identity_type = _type(schema.managed, request.type_name), _identity_type(schema, request.type_name)

    def members() -> Members:
        return {
            "prior": value_tree(request.prior, ty),
            "proposed": value_tree(request.proposed, ty),
            "config": value_tree(request.config, ty),
            **_private_members(request.prior_private),
            **_meta_members(schema, request.provider_meta),
            **_identity_members(request.prior_identity, identity_type),
        }

    def write(answer: PlanResponse) -> Members:
        paths: list[Tree] = sorted(map(_path_tree, answer.requires_replace), key=dumps)
        return {
            **_result(answer.value, answer.private, answer.problems, ty),
            **({"requires_replace": paths} if paths else {}),
            **({"legacy_types": True} if answer.legacy_types else {}),
            **_identity_members(answer.identity, identity_type),
        }

    def read(tree: Tree) -> PlanResponse:
        found = _members(tree)
        return PlanResponse(
            _value(tree, ty),
            [_path(each) for each in _items(found.get("requires_replace"))],
            _private(tree),
            _problems(found),
            legacy_types=found.get("legacy_types") is True,
            identity=_identity(tree, identity_type),
        )

    return Call(
        Method.PLAN,
        request.type_name,
        members,
        write,
        read,
        lambda problem: PlanResponse(None, problems=[problem]),
    )


def apply_call(schema: ProviderSchema, request: ApplyRequest) -> Call[ApplyResponse]:
    ty, identity_type = _type(schema.managed, request.type_name), _identity_type(schema, request.type_name)

    def members() -> Members:
        return {
            "prior": value_tree(request.prior, ty),
            "planned": value_tree(request.planned, ty),
            "config": value_tree(request.config, ty),
            **_private_members(request.planned_private),
            **_meta_members(schema, request.provider_meta),
            **_identity_members(request.planned_identity, identity_type),
        }

    def write(answer: ApplyResponse) -> Members:
        result = _result(answer.value, answer.private, answer.problems, ty)
        legacy: Members = {"legacy_types": True} if answer.legacy_types else {}
        return {**result, **legacy, **_identity_members(answer.identity, identity_type)}

    def read(tree: Tree) -> ApplyResponse:
        found = _members(tree)
        is_legacy, identity = found.get("legacy_types") is True, _identity(tree, identity_type)
        return ApplyResponse(_value(tree, ty), _private(tree), _problems(found), is_legacy, identity)

    return Call(
        Method.APPLY,
        request.type_name,
        members,
        write,
        read,
        lambda problem: ApplyResponse(None, request.planned_private, [problem]),
    )


def import_call(schema: ProviderSchema, type_name: str, identifier: str) -> Call[Imported]:
    return _import_call(schema, type_name, lambda: {"id": identifier})


def import_by_identity_call(schema: ProviderSchema, type_name: str, identity: Value) -> Call[Imported]:
    ty = _identity_type(schema, type_name)
    return _import_call(schema, type_name, lambda: _identity_members(identity, ty))


def _import_call(schema: ProviderSchema, type_name: str, request: Callable[[], Members]) -> Call[Imported]:
    def write(answer: Imported) -> Members:
        objects: list[Tree] = [
            {
                "type": one.type_name,
                "value": value_tree(one.value, _type(schema.managed, one.type_name)),
                **_private_members(one.private),
                **_identity_members(one.identity, _identity_type(schema, one.type_name)),
            }
            for one in answer.objects
        ]
        return _with_problems({"objects": objects}, answer.problems)

    def read(tree: Tree) -> Imported:
        found = _members(tree)
        return Imported([_imported(schema, each) for each in _items(found.get("objects"))], _problems(found))

    return Call(Method.IMPORT, type_name, request, write, read, lambda problem: Imported((), [problem]))


def _imported(schema: ProviderSchema, tree: Tree) -> ImportedObject:
    type_name = str(_members(tree).get("type", ""))
    value = value_from_tree(_members(tree).get("value"), _type(schema.managed, type_name))
    return ImportedObject(type_name, value, _private(tree), _identity(tree, _identity_type(schema, type_name)))


# Ephemeral objects


def open_ephemeral_call(schema: ProviderSchema, type_name: str, config: Value) -> Call[OpenedEphemeral]:
    ty = _type(schema.ephemeral, type_name)

    def write(answer: OpenedEphemeral) -> Members:
        return _result(answer.value, answer.private, answer.problems, ty) | _moment_members(answer.renew_at)

    def read(tree: Tree) -> OpenedEphemeral:
        return OpenedEphemeral(_value(tree, ty), _private(tree), _problems(_members(tree)), _moment(tree))

    return Call(
        Method.OPEN_EPHEMERAL,
        type_name,
        lambda: {"config": value_tree(config, ty)},
        write,
        read,
        lambda problem: OpenedEphemeral(None, problems=[problem]),
    )


def renew_ephemeral_call(type_name: str, private: bytes) -> Call[RenewedEphemeral]:
    def write(answer: RenewedEphemeral) -> Members:
        members = _private_members(answer.private) | _moment_members(answer.renew_at)
        return _with_problems(members, answer.problems)

    return Call(
        Method.RENEW_EPHEMERAL,
        type_name,
        lambda: _private_members(private),
        write,
        lambda tree: RenewedEphemeral(_private(tree), _moment(tree), _problems(_members(tree))),
        lambda problem: RenewedEphemeral(problems=[problem]),
    )


def close_ephemeral_call(type_name: str, private: bytes) -> Call[Problems]:
    return _problems_call(Method.CLOSE_EPHEMERAL, type_name, lambda: _private_members(private))


# Functions

FunctionAnswer = Value | FunctionError


def function_call(name: str, types: Sequence[Type], arguments: Sequence[Value], returns: Type) -> Call[FunctionAnswer]:
    """Return the call of a function whose parameters have these types. A failure is an answer here."""

    def request() -> Members:
        return {"arguments": [value_tree(each, ty) for each, ty in zip(arguments, types, strict=True)]}

    def write(answer: FunctionAnswer) -> Members:
        if not isinstance(answer, FunctionError):
            return {"value": value_tree(answer, returns)}
        index: Members = {"argument": JsonNumber(str(answer.index))} if isinstance(answer, ArgumentError) else {}
        return {"error": answer.message, **index}

    def read(tree: Tree) -> FunctionAnswer:
        found = _members(tree)
        if "error" not in found:
            return value_from_tree(found.get("value"), returns)
        message, index = str(found["error"]), found.get("argument")
        return FunctionError(message) if index is None else ArgumentError(_whole(index), message)

    return Call(
        Method.FUNCTION,
        name,
        request,
        write,
        read,
        lambda problem: FunctionError(f"{problem.summary}: {problem.detail}"),
    )


# Parts of requests and answers


def _schemas(schema: ProviderSchema, method: Method) -> Mapping[str, ResourceSchema]:
    found: Mapping[str, ResourceSchema] = getattr(schema, KINDS[method])
    return found


def _block(schemas: Mapping[str, ResourceSchema], type_name: str) -> SchemaBlock | None:
    found = schemas.get(type_name)
    return None if found is None else found.block


def _type(schemas: Mapping[str, ResourceSchema], type_name: str) -> Type:
    """Return the type of all objects of a type. Values of one that the schema does not have state theirs."""
    block = _block(schemas, type_name)
    return DYNAMIC if block is None else implied_type(block)


def _identity_type(schema: ProviderSchema, type_name: str) -> Type:
    found = schema.managed.get(type_name)
    return DYNAMIC if found is None or found.identity is None else found.identity.type


def _identity_members(identity: Value | None, ty: Type) -> Members:
    return {} if identity is None else {"identity": value_tree(identity, ty)}


def _identity(tree: Tree, ty: Type) -> Value | None:
    found = _members(tree)
    return value_from_tree(found["identity"], ty) if "identity" in found else None


def _by_block(value: Value, block: SchemaBlock | None) -> Tree:
    return value_tree(value, DYNAMIC if block is None else implied_type(block))


def _meta_members(schema: ProviderSchema, meta: Value) -> Members:
    return {} if meta.is_null else {"provider_meta": _by_block(meta, schema.provider_meta)}


def _private_members(private: bytes) -> Members:
    return {"private": bytes_tree(private)} if private else {}


def _private(tree: Tree) -> bytes:
    found = _members(tree).get("private")
    return b"" if found is None else bytes_from_tree(found)


def _result(value: Value | None, private: bytes, problems: Problems, ty: Type) -> Members:
    members: Members = {} if value is None else {"value": value_tree(value, ty)}
    return _with_problems({**members, **_private_members(private)}, problems)


def _value(tree: Tree, ty: Type) -> Value | None:
    found = _members(tree)
    return value_from_tree(found["value"], ty) if "value" in found else None


def _moment_members(moment: datetime | None) -> Members:
    return {} if moment is None else {"renew_at": moment.isoformat()}


def _moment(tree: Tree) -> datetime | None:
    found = _members(tree).get("renew_at")
    try:
        return None if found is None else datetime.fromisoformat(str(found))
    except ValueError as failure:
        raise TapeError(f"{found} on the tape is not a time") from failure


# Problems and paths


def _with_problems(members: Members, problems: Problems) -> Members:
    trees: list[Tree] = [_problem_tree(problem) for problem in problems]
    return {**members, "problems": trees} if trees else members


def _problem_tree(problem: Diagnostic) -> Tree:
    tree: Members = {"severity": problem.severity.value, "summary": problem.summary}
    if problem.detail:
        tree["detail"] = problem.detail
    if problem.attribute is not None:
        tree["attribute"] = _path_tree(problem.attribute)
    return tree


def _problems(members: Mapping[str, Tree]) -> Problems:
    return [_problem(_members(each)) for each in _items(members.get("problems"))]


def _problem(members: Mapping[str, Tree]) -> Diagnostic:
    attribute = members.get("attribute")
    return Diagnostic(
        Severity.WARNING if members.get("severity") == Severity.WARNING else Severity.ERROR,
        str(members.get("summary", "")),
        str(members.get("detail", "")),
        attribute=None if attribute is None else _path(attribute),
    )


def _path_tree(path: Path) -> Tree:
    """Write a path: a text is an attribute, a number an index, and a list of one text the key of a map."""
    return [_step_tree(step) for step in path]


def _step_tree(step: Step) -> Tree:
    if isinstance(step, AttributeStep):
        return step.name
    key = step.key.payload
    return [key] if isinstance(key, str) else JsonNumber(str(numbers.to_int(key)))


def _path(tree: Tree) -> Path:
    return tuple(_step(step) for step in _items(tree))


def _step(tree: Tree) -> Step:
    match tree:
        case str():
            return AttributeStep(tree)
        case [str(key)]:
            return IndexStep(string(key))
    return IndexStep(integer(_whole(tree)))


def _whole(tree: Tree) -> int:
    if not isinstance(tree, JsonNumber) or not tree.text.isdecimal():
        raise TapeError(f"{dumps(tree)} on the tape is not an index")
    return int(tree.text)


def _members(tree: Tree) -> Mapping[str, Tree]:
    if not isinstance(tree, dict):
        raise TapeError(f"{dumps(tree)} on the tape is not an object")
    return tree


def _items(tree: Tree) -> Iterable[Tree]:
    if tree is None:
        return []
    if not isinstance(tree, list):
        raise TapeError(f"{dumps(tree)} on the tape is not a list")
    return tree
