"""What every engine is asked, and what it answers.

An engine is three asynchronous functions (validate, plan, apply) from a request to a result, and nothing else passes
between them: a user's mistake is a diagnostic in the result, and only a bug of the engine is an exception. The chain is
validate → plan → apply: `apply` takes the plan of `plan` and the state that plan was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.diagnostics import Diagnostic, has_errors
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.plan.events import EventSink
from shared_nodes.providers.contract import Provider
from shared_nodes.state.model import State
from shared_nodes.world import World

if TYPE_CHECKING:
    from shared_nodes.config.analysis import ConfigAnalysis
    from shared_nodes.config.inputs import GivenValue
    from shared_nodes.config.tree import ConfigTree
    from shared_nodes.plan.plan import Plan

DEFAULT_PARALLELISM: Final = 10

__all__ = [
    "DEFAULT_PARALLELISM",
    "ApplyResult",
    "EngineCrash",
    "EngineDeadlock",
    "EngineFailure",
    "EngineRequest",
    "Mode",
    "Options",
    "PlanResult",
    "ValidateResult",
]


class Mode(StrEnum):
    NORMAL = "normal"
    DESTROY = "destroy"
    REFRESH_ONLY = "refresh-only"


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line may ask for. Addresses are texts, as given: parsing them can fail, and that is a user's
    mistake. One `seed` is one order of everything the dependencies leave open."""

    mode: Mode = Mode.NORMAL
    targets: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    replace: tuple[str, ...] = ()
    refresh: bool = True
    parallelism: int = DEFAULT_PARALLELISM
    seed: int = 0
    changes: frozenset[str] = frozenset()
    """Intended changes that the engine adopts, by identifier: docs/intended-changes.md. Each engine declares which of
    them it supports."""


@dataclass(frozen=True, slots=True)
class EngineRequest:
    config: ConfigTree
    state: State
    world: World
    providers: Callable[[ProviderSource], Provider | None]
    """A new, not yet configured instance of a provider; None where there is no such provider."""

    variables: Mapping[str, GivenValue] = field(default_factory=dict)
    options: Options = field(default_factory=Options)
    flavour: Flavour = TERRAFORM_1_11
    events: EventSink = field(default_factory=EventSink)
    plan: Plan | None = None
    """For apply: what to do."""


@dataclass(frozen=True, slots=True)
class ValidateResult:
    """`analysis` is what an engine found out about the configuration on the way, if it looks at it as a whole."""

    diagnostics: tuple[Diagnostic, ...]
    analysis: ConfigAnalysis | None = None

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)


@dataclass(frozen=True, slots=True)
class PlanResult:
    """`plan` is None where nothing could be planned at all; a plan that failed half-way says so itself."""

    diagnostics: tuple[Diagnostic, ...]
    plan: Plan | None

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)


@dataclass(frozen=True, slots=True)
class ApplyResult:
    """`state` is always there, also after a failure: it holds what was done until then."""

    diagnostics: tuple[Diagnostic, ...]
    state: State

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)


class EngineFailure(Exception):
    """A bug of an engine, not a mistake of a user: no diagnostic, and no result. Whoever compares engines counts it as
    an outcome of its own."""


class EngineCrash(EngineFailure):
    """Something in the engine raised."""


class EngineDeadlock(EngineFailure):
    """Something in the engine waits for what nobody will ever give."""
