"""The contract of an engine: what it is asked and what it answers.

An engine is three asynchronous functions (validate, plan, apply) from a request to a result, and nothing else passes
between them. A mistake of a user is a diagnostic in the result; only a bug of the engine is an exception. The chain is
validate → plan → apply: `apply` takes the plan of `plan` and the state that the plan was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.options import Options
from shared_nodes.providers.contract import Provider
from shared_nodes.state.model import State
from shared_nodes.world import World

if TYPE_CHECKING:
    from shared_nodes.config.analysis import ConfigAnalysis
    from shared_nodes.config.inputs import GivenValue
    from shared_nodes.config.tree import ConfigTree
    from shared_nodes.plan.plan import Plan

__all__ = [
    "ApplyResult",
    "EngineCrash",
    "EngineDeadlock",
    "EngineFailure",
    "EngineRequest",
    "PlanResult",
    "ValidateResult",
]


@dataclass(frozen=True, slots=True)
class EngineRequest:
    config: ConfigTree
    state: State
    world: World
    providers: Callable[[ProviderSource], Provider | None]
    """Returns a new instance of a provider, not yet configured, or None if there is no such provider."""

    variables: Mapping[str, GivenValue] = field(default_factory=dict)
    options: Options = field(default_factory=Options)
    flavour: Flavour = TERRAFORM_1_11
    events: EventSink = field(default_factory=EventSink)
    plan: Plan | None = None
    """For apply: the plan to apply."""


@dataclass(frozen=True, slots=True)
class ValidateResult:
    """`analysis` is what an engine learned about the whole configuration, if it analyses it."""

    diagnostics: tuple[Diagnostic, ...]
    analysis: ConfigAnalysis | None = None

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)


@dataclass(frozen=True, slots=True)
class PlanResult:
    """`plan` is None if nothing could be planned at all. A plan that failed half-way is marked as errored."""

    diagnostics: tuple[Diagnostic, ...]
    plan: Plan | None

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)


@dataclass(frozen=True, slots=True)
class ApplyResult:
    """`state` is always present, also after a failure: it holds what was done until then."""

    diagnostics: tuple[Diagnostic, ...]
    state: State

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)


class EngineFailure(Exception):
    """A bug of an engine, not a mistake of a user: there is no diagnostic and no result. A comparison of engines counts
    it as an outcome of its own."""


class EngineCrash(EngineFailure):
    """Something in the engine raised."""


class EngineDeadlock(EngineFailure):
    """Something in the engine waits for a result that will never be delivered."""
