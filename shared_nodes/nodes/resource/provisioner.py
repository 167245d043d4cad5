"""Provisioners of one instance: checked while validating, run after it was created or before it is destroyed.

A creation-time provisioner sees what the arguments of the resource see, and `self`. A destroy-time provisioner runs
when much of that may be gone already, so it only sees `self`, its own key, and what never changes: paths and the
workspace.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Protocol

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.blocks import ProvisionerBlock, ProvisionerWhen, ResourceBlock
from shared_nodes.config.module import Module
from shared_nodes.config.syntax.content import merged_body
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import unexpanded
from shared_nodes.context.scope import ModuleScope
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors, warning
from shared_nodes.lang.tree import Body
from shared_nodes.nodes.body.decode import decode_body
from shared_nodes.nodes.provider.diagnostics import attributed
from shared_nodes.nodes.resource.instance import announce, halt
from shared_nodes.pattern import pattern
from shared_nodes.plan.events import Event, EventType
from shared_nodes.providers.schema import SchemaBlock, implied_type
from shared_nodes.provisioners.connection import CONNECTION_BLOCK
from shared_nodes.provisioners.contract import ProvisionRequest
from shared_nodes.provisioners.registry import provisioner_named
from shared_nodes.record import record
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE, Marks
from shared_nodes.values.text import quoted
from shared_nodes.values.value import Value, integer, null, string

__all__ = ["run_provisioners", "validate_provisioners"]

_LONGEST_LINE: Final = 64 * 1024 - 1
"""Limit in bytes. A longer line is not shown, nor is the rest of the same chunk: there the scanner of the original
gives up."""

_LINE_ENDS: Final = pattern(r"[\r\n]")
_SPACE: Final = "\t\v\f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""White space as defined by Go. Python would also strip some separators of the ASCII control block."""


class Provisioned(Protocol):
    """Anything that declares provisioners: a resource block, or a `removed` block in its place."""

    @property
    def provisioners(self) -> tuple[ProvisionerBlock, ...]: ...

    @property
    def connection(self) -> Body | None: ...


def validate_provisioners(context: NodeContext, module: ModuleInstance, block: ResourceBlock) -> list[Diagnostic]:
    """Validate provisioners up to the first one with an error."""
    scope = replace(context.scope(module), repetition=unexpanded(block))
    scope = scope.with_self(scope.names.resource(block.resource), scope.schema_of(block.resource))
    problems: list[Diagnostic] = []
    for provisioner in block.provisioners:
        if has_errors(problems):
            break
        kind = provisioner_named(provisioner.type)
        assert kind is not None, "it is checked that all are there before anything runs"
        config, found = decode_body(scope, provisioner.body, kind.schema)
        problems += found
        if config.is_known:
            problems += kind.validate(config.unmark_deep()[0], context.flavour)
        connection = _merge_connection(scope.module, block.connection, provisioner.connection)
        if connection is not None:
            given, found = decode_body(scope, connection, CONNECTION_BLOCK)
            problems += found
            if context.flavour.winrm_is_deprecated and not has_errors(problems):
                problems += _winrm_warning(connection, given, scope.flavour)
    return problems


def _winrm_warning(connection: Body, given: Value, flavour: Flavour) -> list[Diagnostic]:
    """Warn about a connection that is known to use WinRM."""
    if given.payload["type"].payload != "winrm":
        return []
    detail = (
        f"The winrm connection type is deprecated and will be removed in a future version of {flavour.product}."
        "\n\nModern Windows systems support SSH natively. Migrate your provisioners to use SSH instead.\n\nTo get "
        "started with OpenSSH on Windows, refer to "
        "https://learn.microsoft.com/en-us/windows-server/administration/openssh/openssh_install_firstuse"
    )
    subject = connection.attributes["type"].expression.range
    return [warning("WinRM connection type is deprecated", detail, subject)]


async def run_provisioners(
    context: NodeContext,
    address: AbsResourceInstance,
    block: Provisioned,
    when: ProvisionerWhen,
    self_value: Value,
    *,
    repetition: Repetition | None = None,
) -> list[Diagnostic]:
    """Run provisioners in the order of declaration, until one fails that must not. `repetition` is only needed for
    creation."""
    chosen = [provisioner for provisioner in block.provisioners if provisioner.when is when]
    if not chosen:
        return []
    problems = halt(context)
    if problems:
        return problems
    scope = _make_scope(context, address, when, self_value, repetition)
    for provisioner in chosen:
        problems += await _run_one(context, address, _Step(provisioner, block.connection, scope))
        if has_errors(problems):
            return problems
    return [*problems, *halt(context)]


