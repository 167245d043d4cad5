"""Provider configurations: evaluated, validated by the provider, and used to configure it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from shared_nodes.addresses.module import ModuleInstance, ModuleStep
from shared_nodes.addresses.provider import AbsProviderConfig, ProviderInstance, ProviderSource
from shared_nodes.config.blocks import ProviderBlock
from shared_nodes.config.provider_configurations import ProviderConfiguration
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.source import Position, Range, Source
from shared_nodes.nodes.body.decode import decode_body
from shared_nodes.nodes.provider.diagnostics import attributed
from shared_nodes.providers.contract import Provider
from shared_nodes.providers.schema import ProviderSchema, empty_value
from shared_nodes.record import record
from shared_nodes.state.model import State
from shared_nodes.values.text import quoted
from shared_nodes.values.value import Value

__all__ = [
    "ConfigureRequest",
    "configure_provider",
    "configure_requests",
    "missing_configuration",
    "missing_schemas",
]


@record
class ConfigureRequest:
    """One instance of a configuration. `block` is None if the provider is used without a block. `repetition` is what
    the block sees as `each`."""

    address: ProviderInstance
    provider: Provider
    block: ProviderBlock | None
    repetition: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)


def configure_requests(context: NodeContext, declared: ProviderConfiguration) -> list[ConfigureRequest]:
    """Return a request for each instance of a configuration, in order. Validation configures none of them, so that one
    provider is enough for all."""
    config, instances = declared.config, declared.instances
    repetition = Repetition.single() if instances is None else Repetition.for_each(instances)
    requests = []
    for key in repetition.keys:
        address = ProviderInstance(config, key)
        used = ProviderInstance(config) if context.operation is Operation.VALIDATE else address
        requests.append(ConfigureRequest(address, context.provider_of(used), declared.block, repetition.data(key)))
    return requests


async def configure_provider(context: NodeContext, request: ConfigureRequest) -> list[Diagnostic]:
    """Validate and configure the provider. Validation does not configure, and skips an empty block, which may be
    completed by other means."""
    block = request.block
    if context.operation is Operation.VALIDATE and (block is None or not (block.body.attributes or block.body.blocks)):
        return []
    config, problems = _evaluate(context, request)
    if has_errors(problems):
        return _explain(request, problems)
    unmarked = config.unmark_deep()[0]
    found = await request.provider.validate_provider_config(unmarked)
    problems = [*problems, *_locate(request, found, context.flavour)]
    if has_errors(problems) or context.operation is Operation.VALIDATE:
        return _explain(request, problems)
    problems = [*problems, *_locate(request, await request.provider.configure(unmarked), context.flavour)]
    return _explain(request, problems)


def _evaluate(context: NodeContext, request: ConfigureRequest) -> tuple[Value, list[Diagnostic]]:
    schema = request.provider.schema.provider
    if request.block is None:
        return empty_value(schema), []
    module = ModuleInstance(tuple(ModuleStep(name) for name in request.address.config.module.names))
    scope = context.scope(module)
    if request.repetition:
        scope = scope.with_repetition(request.repetition)
    return decode_body(scope, request.block.body, schema)


def _locate(request: ConfigureRequest, problems: Iterable[Diagnostic], flavour: Flavour) -> list[Diagnostic]:
    """Find the ranges of diagnostics. Where there is no block, they are in a file that does not exist."""
    if request.block is not None:
        return attributed(problems, request.block.body, request.address)
    source = Source("<empty>", " ", Position(0, 0, 0))
    if flavour.absent_provider_blocks_have_a_name:
        source = Source(f"{request.address.config} with no configuration", " ", is_quotable=False)
    where = Range(source, 0, 1)
    return [
        problem if problem.attribute is None else replace(problem, address=str(request.address), subject=where)
        for problem in problems
    ]


def _explain(request: ConfigureRequest, problems: list[Diagnostic]) -> list[Diagnostic]:
    """Add an explanation to errors about a missing block, which are hard to understand without one."""
    if request.block is not None or not has_errors(problems):
        return problems
    detail = (
        f'Provider "{request.address.source}" requires explicit configuration. Add a provider block to the root module '
        "and configure the provider's required arguments as described in the provider documentation.\n"
    )
    return [*problems, error("Invalid provider configuration", detail)]


def missing_schemas(
    state: State, config: ConfigTree, schemas: Mapping[ProviderSource, ProviderSchema]
) -> list[Diagnostic]:
    """Report the first object without a block whose provider is not available. Where all providers of the state must be
    available, that was reported before."""
    for address, resource in sorted(state.resources.items(), key=lambda item: item[0].sort_key):
        source = resource.provider.source
        if source not in schemas and config.resource(address.config) is None:
            name = quoted(str(source))
            return [
                error(
                    f"failed to read schema for {address.config} in {source}: failed to instantiate provider {name} to "
                    f"obtain schema: unavailable provider {name}"
                )
            ]
    return []


def missing_configuration(name: str, config: AbsProviderConfig) -> Diagnostic:
    """Report that the provider of an object is not configured. `name` is the object as messages call it."""
    return error(
        "Provider configuration not present",
        f"To work with {name} its original provider configuration at {config} is required, but it has been "
        f"removed. This occurs when a provider configuration is removed while objects created by that provider still "
        f"exist in the state. Re-add the provider configuration to destroy {name}, after which you can remove "
        f"the provider configuration again.",
    )
