"""The whole configuration: the module tree under a root directory, with the checks that need more than one module.

Checks run in phases, and the first phase with errors is the last: after a file that could not be read as intended,
later messages would mislead. Warnings of all phases are kept.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.config.blocks import ModuleCallBlock
from shared_nodes.config.blocks.override import OverriddenBody
from shared_nodes.config.blocks.statements import import_target
from shared_nodes.config.files import ParseFile, parse_file, sources_in
from shared_nodes.config.installed_modules import (
    ManifestError,
    ModulePlaces,
    Place,
    not_installed_problem,
    places_in,
)
from shared_nodes.config.module import Module
from shared_nodes.config.provider_passing import check_provider_passing
from shared_nodes.config.reader import incompatibilities, read_module
from shared_nodes.config.requirements import check_core_version, is_builtin, missing_plugins
from shared_nodes.config.static_arguments import constant_problems, evaluated_call, evaluated_providers
from shared_nodes.config.static_evaluation import StaticEvaluator, StaticInputs
from shared_nodes.config.syntax.content import ContentSchema, read_content, split_content
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors, warning
from shared_nodes.lang.source import Range
from shared_nodes.world import Files, World

__all__ = ["ReadDirectory", "load_configuration", "read_directory", "read_root", "read_tree"]


def load_configuration(
    files: Files,
    flavour: Flavour = TERRAFORM_1_11,
    is_available: Callable[[ProviderSource], bool] = is_builtin,
    inputs: StaticInputs | None = None,
    read: ReadDirectory | None = None,
    *,
    places: ModulePlaces | None = None,
    to_plan: bool = False,
) -> tuple[ConfigTree | None, list[Diagnostic]]:
    """Load the tree whose root module is the working directory; None if there are errors. `is_available` decides which
    providers exist. `inputs` is what static evaluation may use; without it, variables have their defaults. `read`
    replaces `read_directory`, for callers that cache what it returns. `places` says where modules are; by default they
    are where they were installed. `to_plan` says that the tree is loaded in order
    to plan; some flavours then report more about a faulty root module."""
    with _paused_collection():
        root, problems = read_tree(files, flavour, inputs, read or read_directory, places=places, to_plan=to_plan)
    for check in (
        lambda tree: check_core_version(tree, flavour),
        lambda tree: missing_plugins(tree, is_available, flavour),
        _check_import_providers,
        _check_module_arguments,
    ):
        if has_errors(problems):
            return None, problems
        problems.extend(check(root))
    return (None if has_errors(problems) else root), problems


@contextmanager
def _paused_collection() -> Iterator[None]:
    """Pause the garbage collector. Reading creates no garbage, and searching for some takes longer than the reading
    itself."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


ReadDirectory = Callable[[Files, str, Flavour], tuple[Module, list[Diagnostic]]]
"""A function like `read_directory`. The caller owns the returned list."""


def read_directory(
    files: Files, directory: str, flavour: Flavour, parse: ParseFile = parse_file
) -> tuple[Module, list[Diagnostic]]:
    """Read the module in a directory. `parse` replaces `parse_file`, for callers that cache parsed text."""
    sources, problems = sources_in(files, directory, flavour)
    module, found = read_module(sources, directory, parse, flavour)
    module.block_problems = (*problems, *module.block_problems)
    return module, [*problems, *found]


def read_root(
    files: Files, flavour: Flavour, inputs: StaticInputs, read: ReadDirectory = read_directory
) -> tuple[StaticEvaluator, list[Diagnostic]]:
    """Read the root module alone, which says where the state is. Report what is wrong with it as far as it was needed
    for that."""
    module, problems = read(files, ".", flavour)
    evaluator = StaticEvaluator.of_root(module, inputs)
    if flavour.planning_reads_root_twice:
        problems = list(module.block_problems)
        problems += [] if incompatibilities(problems) else constant_problems(evaluator, None)
    return evaluator, problems


def read_tree(
    files: Files,
    flavour: Flavour,
    inputs: StaticInputs | None = None,
    read: ReadDirectory = read_directory,
    *,
    places: ModulePlaces | None = None,
    to_plan: bool = False,
) -> tuple[ConfigTree, list[Diagnostic]]:
    """Read the tree as far as possible and report what is wrong with it. If the root module is faulty, the modules it
    calls are not read, because they were not installed. A manifest that cannot be used is the only problem then."""
    inputs = inputs or StaticInputs(World(files))
    module, problems = read(files, ".", flavour)
    root = ConfigTree(module)
    try:
        places = places or _places(files, flavour, inputs)
    except ManifestError as failure:
        return root, [error(f"failed to read module manifest: {failure}")]
    evaluator = StaticEvaluator.of_root(module, inputs)
    calls, found = _evaluated_calls(evaluator, None)
    problems.extend(found)
    problems.extend(_enter_provider_instances(root, evaluator))
    if has_errors(problems):
        if to_plan and flavour.planning_reads_root_twice:
            problems.extend(not_installed_problem(call.range, flavour) for call in calls)
        return root, problems
    problems.extend(_Loader(files, flavour, read, places).read_children(root, evaluator, calls, (".",)))
    if flavour.faulty_trees_pass_providers or not has_errors(problems):
        problems.extend(check_provider_passing(root, types_known=not has_errors(problems)))
    return root, problems


def _places(files: Files, flavour: Flavour, inputs: StaticInputs) -> ModulePlaces:
    return places_in(files, flavour, inputs.world.environment.get("TF_DATA_DIR", ""), inputs.modules)


