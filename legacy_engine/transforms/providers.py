"""Which vertex uses which provider configuration. Configurations that are not used get no vertex."""

from __future__ import annotations

from legacy_engine.nodes.capabilities import ProviderConsumer, Referencer
from legacy_engine.nodes.provider import ConfigureProvider
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.config.provider_configurations import ProviderConfiguration, ProviderConfigurations
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.configure import missing_configuration
from shared_nodes.nodes.references import function_provider_problems

__all__ = ["check_function_providers", "connect_providers"]


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


def check_function_providers(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Refuse calls of functions of providers that a module does not require, in flavours in which they are
    references."""
    referencers = (vertex for vertex in graph if isinstance(vertex, Referencer))
    references = (reference for vertex in referencers for reference in vertex.references())
    return function_provider_problems(build.config, references)
