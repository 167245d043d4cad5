"""Moves to another resource type or another provider.

The new provider of the object converts it: it gets the stored object, and returns an object of its own type. This only
happens if the new address is configured; otherwise the object keeps its type and is destroyed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from shared_nodes.addresses.provider import AbsProviderConfig, ProviderInstance, ProviderSource
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.nodes.statements.moved import MoveResults, MoveStatement
from shared_nodes.providers.contract import MoveRequest, Provider
from shared_nodes.state.model import InstanceObject, State

__all__ = ["take_over_moved"]


async def take_over_moved(
    moves: MoveResults,
    statements: Sequence[MoveStatement],
    state: State,
    config: ConfigTree,
    provider_of: Callable[[ProviderSource], Provider | None],
) -> list[Diagnostic]:
    """Convert, in the state, every moved object whose type or provider has changed. A provider that does not support
    moves is not called."""
    problems: list[Diagnostic] = []
    for target, source in moves.changes.items():
        node = config.at(target.module.path)
        current = state.current(target)
        if node is None or target.resource not in node.module.resources or current is None:
            continue
        old = state.resources[target.containing].provider.source
        new = node.module.source_of(target.resource)
        provider = provider_of(new)
        if (old == new and source.resource.type == target.resource.type) or provider is None:
            continue
        if not provider.schema.moves_state:
            problems.append(_unsupported_problem(target, new, statements))
            continue
        converted, found = await _convert(provider, current, old, (source, target))
        problems.extend(found)
        if converted is not None:
            state.put(target, ProviderInstance(AbsProviderConfig(new)), converted)
    return problems


def _unsupported_problem(
    target: AbsResourceInstance, source: ProviderSource, statements: Sequence[MoveStatement]
) -> Diagnostic:
    ends_here = (statement.range for statement in statements if statement.target.selects_resource(target.containing))
    detail = f'The provider "{source}" does not support moved operations across resource types and providers.'
    return error("Unsupported `moved` across resource types", detail, next(ends_here, None))


async def _convert(
    provider: Provider,
    current: InstanceObject,
    old: ProviderSource,
    move: tuple[AbsResourceInstance, AbsResourceInstance],
) -> tuple[InstanceObject | None, list[Diagnostic]]:
    source, target = move
    request = MoveRequest(
        source_provider=str(old),
        source_type_name=source.resource.type,
        source_schema_version=current.stored_version,
        source_attributes=current.stored_attributes,
        source_private=current.private,
        target_type_name=target.resource.type,
    )
    result = await provider.move(request)
    problems = list(result.problems)
    if result.value is None or has_errors(problems):
        return None, problems
    schema = provider.schema.managed.get(target.resource.type)
    version = 0 if schema is None else schema.version
    converted = replace(
        current,
        value=result.value,
        stored=None,
        stored_sensitive=(),
        private=result.private,
        schema_version=version,
        stored_version=version,
    )
    return converted, problems