def _make_scope(
    context: NodeContext,
    address: AbsResourceInstance,
    when: ProvisionerWhen,
    self_value: Value,
    repetition: Repetition | None,
) -> ModuleScope:
    if when is ProvisionerWhen.CREATE:
        data = repetition.data(address.key) if repetition is not None else {}
        scope = replace(context.scope(address.module), repetition=data)
        return scope.with_object(self_value, address.resource)
    # A removed block may be about a module that is gone; what is visible here is the same in every module.
    declared = context.config.at(address.module.path) is not None
    scope = context.scope(address.module if declared else ROOT_INSTANCE)
    functions = context.functions if context.flavour.provider_functions_are_references else scope.functions
    scope = replace(scope, repetition=_key_data(address.key), functions=functions, outlives_values=True)
    return scope.with_self(self_value)


def _key_data(key: InstanceKey) -> Mapping[str, Mapping[str, Value]]:
    if isinstance(key, int):
        return {"count": {"index": integer(key)}}
    return {"each": {"key": string(key)}} if isinstance(key, str) else {}


@record
class _Step:
    block: ProvisionerBlock
    base_connection: Body | None
    scope: ModuleScope

    def evaluate(self, schema: SchemaBlock) -> tuple[Value, Value, list[Diagnostic]]:
        """Return the configuration and the connection, which is null if there is none."""
        config, problems = decode_body(self.scope, self.block.body, schema)
        connection = null(implied_type(CONNECTION_BLOCK))
        body = _merge_connection(self.scope.module, self.base_connection, self.block.connection)
        if body is not None and not has_errors(problems):
            connection, found = decode_body(self.scope, body, CONNECTION_BLOCK)
            problems = [*problems, *found]
        return config, connection, problems


def _merge_connection(module: Module, base: Body | None, own: Body | None) -> Body | None:
    """Merge connection arguments; those of the provisioner override those of the resource. Merged once, because
    prepared bodies are cached by identity."""
    if base is None or own is None:
        return own or base
    key = ("connection", id(base), id(own))
    return module.expressions.compute_once(
        key, lambda: replace(merged_body(own, base), range=base.range, end_range=base.end_range)
    )


def _missing_provisioner(kind: str, flavour: Flavour) -> Diagnostic:
    if flavour.missing_provisioners_lack_schemas:
        return error(f"failed to instantiate provisioner {kind} to obtain schema: unavailable provisioner {kind}")
    return error(f"unavailable provisioner {kind}")


async def _run_one(context: NodeContext, address: AbsResourceInstance, step: _Step) -> list[Diagnostic]:
    """Run one provisioner. `continue_on_failure` ignores only the errors of the provisioner itself, not those of
    evaluation."""
    kind = provisioner_named(step.block.type)
    if kind is None:
        # Provisioners of resources were checked before anything ran, those of removed blocks were not.
        return [_missing_provisioner(quoted(step.block.type), context.flavour)]
    config, connection, problems = step.evaluate(kind.schema)
    if has_errors(problems):
        return problems
    halted = announce(context, _event(EventType.PROVISION_START, address, step))
    if halted:
        return [*problems, *halted]
    plain, marks = config.unmark_deep()
    suppressed = _suppressed_text(marks, context.flavour)

    def show(text: str) -> None:
        for line in _LINE_ENDS.split(suppressed or text):
            if len(line.encode(errors="replace")) > _LONGEST_LINE:
                break
            if shown := line.rstrip(_SPACE):
                context.events.emit(replace(_event(EventType.PROVISION_PROGRESS, address, step), output=shown))

    request = ProvisionRequest(plain, connection.unmark_deep()[0], context.world, show)
    found = attributed(await kind.provision(request), step.block.body, address)
    failed = has_errors(found)
    outcome = EventType.PROVISION_ERRORED if failed else EventType.PROVISION_COMPLETE
    halted = announce(context, _event(outcome, address, step))
    if failed and step.block.continue_on_failure:
        found = []
    return [*problems, *found, *halted]


def _event(type: EventType, address: AbsResourceInstance, step: _Step) -> Event:
    return Event(type, address, provisioner=step.block.type)


def _suppressed_text(marks: Marks, flavour: Flavour) -> str | None:
    """Return the replacement for every chunk of output if the command might print a secret."""
    found = [mark.name for mark in (SENSITIVE, EPHEMERAL) if mark in marks]
    found = found[-1:] if flavour.suppressed_output_has_one_reason else found
    return f"(output suppressed due to {', '.join(found)} value in config)" if found else None
