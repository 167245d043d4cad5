"""Test files: `*.tftest.hcl` and `*.tftest.json` beside the root module, and in its directory `tests`.

A configuration is validated with its tests. They are read with the root module, so that their mistakes precede whatever
needs a faultless module. What they say about the configuration is checked when all of it has been loaded.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.references import (
    InputVariable,
    Reference,
    ResourceInstance,
    first_attribute,
    parse_reference,
)
from shared_nodes.addresses.resource import Resource
from shared_nodes.config.blocks.mock import (
    MOCK_BLOCKS,
    OVERRIDE_BLOCKS,
    MockProvider,
    ObjectOverride,
    read_mock_data,
    read_mock_provider,
    read_overrides,
    repeated_overrides,
)
from shared_nodes.config.blocks.provider import read_provider, read_provider_of_test
from shared_nodes.config.blocks.run import RunBlock, RunModule, check_variables, read_run
from shared_nodes.config.installed_modules import not_installed_problem
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.module_source import is_local, local_directory
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import Flavour
from shared_nodes.lang.body_schema import BlockSchema, BodySchema
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors, warning
from shared_nodes.lang.file_names import test_file_names
from shared_nodes.lang.json_syntax import body_from_json, parse_json
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.source import Range, Source
from shared_nodes.lang.tree import Block, Body, Traversal
from shared_nodes.record import record
from shared_nodes.world import Files

__all__ = [
    "TestFile",
    "check_tests",
    "read_test_files",
    "required_by_tests",
    "tested_directories",
    "uninstalled_modules",
]

TEST_DIRECTORY: Final = "tests"
_DATA_SUFFIXES: Final = (".tfmock.hcl", ".tfmock.json")
_BLOCKS: Final[Mapping[str, tuple[str, ...]]] = {
    "run": ("name",),
    "provider": ("name",),
    "mock_provider": ("name",),
    "variables": (),
    **OVERRIDE_BLOCKS,
}
_PLAIN: Final = BlockSchema()
_RUN_BODY: Final = BodySchema(
    blocks=dict.fromkeys(("plan_options", "variables", "module", "assert", *OVERRIDE_BLOCKS), _PLAIN)
)
_BODIES: Final[Mapping[str, BodySchema]] = {
    "run": _RUN_BODY,
    "mock_provider": BodySchema(blocks={name: BlockSchema(labels) for name, labels in MOCK_BLOCKS.items()}),
    "provider": BodySchema(blocks={"_": _PLAIN, "lifecycle": _PLAIN, "locals": _PLAIN}),
}
_JSON_SCHEMA: Final = BodySchema(
    frozenset(), {name: BlockSchema(labels, _BODIES.get(name, BodySchema())) for name, labels in _BLOCKS.items()}
)
_JSON_DATA: Final = BodySchema(frozenset(), {name: BlockSchema(labels) for name, labels in MOCK_BLOCKS.items()})
_RUN: Final = "run"
_ONLY_IN_TESTS: Final = ("output", "check", _RUN)
"""What only tests can refer to. Nothing of an earlier run can fail."""


@record
class TestFile:
    runs: tuple[RunBlock, ...] = ()
    overrides: tuple[ObjectOverride, ...] = ()
    mock_providers: tuple[MockProvider, ...] = ()
    providers: tuple[str, ...] = ()
    """The local names of providers that it configures."""

    __test__ = False
    """pytest would collect it otherwise."""


def read_test_files(files: Files, flavour: Flavour) -> tuple[list[TestFile], list[Diagnostic]]:
    """Read all test files of the working directory: those of the directory `tests` first."""
    found: list[TestFile] = []
    problems: list[Diagnostic] = []
    for path in (*_paths(files, TEST_DIRECTORY, flavour), *_paths(files, ".", flavour)):
        try:
            source = Source(path, files.read_bytes(path))
        except OSError:
            problems.append(error("Failed to read file", f'The file "{path}" could not be read.'))
            continue
        body, mistakes = _parse(source, _JSON_SCHEMA)
        file, more = _read_file(body, files, flavour)
        found.append(file)
        problems += [*mistakes, *more]
    return found, problems


def _paths(files: Files, directory: str, flavour: Flavour) -> Iterator[str]:
    try:
        entries = files.list_directory(directory)
    except OSError:
        return
    for name in test_file_names([entry.name for entry in entries if not entry.is_directory], flavour):
        yield posixpath.normpath(posixpath.join(directory, name))


def _parse(source: Source, schema: BodySchema) -> tuple[Body, list[Diagnostic]]:
    if not source.is_json:
        return parse_body(source)
    value, problems = parse_json(source)
    body, found = body_from_json(value, schema)
    return body, [*problems, *found]


def _read_file(body: Body, files: Files, flavour: Flavour) -> tuple[TestFile, list[Diagnostic]]:
    content, problems = read_content(body, ContentSchema(blocks=_BLOCKS))
    runs: dict[str, RunBlock] = {}
    providers: dict[str, Range] = {}
    mocks: list[MockProvider] = []
    names: list[str] = []
    variables: Block | None = None
    for block in content.blocks:
        match block.type:
            case "run":
                run, found = read_run(block, flavour)
                first = runs.setdefault(run.name, run)
                if flavour.tests_must_fit and first is not run:
                    detail = f"This test file already has a run named {run.name} block defined at {first.range}."
                    found.append(error('Duplicate "run" block names', detail, run.range))
                problems += found
            case "variables" if variables is not None:
                detail = f"This test file already has a variables block defined at {variables.header_range}."
                problems.append(error('Multiple "variables" blocks', detail, block.header_range))
            case "variables":
                variables = block
                problems += check_variables(block)
            case "provider":
                read = read_provider_of_test if flavour.tests_must_fit else read_provider
                provider, found = read(block, flavour)
                problems += found
                if provider is not None:
                    names.append(provider.name)
                    problems += _declare_provider(providers, provider.name, provider.alias, block, flavour)
            case "mock_provider":
                mock, found = read_mock_provider(block, flavour)
                problems += found
                if mock is not None:
                    problems += _mock_source_problems(mock, files, flavour)
                    problems += _declare_provider(providers, mock.name, mock.alias, block, flavour)
                    mocks.append(mock)
    overrides, found = read_overrides(content.blocks, flavour)
    problems += found
    if not flavour.tests_must_fit and not has_errors(problems):
        for repeatable in (overrides, *(run.overrides for run in runs.values())):
            problems += repeated_overrides(repeatable)
    return TestFile(tuple(runs.values()), overrides, tuple(mocks), tuple(names)), problems


def _declare_provider(
    known: dict[str, Range], name: str, alias: str | None, block: Block, flavour: Flavour
) -> list[Diagnostic]:
    """A test file may have one provider of each address, mocked or not. Some products only ask that of mocked ones."""
    address = f"{name}.{alias}" if alias else name
    if not flavour.tests_must_fit:
        if block.type != "mock_provider" or known.setdefault(address, block.type_range) is block.type_range:
            return []
        detail = f"It is not allowed to have multiple `mock_provider` blocks with the same address: `{address}`."
        return [error("Duplicated `mock_provider` block", detail, block.header_range)]
    if address not in known:
        known[address] = block.label_ranges[0]
        return []
    detail = f"A provider for {address} is already defined at {known[address]}."
    return [error("Duplicate provider block", detail, block.header_range)]


def _mock_source_problems(mock: MockProvider, files: Files, flavour: Flavour) -> list[Diagnostic]:
    """Read the directory with further mocks that a mocked provider names."""
    if mock.source is None:
        return []
    try:
        names = sorted(entry.name for entry in files.list_directory(mock.source) if not entry.is_directory)
    except OSError:
        detail = f"Mock data directory {mock.source} does not exist or cannot be read."
        return [error("Failed to read mock data directory", detail, mock.range)]
    problems: list[Diagnostic] = []
    for name in (name for name in names if name.endswith(_DATA_SUFFIXES)):
        path = posixpath.normpath(posixpath.join(mock.source, name))
        body, found = _parse(Source(path, files.read_bytes(path)), _JSON_DATA)
        content, more = read_content(body, ContentSchema(blocks=MOCK_BLOCKS))
        problems += [*found, *more, *read_mock_data(content.blocks, flavour)[1]]
    return problems


# Tests and the configuration that they are about


def tested_directories(tests: Iterable[TestFile]) -> list[str]:
    """Return the directories of the local modules that runs are about, each once."""
    modules = (run.module for test in tests for run in test.runs if run.module is not None)
    return list(dict.fromkeys(local_directory(".", each.source) for each in modules if is_local(each.source)))


def uninstalled_modules(tests: Iterable[TestFile], files: Files, flavour: Flavour) -> list[Diagnostic]:
    """Report the runs whose module is not here."""
    modules = (run.module for test in tests for run in test.runs if run.module is not None)
    return [_uninstalled_problem(each, flavour) for each in modules if not _is_installed(each, files)]


def _uninstalled_problem(module: RunModule, flavour: Flavour) -> Diagnostic:
    if flavour.tests_must_fit or not is_local(module.source):
        return not_installed_problem(module.range, flavour)
    return not_installed_problem(module.range, flavour, "'s local cache directory  could not be read")


def required_by_tests(tests: Iterable[TestFile], root: ConfigTree, flavour: Flavour) -> set[ProviderSource]:
    """Return the providers that must be available because tests configure them."""
    if not flavour.tests_require_providers:
        return set()
    return {root.module.source_for(name) for test in tests for name in test.providers}


def _is_installed(module: RunModule, files: Files) -> bool:
    try:
        return is_local(module.source) and files.is_directory(local_directory(".", module.source))
    except OSError:
        return False


def check_tests(
    tests: Iterable[TestFile], root: ConfigTree, modules: Mapping[str, ConfigTree], flavour: Flavour
) -> list[Diagnostic]:
    """Check what tests say about the configuration. `modules` are the trees of the modules that runs are about."""
    problems: list[Diagnostic] = []
    for test in tests:
        if not flavour.tests_must_fit:
            problems += [each for run in test.runs for name in run.expect_failures for each in _failures(name, flavour)]
            continue
        for mock in test.mock_providers:
            problems += _missing_targets(mock.overrides, root)
        problems += _missing_targets(test.overrides, root)
        for run in test.runs:
            directory = None if run.module is None else local_directory(".", run.module.source)
            problems += _missing_targets(run.overrides, root if directory is None else modules.get(directory))
            for traversal in run.expect_failures:
                problems += _failures(traversal, flavour)
    return problems


def _missing_targets(overrides: Iterable[ObjectOverride], root: ConfigTree | None) -> Iterator[Diagnostic]:
    for override in overrides if root is not None else ():
        if not _has_target(override, root):
            detail = (
                f"The override target {override.target} does not exist within the configuration under test. This could "
                "indicate a typo in the target address or an unnecessary override."
            )
            yield warning("Invalid override target", detail, override.target_range)


def _has_target(override: ObjectOverride, root: ConfigTree | None) -> bool:
    target = override.target
    module = target if isinstance(target, ModuleInstance) else target.module
    node = root
    for step in module.steps:
        node = None if node is None else node.children.get(step.name)
    if node is None or isinstance(target, ModuleInstance):
        return node is not None
    return target.resource in node.module.resources


def _failures(traversal: Traversal, flavour: Flavour) -> list[Diagnostic]:
    """Report what has no conditions, and so cannot fail them."""
    if traversal.root in _ONLY_IN_TESTS and (traversal.root != _RUN or flavour.tests_must_fit):
        first = first_attribute(traversal)
        if isinstance(first, Diagnostic):
            return [first]
        if traversal.root != _RUN:
            return []
        named, subject = f"{_RUN}.{first.name}", traversal.root_range.through(first.range)
    else:
        reference = parse_reference(traversal, flavour)
        if isinstance(reference, Diagnostic):
            return [reference]
        if _can_fail(reference):
            return []
        named, subject = str(reference.subject), reference.range
    detail = (
        f"You cannot expect failures from {named}. You can only expect failures from checkable objects such as input "
        "variables, output values, check blocks, managed resources and data sources."
    )
    return [error("Invalid `expect_failures` reference", detail, subject)]


def _can_fail(reference: Reference) -> bool:
    return isinstance(reference.subject, InputVariable | Resource | ResourceInstance)
