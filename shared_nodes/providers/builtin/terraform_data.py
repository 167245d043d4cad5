"""`terraform_data`: an object that consists only of its arguments.

`output` equals `input` once applied. A change of `input` is an update, a change of `triggers_replace` a replacement.
Values are compared by representation, so `1` instead of `"1"` is a change, and an unknown value always is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    FlatAttributes,
    Imported,
    ImportedObject,
    MoveRequest,
    PlanRequest,
    PlanResponse,
    ReadObject,
    StoredAttributes,
)
from shared_nodes.providers.schema import ResourceSchema, SchemaAttribute, SchemaBlock, implied_type
from shared_nodes.values.json import JsonError, value_from_json
from shared_nodes.values.paths import AttributeStep, path_text
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import DYNAMIC, STRING, MapType, ObjectType
from shared_nodes.values.value import NULL_DYNAMIC, Value, null, object_of, string, unknown
from shared_nodes.world import Identifiers

__all__ = ["SCHEMA", "apply", "import_object", "move", "plan", "planned_terraform_data", "upgrade", "validate"]

SCHEMA: Final = ResourceSchema(
    SchemaBlock(
        {
            "id": SchemaAttribute(STRING, computed=True),
            "input": SchemaAttribute(DYNAMIC, optional=True),
            "output": SchemaAttribute(DYNAMIC, computed=True),
            "triggers_replace": SchemaAttribute(DYNAMIC, optional=True),
        }
    )
)

_TYPE: Final = implied_type(SCHEMA.block)
_NULL_RESOURCE_TYPE: Final = ObjectType({"id": STRING, "triggers": MapType(STRING)})
_NEW_ID: Final = unknown(STRING, NOT_NULL)


def validate(config: Value) -> list[Diagnostic]:
    """Report read-only attributes that are set. As in the original, the errors have no source location."""
    return [error(f'"{name}" attribute is read-only') for name in ("id", "output") if not config.payload[name].is_null]


def planned_terraform_data(given_input: Value, triggers: Value) -> Value:
    """Return a new object as planned: the id will be some string, the output whatever the input is."""
    output = given_input.without_marks() if given_input.is_null else unknown(given_input.type)
    return object_of(
        {
            "id": _NEW_ID,
            "input": given_input,
            "output": output.with_marks(given_input.marks),
            "triggers_replace": triggers,
        }
    )


def plan(request: PlanRequest) -> PlanResponse:
    if request.proposed.is_null:
        return PlanResponse(request.proposed)
    given_input = request.proposed.payload["input"]
    triggers = request.proposed.payload["triggers_replace"]
    if request.prior.is_null:
        return PlanResponse(planned_terraform_data(given_input, triggers))
    if request.prior.payload["triggers_replace"] != triggers:
        path = (AttributeStep("triggers_replace"),)
        return PlanResponse(planned_terraform_data(given_input, triggers), requires_replace=(path,))
    if request.prior.payload["input"] != given_input:
        # This includes an input that became null: only an apply sets the output to null.
        return PlanResponse(object_of({**request.proposed.payload, "output": unknown(given_input.type)}))
    return PlanResponse(request.proposed)


def apply(request: ApplyRequest, identifiers: Identifiers) -> ApplyResponse:
    planned = request.planned
    if planned.is_null:
        return ApplyResponse(planned)
    attributes = dict(planned.payload)
    if not attributes["output"].is_known:
        attributes["output"] = attributes["input"]
    if not attributes["id"].is_known:
        attributes["id"] = string(identifiers.new(request.owner))
    return ApplyResponse(object_of(attributes))


def import_object(identifier: str) -> Imported:
    """Accept every id, because nothing exists outside the state. Nothing but the id is known."""
    return Imported([ImportedObject("terraform_data", _object({"id": string(identifier)}))])


_NOTHING_TO_READ: Final = "EOF"
"""The whole message about an object in the flat format of older states: there is no JSON to read."""


def upgrade(attributes: StoredAttributes) -> ReadObject:
    return _decode(attributes, _TYPE)


def move(request: MoveRequest, flavour: Flavour) -> ReadObject:
    """Take over a `null_resource`: of the official provider, from whatever host it was installed, or of any."""
    if flavour.null_resources_may_have_any_provider:
        return _move_from_any_provider(request)
    if not request.source_provider.endswith("/hashicorp/null"):
        detail = "Only moving from the official hashicorp/null provider to terraform_data is supported."
        return ReadObject(None, problems=[error("Unsupported source provider for move operation", detail)])
    if request.source_type_name != "null_resource":
        detail = "Only moving from the null_resource managed resource to terraform_data is supported."
        return ReadObject(None, problems=[error("Unsupported source resource type for move operation", detail)])
    return _take_over(request)


def _move_from_any_provider(request: MoveRequest) -> ReadObject:
    if request.source_type_name == "null_resource":
        return replace(_take_over(request), private=request.source_private)
    problem = error(
        f"unsupported move: {request.source_type_name} -> {request.target_type_name}; only move from null_resource to "
        "terraform_data is supported"
    )
    return ReadObject(None, problems=[problem])


def _take_over(request: MoveRequest) -> ReadObject:
    source = _decode(request.source_attributes, _NULL_RESOURCE_TYPE)
    if source.value is None or source.value.is_null:
        return source
    triggers = source.value.payload["triggers"]
    # An object, because the next plan compares it with `triggers_replace = {...}`.
    replacement = NULL_DYNAMIC if triggers.is_null else object_of(triggers.payload)
    return ReadObject(_object({"id": source.value.payload["id"], "triggers_replace": replacement}))


def _object(attributes: dict[str, Value]) -> Value:
    return object_of({name: attributes.get(name) or null(type) for name, type in _TYPE.attributes.items()})


def _decode(attributes: StoredAttributes, type: ObjectType) -> ReadObject:
    if isinstance(attributes, FlatAttributes):
        return ReadObject(None, problems=[error(_NOTHING_TO_READ)])
    try:
        return ReadObject(value_from_json(attributes, type))
    except JsonError as failure:
        prefix = f"{path_text(failure.path)}: " if failure.path else ""
        return ReadObject(None, problems=[error(f"{prefix}{failure.message}")])
