"""`encryption` blocks: key providers, methods and targets, without their values.

Reading one finds only mistakes of form. References and values are looked at where files are encrypted or decrypted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from shared_nodes.config.syntax.content import (
    BodyContent,
    ContentSchema,
    merged_body,
    missing_item_range,
    read_content,
    split_content,
)
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.json_static import as_syntax, static_value
from shared_nodes.lang.source import NOWHERE, Range
from shared_nodes.lang.tree import Block, Body, Expression, Literal, TemplateWrap, Traversal, TraverseAttribute
from shared_nodes.record import record
from shared_nodes.values.value import NULL_DYNAMIC

__all__ = [
    "EncryptionSettings",
    "NamedBlock",
    "TargetSettings",
    "override_encryption",
    "read_encryption",
    "reference_names",
]

_ENCRYPTION: Final = ContentSchema(
    blocks={
        "key_provider": ("type", "name"),
        "method": ("type", "name"),
        "state": (),
        "plan": (),
        "remote_state_data_sources": (),
    }
)
_TARGET: Final = ContentSchema(arguments=frozenset(("method",)), blocks={"fallback": ()})
_ENFORCEABLE: Final = _TARGET.with_arguments("enforced")
_REMOTE: Final = ContentSchema(blocks={"default": (), "remote_state_data_source": ("name",)})
_ALIAS: Final = ContentSchema(arguments=frozenset(("encrypted_metadata_alias",)))


@record
class NamedBlock:
    """A key provider or a method."""

    type: str
    name: str
    body: Body
    alias: str = ""
    """The name under which the metadata of a key is stored, if it is not the address of its provider."""


@record
class TargetSettings:
    methods: tuple[Expression, ...]
    """References to methods: the one that encrypts, and its fallbacks. One that is missing is null."""

    is_enforced: bool = False


@record
class EncryptionSettings:
    range: Range
    key_providers: tuple[NamedBlock, ...]
    methods: tuple[NamedBlock, ...]
    state: TargetSettings | None
    plan: TargetSettings | None
    remotes: Mapping[str, TargetSettings]
    """The targets for states of other configurations, by the names of the data sources that read them. The one for all
    others has no name."""

    def key_provider(self, block_type: str, name: str) -> NamedBlock | None:
        return _find(self.key_providers, block_type, name)

    def method(self, block_type: str, name: str) -> NamedBlock | None:
        return _find(self.methods, block_type, name)


def _find(blocks: Iterable[NamedBlock], block_type: str, name: str) -> NamedBlock | None:
    return next((block for block in blocks if (block.type, block.name) == (block_type, name)), None)


def reference_names(expression: Expression) -> tuple[str, ...] | None:
    """Return the names of a reference such as `method.aes_gcm.m`; None for any other expression. In JSON, a string is
    the text of a reference, or a template with nothing else."""
    syntax = as_syntax(expression)
    if isinstance(syntax, TemplateWrap):
        syntax = syntax.wrapped
    if not isinstance(syntax, Traversal):
        return None
    names = [step.name for step in syntax.steps if isinstance(step, TraverseAttribute)]
    return (syntax.root, *names) if len(names) == len(syntax.steps) else None


def read_encryption(body: Body, where: Range) -> tuple[EncryptionSettings | None, list[Diagnostic]]:
    """Read the content of a block, which is blamed at `where`. None if it cannot be used at all."""
    content, problems = read_content(body, _ENCRYPTION)
    for single in ("state", "plan", "remote_state_data_sources"):
        problems.extend(_repeated(content, single))
    key_providers = [_read_named(each, problems) for each in content.blocks_of("key_provider")]
    methods = [NamedBlock(each.labels[0], each.labels[1], each.body) for each in content.blocks_of("method")]
    targets = {name: _read_only(content, name, problems) for name in ("state", "plan")}
    remotes: dict[str, TargetSettings] = {}
    for each in content.blocks_of("remote_state_data_sources"):
        remotes |= _remotes(each, problems)
    if not has_errors(problems):
        problems.extend(_duplicates("key_provider", key_providers, where))
        problems.extend(_duplicates("method", methods, where))
    if has_errors(problems):
        return None, problems
    return EncryptionSettings(where, tuple(key_providers), tuple(methods), **targets, remotes=remotes), problems


def override_encryption(base: EncryptionSettings | None, override: EncryptionSettings) -> EncryptionSettings:
    """Merge two blocks, argument by argument. The result is in no single place of a file."""
    if base is None:
        return override
    remotes = {name: _override_target(base.remotes.get(name), target) for name, target in override.remotes.items()}
    return EncryptionSettings(
        NOWHERE,
        _override_named(base.key_providers, override.key_providers),
        _override_named(base.methods, override.methods),
        base.state if override.state is None else _override_target(base.state, override.state),
        base.plan if override.plan is None else _override_target(base.plan, override.plan),
        {**base.remotes, **remotes},
    )


def _override_named(base: tuple[NamedBlock, ...], override: tuple[NamedBlock, ...]) -> tuple[NamedBlock, ...]:
    merged = {(block.type, block.name): block for block in base}
    for block in override:
        first = merged.get((block.type, block.name))
        merged[block.type, block.name] = block if first is None else _merge_named(first, block)
    return tuple(merged.values())


def _merge_named(first: NamedBlock, override: NamedBlock) -> NamedBlock:
    return replace(first, body=merged_body(override.body, first.body), alias=override.alias or first.alias)


def _override_target(base: TargetSettings | None, override: TargetSettings) -> TargetSettings:
    if base is None:
        return override
    fallbacks = override.methods[1:] or base.methods[1:]
    return TargetSettings((override.methods[0], *fallbacks), base.is_enforced or override.is_enforced)


def _repeated(content: BodyContent, name: str) -> list[Diagnostic]:
    blocks = content.blocks_of(name)
    if len(blocks) < 2:
        return []
    detail = f"Only one {name} block is allowed. Another was defined at {blocks[0].header_range}."
    return [error(f"Duplicate {name} block", detail, blocks[1].header_range)]


def _read_named(block: Block, problems: list[Diagnostic]) -> NamedBlock:
    content, body, found = split_content(block.body, _ALIAS)
    problems.extend(found)
    alias = ""
    if (attribute := content.attributes.get("encrypted_metadata_alias")) is not None:
        value, found = static_value(attribute.expression)
        problems.extend(found)
        alias = value.payload if isinstance(value.payload, str) else ""
    return NamedBlock(block.labels[0], block.labels[1], body, alias)


def _duplicates(kind: str, blocks: Iterable[NamedBlock], where: Range) -> list[Diagnostic]:
    """Every one of several blocks with one address is reported."""
    addresses = [f"{kind}.{each.type}.{each.name}" for each in blocks]
    return [
        error(f"Duplicate {kind}", f"Found multiple instances of {address}", where)
        for address in addresses
        if addresses.count(address) > 1
    ]


def _read_only(content: BodyContent, name: str, problems: list[Diagnostic]) -> TargetSettings | None:
    blocks = content.blocks_of(name)
    return _read_target(blocks[0], _ENFORCEABLE, problems) if blocks else None


def _remotes(block: Block, problems: list[Diagnostic]) -> dict[str, TargetSettings]:
    content, found = read_content(block.body, _REMOTE)
    problems.extend(found)
    return {"".join(each.labels): _read_target(each, _TARGET, problems) for each in content.blocks}


def _read_target(block: Block, schema: ContentSchema, problems: list[Diagnostic]) -> TargetSettings:
    methods: list[Expression] = []
    is_enforced = False
    while True:
        content, found = read_content(block.body, schema)
        problems.extend(found)
        method = content.attributes.get("method")
        missing = Literal(missing_item_range(block.body), NULL_DYNAMIC)
        methods.append(missing if method is None else method.expression)
        if (enforced := content.attributes.get("enforced")) is not None:
            value, found = static_value(enforced.expression)
            problems.extend(found)
            is_enforced = value.payload is True
        fallbacks = content.blocks_of("fallback")
        if not fallbacks:
            return TargetSettings(tuple(methods), is_enforced)
        block, schema = fallbacks[0], _TARGET