def _evaluated_calls(
    evaluator: StaticEvaluator, called_at: Range | None
) -> tuple[list[ModuleCallBlock], list[Diagnostic]]:
    """Return the calls of a module with their sources, and report everything that had to be evaluated statically."""
    module = evaluator.module
    calls = [call for _, call in sorted(module.module_calls.items())]
    if not module.flavour.evaluates_statically or incompatibilities(module.block_problems):
        return calls, []
    evaluated = [evaluated_call(call, evaluator) for call in calls]
    problems = [problem for _, found in evaluated for problem in found]
    return [call for call, _ in evaluated], [*problems, *constant_problems(evaluator, called_at)]


def _enter_provider_instances(node: ConfigTree, evaluator: StaticEvaluator) -> list[Diagnostic]:
    instances, problems = evaluated_providers(evaluator)
    node.provider_instances.update(instances)
    return problems


class _Loader:
    """Reads the modules that others call. A directory is read once, however many calls lead to it, but its problems are
    reported for every call."""

    __slots__ = ("_files", "_flavour", "_modules", "_places", "_read")

    def __init__(self, files: Files, flavour: Flavour, read: ReadDirectory, places: ModulePlaces) -> None:
        self._files = files
        self._flavour = flavour
        self._read = read
        self._places = places
        self._modules: dict[str, tuple[Module, list[Diagnostic]]] = {}

    def _read_module_once(self, directory: str) -> tuple[Module, list[Diagnostic]]:
        known = self._modules.get(directory)
        if known is None:
            known = self._modules[directory] = self._read(self._files, directory, self._flavour)
        return known

    def read_children(
        self,
        node: ConfigTree,
        evaluator: StaticEvaluator,
        calls: Iterable[ModuleCallBlock],
        open_directories: tuple[str, ...],
    ) -> list[Diagnostic]:
        problems: list[Diagnostic] = []
        for call in calls:
            place = self._places.place(node.path.child(call.name), call, node.module.directory)
            if place.directory in open_directories:
                problems.append(not_installed_problem(call.range, self._flavour))
                continue
            problems.extend(place.problems)
            if place.directory:
                problems.extend(self._read_child(node, evaluator, call, place, open_directories))
        return problems

    def _read_child(
        self,
        parent: ConfigTree,
        evaluator: StaticEvaluator,
        call: ModuleCallBlock,
        place: Place,
        open_directories: tuple[str, ...],
    ) -> list[Diagnostic]:
        module, found = self._read_module_once(place.directory)
        problems = list(found)
        node = ConfigTree(module, parent.path.child(call.name), call, place.version)
        parent.children[call.name] = node
        own_evaluator = evaluator.of_call(call, module)
        calls, found = _evaluated_calls(own_evaluator, call.range)
        problems.extend(found)
        problems.extend(_enter_provider_instances(node, own_evaluator))
        problems.extend(self.read_children(node, own_evaluator, calls, (*open_directories, place.directory)))
        problems.extend(_check_child_restrictions(node))
        return problems


def _check_child_restrictions(node: ConfigTree) -> list[Diagnostic]:
    """Report what is not allowed in a module that is called by another."""
    problems: list[Diagnostic] = []
    if node.module.backend is not None:
        detail = (
            f"Any selected backend applies to the entire configuration, so {node.module.flavour.product} expects "
            "provider configurations only in the root module.\n\nThis is a warning rather than an error because it's "
            "sometimes convenient to temporarily call a root module as a child module for testing purposes, but this "
            "backend configuration block will have no effect."
        )
        problems.append(warning("Backend configuration ignored", detail, node.module.backend.range))
    if node.module.imports:
        detail = f'An import block was detected in "{node.path}". Import blocks are only allowed in the root module.'
        problems.append(error("Invalid import configuration", detail, node.module.imports[0].range))
    return problems


def _check_import_providers(root: ConfigTree) -> list[Diagnostic]:
    """Allow an import to choose a provider only for a resource whose block is yet to be generated, or that has chosen
    the same one."""
    problems: list[Diagnostic] = []
    for statement in root.module.imports:
        target = import_target(statement.to, root.module.flavour)
        if statement.provider_range is None or isinstance(target, Diagnostic) or target.module.steps:
            continue
        block = root.module.resources.get(target.resource)
        chosen = None if statement.provider is None else statement.provider.key
        if block is not None and (block.provider is None or block.provider.key != chosen):
            detail = _provider_mismatch(root.module.flavour, is_chosen=block.provider is not None)
            problems.append(error("Invalid import provider argument", detail, statement.provider_range))
    return problems


def _provider_mismatch(flavour: Flavour, *, is_chosen: bool) -> str:
    if flavour.imports_compare_providers:
        rule = "match" if is_chosen else "be specified and match"
        return f"The provider argument in the target resource block must {rule} the import block."
    return (
        "The provider argument can only be specified in import blocks that will generate configuration.\n\nUse the "
        "provider argument in the target resource block to configure the provider for a resource with explicit "
        "provider configuration."
    )


def _check_module_arguments(root: ConfigTree) -> list[Diagnostic]:
    """Report the problems of the first faulty call only, since the original stops there. Calls inside a module are
    checked before the call of that module."""
    for name in sorted(root.children):
        problems = _check_module_arguments(root.children[name]) or _check_call_arguments(root.children[name])
        if problems:
            return problems
    return []


def _check_call_arguments(node: ConfigTree) -> list[Diagnostic]:
    assert node.call is not None
    variables = node.module.variables
    required = tuple(sorted(name for name, variable in variables.items() if variable.default is None))
    schema = ContentSchema(frozenset(variables), required)
    body = node.call.body
    if isinstance(body, OverriddenBody):
        return split_content(body.base, schema)[2]
    return read_content(body, schema)[1]
