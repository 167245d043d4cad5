"""The published JSON form of a plan (`show -json PLAN`, format version 1.2).

JSON cannot express unknown values, so a changed value appears as several documents of the same shape: what is known of
it, where it is unknown, and where it is sensitive. `shared_nodes.values.json` builds these shapes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.plan.change import Action, ActionReason, DeferredChange, OutputChange, ResourceChange
from shared_nodes.plan.configuration import configuration_document
from shared_nodes.plan.drift import shown_drift
from shared_nodes.plan.importing import importing_document
from shared_nodes.plan.plan import Plan, ResourceAttribute
from shared_nodes.state.document import (
    MissingSchemaError,
    ModuleRecords,
    checks_document,
    resource_record,
    state_document,
)
from shared_nodes.state.file import Schemas, identity_members, schema_of
from shared_nodes.state.object_values import mark_sensitive
from shared_nodes.values.json import (
    JsonNumber,
    Tree,
    sensitive_shape,
    type_to_json,
    unknown_shape,
    value_to_json,
    without_unknowns,
)
from shared_nodes.values.paths import AttributeStep, Path
from shared_nodes.values.value import Value

__all__ = ["drawing_document", "output_change_document", "plan_document", "resource_change_document"]

FORMAT_VERSION: Final = "1.2"


def plan_document(
    plan: Plan, config: ConfigTree, schemas: Schemas, flavour: Flavour = TERRAFORM_1_11
) -> dict[str, Tree]:
    document: dict[str, Tree] = {"format_version": FORMAT_VERSION, "terraform_version": flavour.version}
    _put(document, "variables", _variables(plan, config, flavour))
    document["planned_values"] = _planned_values(plan, schemas)
    _put(document, "resource_drift", _resource_changes(shown_drift(plan), schemas))
    _put(document, "resource_changes", _resource_changes(plan.changes.resources.values(), schemas))
    _put(document, "deferred_changes", [*map(_deferred_document, plan.deferred)])
    _put(document, "output_changes", {c.name: output_change_document(c) for c in _root_outputs(plan)})
    if not plan.prior_state.is_empty:
        document["prior_state"] = state_document(replace(plan.prior_state, check_results=None), schemas, flavour)
    document["configuration"] = configuration_document(config, schemas)
    _put(document, "relevant_attributes", [*map(_relevant_document, plan.relevant_attributes)])
    if plan.checks:
        document["checks"] = checks_document(plan.checks)
    document["timestamp"] = _time_text(plan.timestamp)
    if flavour.plan_says_whether_it_applies:
        document["applyable"] = plan.applyable
        document["complete"] = plan.complete
    document["errored"] = plan.errored
    return document


def drawing_document(plan: Plan, schemas: Schemas) -> dict[str, Tree]:
    """Return only the parts of the published form that drawing a plan needs, as the original does for that purpose. The
    rest would be more than half of the work, for nothing."""
    document: dict[str, Tree] = {}
    _put(document, "output_changes", {c.name: output_change_document(c) for c in _root_outputs(plan)})
    _put(document, "resource_drift", _resource_changes(shown_drift(plan), schemas))
    _put(document, "resource_changes", _resource_changes(plan.changes.resources.values(), schemas))
    _put(document, "deferred_changes", [*map(_deferred_document, plan.deferred)])
    _put(document, "relevant_attributes", [*map(_relevant_document, plan.relevant_attributes)])
    document["errored"] = plan.errored
    return document


def _put(document: dict[str, Tree], name: str, part: Tree) -> None:
    if part:
        document[name] = part


def _time_text(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def _variables(plan: Plan, config: ConfigTree, flavour: Flavour) -> dict[str, Tree]:
    """Return variables as given, without conversion to the declared type, or their (converted) defaults. Ephemeral
    values that were given are omitted, but ephemeral defaults are not."""
    values = dict(plan.variables)
    omitted = () if flavour.plan_shows_defaults_of_ephemeral_variables else plan.apply_time_variables
    for name, variable in config.module.variables.items():
        if name not in values and name not in omitted and variable.default is not None:
            values[name] = variable.default
    return {name: {"value": value_to_json(values[name].unmark_deep()[0])} for name in sorted(values)}


def _relevant_document(attribute: ResourceAttribute) -> Tree:
    return {"resource": str(attribute.resource), "attribute": _path(attribute.path)}


def _path(path: Path) -> list[Tree]:
    return [step.name if isinstance(step, AttributeStep) else value_to_json(step.key) for step in path]


# Resource changes


def _resource_changes(changes: Iterable[ResourceChange], schemas: Schemas) -> list[Tree]:
    """Return the changes in order. Deletions of data sources only tidy up the state, so they are omitted."""
    shown = [c for c in changes if c.action is not Action.DELETE or c.address.resource.mode is not ResourceMode.DATA]
    shown.sort(key=lambda change: (change.address.sort_key, change.deposed or ""))
    return [resource_change_document(change, schemas) for change in shown]


def resource_change_document(change: ResourceChange, schemas: Schemas) -> dict[str, Tree]:
    record = resource_record(change.address, change.provider.source)
    document: dict[str, Tree] = {"address": record["address"]}
    if change.previous_address != change.address:
        document["previous_address"] = str(change.previous_address)
    if change.address.module.steps:
        document["module_address"] = str(change.address.module)
    document |= record
    if change.deposed is not None:
        document["deposed"] = change.deposed
    schema = schema_of(schemas, change.provider.config, change.address.resource)
    if schema is None:
        raise MissingSchemaError(change.address, change.provider.source)
    before = mark_sensitive(change.before, schema.block)
    after = mark_sensitive(change.after, schema.block)
    document["change"] = _change_document(change, before, after)
    if change.reason is not ActionReason.NONE:
        document["action_reason"] = change.reason.value
    return document


def _deferred_document(change: DeferredChange) -> Tree:
    """Return the published form without the change itself, which is not known yet."""
    resource = change.resource
    record: dict[str, Tree] = {
        "address": change.address,
        "mode": str(resource.mode),
        "type": resource.type,
        "name": resource.name,
        "provider_name": str(change.provider),
    }
    return {"reason": change.reason.value, "resource_change": record}


def _change_document(change: ResourceChange, before: Value, after: Value) -> Tree:
    document: dict[str, Tree] = {"actions": [*change.action.steps], "before": _json(before)}
    _put_after(document, after, where_known={})
    document["before_sensitive"] = sensitive_shape(before)
    document["after_sensitive"] = sensitive_shape(after)
    if change.replace_paths:
        document["replace_paths"] = [_path(path) for path in change.replace_paths]
    if change.importing is not None:
        document["importing"] = importing_document(change.importing)
    for name, identity in (("before_identity", change.before_identity), ("after_identity", change.after_identity)):
        if identity is not None:
            document[name] = _json(identity)
    return document


def _put_after(document: dict[str, Tree], after: Value, where_known: Tree) -> None:
    """Add what is known of the new value, if anything is, and where it is unknown."""
    if after.is_wholly_known:
        document["after"] = _json(after)
        document["after_unknown"] = where_known
        return
    shown = without_unknowns(after)
    if shown is not None and not shown.is_null:
        document["after"] = _json(shown)
    document["after_unknown"] = unknown_shape(after)


def _json(value: Value) -> Tree:
    return value_to_json(value.unmark_deep()[0])


# Outputs


def _root_outputs(plan: Plan) -> list[OutputChange]:
    found = [change for change in plan.changes.outputs.values() if not change.module.steps]
    return sorted(found, key=lambda change: change.name)


def output_change_document(change: OutputChange) -> Tree:
    """Return the change of an output. Outputs are sensitive as a whole, before and after alike."""
    document: dict[str, Tree] = {"actions": [*change.action.steps], "before": _json(change.before)}
    _put_after(document, change.after, where_known=False)
    document["before_sensitive"] = change.sensitive
    document["after_sensitive"] = change.sensitive
    return document


# Planned values


def _planned_values(plan: Plan, schemas: Schemas) -> Tree:
    document: dict[str, Tree] = {}
    outputs = [change for change in _root_outputs(plan) if change.action is not Action.DELETE]
    _put(document, "outputs", {change.name: _planned_output(change) for change in outputs})
    modules = ModuleRecords()
    for change in plan.changes.in_order():
        if change.action is Action.DELETE or change.deposed is not None:
            continue  # forgotten objects are included, without values
        modules.add(change.address.module, _planned_resource(change, schemas))
    document["root_module"] = modules.document(_sorted_by_address_text)
    return document


def _sorted_by_address_text(records: list[Tree]) -> list[Tree]:
    """Sort by printed address, unlike everywhere else: `a[10]` before `a[2]`."""
    return sorted(records, key=lambda record: str(record["address"]) if isinstance(record, dict) else "")


def _planned_output(change: OutputChange) -> Tree:
    document: dict[str, Tree] = {"sensitive": change.sensitive}
    value = change.after.unmark_deep()[0]
    if value.is_wholly_known:
        document["type"] = type_to_json(value.type)
        document["value"] = value_to_json(value)
    return document


def _planned_resource(change: ResourceChange, schemas: Schemas) -> Tree:
    record = resource_record(change.address, change.provider.source)
    schema = schema_of(schemas, change.provider.config, change.address.resource)
    if schema is None:
        raise MissingSchemaError(change.address, change.provider.source)
    record["schema_version"] = JsonNumber(str(schema.version))
    shown = without_unknowns(change.after)
    if shown is not None and not shown.is_null:
        record["values"] = _json(shown)
    record["sensitive_values"] = sensitive_shape(change.after)
    return record | identity_members(change.after_identity, schema)
