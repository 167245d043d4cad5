"""Reads parsed files into a `Module`.

Reading collects declarations and performs the static checks that need no values: unknown blocks and arguments, labels,
names, duplicates, type constraints, defaults. Every problem is a diagnostic; what is valid can still be used. Overrides
are applied last and amend what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Final, Protocol, TypeVar

from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.blocks.check import read_check
from shared_nodes.config.blocks.language import INCOMPATIBLE, check_versions, read_language
from shared_nodes.config.blocks.module_call import read_module_call
from shared_nodes.config.blocks.output import read_output
from shared_nodes.config.blocks.provider import read_provider
from shared_nodes.config.blocks.removed import read_removed
from shared_nodes.config.blocks.resource import read_resource
from shared_nodes.config.blocks.statements import import_target, read_import, read_moved
from shared_nodes.config.blocks.terraform import duplicate_cloud, read_terraform
from shared_nodes.config.blocks.variable import read_variable
from shared_nodes.config.files import ParsedFile, ParseFile, file_blocks, parse_file, parse_sources
from shared_nodes.config.module import LocalDeclaration, Module
from shared_nodes.config.override_files import apply_overrides
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.literals import check_name
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range, Source
from shared_nodes.record import record
from shared_nodes.values.text import quoted

__all__ = ["collect_declarations", "incompatibilities", "read_module"]


def read_module(
    sources: Iterable[Source],
    directory: str = ".",
    parse: ParseFile = parse_file,
    flavour: Flavour = TERRAFORM_1_11,
) -> tuple[Module, list[Diagnostic]]:
    """Parse files and collect what they declare."""
    parsed, problems = parse_sources(sources, parse, flavour)
    module, found = collect_declarations(parsed, directory, flavour)
    incompatible = incompatibilities([*problems, *found])
    module.block_problems = tuple(incompatible) or (*problems, *module.block_problems)
    return module, incompatible or [*problems, *found]


def collect_declarations(
    files: Iterable[ParsedFile], directory: str = ".", flavour: Flavour = TERRAFORM_1_11
) -> tuple[Module, list[Diagnostic]]:
    module = Module(directory, flavour)
    schema = ContentSchema(blocks=file_blocks(flavour))
    problems: list[Diagnostic] = []
    for file in files:
        content, found = read_content(file.body, schema)
        problems.extend(found)
        if flavour.language_blocks_exist:
            problems.extend(check_versions(file.body, flavour))
        else:
            problems.extend(_repeated_label_problems(found))
        if file.is_override:
            problems.extend(apply_overrides(module, content.blocks))
            continue
        for block in sorted(content.blocks, key=_reading_order):
            problems.extend(_ADDERS[block.type](module, block))
    problems.extend(_backend_conflict(module))
    module.block_problems = tuple(problems)
    return module, [*problems, *module.clashes]


def incompatibilities(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The problems that remain of a module which excludes the running version: those that say so."""
    return [problem for problem in problems if problem.summary == INCOMPATIBLE]


def _repeated_label_problems(found: list[Diagnostic]) -> list[Diagnostic]:
    """Report extraneous labels of `terraform` blocks two more times: the original searches files for these blocks twice
    before reading them."""
    return [problem for problem in found if problem.summary == "Extraneous label for terraform"] * 2


def _reading_order(block: tree.Block) -> bool:
    """Read checks last, so that if a data source is declared twice, the declaration in a check is the one reported."""
    return block.type == "check"


def _add_required_providers(_module: Module, block: tree.Block) -> list[Diagnostic]:
    detail = 'A "required_providers" block must be nested inside a "terraform" block.'
    return [error("Invalid required_providers block", detail, block.type_range)]


class _Declaration(Protocol):
    @property
    def range(self) -> Range: ...


@record
class _Duplicate:
    """What to report about a second declaration: "<claim> at <range of the first>. <rule>"."""

    summary: str
    claim: str
    rule: str
    subject: Range

    def of(self, first: _Declaration) -> Diagnostic:
        return error(self.summary, f"{self.claim} at {first.range}. {self.rule}", self.subject)


K = TypeVar("K", bound=Hashable)
D = TypeVar("D", bound=_Declaration)


def _declare(table: dict[K, D], key: K, declaration: D, duplicate: _Duplicate) -> list[Diagnostic]:
    """Add a declaration, unless there already is one with this key: then that one stays and the new one is reported."""
    first = table.setdefault(key, declaration)
    return [] if first is declaration else [duplicate.of(first)]


