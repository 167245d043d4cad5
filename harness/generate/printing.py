"""Print a model as the files of one configuration version.

Names, keys and indices are decided here, from the current model. So is sensitivity: an output that exposes a sensitive
value is declared sensitive, whichever edit made the value so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from harness.generate.model import (
    BlockKind,
    ModelBlock,
    ModelCondition,
    ModelExpression,
    ModelModule,
    ModelProvisioner,
    ModelReference,
    NestedBlock,
    OwnKey,
    RepetitionKind,
)
from shared_nodes.record import record
from shared_nodes.values.types import (
    BOOL,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)

__all__ = [
    "SIMCLOUD_SOURCE",
    "address",
    "constant_literal",
    "instance_addresses",
    "module_path",
    "print_configuration",
    "quoted",
]

SIMCLOUD_SOURCE: Final = "dh.test/diffharness/simcloud"
_BUILTIN_SOURCE: Final = "terraform.io/builtin/terraform"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def constant_literal(wanted: Type) -> str:
    """Return a constant of the given type, printed where the target of a reference is gone."""
    match wanted:
        case ListType() | SetType() | TupleType():
            return "[]"
        case MapType():
            return "{}"
        case ObjectType():
            return (
                "{ "
                + ", ".join(f"{name} = {constant_literal(part)}" for name, part in wanted.attributes.items())
                + " }"
            )
    return "0" if wanted == NUMBER else "false" if wanted == BOOL else '"gone"'


def address(block: ModelBlock) -> str:
    """Return the address of the whole resource, call or value, relative to its module."""
    match block.kind:
        case BlockKind.VARIABLE:
            return f"var.{block.name}"
        case BlockKind.LOCAL:
            return f"local.{block.name}"
        case BlockKind.MANAGED:
            return f"{block.type}.{block.name}"
        case BlockKind.PROVIDER:
            return f"{block.type}.{block.name}" if block.name else block.type
        case BlockKind.CALL:
            return f"module.{block.name}"
    return f"{block.kind}.{block.type}.{block.name}"


def instance_addresses(block: ModelBlock) -> list[str]:
    """Return the addresses of all instances, relative to their module."""
    base = address(block)
    if block.repeat is None:
        return [base]
    return [f"{base}[{_key(block, index)}]" for index in range(len(block.repeat.current_keys))]


def _key(block: ModelBlock, index: int) -> str:
    assert block.repeat is not None
    keys = block.repeat.current_keys
    if block.repeat.repetition is RepetitionKind.COUNT:
        return str(index % len(keys))
    return quoted(keys[index % len(keys)])


def print_configuration(root: ModelModule) -> dict[str, str]:
    """Return texts by path. The directories of all modules are siblings below the root's. There is always at least one
    file: a directory without any would not be an empty configuration but none."""
    modules = root.all_modules
    sensitivity = _Sensitivity(_calls_by_module(modules))
    files: dict[str, str] = {}
    for module in modules:
        directory = f"{module.name}/" if module.name else ""
        for name, texts in _print_files(sensitivity, module):
            if texts:
                files[directory + name] = "\n".join(texts)
    return files or {"main.tf": ""}


def _calls_by_module(modules: Iterable[ModelModule]) -> Mapping[ModelModule, list[ModelBlock]]:
    calls: dict[ModelModule, list[ModelBlock]] = {}
    for module in modules:
        for call in module.live_blocks(BlockKind.CALL):
            if call.module is not None:
                calls.setdefault(call.module, []).append(call)
    return calls


@record(frozen=False)
class _Sensitivity:
    calls: Mapping[ModelModule, list[ModelBlock]]
    sensitive: dict[ModelBlock, bool] = field(default_factory=dict)

    def is_sensitive(self, block: ModelBlock, module: ModelModule) -> bool:
        """Whether any part of the block may be sensitive. A block that is being examined counts as not sensitive: it is
        part of a cycle, which is a mistake of its own."""
        if block not in self.sensitive:
            self.sensitive[block] = block.is_sensitive
            self.sensitive[block] = block.is_sensitive or any(
                self.shows_sensitive(part, module) for part in block.expressions
            )
            if block.kind is BlockKind.VARIABLE and not self.sensitive[block]:
                self.sensitive[block] = self._is_given_sensitive(block, module)
        return self.sensitive[block]

    def _is_given_sensitive(self, variable: ModelBlock, module: ModelModule) -> bool:
        given = [
            call.arguments[variable.name] for call in self.calls.get(module, ()) if variable.name in call.arguments
        ]
        return any(self.shows_sensitive(one, module) for one in given)

    def shows_sensitive(self, expression: ModelExpression, module: ModelModule) -> bool:
        return expression.is_sensitive or any(self._is_sensitive(one, module) for one in expression.references)

    def _is_sensitive(self, reference: ModelReference, module: ModelModule) -> bool:
        if not reference.target.is_alive:
            return False
        if reference.output is not None and reference.target.module is not None:
            return self.is_sensitive(reference.output, reference.target.module)
        return self.is_sensitive(reference.target, module)


# Files


def _print_files(sensitivity: _Sensitivity, module: ModelModule) -> Iterator[tuple[str, list[str]]]:
    printer = _Printer(sensitivity, module)
    blocks = module.live_blocks()
    yield "providers.tf", printer.print_requirements(blocks)
    yield "variables.tf", [printer.print_variable(block) for block in blocks if block.kind is BlockKind.VARIABLE]
    yield "main.tf", [*printer.print_main(blocks), *module.statements, *module.extra]
    yield "outputs.tf", [printer.print_output(block) for block in blocks if block.kind is BlockKind.OUTPUT]


@record(frozen=False)
class _Printer:
    sensitivity: _Sensitivity
    module: ModelModule

    def print_requirements(self, blocks: Iterable[ModelBlock]) -> list[str]:
        required: list[str] = []
        if any(_needs_simcloud(block) for block in blocks) or self.module.aliases:
            aliases = ", ".join(f"simcloud.{alias}" for alias in self.module.aliases)
            more = f", configuration_aliases = [{aliases}]" if aliases and not self.module.is_proxy else ""
            required.append(f'simcloud = {{ source = "{SIMCLOUD_SOURCE}"{more} }}')
        if self.module.needs_builtin:
            required.append(f'terraform = {{ source = "{_BUILTIN_SOURCE}" }}')
        lines = _print_block("required_providers", required) if required else []
        if self.module.meta_name:
            lines += _print_block('provider_meta "simcloud"', [f"module_name = {quoted(self.module.meta_name)}"])
        found = [_join_lines(_print_block("terraform", lines))] if lines else []
        if self.module.is_proxy:
            found += [
                _join_lines(_print_block('provider "simcloud"', [f"alias = {quoted(one)}"]))
                for one in self.module.aliases
            ]
        return [*found, *(self.print_provider(block) for block in blocks if block.kind is BlockKind.PROVIDER)]

    def print_main(self, blocks: Iterable[ModelBlock]) -> list[str]:
        texts: list[str] = []
        for block in blocks:
            match block.kind:
                case BlockKind.LOCAL:
                    texts.append(
                        _join_lines(_print_block("locals", [f"{block.name} = {self.print_local_value(block)}"]))
                    )
                case BlockKind.MANAGED | BlockKind.DATA | BlockKind.EPHEMERAL:
                    texts.append(_join_lines(self.print_resource(block)))
                case BlockKind.CALL:
                    texts.append(_join_lines(self.print_call(block)))
                case BlockKind.CHECK:
                    texts.append(_join_lines(self.print_check(block)))
        return texts

    def print_local_value(self, block: ModelBlock) -> str:
        value = block.arguments.get("value")
        return "[" + ", ".join(map(quoted, block.keys)) + "]" if value is None else self.print_expression(value, block)

    def print_variable(self, block: ModelBlock) -> str:
        lines = [f"type = {_print_constraint(block.value_type)}"] if block.value_type is not None else []
        lines += self.print_arguments(block.arguments, block)
        lines += _print_flags(block.is_sensitive, block.is_ephemeral)
        lines += [f"{name} = {value}" for name, value in block.lifecycle.items()]
        lines += [line for rule in block.conditions for line in self.print_condition(rule, block)]
        return _join_lines(_print_block(f'variable "{block.name}"', lines))

    def print_output(self, block: ModelBlock) -> str:
        lines = [f"value = {self.print_expression(block.arguments['value'], block)}"]
        is_shown = not self.module.name and self.sensitivity.is_sensitive(block, self.module)
        lines += _print_flags(block.is_sensitive or is_shown, block.is_ephemeral)
        lines += [f"{name} = {value}" for name, value in block.lifecycle.items()]
        lines += [line for rule in block.conditions for line in self.print_condition(rule, block)]
        return _join_lines(_print_block(f'output "{block.name}"', [*lines, *self.print_depends_on(block)]))

    def print_provider(self, block: ModelBlock) -> str:
        lines = [f"alias = {quoted(block.name)}"] if block.name else []
        lines += [*self.print_repetition(block), *self.print_arguments(block.arguments, block)]
        return _join_lines(_print_block(f'provider "{block.type}"', lines))

    def print_resource(self, block: ModelBlock) -> list[str]:
        lines = self.print_repetition(block)
        if block.provider is not None and block.provider.is_alive:
            lines.append(f"provider = {_print_provider_reference(block.provider, block)}")
        if block.cloud_name and _has_name(block):
            lines.append(f"name = {self.print_cloud_name(block)}")
        lines += self.print_arguments(block.arguments, block)
        lines += [line for nested_block in block.nested_blocks for line in self.print_nested_block(nested_block, block)]
        lines += self.print_depends_on(block)
        lines += self.print_lifecycle(block)
        lines += self.print_connection(block.host, block)
        lines += [line for one in block.provisioners for line in self.print_provisioner(one, block)]
        return _print_block(f'{block.kind} "{block.type}" "{block.name}"', lines)

    def print_cloud_name(self, block: ModelBlock) -> str:
        prefix = "${var.prefix}-" if self.module.name and not self.module.keeps_names else ""
        return quoted(prefix + block.cloud_name + _own_key_suffix(block))

    def print_call(self, block: ModelBlock) -> list[str]:
        assert block.module is not None
        lines = [f"source = {self.print_source(block)}", *self.print_repetition(block)]
        passed = [
            f"simcloud{'.' if inner else ''}{inner} = {_print_provider_reference(outer, block)}"
            for inner, outer in block.passed.items()
            if outer.is_alive
        ]
        if block.provider is not None and block.provider.is_alive:
            passed.append(f"terraform = {_print_provider_reference(block.provider, block)}")
        lines += [] if not passed else ["providers = {", *("  " + one for one in passed), "}"]
        lines.append(f"prefix = {self.print_cloud_name(block)}")
        wanted = {variable.name for variable in block.module.live_blocks(BlockKind.VARIABLE)}
        lines += self.print_arguments({name: one for name, one in block.arguments.items() if name in wanted}, block)
        lines += [*self.print_depends_on(block), *self.print_lifecycle(block)]
        return _print_block(f'module "{block.name}"', lines)

    def print_source(self, block: ModelBlock) -> str:
        assert block.module is not None
        if block.source is not None and block.source.is_alive:
            return address(block.source)
        return quoted(module_path(self.module, block.module))

    def print_check(self, block: ModelBlock) -> list[str]:
        lines = [] if block.nested_data is None else self.print_resource(block.nested_data)
        lines += [line for rule in block.conditions for line in self.print_condition(rule, block)]
        return _print_block(f'check "{block.name}"', lines)

    def print_repetition(self, block: ModelBlock) -> list[str]:
        repeat = block.repeat
        if repeat is None:
            return []
        source = repeat.source if repeat.source is not None and repeat.source.is_alive else None
        keys = repeat.current_keys
        listed = "[" + ", ".join(map(quoted, keys)) + "]"
        if source is not None and source.kind in (BlockKind.LOCAL, BlockKind.VARIABLE):
            listed = address(source)
        match repeat.repetition:
            case RepetitionKind.COUNT:
                return [f"count = {len(keys) if listed.startswith('[') else f'length({listed})'}"]
            case RepetitionKind.CHAIN if source is not None and _is_keyed(source):
                return [f"for_each = {address(source)}"]
            case RepetitionKind.MAP:
                return [f"for_each = {{ for key in {listed} : key => upper(key) }}"]
        return [f"for_each = toset({listed})"]

    def print_arguments(self, arguments: Mapping[str, ModelExpression], block: ModelBlock) -> list[str]:
        return [f"{name} = {self.print_expression(one, block)}" for name, one in arguments.items()]

    def print_nested_block(self, nested_block: NestedBlock, block: ModelBlock) -> list[str]:
        body = [
            *self.print_arguments(nested_block.arguments, block),
            *(line for one in nested_block.nested_blocks for line in self.print_nested_block(one, block)),
        ]
        label = f" {quoted(nested_block.label)}" if nested_block.label and nested_block.each is None else ""
        if nested_block.each is None:
            return _print_block(nested_block.name + label, body)
        keys = ", ".join(map(quoted, nested_block.each))
        listed = (
            f"[{keys}]" if nested_block.over is None else f"distinct({self.print_expression(nested_block.over, block)})"
        )
        labels = [f"labels = [{nested_block.name}.value]"] if nested_block.label else []
        return _print_block(
            f'dynamic "{nested_block.name}"', [f"for_each = toset({listed})", *labels, *_print_block("content", body)]
        )

    def print_depends_on(self, block: ModelBlock) -> list[str]:
        awaited = [address(one) for one in block.depends_on if one.is_alive]
        return [f"depends_on = [{', '.join(awaited)}]"] if awaited else []

    def print_lifecycle(self, block: ModelBlock) -> list[str]:
        lines = [f"{name} = {value}" for name, value in block.lifecycle.items() if name not in block.settings]
        lines += [
            f"{name} = {self.print_expression(value, block)}"
            for name, value in block.settings.items()
            if name != "enabled" or block.may_be_disabled
        ]
        triggers = [self.print_trigger(one, block) for one in block.triggers if one.target.is_alive]
        lines += [f"replace_triggered_by = [{', '.join(triggers)}]"] if triggers else []
        lines += [line for rule in block.conditions for line in self.print_condition(rule, block)]
        return _print_block("lifecycle", lines) if lines else []

    def print_trigger(self, reference: ModelReference, block: ModelBlock) -> str:
        """Print an item of replace_triggered_by: only a whole resource or an attribute of one instance is valid."""
        target = reference.target
        if not reference.path:
            return address(target)
        if target.repeat is None:
            return address(target) + reference.path
        if block.repeat is not None and reference.style % 2 and _has_same_keys(block, target):
            key = "count.index" if target.repeat.repetition is RepetitionKind.COUNT else "each.key"
            return f"{address(target)}[{key}]{reference.path}"
        return (
            f"{address(target)}[{_key(target, 0)}]{reference.path}" if target.repeat.current_keys else address(target)
        )

    def print_condition(self, rule: ModelCondition, block: ModelBlock) -> list[str]:
        condition, message = self.print_expression(rule.condition, block), self.print_expression(rule.message, block)
        return _print_block(rule.name, [f"condition = {condition}", f"error_message = {message}"])

    def print_provisioner(self, one: ModelProvisioner, block: ModelBlock) -> list[str]:
        lines = [f"command = {self.print_expression(one.command, block)}"]
        lines += ["when = destroy"] if one.at_destroy else []
        lines += ["on_failure = continue"] if one.continues else []
        return _print_block('provisioner "local-exec"', [*lines, *self.print_connection(one.host, block)])

    def print_connection(self, host: ModelExpression | None, block: ModelBlock) -> list[str]:
        return [] if host is None else _print_block("connection", [f"host = {self.print_expression(host, block)}"])

    def print_expression(self, expression: ModelExpression, block: ModelBlock) -> str:
        return "".join(
            one
            if isinstance(one, str)
            else self.print_reference(one, block)
            if isinstance(one, ModelReference)
            else _own_expression(one, block)
            for one in expression.parts
        )

    def print_reference(self, reference: ModelReference, block: ModelBlock) -> str:
        target = reference.target
        if not target.is_alive or (reference.output is not None and not reference.output.is_alive):
            return constant_literal(reference.type)
        base = address(target)
        path = reference.path if reference.output is None else f".{reference.output.name}{reference.path}"
        if target.may_be_disabled and not reference.is_bare:
            return _guard_reference(reference, base, path)
        if target.repeat is None:
            return base + path
        if block.repeat is not None and reference.style % 2 == 0:
            if block.repeat.source is target and block.repeat.repetition is RepetitionKind.CHAIN and _is_keyed(target):
                return f"each.value{path}"
            if _has_same_keys(block, target):
                key = "count.index" if target.repeat.repetition is RepetitionKind.COUNT else "each.key"
                return f"{base}[{key}]{path}"
        return self._index_instances(reference, base, path)

    def _index_instances(self, reference: ModelReference, base: str, path: str) -> str:
        """Refer to one instance, or to all of them joined into one string."""
        repeat = reference.target.repeat
        assert repeat is not None
        if reference.type == STRING and reference.style % 3:
            if repeat.repetition is RepetitionKind.COUNT:
                return f'join("-", {base}[*]{path})'
            return f'join("-", [for key, one in {base} : one{path}])'
        if not repeat.current_keys:
            return f"try({base}[0]{path}, {constant_literal(reference.type)})"
        return f"{base}[{_key(reference.target, reference.style)}]{path}"


def _needs_simcloud(block: ModelBlock) -> bool:
    """Whether the block needs simcloud: for its type, for a nested data source, or for a function it calls."""
    data = block.nested_data
    if block.type.startswith("simcloud") or (data is not None and data.type.startswith("simcloud")):
        return True
    rules = [one for rule in block.conditions for one in (rule.condition, rule.message)]
    return any(isinstance(part, str) and "::" in part for one in (*block.expressions, *rules) for part in one.parts)


def _has_name(block: ModelBlock) -> bool:
    return block.type.startswith("simcloud_") and block.type not in ("simcloud_live", "simcloud_listing")


def _own_key_suffix(block: ModelBlock) -> str:
    return "" if block.repeat is None else f"-${{{_key_expression(block)}}}"


def _key_expression(block: ModelBlock) -> str:
    if block.repeat is None:
        return '"single"'
    return "count.index" if block.repeat.repetition is RepetitionKind.COUNT else "each.key"


def _own_expression(own: OwnKey, block: ModelBlock) -> str:
    repeat = block.repeat
    has_value = repeat is not None and repeat.repetition in (RepetitionKind.SET, RepetitionKind.MAP)
    return "each.value" if own.is_value and has_value else _key_expression(block)


def _is_keyed(block: ModelBlock) -> bool:
    return block.repeat is not None and block.repeat.repetition is not RepetitionKind.COUNT


def _has_same_keys(block: ModelBlock, other: ModelBlock) -> bool:
    """Whether both blocks currently have the same keys, so that one can index the other with its own key."""
    if block.repeat is None or other.repeat is None or _is_keyed(block) is not _is_keyed(other):
        return False
    mine, others = block.repeat.current_keys, other.repeat.current_keys
    return len(mine) == len(others) if not _is_keyed(block) else set(mine) == set(others)


def _guard_reference(reference: ModelReference, base: str, path: str) -> str:
    """Refer to an object that is null where it is disabled."""
    fallback = constant_literal(reference.type)
    match reference.style:
        case 1:
            return f"({base} == null ? {fallback} : {base}{path})"
        case 2:
            return f"({base} != null ? {base}{path} : {fallback})"
        case 3 if reference.type == BOOL:
            return f"({base} != null && {base}{path})"
        case 4 if reference.type in (STRING, NUMBER, BOOL):
            return f"coalesce(one({base}[*]{path}), {fallback})"
        case 5 if reference.type == STRING:
            return f'join("-", {base}[*]{path})'
    return f"try({base}{path}, {fallback})"


def _print_provider_reference(provider: ModelBlock, block: ModelBlock) -> str:
    """Refer to a provider configuration, and to one of its instances if it is repeated. The key may be that of the
    referring instance, a literal, or an expression."""
    base = address(provider)
    if provider.repeat is None:
        return base
    keys, style = provider.repeat.current_keys or ["gone"], block.provider_style
    if block.repeat is not None and style % 2 == 0:
        if _is_keyed(block) and set(block.repeat.current_keys) <= set(keys):
            return f"{base}[each.key]"
        if not _is_keyed(block):
            return f"{base}[element([{', '.join(map(quoted, keys))}], count.index)]"
    key = quoted(keys[style % len(keys)])
    return f"{base}[lower({key})]" if style % 3 == 0 else f"{base}[{key}]"


def module_path(caller: ModelModule, callee: ModelModule) -> str:
    """Return the path from caller to callee. All modules are siblings below the root's directory."""
    return f"../{callee.name}" if caller.name else f"./{callee.name}"


def _print_constraint(wanted: Type | None) -> str:
    return "any" if wanted is None else str(wanted)


def _print_flags(is_sensitive: bool, is_ephemeral: bool) -> list[str]:
    return (["sensitive = true"] if is_sensitive else []) + (["ephemeral = true"] if is_ephemeral else [])


def _print_block(head: str, lines: Iterable[str]) -> list[str]:
    body = ["  " + line for line in lines]
    return [f"{head} {{", *body, "}"] if body else [head + " {}"]


def _join_lines(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
