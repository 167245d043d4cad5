"""The change of one managed object, planned from the prior object and the configuration.

The same steps run twice for each change. While planning they decide it; while applying they run again, now that all
values are known, and the result must agree with the decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.nodes.provider.conformance import plan_problems, prefixed
from shared_nodes.nodes.provider.diagnostics import attributed, deferral_problems
from shared_nodes.nodes.provider.meta import provider_meta
from shared_nodes.nodes.resource.ignore_changes import apply_ignore_changes
from shared_nodes.nodes.resource.instance import (
    PROVIDER_BUG,
    DeclaredInstance,
    blamed_provider,
    evaluate_configuration,
    halt,
    known_identity,
    resource_schema,
    run_conditions,
    sent_identity,
    write_only_details,
)
from shared_nodes.nodes.resource.proposed import proposed_value
from shared_nodes.nodes.resource.removal import keeps_objects
from shared_nodes.nodes.resource.replacement import changed_paths, decide_action, settle_action
from shared_nodes.plan.change import Action, ResourceChange
from shared_nodes.providers.contract import PlanRequest, PlanResponse
from shared_nodes.providers.schema import SchemaBlock, implied_type
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject, ObjectStatus
from shared_nodes.state.object_values import mark_sensitive
from shared_nodes.values.marks import Marks
from shared_nodes.values.paths import Path, mark_at_paths, strip_marks
from shared_nodes.values.value import Value, null

__all__ = ["Intent", "propose_change"]


class Intent(NamedTuple):
    """What is decided before the provider is called. `planned` is the change in the plan, while applying it."""

    previous_address: AbsResourceInstance
    create_before_destroy: bool
    force_replace: bool = False
    planned: ResourceChange | None = None


Outcome = tuple[ResourceChange | None, list[Diagnostic]]


async def propose_change(
    context: NodeContext, instance: DeclaredInstance, current: InstanceObject | None, intent: Intent
) -> Outcome:
    """Return the change, or None with the errors that prevent it. A failed precondition ends it before anything is
    evaluated. For an object that is planned to stay unchanged, only preconditions are checked again."""
    planned = intent.planned
    if planned is not None:
        intent = intent._replace(create_before_destroy=planned.action is Action.CREATE_THEN_DELETE)
    as_warning = context.options.pre_destroy_refresh
    problems = run_conditions(context, instance, "precondition", as_warning=as_warning)
    if has_errors(problems):
        return None, problems
    if planned is not None and planned.action is Action.NO_OP:
        return planned, problems
    schema = resource_schema(context, instance.provider, instance.address.resource)
    assert schema is not None
    config, found = evaluate_configuration(context, instance, schema.block)
    problems += attributed(found, instance.block.body, instance.address)
    if has_errors(problems):
        return None, problems
    meta, found = provider_meta(context, instance.address, instance.provider)
    problems += found
    if has_errors(problems):
        return None, problems
    provider = context.provider_of(instance.provider)
    found = list(await provider.validate_resource_config(instance.address.resource.type, config.unmark_deep()[0]))
    problems += attributed(found, instance.block.body, instance.address)
    keeps, found = keeps_objects(instance.block)
    problems += found
    if has_errors(problems):
        return None, problems
    change, found = await _Planning(context, instance, schema.block, config, meta, keeps).plan(current, intent)
    return change, [*problems, *found]


class _Answer(NamedTuple):
    """What a provider planned: the value with its marks, and the paths that require a replacement. `marks` are those of
    the configuration that was sent."""

    after: Value
    private: bytes
    marks: Sequence[tuple[Path, Marks]]
    identity: Value | None
    replace_paths: tuple[Path, ...] = ()


class _Prior(NamedTuple):
    """The object that a plan starts from. The value is null if there is none."""

    value: Value
    private: bytes = b""
    identity: Value | None = None


@record
class _Planning:
    """One instance with its evaluated configuration, including marks. `keeps_objects` is set if its objects are not
    destroyed."""

    context: NodeContext
    instance: DeclaredInstance
    schema: SchemaBlock
    config: Value
    meta: Value
    keeps_objects: bool

    async def plan(self, current: InstanceObject | None, intent: Intent) -> Outcome:
        """Plan the change. A tainted object is planned as if it did not exist; at the end, its creation becomes a
        replacement."""
        tainted = current is not None and current.status is ObjectStatus.TAINTED
        stored = None if current is None else current.identity
        identity, unusable = sent_identity(self.context, self.instance.provider, self.instance.address.resource, stored)
        if unusable:
            return None, unusable
        start = _Prior(null(implied_type(self.schema)))
        if current is not None and current.value is not None and not tainted:
            start = _Prior(current.value, current.private, identity)
        prior = start.value
        halted = halt(self.context)
        if halted:
            return None, halted
        answer, problems = await self._plan_from(start)
        if answer is None:
            return None, problems
        cbd = intent.create_before_destroy
        decision = decide_action(
            prior, answer.after, answer.replace_paths, forced=intent.force_replace, create_before_destroy=cbd
        )
        if decision.action.is_replace:
            answer, found = await self._plan_replacement(answer)
            if answer is None:
                return None, [*problems, *found]
        decision = settle_action(decision, prior, answer.after, tainted=tainted, create_before_destroy=cbd)
        if decision.action.is_replace and self.keeps_objects:
            decision = decision._replace(action=Action.FORGET_THEN_CREATE)
        problems += halt(self.context)
        before = current.value if tainted and current is not None and current.value is not None else prior
        change = ResourceChange(
            self.instance.address,
            intent.previous_address,
            self.instance.provider,
            decision.action,
            before,
            answer.after,
            decision.reason,
            replace_paths=decision.replace_paths,
            private=answer.private,
            before_identity=identity or stored,
            after_identity=answer.identity,
        )
        return _restore_replacement(change, intent.planned), problems

    async def _plan_from(self, start: _Prior) -> tuple[_Answer | None, list[Diagnostic]]:
        """Plan with `ignore_changes` applied to the configuration. Providers of the legacy type system may undo that,
        so it is applied again to their answer."""
        lifecycle, prior = self.instance.block.lifecycle, start.value
        config, marks = strip_marks(apply_ignore_changes(lifecycle, self.schema, prior, self.config))
        plain_prior = prior.unmark_deep()[0]
        answer, problems = await self._ask_provider(start._replace(value=plain_prior), config)
        planned = answer.value
        if has_errors(problems) or planned is None:
            return None, problems
        problems += self._check_answer(plain_prior, config, answer)
        if has_errors(problems):
            return None, problems
        if answer.legacy_types:
            planned = apply_ignore_changes(lifecycle, self.schema, plain_prior, planned)
        after = mark_sensitive(mark_at_paths(planned, marks), self.schema)
        paths, unknown = changed_paths(prior, after, answer.requires_replace)
        if unknown:
            return None, [*problems, *map(self._unknown_path_problem, unknown)]
        return _Answer(after, answer.private, marks, self._identity(answer), paths), problems

    async def _plan_replacement(self, first: _Answer) -> tuple[_Answer | None, list[Diagnostic]]:
        """Plan the successor of an object that must be replaced. It has no prior object, so nothing is ignored. Only
        errors are reported, because the warnings are most likely the same as before. What the schema declares as
        sensitive is not marked here: a quirk of the original, visible in the planned values of a JSON plan."""
        nothing = _Prior(null(implied_type(self.schema)), first.private)
        answer, problems = await self._ask_provider(nothing, self.config.unmark_deep()[0])
        if has_errors(problems) or answer.value is None:
            return None, problems
        after = mark_at_paths(answer.value, first.marks)
        return _Answer(after, answer.private, first.marks, self._identity(answer)), []

    def _identity(self, answer: PlanResponse) -> Value | None:
        return known_identity(self.context, self.instance.provider, self.instance.address.resource, answer.identity)

    async def _ask_provider(self, prior: _Prior, config: Value) -> tuple[PlanResponse, list[Diagnostic]]:
        address = self.instance.address
        proposed = proposed_value(self.schema, prior.value, config)
        request = PlanRequest(
            address.resource.type, prior.value, proposed, config, prior.private, self.meta, prior.identity
        )
        answer = await self.context.provider_of(self.instance.provider).plan(request)
        problems = attributed(answer.problems, self.instance.block.body, address)
        return answer, problems + deferral_problems(answer.deferred, address, self.context.flavour)

    def _check_answer(self, prior: Value, config: Value, answer: PlanResponse) -> list[Diagnostic]:
        assert answer.value is not None
        summary, address = "Provider produced invalid plan", self.instance.address
        returned = write_only_details(self.schema, answer.value, address, self.instance.provider, "during planning")
        if returned:
            return [error(summary, detail) for detail in returned]
        start = f"Provider {self._blamed} planned an invalid value for"
        problems = [] if answer.legacy_types else plan_problems(self.schema, prior, config, answer.value)
        return [error(summary, f"{start} {prefixed(address, problem)}.\n\n{PROVIDER_BUG}") for problem in problems]

    @property
    def _blamed(self) -> str:
        return blamed_provider(self.instance.provider, self.context.flavour)

    def _unknown_path_problem(self, path: str) -> Diagnostic:
        detail = (
            f'Provider {self._blamed} has indicated "requires replacement" on {self.instance.address} for a '
            f"non-existent attribute path {path}.\n\n{PROVIDER_BUG}"
        )
        return error("Provider produced invalid plan", detail)


def _restore_replacement(change: ResourceChange, planned: ResourceChange | None) -> ResourceChange:
    """Turn a creation back into the planned replacement. While a replacement is applied the old object is already
    deposed or destroyed, so its successor looks like a creation."""
    if planned is not None and planned.action.is_replace and change.action is Action.CREATE:
        return replace(change, action=planned.action, before=planned.before, before_identity=planned.before_identity)
    return change