def _add_terraform(module: Module, block: tree.Block) -> list[Diagnostic]:
    settings, problems = read_terraform(block, module.flavour)
    module.required_versions.extend([] if settings.required_version is None else [settings.required_version])
    for required in settings.required_providers:
        if module.required_providers_range is not None:
            detail = (
                "A module may have only one required providers configuration. The required providers were previously "
                f"configured at {module.required_providers_range}."
            )
            module.clashes.append(error("Duplicate required providers configuration", detail, required.range))
            continue
        module.required_providers_range = required.range
        module.required_providers.update(required.entries)
    for meta in settings.provider_metas:
        duplicate = _Duplicate(
            "Duplicate provider_meta block",
            f'A provider_meta block for provider "{meta.provider}" was already declared',
            "Providers may only have one provider_meta block per module.",
            meta.range,
        )
        module.clashes.extend(_declare(module.provider_metas, meta.provider, meta, duplicate))
    for backend in settings.backends:
        if module.backend is not None:
            detail = (
                "A module may have only one backend configuration. The backend was previously configured at "
                f"{module.backend.range}."
            )
            problems.append(error("Duplicate backend configuration", detail, backend.range))
            continue
        module.backend = backend
    for cloud in settings.clouds:
        if module.cloud is not None:
            problems.append(duplicate_cloud(module.cloud, cloud, module.flavour))
            continue
        module.cloud = cloud
    for encryption in settings.encryptions:
        if module.encryption is not None:
            detail = (
                "A module may have only one encryption configuration. Encryption was previously configured at "
                f"{module.encryption.range}."
            )
            problems.append(error("Duplicate encryption configuration", detail, encryption.range))
            continue
        module.encryption = encryption
    return problems


def _backend_conflict(module: Module) -> list[Diagnostic]:
    if module.backend is None or module.cloud is None:
        return []
    if module.flavour.cloud_is_a_kind_of_backend:
        detail = (
            "A module may declare either one 'cloud' block configuring a cloud backend OR one 'backend' block "
            f"configuring a state backend. A cloud backend is configured at {module.cloud.range}; a backend is "
            f"configured at {module.backend.range}. Remove the backend block to configure a cloud backend."
        )
        return [error("Both a backend and a cloud configuration are present", detail, module.backend.range)]
    detail = (
        "A module may declare either one 'cloud' block OR one 'backend' block configuring a state backend. The 'cloud' "
        f"block is configured at {module.cloud.range}; a backend is configured at {module.backend.range}. Remove the "
        "backend block to configure HCP Terraform or Terraform Enteprise."
    )
    return [error("Both a backend and cloud configuration are present", detail, module.backend.range)]


def _add_language(module: Module, block: tree.Block) -> list[Diagnostic]:
    return read_language(block, module.flavour)


def _add_variable(module: Module, block: tree.Block) -> list[Diagnostic]:
    variable, problems = read_variable(block, module.flavour)
    duplicate = _Duplicate(
        "Duplicate variable declaration",
        f'A variable named "{variable.name}" was already declared',
        "Variable names must be unique within a module.",
        block.header_range,
    )
    return [*problems, *_declare(module.variables, variable.name, variable, duplicate)]


def _add_locals(module: Module, block: tree.Block) -> list[Diagnostic]:
    problems: list[Diagnostic] = []
    for name, attribute in block.body.attributes.items():
        problems.extend(check_name("Invalid local value name", name, attribute.name_range))
        duplicate = _Duplicate(
            "Duplicate local value definition",
            f'A local value named "{name}" was already defined',
            "Local value names must be unique within a module.",
            attribute.range,
        )
        local = LocalDeclaration(name, attribute.expression, attribute.range)
        problems.extend(_declare(module.locals, name, local, duplicate))
    for inner in block.body.blocks[:1]:
        problems.append(error(f'Unexpected "{inner.type}" block', "Blocks are not allowed here.", inner.type_range))
    return problems


def _add_output(module: Module, block: tree.Block) -> list[Diagnostic]:
    output, problems = read_output(block, module.flavour)
    duplicate = _Duplicate(
        "Duplicate output definition",
        f'An output named "{output.name}" was already defined',
        "Output names must be unique within a module.",
        block.header_range,
    )
    module.clashes.extend(_declare(module.outputs, output.name, output, duplicate))
    return problems


def _add_resource(module: Module, block: tree.Block) -> list[Diagnostic]:
    decoded, problems = read_resource(block, module.flavour)
    module.clashes.extend(_declare_resource(module, decoded))
    return problems


