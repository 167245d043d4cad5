"""Reads parsed files into a `Module`.

Reading collects declarations and performs the static checks that need no values: unknown blocks and arguments, labels,
names, duplicates, type constraints, defaults. Every problem is a diagnostic; what is valid can still be used. Overrides
are applied last and amend what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.config.check_block import read_check
from shared_nodes.config.content import ContentSchema, read_content
from shared_nodes.config.files import FILE_BLOCKS, ParsedFile, ParseFile, parse_file, parse_sources
from shared_nodes.config.module import LocalDeclaration, Module
from shared_nodes.config.module_call import read_module_call
from shared_nodes.config.names import check_name
from shared_nodes.config.output_block import read_output
from shared_nodes.config.override_reader import apply_overrides
from shared_nodes.config.provider_block import read_provider
from shared_nodes.config.resource_block import read_resource
from shared_nodes.config.statements import import_target, read_import, read_moved, read_removed
from shared_nodes.config.terraform_reader import add_terraform, backend_conflict
from shared_nodes.config.variable import read_variable
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range, Source

__all__ = ["collect_declarations", "read_module"]

_FILE_SCHEMA: Final = ContentSchema(blocks=FILE_BLOCKS)


def read_module(
    sources: Iterable[Source], directory: str = ".", parse: ParseFile = parse_file
) -> tuple[Module, list[Diagnostic]]:
    """Parse files and collect what they declare."""
    parsed, problems = parse_sources(sources, parse)
    module, found = collect_declarations(parsed, directory)
    return module, [*problems, *found]


def collect_declarations(files: Iterable[ParsedFile], directory: str = ".") -> tuple[Module, list[Diagnostic]]:
    module = Module(directory)
    problems: list[Diagnostic] = []
    for file in files:
        content, found = read_content(file.body, _FILE_SCHEMA)
        problems.extend(found)
        problems.extend(_repeated_label_problems(found))
        if file.is_override:
            problems.extend(apply_overrides(module, content.blocks))
            continue
        for block in sorted(content.blocks, key=_reading_order):
            problems.extend(_ADDERS[block.type](module, block))
    problems.extend(backend_conflict(module))
    return module, problems


def _repeated_label_problems(found: list[Diagnostic]) -> list[Diagnostic]:
    """Report extraneous labels of `terraform` blocks two more times: the original searches files for these blocks twice
    before reading them."""
    return [problem for problem in found if problem.summary == "Extraneous label for terraform"] * 2


def _reading_order(block: tree.Block) -> bool:
    """Read checks last, so that of a duplicate data source the one in a check is reported."""
    return block.type == "check"


def _add_required_providers(_module: Module, block: tree.Block) -> list[Diagnostic]:
    detail = 'A "required_providers" block must be nested inside a "terraform" block.'
    return [error("Invalid required_providers block", detail, block.type_range)]


def _add_variable(module: Module, block: tree.Block) -> list[Diagnostic]:
    variable, problems = read_variable(block)
    existing = module.variables.setdefault(variable.name, variable)
    if existing is not variable:
        detail = (
            f'A variable named "{variable.name}" was already declared at {existing.range}. Variable names must be '
            "unique within a module."
        )
        problems.append(error("Duplicate variable declaration", detail, block.header_range))
    return problems


def _add_locals(module: Module, block: tree.Block) -> list[Diagnostic]:
    problems: list[Diagnostic] = []
    for name, attribute in block.body.attributes.items():
        problems.extend(check_name("Invalid local value name", name, attribute.name_range))
        existing = module.locals.get(name)
        if existing is not None:
            detail = (
                f'A local value named "{name}" was already defined at {existing.range}. Local value names must be '
                "unique within a module."
            )
            problems.append(error("Duplicate local value definition", detail, attribute.range))
            continue
        module.locals[name] = LocalDeclaration(name, attribute.expression, attribute.range)
    for inner in block.body.blocks[:1]:
        problems.append(error(f'Unexpected "{inner.type}" block', "Blocks are not allowed here.", inner.type_range))
    return problems


def _add_output(module: Module, block: tree.Block) -> list[Diagnostic]:
    output, problems = read_output(block)
    existing = module.outputs.setdefault(output.name, output)
    if existing is not output:
        detail = (
            f'An output named "{output.name}" was already defined at {existing.range}. Output names must be unique '
            "within a module."
        )
        problems.append(error("Duplicate output definition", detail, block.header_range))
    return problems


def _add_resource(module: Module, block: tree.Block) -> list[Diagnostic]:
    decoded, problems = read_resource(block)
    existing = module.resources.setdefault(decoded.resource, decoded)
    if existing is not decoded:
        problems.append(_duplicate_resource(decoded.resource, existing.range, decoded.range))
    return problems


_KINDS: Final[Mapping[ResourceMode, tuple[str, str]]] = {
    ResourceMode.MANAGED: ("resource", "resource"),
    ResourceMode.DATA: ("data", "data resource"),
    ResourceMode.EPHEMERAL: ("ephemeral", "ephemeral resource"),
}
"""The words for a block, and for what it declares, in messages about duplicates."""


def _duplicate_resource(resource: Resource, first: Range, again: Range, where: str = "") -> Diagnostic:
    word, kind = _KINDS[resource.mode]
    detail = (
        f'A {resource.type} {kind} named "{resource.name}" was already declared at {first}. Resource names must be '
        f"unique per type in each module{where}."
    )
    return error(f'Duplicate {word} "{resource.type}" configuration', detail, again)


def _add_module_call(module: Module, block: tree.Block) -> list[Diagnostic]:
    call, problems = read_module_call(block)
    existing = module.module_calls.setdefault(call.name, call)
    if existing is not call:
        detail = (
            f'A module call named "{call.name}" was already defined at {existing.range}. Module calls must have unique '
            "names within a module."
        )
        problems.append(error("Duplicate module call", detail, block.header_range))
    return problems


def _add_provider(module: Module, block: tree.Block) -> list[Diagnostic]:
    provider, problems = read_provider(block)
    if provider is None:
        return problems
    existing = module.providers.setdefault(provider.key, provider)
    if existing is provider:
        return problems
    if provider.alias is None:
        detail = (
            f'A default (non-aliased) provider configuration for "{provider.name}" was already given at '
            f'{existing.range}. If multiple configurations are required, set the "alias" argument for alternative '
            "configurations."
        )
    else:
        detail = (
            f'A provider configuration for "{provider.name}" with alias "{provider.alias}" was already given at '
            f"{existing.range}. Each configuration for the same provider must have a distinct alias."
        )
    return [*problems, error("Duplicate provider configuration", detail, block.header_range)]


def _add_check(module: Module, block: tree.Block) -> list[Diagnostic]:
    check, problems = read_check(block)
    if check.data is not None:
        declared = module.resources.setdefault(check.data.resource, check.data)
        if declared is not check.data:
            where = ", including within check blocks"
            problems.append(_duplicate_resource(check.data.resource, declared.range, check.data.range, where))
            return problems
    existing = module.checks.setdefault(check.name, check)
    if existing is not check:
        detail = (
            f'A check block named "{check.name}" was already declared at {existing.range}. Check blocks must be unique '
            "within each module."
        )
        problems.append(error(f'Duplicate check "{check.name}" configuration', detail, block.header_range))
    return problems


def _add_moved(module: Module, block: tree.Block) -> list[Diagnostic]:
    statement, problems = read_moved(block)
    module.moved.extend([] if statement is None else [statement])
    return problems


def _add_import(module: Module, block: tree.Block) -> list[Diagnostic]:
    """Add an import. Duplicates are recognised only if their targets contain no computed keys."""
    statement, problems = read_import(block)
    if statement is None:
        return problems
    target = import_target(statement.to)
    if isinstance(statement.to, tree.Traversal) and not isinstance(target, Diagnostic):
        for other in module.imports:
            if isinstance(other.to, tree.Traversal) and import_target(other.to) == target:
                name = target.module.path.prefix(str(target.resource))
                detail = (
                    f'An import block for the resource "{name}" was already declared at {other.range}. A resource can '
                    "have only one import block."
                )
                summary = f'Duplicate import configuration for "{name}"'
                problems.append(error(summary, detail, statement.to.range))
    module.imports.append(statement)
    return problems


def _add_removed(module: Module, block: tree.Block) -> list[Diagnostic]:
    statement, problems = read_removed(block)
    module.removed.extend([] if statement is None else [statement])
    return problems


_ADDERS: Final[Mapping[str, Callable[[Module, tree.Block], list[Diagnostic]]]] = {
    "terraform": add_terraform,
    "required_providers": _add_required_providers,
    "provider": _add_provider,
    "variable": _add_variable,
    "locals": _add_locals,
    "output": _add_output,
    "module": _add_module_call,
    "resource": _add_resource,
    "data": _add_resource,
    "ephemeral": _add_resource,
    "check": _add_check,
    "moved": _add_moved,
    "import": _add_import,
    "removed": _add_removed,
}
