"""The published JSON form of a plan, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from harness.engines.providers import SCHEMAS
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.plan.document import drawing_document, plan_document
from shared_nodes.plan.plan import Plan
from shared_nodes.providers.schema import ResourceSchema, implied_type
from shared_nodes.state.document import MissingSchemaError, checks_document, state_document
from shared_nodes.state.file import Schemas, schema_of
from shared_nodes.state.flat_attributes import value_from_flat
from shared_nodes.state.model import InstanceObject, State
from shared_nodes.values.json import JsonError, Tree, value_from_json

__all__ = ["drawable_plan", "observable_plan", "published_plan"]

_FAILED = "Failed to marshal plan to json"


def published_plan(
    plan: Plan, config: ConfigTree, flavour: Flavour, schemas: Schemas = SCHEMAS
) -> dict[str, Tree] | Diagnostic:
    """Return the published form of a plan. A plan may contain objects that planning did not need and that cannot be
    read. The original cannot show such a plan either."""
    return next(_unreadable_prior(plan, schemas), None) or _made(lambda: plan_document(plan, config, schemas, flavour))


def observable_plan(plan: Plan, flavour: Flavour, schemas: Schemas) -> dict[str, Tree] | Diagnostic:
    """Return the parts of the published form that say what will happen, for the plans that have one. The document of
    the prior state is made only because it can fail; configuration and planned values, half of the work, add
    nothing."""

    def make() -> dict[str, Tree]:
        state_document(replace(plan.prior_state, check_results=None), schemas, flavour)
        document = drawing_document(plan, schemas)
        if plan.checks:
            document["checks"] = checks_document(plan.checks)
        if flavour.plan_says_whether_it_applies:
            document |= {"applyable": plan.applyable, "complete": plan.complete}
        return document

    return next(_unreadable_prior(plan, schemas), None) or _made(make)


def drawable_plan(
    plan: Plan, _config: ConfigTree, _flavour: Flavour, schemas: Schemas = SCHEMAS
) -> dict[str, Tree] | Diagnostic:
    """Return what the terminal shows of a plan. It does not include the prior state, and so exists for more plans. The
    parameters are those of `published_plan`."""
    return _made(lambda: drawing_document(plan, schemas))


def _made(make: Callable[[], dict[str, Tree]]) -> dict[str, Tree] | Diagnostic:
    try:
        return make()
    except JsonError as failure:
        return error(_FAILED, failure.message)
    except MissingSchemaError as failure:
        return error(_FAILED, f"{failure}. A plan is shown in the directory it was made in.")


def _unreadable_prior(plan: Plan, schemas: Schemas) -> Iterator[Diagnostic]:
    return (
        error(_FAILED, f"error marshaling prior state: {problem}") for problem in _unreadable(plan.prior_state, schemas)
    )


def _unreadable(state: State, schemas: Schemas) -> Iterator[str]:
    for address, instance in state.instances():
        resource = state.resources[address.containing]
        schema = schema_of(schemas, resource.provider, address.resource)
        for stored in (instance.current, *instance.deposed.values()):
            if stored is None or stored.value is not None or schema is None:
                continue
            if stored.stored_version != schema.version:
                yield (
                    f"schema version {stored.stored_version} for {address} in state does not match version "
                    f"{schema.version} from the provider"
                )
            yield from _misfit(stored, schema)


def _misfit(stored: InstanceObject, schema: ResourceSchema) -> Iterator[str]:
    """An attribute that the schema does not have is an error here, although it is silently dropped everywhere else."""
    ty = implied_type(schema.block)
    try:
        if stored.stored_flat is None:
            value_from_json(stored.stored, ty)
        else:
            value_from_flat(stored.stored_flat, ty)
    except JsonError as failure:
        yield failure.message
