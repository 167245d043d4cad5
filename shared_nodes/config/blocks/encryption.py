"""`encryption` blocks: key providers, methods and targets, without their values.

Reading one finds only mistakes of form. References and values are looked at where files are encrypted or decrypted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from shared_nodes.config.syntax.content import BodyContent, ContentSchema, read_content, split_content
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.json_static import as_syntax, static_value
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Block, Body, Expression, TemplateWrap, Traversal, TraverseAttribute

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


@dataclass(frozen=True, slots=True)
class NamedBlock:
    """A key provider or a method."""

    type: str
    name: str
    body: Body
    alias: str = ""
    """The name under which the metadata of a key is stored, if it is not the address of its provider."""


@dataclass(frozen=True, slots=True)
class TargetSettings:
    methods: tuple[Expression, ...]
    """References to methods: the one that encrypts, and its fallbacks."""

    is_enforced: bool = False


@dataclass(frozen=True, slots=True)
class EncryptionSettings:
    range: Range
    key_providers: tuple[NamedBlock, ...]
    methods: tuple[NamedBlock, ...]
    state: TargetSettings | None
    plan: TargetSettings | None
    remotes: tuple[TargetSettings, ...]
    """The targets for states of other configurations."""

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


def read_encryption(block: Block) -> tuple[EncryptionSettings | None, list[Diagnostic]]:
    """Read the block. None if it cannot be used at all."""
    content, problems = read_content(block.body, _ENCRYPTION)
    for single in ("state", "plan", "remote_state_data_sources"):
        problems.extend(_repeated(content, single))
    key_providers = [_read_named(each, problems) for each in content.blocks_of("key_provider")]
    methods = [NamedBlock(each.labels[0], each.labels[1], each.body) for each in content.blocks_of("method")]
    targets = {name: _read_only(content, name, problems) for name in ("state", "plan")}
    remotes = [target for each in content.blocks_of("remote_state_data_sources") for target in _remotes(each, problems)]
    if not has_errors(problems):
        problems.extend(_duplicates("key_provider", key_providers, block))
        problems.extend(_duplicates("method", methods, block))
    if has_errors(problems):
        return None, problems
    where = block.header_range
    settings = EncryptionSettings(where, tuple(key_providers), tuple(methods), **targets, remotes=tuple(remotes))
    return settings, problems


def override_encryption(base: EncryptionSettings | None, override: EncryptionSettings) -> EncryptionSettings:
    """Return the override with what only the base has. A block with the same labels replaces the whole block."""
    if base is None:
        return override
    return EncryptionSettings(
        base.range,
        _override_named(base.key_providers, override.key_providers),
        _override_named(base.methods, override.methods),
        override.state or base.state,
        override.plan or base.plan,
        override.remotes or base.remotes,
    )


def _override_named(base: tuple[NamedBlock, ...], override: tuple[NamedBlock, ...]) -> tuple[NamedBlock, ...]:
    return (*(block for block in base if _find(override, block.type, block.name) is None), *override)


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


def _duplicates(kind: str, blocks: Iterable[NamedBlock], block: Block) -> list[Diagnostic]:
    """Every one of several blocks with one address is reported."""
    addresses = [f"{kind}.{each.type}.{each.name}" for each in blocks]
    return [
        error(f"Duplicate {kind}", f"Found multiple instances of {address}", block.header_range)
        for address in addresses
        if addresses.count(address) > 1
    ]


def _read_only(content: BodyContent, name: str, problems: list[Diagnostic]) -> TargetSettings | None:
    blocks = content.blocks_of(name)
    return _read_target(blocks[0], _ENFORCEABLE, problems) if blocks else None


def _remotes(block: Block, problems: list[Diagnostic]) -> list[TargetSettings]:
    content, found = read_content(block.body, _REMOTE)
    problems.extend(found)
    return [_read_target(each, _TARGET, problems) for each in content.blocks]


def _read_target(block: Block, schema: ContentSchema, problems: list[Diagnostic]) -> TargetSettings:
    methods: list[Expression] = []
    is_enforced = False
    while True:
        content, found = read_content(block.body, schema)
        problems.extend(found)
        if (method := content.attributes.get("method")) is not None:
            methods.append(method.expression)
        if (enforced := content.attributes.get("enforced")) is not None:
            value, found = static_value(enforced.expression)
            problems.extend(found)
            is_enforced = value.payload is True
        fallbacks = content.blocks_of("fallback")
        if not fallbacks:
            return TargetSettings(tuple(methods), is_enforced)
        block, schema = fallbacks[0], _TARGET
