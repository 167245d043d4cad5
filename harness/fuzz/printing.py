"""From a model to files: what a version of a configuration looks like on disk.

Names, keys and indices are decided here, from what the model is at this moment. So is what must be declared sensitive:
an output that shows something sensitive says so, whichever edit made it sensitive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from harness.generate.model import (
    Condition,
    Expression,
    Module,
    Nest,
    Node,
    OwnKey,
    Provisioner,
    Reference,
    Repetition,
    Sort,
)
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

__all__ = ["SIMCLOUD_SOURCE", "address", "instance_addresses", "literal", "printed", "quoted"]

SIMCLOUD_SOURCE: Final = "dh.test/diffharness/simcloud"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def literal(wanted: Type) -> str:
    """Something of that type, for where what was referred to is gone."""
    match wanted:
        case ListType() | SetType() | TupleType():
            return "[]"
        case MapType():
            return "{}"
        case ObjectType():
            return "{ " + ", ".join(f"{name} = {literal(part)}" for name, part in wanted.attributes.items()) + " }"
    return "0" if wanted == NUMBER else "false" if wanted == BOOL else '"gone"'


def address(node: Node) -> str:
    """Inside its module, of the whole resource or call."""
    match node.sort:
        case Sort.VARIABLE:
            return f"var.{node.name}"
        case Sort.LOCAL:
            return f"local.{node.name}"
        case Sort.MANAGED:
            return f"{node.type}.{node.name}"
        case Sort.PROVIDER:
            return f"{node.type}.{node.name}" if node.name else node.type
        case Sort.CALL:
            return f"module.{node.name}"
    return f"{node.sort}.{node.type}.{node.name}"


def instance_addresses(node: Node) -> list[str]:
    """Of all its instances, inside its module."""
    base = address(node)
    if node.repeat is None:
        return [base]
    return [f"{base}[{_key(node, index)}]" for index in range(len(node.repeat.current_keys))]


def _key(node: Node, index: int) -> str:
    assert node.repeat is not None
    keys = node.repeat.current_keys
    if node.repeat.repetition is Repetition.COUNT:
        return str(index % len(keys))
    return quoted(keys[index % len(keys)])


def printed(root: Module) -> dict[str, str]:
    """Texts by path. Directories of modules lie beside each other below the root's. There is always a file, even where
    there is nothing to say in it: else there was no configuration, and not an empty one."""
    modules = root.tree
    context = _Context(_calls(modules))
    files: dict[str, str] = {}
    for module in modules:
        directory = f"{module.name}/" if module.name else ""
        for name, blocks in _files(context, module):
            if blocks:
                files[directory + name] = "\n".join(blocks)
    return files or {"main.tf": ""}


def _calls(modules: Iterable[Module]) -> Mapping[Module, list[Node]]:
    calls: dict[Module, list[Node]] = {}
    for module in modules:
        for call in module.alive(Sort.CALL):
            if call.module is not None:
                calls.setdefault(call.module, []).append(call)
    return calls


@dataclass(slots=True)
class _Context:
    calls: Mapping[Module, list[Node]]
    sensitive: dict[Node, bool] = field(default_factory=dict)

    def is_sensitive(self, node: Node, module: Module) -> bool:
        """Whether anything of the node may be. A node that is still being looked at counts as not: there it is part of
        a cycle, which is another mistake."""
        if node not in self.sensitive:
            self.sensitive[node] = node.is_sensitive
            self.sensitive[node] = node.is_sensitive or any(
                self.shows_sensitive(part, module) for part in node.expressions
            )
            if node.sort is Sort.VARIABLE and not self.sensitive[node]:
                self.sensitive[node] = self._is_given_sensitive(node, module)
        return self.sensitive[node]

    def _is_given_sensitive(self, variable: Node, module: Module) -> bool:
        given = [
            call.arguments[variable.name] for call in self.calls.get(module, ()) if variable.name in call.arguments
        ]
        return any(self.shows_sensitive(one, module) for one in given)

    def shows_sensitive(self, expression: Expression, module: Module) -> bool:
        return expression.is_sensitive or any(self._is_sensitive(one, module) for one in expression.references)

    def _is_sensitive(self, reference: Reference, module: Module) -> bool:
        if not reference.target.is_alive:
            return False
        if reference.output is not None and reference.target.module is not None:
            return self.is_sensitive(reference.output, reference.target.module)
        return self.is_sensitive(reference.target, module)


# Files


def _files(context: _Context, module: Module) -> Iterator[tuple[str, list[str]]]:
    printer = _Printer(context, module)
    nodes = module.alive()
    yield "providers.tf", printer.requirements(nodes)
    yield "variables.tf", [printer.variable(node) for node in nodes if node.sort is Sort.VARIABLE]
    yield "main.tf", [*printer.main(nodes), *module.statements, *module.extra]
    yield "outputs.tf", [printer.output(node) for node in nodes if node.sort is Sort.OUTPUT]


@dataclass(slots=True)
class _Printer:
    context: _Context
    module: Module

    def requirements(self, nodes: Iterable[Node]) -> list[str]:
        lines: list[str] = []
        if any(_needs_simcloud(node) for node in nodes) or self.module.aliases:
            aliases = ", ".join(f"simcloud.{alias}" for alias in self.module.aliases)
            more = f", configuration_aliases = [{aliases}]" if aliases and not self.module.is_proxy else ""
            required = f'simcloud = {{ source = "{SIMCLOUD_SOURCE}"{more} }}'
            lines += _block("required_providers", [required])
        if self.module.meta_name:
            lines += _block('provider_meta "simcloud"', [f"module_name = {quoted(self.module.meta_name)}"])
        found = [_text(_block("terraform", lines))] if lines else []
        if self.module.is_proxy:
            found += [_text(_block('provider "simcloud"', [f"alias = {quoted(one)}"])) for one in self.module.aliases]
        return [*found, *(self.provider(node) for node in nodes if node.sort is Sort.PROVIDER)]

    def main(self, nodes: Iterable[Node]) -> list[str]:
        blocks: list[str] = []
        for node in nodes:
            match node.sort:
                case Sort.LOCAL:
                    blocks.append(_text(_block("locals", [f"{node.name} = {self.value_of(node)}"])))
                case Sort.MANAGED | Sort.DATA | Sort.EPHEMERAL:
                    blocks.append(_text(self.resource(node)))
                case Sort.CALL:
                    blocks.append(_text(self.call(node)))
                case Sort.CHECK:
                    blocks.append(_text(self.check(node)))
        return blocks

    def value_of(self, node: Node) -> str:
        value = node.arguments.get("value")
        return "[" + ", ".join(map(quoted, node.keys)) + "]" if value is None else self.text(value, node)

    def variable(self, node: Node) -> str:
        lines = [f"type = {_constraint(node.value_type)}"] if node.value_type is not None else []
        lines += self.arguments(node.arguments, node)
        lines += _flags(node.is_sensitive, node.is_ephemeral)
        lines += [f"{name} = {value}" for name, value in node.lifecycle.items()]
        lines += [line for rule in node.conditions for line in self.condition(rule, node)]
        return _text(_block(f'variable "{node.name}"', lines))

    def output(self, node: Node) -> str:
        lines = [f"value = {self.text(node.arguments['value'], node)}"]
        is_shown = not self.module.name and self.context.is_sensitive(node, self.module)
        lines += _flags(node.is_sensitive or is_shown, node.is_ephemeral)
        lines += [line for rule in node.conditions for line in self.condition(rule, node)]
        return _text(_block(f'output "{node.name}"', [*lines, *self.dependencies(node)]))

    def provider(self, node: Node) -> str:
        alias = [f"alias = {quoted(node.name)}"] if node.name else []
        return _text(_block(f'provider "{node.type}"', [*alias, *self.arguments(node.arguments, node)]))

    def resource(self, node: Node) -> list[str]:
        lines = self.repetition(node)
        if node.provider is not None and node.provider.is_alive:
            lines.append(f"provider = {address(node.provider)}")
        if node.cloud_name and _has_name(node):
            lines.append(f"name = {self.cloud_name(node)}")
        lines += self.arguments(node.arguments, node)
        lines += [line for nest in node.nests for line in self.nest(nest, node)]
        lines += self.dependencies(node)
        lines += self.lifecycle(node)
        lines += self.connection(node.host, node)
        lines += [line for one in node.provisioners for line in self.provisioner(one, node)]
        return _block(f'{node.sort} "{node.type}" "{node.name}"', lines)

    def cloud_name(self, node: Node) -> str:
        prefix = "${var.prefix}-" if self.module.name and not self.module.keeps_names else ""
        return quoted(prefix + node.cloud_name + _own_key(node))

    def call(self, node: Node) -> list[str]:
        assert node.module is not None
        lines = [f"source = {quoted(_relative(self.module, node.module))}", *self.repetition(node)]
        passed = [
            f"simcloud{'.' if inner else ''}{inner} = {address(outer)}"
            for inner, outer in node.passed.items()
            if outer.is_alive
        ]
        lines += [] if not passed else ["providers = {", *("  " + one for one in passed), "}"]
        lines.append(f"prefix = {self.cloud_name(node)}")
        wanted = {variable.name for variable in node.module.alive(Sort.VARIABLE)}
        lines += self.arguments({name: one for name, one in node.arguments.items() if name in wanted}, node)
        return _block(f'module "{node.name}"', [*lines, *self.dependencies(node)])

    def check(self, node: Node) -> list[str]:
        lines = [] if node.nested_data is None else self.resource(node.nested_data)
        lines += [line for rule in node.conditions for line in self.condition(rule, node)]
        return _block(f'check "{node.name}"', lines)

    def repetition(self, node: Node) -> list[str]:
        repeat = node.repeat
        if repeat is None:
            return []
        source = repeat.source if repeat.source is not None and repeat.source.is_alive else None
        keys = repeat.current_keys
        listed = "[" + ", ".join(map(quoted, keys)) + "]"
        if source is not None and source.sort in (Sort.LOCAL, Sort.VARIABLE):
            listed = address(source)
        match repeat.repetition:
            case Repetition.COUNT:
                return [f"count = {len(keys) if listed.startswith('[') else f'length({listed})'}"]
            case Repetition.CHAIN if source is not None and _is_keyed(source):
                return [f"for_each = {address(source)}"]
            case Repetition.MAP:
                return [f"for_each = {{ for key in {listed} : key => upper(key) }}"]
        return [f"for_each = toset({listed})"]

    def arguments(self, arguments: Mapping[str, Expression], node: Node) -> list[str]:
        return [f"{name} = {self.text(one, node)}" for name, one in arguments.items()]

    def nest(self, nest: Nest, node: Node) -> list[str]:
        body = [*self.arguments(nest.arguments, node), *(line for one in nest.nests for line in self.nest(one, node))]
        label = f" {quoted(nest.label)}" if nest.label and nest.each is None else ""
        if nest.each is None:
            return _block(nest.name + label, body)
        keys = ", ".join(map(quoted, nest.each))
        listed = f"[{keys}]" if nest.over is None else f"distinct({self.text(nest.over, node)})"
        labels = [f"labels = [{nest.name}.value]"] if nest.label else []
        return _block(f'dynamic "{nest.name}"', [f"for_each = toset({listed})", *labels, *_block("content", body)])

    def dependencies(self, node: Node) -> list[str]:
        alive = [address(one) for one in node.depends_on if one.is_alive]
        return [f"depends_on = [{', '.join(alive)}]"] if alive else []

    def lifecycle(self, node: Node) -> list[str]:
        lines = [f"{name} = {value}" for name, value in node.lifecycle.items()]
        triggers = [self.trigger(one, node) for one in node.triggers if one.target.is_alive]
        lines += [f"replace_triggered_by = [{', '.join(triggers)}]"] if triggers else []
        lines += [line for rule in node.conditions for line in self.condition(rule, node)]
        return _block("lifecycle", lines) if lines else []

    def trigger(self, reference: Reference, node: Node) -> str:
        """A whole resource, or an attribute of one instance: nothing else is legal there."""
        target = reference.target
        if not reference.path:
            return address(target)
        if target.repeat is None:
            return address(target) + reference.path
        if node.repeat is not None and reference.style % 2 and _goes_alike(node, target):
            key = "count.index" if target.repeat.repetition is Repetition.COUNT else "each.key"
            return f"{address(target)}[{key}]{reference.path}"
        return (
            f"{address(target)}[{_key(target, 0)}]{reference.path}" if target.repeat.current_keys else address(target)
        )

    def condition(self, rule: Condition, node: Node) -> list[str]:
        condition, message = self.text(rule.condition, node), self.text(rule.message, node)
        return _block(rule.name, [f"condition = {condition}", f"error_message = {message}"])

    def provisioner(self, one: Provisioner, node: Node) -> list[str]:
        lines = [f"command = {self.text(one.command, node)}"]
        lines += ["when = destroy"] if one.at_destroy else []
        lines += ["on_failure = continue"] if one.continues else []
        return _block('provisioner "local-exec"', [*lines, *self.connection(one.host, node)])

    def connection(self, host: Expression | None, node: Node) -> list[str]:
        return [] if host is None else _block("connection", [f"host = {self.text(host, node)}"])

    def text(self, expression: Expression, node: Node) -> str:
        return "".join(
            one
            if isinstance(one, str)
            else self.reference(one, node)
            if isinstance(one, Reference)
            else _own_expression(one, node)
            for one in expression.parts
        )

    def reference(self, reference: Reference, node: Node) -> str:
        target = reference.target
        if not target.is_alive or (reference.output is not None and not reference.output.is_alive):
            return literal(reference.type)
        base = address(target)
        path = reference.path if reference.output is None else f".{reference.output.name}{reference.path}"
        if target.repeat is None:
            return base + path
        if node.repeat is not None and reference.style % 2 == 0:
            if node.repeat.source is target and node.repeat.repetition is Repetition.CHAIN and _is_keyed(target):
                return f"each.value{path}"
            if _goes_alike(node, target):
                key = "count.index" if target.repeat.repetition is Repetition.COUNT else "each.key"
                return f"{base}[{key}]{path}"
        return self._of_some(reference, base, path)

    def _of_some(self, reference: Reference, base: str, path: str) -> str:
        """One instance, or all of them in one text."""
        repeat = reference.target.repeat
        assert repeat is not None
        if reference.type == STRING and reference.style % 3:
            if repeat.repetition is Repetition.COUNT:
                return f'join("-", {base}[*]{path})'
            return f'join("-", [for key, one in {base} : one{path}])'
        if not repeat.current_keys:
            return f"try({base}[0]{path}, {literal(reference.type)})"
        return f"{base}[{_key(reference.target, reference.style)}]{path}"


def _needs_simcloud(node: Node) -> bool:
    """For its type, for data in it, or for a function it calls."""
    data = node.nested_data
    if node.type.startswith("simcloud") or (data is not None and data.type.startswith("simcloud")):
        return True
    rules = [one for rule in node.conditions for one in (rule.condition, rule.message)]
    return any(isinstance(part, str) and "::" in part for one in (*node.expressions, *rules) for part in one.parts)


def _has_name(node: Node) -> bool:
    return node.type.startswith("simcloud_") and node.type not in ("simcloud_live", "simcloud_listing")


def _own_key(node: Node) -> str:
    return "" if node.repeat is None else f"-${{{_key_expression(node)}}}"


def _key_expression(node: Node) -> str:
    if node.repeat is None:
        return '"single"'
    return "count.index" if node.repeat.repetition is Repetition.COUNT else "each.key"


def _own_expression(own: OwnKey, node: Node) -> str:
    repeat = node.repeat
    has_value = repeat is not None and repeat.repetition in (Repetition.SET, Repetition.MAP)
    return "each.value" if own.is_value and has_value else _key_expression(node)


def _is_keyed(node: Node) -> bool:
    return node.repeat is not None and node.repeat.repetition is not Repetition.COUNT


def _goes_alike(node: Node, other: Node) -> bool:
    """Whether both have the same keys now, so that one may name the other's instance by its own."""
    if node.repeat is None or other.repeat is None or _is_keyed(node) is not _is_keyed(other):
        return False
    mine, others = node.repeat.current_keys, other.repeat.current_keys
    return len(mine) == len(others) if not _is_keyed(node) else set(mine) == set(others)


def _relative(caller: Module, callee: Module) -> str:
    """All modules lie below the root's directory, side by side."""
    return f"../{callee.name}" if caller.name else f"./{callee.name}"


def _constraint(wanted: Type | None) -> str:
    return "any" if wanted is None else str(wanted)


def _flags(is_sensitive: bool, is_ephemeral: bool) -> list[str]:
    return (["sensitive = true"] if is_sensitive else []) + (["ephemeral = true"] if is_ephemeral else [])


def _block(head: str, lines: Iterable[str]) -> list[str]:
    body = ["  " + line for line in lines]
    return [f"{head} {{", *body, "}"] if body else [head + " {}"]


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
