"""The contract of an engine: its requests and results.

An engine consists of three asynchronous functions (validate, plan, apply), each from a request to a result; nothing
else passes between an engine and its caller. A user's mistake is a diagnostic in the result; only a bug in the engine
is an exception. `apply` takes the plan that `plan` returned and the state that plan was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.options import Options
from shared_nodes.providers.contract import Provider
from shared_nodes.record import record
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
    "EngineFailure",
    "EngineRequest",
    "PlanResult",
    "ValidateResult",
]


@record
class EngineRequest:
    config: ConfigTree
    state: State
    world: World
    providers: Callable[[ProviderSource], Provider | None]
    """Returns a new, unconfigured instance of a provider, or None if there is no such provider."""

    variables: Mapping[str, GivenValue] = field(default_factory=dict)
    options: Options = field(default_factory=Options)
    flavour: Flavour = TERRAFORM_1_11
    events: EventSink = field(default_factory=EventSink)
    plan: Plan | None = None
    """The plan to carry out; only for apply."""


@record
class ValidateResult:
    """The result of a validation. Engines that can analyse the configuration as a whole offer `analyse`: it takes a
    seventh of the time of a validation, and few callers want to know."""

    diagnostics: tuple[Diagnostic, ...]
    analyse: Callable[[], ConfigAnalysis] | None = None

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)


@record
class PlanResult:
    """The result of planning. `plan` is None if nothing could be planned at all; a plan that failed half-way has its
    own flag for that."""

    diagnostics: tuple[Diagnostic, ...]
    plan: Plan | None

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)


@record
class ApplyResult:
    """The result of applying. `state` is present even after a failure and holds what was done until then."""

    diagnostics: tuple[Diagnostic, ...]
    state: State

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)


class EngineFailure(Exception):
    """A bug in an engine, not a mistake of a user: there is neither a diagnostic nor a result. Comparisons of engines
    count it as an outcome of its own."""


class EngineCrash(EngineFailure):
    """The engine raised an exception."""