_KINDS: Final[Mapping[ResourceMode, tuple[str, str]]] = {
    ResourceMode.MANAGED: ("resource", "resource"),
    ResourceMode.DATA: ("data", "data resource"),
    ResourceMode.EPHEMERAL: ("ephemeral", "ephemeral resource"),
}
"""The words for a block, and for what it declares, in messages about duplicates."""


def _declare_resource(module: Module, decoded: ResourceBlock, where: str = "") -> list[Diagnostic]:
    resource = decoded.resource
    word, kind = _KINDS[resource.mode]
    if resource.mode is ResourceMode.EPHEMERAL and module.flavour.ephemeral_blocks_read_as_resources:
        word = kind
    duplicate = _Duplicate(
        f'Duplicate {word} "{resource.type}" configuration',
        f'A {resource.type} {kind} named "{resource.name}" was already declared',
        f"Resource names must be unique per type in each module{where}.",
        decoded.range,
    )
    return _declare(module.resources, resource, decoded, duplicate)


def _add_module_call(module: Module, block: tree.Block) -> list[Diagnostic]:
    """Add a call. Of two with the same name, the last is the one that is followed."""
    call, problems = read_module_call(block, module.flavour)
    duplicate = _Duplicate(
        "Duplicate module call",
        f'A module call named "{call.name}" was already defined',
        "Module calls must have unique names within a module.",
        block.header_range,
    )
    module.clashes.extend(_declare(module.module_calls, call.name, call, duplicate))
    module.module_calls[call.name] = call
    return problems


def _add_provider(module: Module, block: tree.Block) -> list[Diagnostic]:
    provider, problems = read_provider(block, module.flavour)
    if provider is None:
        return problems
    if provider.alias is None:
        claim = f'A default (non-aliased) provider configuration for "{provider.name}" was already given'
        rule = 'If multiple configurations are required, set the "alias" argument for alternative configurations.'
    else:
        claim = f'A provider configuration for "{provider.name}" with alias "{provider.alias}" was already given'
        rule = "Each configuration for the same provider must have a distinct alias."
    duplicate = _Duplicate("Duplicate provider configuration", claim, rule, block.header_range)
    module.clashes.extend(_declare(module.providers, provider.key, provider, duplicate))
    return problems


def _add_check(module: Module, block: tree.Block) -> list[Diagnostic]:
    """Add a check. If its data source is a duplicate, the check itself is not declared."""
    check, problems = read_check(block, module.flavour)
    if check.data is not None:
        found = _declare_resource(module, check.data, ", including within check blocks")
        if found:
            module.clashes.extend(found)
            return problems
    duplicate = _Duplicate(
        f'Duplicate check "{check.name}" configuration',
        f'A check block named "{check.name}" was already declared',
        "Check blocks must be unique within each module.",
        block.header_range,
    )
    module.clashes.extend(_declare(module.checks, check.name, check, duplicate))
    return problems


def _add_moved(module: Module, block: tree.Block) -> list[Diagnostic]:
    statement, problems = read_moved(block, module.flavour)
    module.moved.extend([] if statement is None else [statement])
    return problems


def _add_import(module: Module, block: tree.Block) -> list[Diagnostic]:
    """Add an import. Duplicates are recognised only if their targets contain no computed keys."""
    statement, problems = read_import(block, module.flavour)
    if statement is None:
        return problems
    flavour = module.flavour
    target = import_target(statement.to, flavour)
    if isinstance(statement.to, tree.Traversal) and not isinstance(target, Diagnostic):
        name, where = quoted(str(target)), statement.range
        if not flavour.imports_are_resolved_when_planning:
            name, where = f'"{target.module.path.prefix(str(target.resource))}"', statement.to.range
        duplicate = _Duplicate(
            f"Duplicate import configuration for {name}",
            f"An import block for the resource {name} was already declared",
            "A resource can have only one import block.",
            where,
        )
        for other in module.imports:
            if isinstance(other.to, tree.Traversal) and import_target(other.to, flavour) == target:
                module.clashes.append(duplicate.of(other))
    module.imports.append(statement)
    return problems


def _add_removed(module: Module, block: tree.Block) -> list[Diagnostic]:
    statement, problems = read_removed(block, module.flavour)
    module.removed.extend([] if statement is None else [statement])
    return problems


_ADDERS: Final[Mapping[str, Callable[[Module, tree.Block], list[Diagnostic]]]] = {
    "terraform": _add_terraform,
    "language": _add_language,
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
