"""Providers of a run: registered in an immutable value, and available to everything a session does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import trio

from harness.engines.providers import BUILTIN_PROVIDERS, SCHEMAS, Providers
from harness.engines.registry import engine_named
from harness.engines.session import EngineSession
from shared_nodes.addresses.provider import BUILTIN, ProviderSource
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.options import Options
from shared_nodes.providers.builtin import BUILTIN_SCHEMA, BuiltinProvider
from shared_nodes.providers.contract import Provider
from shared_nodes.providers.registry import ProviderFactory
from shared_nodes.state.model import State
from shared_nodes.world import World

OTHER = ProviderSource("registry.terraform.io", "acme", "other")
CONFIGURATION = """
terraform {
  required_providers {
    other = { source = "acme/other" }
  }
}
resource "terraform_data" "a" {
  provider = other
}
"""


def with_other() -> Providers:
    """Return providers that include a copy of the builtin one under another source."""
    return BUILTIN_PROVIDERS.including(OTHER, BuiltinProvider, BUILTIN_SCHEMA)


def session(directory: Path, providers: Providers) -> EngineSession:
    (directory / "main.tf").write_text(CONFIGURATION)
    world = World.confined(directory, 1, datetime(2026, 1, 2, tzinfo=UTC))
    return EngineSession(engine_named("legacy"), world, TERRAFORM_1_11, providers=providers)


def test_registering_makes_another_value() -> None:
    providers = with_other()
    assert providers.has(OTHER)
    assert not BUILTIN_PROVIDERS.has(OTHER)
    assert providers.schemas == {BUILTIN: BUILTIN_SCHEMA, OTHER: BUILTIN_SCHEMA}
    assert SCHEMAS == {BUILTIN: BUILTIN_SCHEMA}


def test_validation_misses_a_provider_that_is_not_registered(tmp_path: Path) -> None:
    problems = trio.run(session(tmp_path, BUILTIN_PROVIDERS).validate, Options())
    assert [problem.summary for problem in problems] == ["Missing required provider"]
    assert trio.run(session(tmp_path, with_other()).validate, Options()) == []


def test_planning_blames_the_lock_file_for_a_provider_that_is_not_registered(tmp_path: Path) -> None:
    planned = trio.run(session(tmp_path, BUILTIN_PROVIDERS).plan, State(), Options(), EventSink())
    assert [problem.summary for problem in planned.diagnostics] == ["Inconsistent dependency lock file"]
    planned = trio.run(session(tmp_path, with_other()).plan, State(), Options(), EventSink())
    assert planned.diagnostics == []
    assert planned.plan is not None
    assert [str(change.provider.source) for change in planned.plan.changes.in_order()] == [str(OTHER)]


def test_the_lock_file_never_lists_what_is_built_in() -> None:
    built_in = ProviderSource(BUILTIN.host, BUILTIN.namespace, "more")
    assert BUILTIN_PROVIDERS.unselected([BUILTIN, built_in], OPENTOFU_1_12) == []
    (problem,) = BUILTIN_PROVIDERS.unselected([OTHER, BUILTIN], OPENTOFU_1_12)
    assert problem.detail.endswith("run:\n  tofu init")


def test_something_can_stand_between_providers_and_whoever_asks() -> None:
    asked: list[tuple[str, str]] = []

    def noting(who: str) -> Callable[[ProviderFactory], ProviderFactory]:
        def between(factory: ProviderFactory) -> ProviderFactory:
            def make(source: ProviderSource) -> Provider | None:
                asked.append((who, source.type))
                return factory(source)

            return make

        return between

    providers = with_other().through(noting("inner")).through(noting("outer"))
    factory = providers.factory(World.real(Path()), TERRAFORM_1_11)
    assert factory(OTHER) is not None
    assert factory(ProviderSource("h", "n", "t")) is None
    assert asked == [("outer", "other"), ("inner", "other"), ("outer", "t"), ("inner", "t")]
