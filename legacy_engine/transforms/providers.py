"""Which vertex uses which provider configuration. Configurations that are not used get no vertex."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.nodes.capabilities import ProviderConsumer, Referencer
from legacy_engine.nodes.instance import PlanDestroy
from legacy_engine.nodes.provider import ConfigureProvider
from legacy_engine.transforms.attach import attach_provider_schema
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.provider_configurations import ProviderConfiguration, ProviderConfigurations
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.configure import missing_configuration
from shared_nodes.nodes.references import function_provider_problems, function_providers, resource_references

__all__ = ["connect_function_providers", "connect_providers"]


def connect_providers(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add the configurations that are asked for, and make their users wait for them."""
    consumers = [vertex for vertex in graph if isinstance(vertex, ProviderConsumer)]
    requests = [(vertex, request) for vertex in consumers if (request := vertex.provider_request()) is not None]
    supplies_aliases = build.operation is Operation.VALIDATE and build.flavour.root_aliases_are_supplied
    known = ProviderConfigurations(build.config, supplies_aliases=supplies_aliases)
    if known.problems:
        return known.problems
    configured: dict[ProviderConfiguration, ConfigureProvider] = {}
    problems = []
    for vertex, request in requests:
        choice = known.resolve(request)
        if choice is None:
            problems.append(missing_configuration(vertex.name, request.config))
            continue
        declared = choice.configuration
        if declared not in configured:
            configured[declared] = ConfigureProvider(declared)
        vertex.provider = choice
        graph.connect(vertex, configured[declared])
    return problems


def connect_function_providers(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Make what calls functions of providers wait for their configurations, in flavours in which calls are references,
    and refuse functions of providers that a module does not require. What is configured with nothing offers its
    functions without being configured, unless something else uses it."""
    if not build.flavour.provider_functions_are_references:
        return []
    calling = [vertex for vertex in graph if isinstance(vertex, Referencer)]
    references = (reference for vertex in calling for reference in vertex.references())
    problems = function_provider_problems(build.config, references)
    if problems:
        return problems
    known = ProviderConfigurations(build.config)
    providers = {vertex.declared.config: vertex for vertex in graph if isinstance(vertex, ConfigureProvider)}
    while calling:
        caller = calling.pop()
        for declared in function_providers(build.config, known, _calling_references(caller)):
            provider = providers.get(declared.config)
            if provider is None and declared.block is not None:
                provider = providers[declared.config] = ConfigureProvider(declared)
                attach_provider_schema(provider, build)
                calling.append(provider)
            if provider is not None:
                graph.connect(caller, provider)
    return []


def _calling_references(vertex: Referencer) -> Sequence[ScopedSubject]:
    """Return the references of a vertex; and all of a block whose object is to be destroyed, although destroying it
    waits for few of them."""
    if isinstance(vertex, PlanDestroy) and vertex.tree is not None and vertex.block is not None:
        return resource_references(vertex.tree, vertex.block, vertex.schema)
    return vertex.references()
