"""From the source of a provider to its plugin: schema, functions, and how instances are made."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path

from google.protobuf.message import DecodeError

from harness.plugins.driving.failures import call_problem
from harness.plugins.driving.function_caller import FunctionCaller, run_in_thread
from harness.plugins.driving.handshake import PluginStartError
from harness.plugins.driving.locate import InstalledPlugin, LocatedPlugin, RunningElsewhere
from harness.plugins.driving.package_hashes import package_hash
from harness.plugins.driving.plugin_process import PluginProcess, attach_plugin, start_plugin
from harness.plugins.driving.plugin_provider import PluginProvider, StartPlugin, call_plugin
from harness.plugins.driving.schema_cache import CachedSchema, SchemaCache, cache_directory
from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.diagnostics import diagnostics_from_messages
from harness.plugins.wire.methods import Major
from harness.plugins.wire.schemas import identity_schemas_from_message, provider_schema_from_message
from harness.plugins.wire.status import RpcError, Status
from harness.plugins.wire.wire_error import WireError
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors, joined_problems
from shared_nodes.lang.function import Function
from shared_nodes.providers.contract import Provider
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.record import record
from shared_nodes.values.text import quoted
from shared_nodes.world import World

__all__ = ["ResolvedPlugin", "resolve_plugin"]

MakePlugin = Callable[[World, Flavour], Provider]
_SchemaAnswer = pb.GetProviderSchemaResponse | pb.GetProviderSchemaResponse5


@record
class ResolvedPlugin:
    """A plugin with its schema. If `problems` contain errors, it cannot be used."""

    make: MakePlugin
    schema: ProviderSchema = field(default_factory=ProviderSchema)
    problems: tuple[Diagnostic, ...] = ()
    version: str = ""
    protocol: int = 6


def resolve_plugin(
    source: ProviderSource, located: LocatedPlugin, world: World, flavour: Flavour = TERRAFORM_1_11
) -> ResolvedPlugin:
    """Ask a plugin for its schema, or look it up. This starts a process, and waits for it."""
    if isinstance(located, Diagnostic):
        return _unusable(located)
    remarks = located.remarks if isinstance(located, InstalledPlugin) else ()
    try:
        with_identities = flavour.states_have_identities
        start, cached = _ask_for_schema(source, located, world, with_identities=with_identities)
        message = _schema_answer(cached)
        schema, functions = _read_schema(source, message, start)
        if with_identities:
            schema = _with_identities(schema, cached.identities)
    except _SchemaError as failure:
        return _unusable(*remarks, failure.problem)
    except DecodeError as failure:
        problem = RpcError(Status.INTERNAL, f"grpc: failed to unmarshal the received message: {failure}")
        return _unusable(*remarks, _retrieval_error(source, problem, cached.major).problem)
    asks = not message.server_capabilities.get_provider_schema_optional

    def make(_world: World, flavour: Flavour) -> Provider:
        return PluginProvider(schema, functions, start, flavour.version, asks_schema=asks)

    version = located.version if isinstance(located, InstalledPlugin) else ""
    return ResolvedPlugin(make, schema, remarks, version, cached.major)


def _unusable(*problems: Diagnostic) -> ResolvedPlugin:
    def make(_world: World, _flavour: Flavour) -> Provider:
        raise AssertionError("a provider with errors is not used")

    return ResolvedPlugin(make, problems=problems)


# The schema


class _SchemaError(Exception):
    def __init__(self, source: ProviderSource, reason: str) -> None:
        detail = (
            "Error while loading schemas for plugin components: Failed to obtain provider schema: Could not load the "
            f"schema for provider {source}: {reason}.."
        )
        super().__init__(detail)
        self.problem = error("Failed to load plugin schemas", detail)


def _start_error(source: ProviderSource, failure: object) -> _SchemaError:
    return _SchemaError(source, f"failed to instantiate provider {quoted(str(source))} to obtain schema: {failure}")


def _retrieval_error(source: ProviderSource, failure: RpcError, major: Major) -> _SchemaError:
    return _bad_answer(source, joined_problems([call_problem(failure, "GetProviderSchema", major)]))


def _bad_answer(source: ProviderSource, reason: str) -> _SchemaError:
    return _SchemaError(source, f"failed to retrieve schema from provider {quoted(str(source))}: {reason}")


def _ask_for_schema(
    source: ProviderSource, located: RunningElsewhere | InstalledPlugin, world: World, *, with_identities: bool
) -> tuple[StartPlugin, CachedSchema]:
    """Return how the plugin is started, and its answer. The plugin may be different one day at the same address, so
    only that of a program is stored."""
    if isinstance(located, RunningElsewhere):
        attach = partial(attach_plugin, located)
        return attach, _asked(source, attach, with_identities=with_identities)
    caches = cache_directory(world.environment, world.files.home)
    try:
        executable = _find_executable(_unpacked(located.package, caches), source)
    except (PluginStartError, OSError, zipfile.BadZipFile) as failure:
        raise _start_error(source, failure) from failure
    start = partial(start_plugin, executable, world.files.working_directory, world.environment)
    cache = SchemaCache(caches)
    known = cache.find(executable)
    if known is None or (with_identities and known.identities is None):
        known = _asked(source, start, with_identities=with_identities)
        cache.store(executable, known)
    return start, known


def _asked(source: ProviderSource, start: StartPlugin, *, with_identities: bool) -> CachedSchema:
    major = Major.SIX

    async def ask() -> CachedSchema:
        nonlocal major
        plugin: PluginProcess = await start()
        major = plugin.major
        try:
            answer = await call_plugin(plugin, "GetProviderSchema", pb.GetProviderSchemaRequest())
            identities = await _asked_for_identities(plugin) if with_identities else None
            return CachedSchema(plugin.major, answer.SerializeToString(), identities)
        finally:
            await plugin.close()

    try:
        found: CachedSchema = run_in_thread(ask)
        return found
    except PluginStartError as failure:
        raise _start_error(source, failure) from failure
    except RpcError as failure:
        raise _retrieval_error(source, failure, major) from failure


async def _asked_for_identities(plugin: PluginProcess) -> bytes:
    """Ask for the shapes of identities. Most plugins do not know the question, and no failure makes one unusable."""
    try:
        answer = await call_plugin(plugin, "GetResourceIdentitySchemas", pb.GetResourceIdentitySchemasRequest())
    except RpcError:
        return b""
    return b"" if has_errors(diagnostics_from_messages(answer.diagnostics)) else bytes(answer.SerializeToString())


def _with_identities(schema: ProviderSchema, answer: bytes | None) -> ProviderSchema:
    try:
        return identity_schemas_from_message(schema, pb.GetResourceIdentitySchemasResponse.FromString(answer or b""))
    except WireError:
        return schema


def _schema_answer(cached: CachedSchema) -> _SchemaAnswer:
    make = pb.GetProviderSchemaResponse5 if cached.major is Major.FIVE else pb.GetProviderSchemaResponse
    return make.FromString(cached.answer)


def _read_schema(
    source: ProviderSource, message: _SchemaAnswer, start: StartPlugin
) -> tuple[ProviderSchema, Sequence[Function]]:
    problems = diagnostics_from_messages(message.diagnostics)
    if has_errors(problems):
        raise _bad_answer(source, joined_problems(problems))
    if not message.HasField("provider"):
        raise _bad_answer(source, "missing provider schema")
    caller = FunctionCaller(start)
    try:
        functions = [caller.function(name, message.functions[name]) for name in sorted(message.functions)]
        return provider_schema_from_message(message), functions
    except WireError as failure:
        raise _bad_answer(source, str(failure)) from failure


# The program


def _find_executable(package: Path, source: ProviderSource) -> Path:
    """Return the program in a package: the file with the name of the provider, which may have a version."""
    prefix = f"terraform-provider-{source.type}"
    names = sorted(os.listdir(package)) if package.is_dir() else []
    for name in names:
        rest = name.removeprefix(prefix)
        if rest != name and rest[:1] in ("", "_", ".") and (package / name).is_file():
            return package / name
    raise PluginStartError(f"could not find executable file starting with {prefix}")


def _unpacked(package: Path, caches: Path | None) -> Path:
    """Return the directory of a package. An archive is unpacked into the cache, under its checksum."""
    if package.is_dir():
        return package
    if caches is None:
        raise PluginStartError(f"{package} is an archive, and there is no cache directory to unpack it into")
    place = caches / "plugin-packages" / package_hash(package).removeprefix("h1:").replace("/", "_")
    if not place.is_dir():
        unfinished = place.with_name(f"{place.name}.{os.getpid()}")
        with zipfile.ZipFile(package) as archive:
            archive.extractall(unfinished)
        for file in unfinished.rglob("*"):
            file.chmod(0o755)
        unfinished.rename(place)
    return place
