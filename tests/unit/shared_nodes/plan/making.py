"""Makes plans for tests, without an engine."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from shared_nodes.addresses.provider import BUILTIN, AbsProviderConfig, ProviderInstance
from shared_nodes.plan.change import Action, ActionReason, Changes, OutputChange, ResourceChange
from shared_nodes.plan.options import Mode
from shared_nodes.plan.plan import Plan
from shared_nodes.providers.builtin import BUILTIN_SCHEMA
from shared_nodes.providers.schema import implied_type
from shared_nodes.state.model import State
from shared_nodes.state.stored_addresses import parse_instance
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import DYNAMIC, STRING
from shared_nodes.values.value import NULL_DYNAMIC, Value, null, object_of, string, unknown

PROVIDER = ProviderInstance(AbsProviderConfig(BUILTIN))
SCHEMAS = {BUILTIN: BUILTIN_SCHEMA}
TYPE = implied_type(BUILTIN_SCHEMA.managed["terraform_data"].block)
NEW_ID = unknown(STRING, NOT_NULL)
TIME = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def thing(identifier: str | Value, given: Value = NULL_DYNAMIC, result: Value | None = None) -> Value:
    """Return a `terraform_data` object."""
    known = string(identifier) if isinstance(identifier, str) else identifier
    return object_of(
        {"id": known, "input": given, "output": given if result is None else result, "triggers_replace": null(DYNAMIC)}
    )


def change(
    address: str,
    action: Action = Action.CREATE,
    before: Value | None = None,
    after: Value | None = None,
    *,
    previous: str | None = None,
    reason: ActionReason = ActionReason.NONE,
    deposed: str | None = None,
    importing: str | None = None,
) -> ResourceChange:
    return ResourceChange(
        parse_instance(address),
        parse_instance(previous or address),
        PROVIDER,
        action,
        null(TYPE) if before is None else before,
        null(TYPE) if after is None else after,
        reason,
        deposed,
        importing=importing,
    )


def plan_of(
    changes: Iterable[ResourceChange] = (),
    outputs: Iterable[OutputChange] = (),
    mode: Mode = Mode.NORMAL,
    drift: Iterable[ResourceChange] = (),
) -> Plan:
    all_changes = Changes()
    for each in changes:
        all_changes.record(each)
    for output in outputs:
        all_changes.outputs[output.module, output.name] = output
    return Plan(mode, all_changes, State(), State(), State(), TIME, drift=list(drift))
