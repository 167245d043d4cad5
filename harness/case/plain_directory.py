"""Directories with a configuration and no `case.yaml`: their default story, and the files that belong to them.

The story answers the first questions about a configuration: validate, plan, apply, plan again, expecting no changes,
and destroy. It begins without a state, whatever state is in the directory. Values of variables come from the files that
are always read: terraform.tfvars, *.auto.tfvars.

A configuration may call modules next to it (`source = "../network"`). So a run copies the directory and all the local
modules it leads to, in their places relative to each other. Only directories count that the user has given, to be run
or with `--include`: otherwise a configuration of a stranger could have private directories copied and published. What
is not a regular file inside of these is never opened.

Modules from elsewhere, from a registry or an archive, come with it if they are installed, or if the user has given a
directory for their source (`module_installation.py`).
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from harness.case.actions import Assert, Operate, TaskAction
from harness.case.containment import KEPT_DIRECTORY, limit_size
from harness.case.given import NO_DIRECTORIES, NOTHING_GIVEN, GivenDirectories, GivenInputs
from harness.case.module_installation import NOTHING_INSTALLED, Installation, PartFiles, install_modules
from harness.case.own_output import is_output, is_output_directory
from harness.case.read_paths import paths_read
from harness.case.steps import Step
from harness.case.story import Story
from harness.case.variable_values import NO_VALUES, PlainValues, read_values
from harness.case.yaml_fields import CaseError
from harness.directory_walk import is_hidden, walk
from harness.workflow.expressions import parse_expression
from harness.workflow.model import Task, Transition, Workflow, WorkflowCommand
from shared_nodes.config.inputs import VarFile, gather_inputs
from shared_nodes.config.installed_modules import manifest_text
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11, Flavour
from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES
from shared_nodes.record import record
from shared_nodes.values.json import Tree
from shared_nodes.world import Files, World

__all__ = [
    "FoundDirectories",
    "PlainDirectory",
    "default_story",
    "find_plain_directories",
    "holds_configuration",
    "read_plain_directory",
    "with_names",
]

_ELSEWHERE: Final = re.compile(r"""\bsource["']?\s*[=:]\s*(?!"\.{1,2}/)""")
_CALL: Final = re.compile(r"""^[ \t]*module\b|"module"\s*:""", re.MULTILINE)
"""A module from elsewhere is called only where both occur in one file."""

_LOCAL: Final = re.compile(r"""\bsource["']?\s*[=:]\s*"(\.{1,2}/[^"]*)\"""")
_HERE: Final = "."
_LEFT_OUT: Final = (".terraform", ".git", KEPT_DIRECTORY, "terraform.tfstate*", ".terraform.tfstate*")
"""Files of programs: installed providers and modules, their state, and earlier runs."""

_FIXTURES: Final = frozenset(
    ("fixture", "fixtures", "spec", "test", "test-fixtures", "test_fixtures", "testdata", "testing", "tests")
)
"""Names of directories with configurations for tests."""

_NEVER_COPIED: Final = frozenset(_LEFT_OUT)
_LONGEST: Final = 4_000_000
"""Limit of a file in bytes that is searched for modules."""


@record
class PlainDirectory:
    root: Path
    """The directory that contains all parts."""

    main: str
    """The directory of the configuration, relative to the root."""

    parts: tuple[str, ...]
    """The directories to copy, relative to the root: the configuration, and modules outside of it."""

    read: tuple[str, ...] = ()
    """Files and directories outside of these that the configuration seems to read, likewise."""

    modules: Installation = NOTHING_INSTALLED
    """The modules from elsewhere."""

    values: PlainValues = NO_VALUES
    """The values of its variables, besides those in files that are always read."""

    allowed: GivenDirectories = NO_DIRECTORIES
    """The directories in which its files may be."""

    def copy_to(self, target: Path) -> Path:
        """Copy all parts, and return the place of the configuration. Links stay links: their targets may be private."""
        main = target / self.main
        copies = [(self.root / part, target / part) for part in (*self.read, *self.parts)]
        copies += [(package.directory, main / package.place) for package in self.modules.packages]
        for source, copy in copies:
            if source.is_dir():
                shutil.copytree(source, copy, symlinks=True, ignore=_ignored, dirs_exist_ok=True)
            else:
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, copy, follow_symlinks=False)
        for name, text in self.written_files.items():
            (main / name).parent.mkdir(parents=True, exist_ok=True)
            (main / name).write_text(text, encoding="utf-8")
        return main

    @property
    def leads_out(self) -> bool:
        """Whether there is more than the directory of the configuration."""
        return len(self.parts) > 1 or bool(self.read)

    @property
    def is_alone(self) -> bool:
        """Whether everything that belongs to the configuration is in its directory."""
        return not self.leads_out and self.parts == (self.main,) and not self.modules.packages

    @property
    def roots(self) -> tuple[Path, ...]:
        """The directories that contain all files."""
        return (self.root, *(package.directory for package in self.modules.packages))

    @property
    def own_files(self) -> Files:
        """The files of the configuration where it is, with all of its modules."""
        here = self.modules.manifest_here
        manifest = None if here is None else manifest_text(here).encode()
        return PartFiles(self.root / self.main, allowed=self.allowed, manifest=manifest)

    @property
    def files(self) -> Iterator[Path]:
        return (file for _, file in self.named_files)

    @property
    def named_files(self) -> Iterator[tuple[str, Path]]:
        """All files, each with its path relative to the configuration in a copy."""
        places = [(self.root / part, os.path.relpath(part, self.main)) for part in (*self.parts, *self.read)]
        found: dict[str, Path] = {}
        for top, place in (*places, *((package.directory, package.place) for package in self.modules.packages)):
            for directory, names in ((each, names) for each, _, names in walk(top, is_hidden, is_foreign=is_output)):
                for file in (directory / name for name in names):
                    if stat.S_ISREG(file.lstat().st_mode):
                        found[os.path.normpath(f"{place}/{file.relative_to(top)}")] = file
            if top.is_file():
                found[os.path.normpath(place)] = top
        yield from found.items()

    @property
    def written_files(self) -> dict[str, str]:
        """What a copy has in addition, likewise named."""
        manifest = self.modules.manifest
        return {} if manifest is None else {Files(self.root).manifest_path(): manifest_text(manifest)}


def _ignored(directory: str, names: list[str]) -> set[str]:
    """Return the names that are not copied. Pipes and the like cannot be copied."""
    copied = {name for name in names if _is_copied(os.path.join(directory, name))}
    return shutil.ignore_patterns(*_LEFT_OUT)(directory, names) | (set(names) - copied)


def _is_copied(path: str) -> bool:
    mode = os.lstat(path).st_mode
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode) or (stat.S_ISDIR(mode) and not is_output_directory(path))


def holds_configuration(directory: Path) -> bool:
    return _names_configuration(_names(directory))


def _names_configuration(names: Iterable[str]) -> bool:
    """Return whether one of these files is configuration to some product."""
    return any(name.endswith(CONFIGURATION_SUFFIXES) for name in names)


@record
class FoundDirectories:
    """Directories with a configuration, at or below a path."""

    cases: tuple[Path, ...] = ()
    called: tuple[Path, ...] = ()
    """Modules that a case calls. They are tried with their callers."""

    fixtures: tuple[Path, ...] = ()
    """What is there for tests, as the name of a directory says."""


def find_plain_directories(path: Path, taken: Collection[Path] = ()) -> FoundDirectories:
    """Return the directories at or below the path that contain a configuration. The path itself is always a case, since
    the user has named it. `taken` are directories whose content belongs to something else.

    A module without a caller is a case. If there is nothing but fixtures, they are what the user wants.
    """
    given = GivenDirectories.of([path])
    walked = walk(path, is_hidden, is_foreign=is_output)
    found = [directory for directory, _, names in walked if _names_configuration(names)]
    others_content = {_absolute(each) for each in taken}
    found = [one for one in found if others_content.isdisjoint((_absolute(one), *_absolute(one).parents))]
    fixtures = {directory for directory in found if not _FIXTURES.isdisjoint(directory.relative_to(path).parts)}
    if len(fixtures) == len(found):
        fixtures = set()
    others = [directory for directory in found if directory not in fixtures]
    reached = {module for directory in others for module, _ in _called(directory, given)}
    called = {directory for directory in others if directory != path and _absolute(directory) in reached}
    return FoundDirectories(
        tuple(sorted(with_names(directory) for directory in others if directory not in called)),
        tuple(sorted(called)),
        tuple(sorted(fixtures)),
    )


def with_names(directory: Path) -> Path:
    """Return the path as it was given, unless a case or its area would have no name then."""
    return directory if directory.name not in ("", "..") and directory.parent.name else _absolute(directory)


def read_plain_directory(
    directory: Path,
    given: GivenInputs = NOTHING_GIVEN,
    flavour: str = TERRAFORM_1_11.name,
    values: Mapping[str, Tree] = MappingProxyType({}),
) -> PlainDirectory:
    """Read a directory. CaseError names a module that is in none of the given directories, nor in that of the
    configuration, and a directory that is too large to be copied. `values` are those that a case gives to its own
    configuration."""
    main = _absolute(directory)
    allowed = GivenDirectories.of([main, *given.directories])
    modules = [main]
    calls_others = _has_manifest(main)
    for module in modules:
        calls_others = calls_others or any(_calls_from_elsewhere(text) for _, text in _texts(module, allowed))
        for called, place in _called(module, allowed):
            if not allowed.contain(called):
                raise CaseError(
                    f"{place}: calls the module {called}, which is not in a directory that was given; "
                    f"add --include {called} if it belongs to the configuration"
                )
            if called not in modules:
                modules.append(called)
    texts = ((module, [text for _, text in _texts(module, allowed)]) for module in modules)
    read = paths_read(texts, main, allowed)
    root = Path(os.path.commonpath([*modules, *(path.parent for path in read)]))
    outside = [module for module in modules if module == main or not module.is_relative_to(main)]
    plain = PlainDirectory(
        root,
        _relative(main, root),
        tuple(_relative(each, root) for each in outside),
        tuple(_relative(each, root) for each in read),
        allowed=allowed,
    )
    plain = replace(plain, values=read_values(plain.own_files, FLAVOURS[flavour], given, values))
    if calls_others:
        inputs = _static_inputs(plain, FLAVOURS[flavour])
        plain = replace(plain, modules=install_modules(main, allowed, given.modules, FLAVOURS[flavour], inputs))
    for part in (*outside, *(package.directory for package in plain.modules.packages)):
        limit_size(part, _NEVER_COPIED)
    return plain


def _static_inputs(plain: PlainDirectory, flavour: Flavour) -> StaticInputs:
    """Return what sources may refer to, in products in which they may."""
    world = World(plain.own_files)
    if not flavour.evaluates_statically:
        return StaticInputs(world)
    text = plain.values.text
    gathered, _ = gather_inputs([] if text is None else [VarFile("values.tfvars.json", text)], world.files)
    return StaticInputs(world, gathered.static_values(flavour))


def _has_manifest(main: Path) -> bool:
    return os.path.lexists(main / Files(main).manifest_path())


def _calls_from_elsewhere(text: str) -> bool:
    return _CALL.search(text) is not None and _ELSEWHERE.search(text) is not None


def _names(directory: Path) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _called(directory: Path, given: GivenDirectories) -> Iterator[tuple[Path, str]]:
    """Return the local modules that the files of a directory name, each with file and line. Any other `source` counts
    only if it leads to a configuration, which does no harm."""
    for file, text in _texts(directory, given):
        for found in _LOCAL.finditer(text):
            module = _absolute(directory / found[1])
            if holds_configuration(module):
                yield module, f"{file}:{text.count(chr(10), 0, found.start()) + 1}"


def _texts(directory: Path, given: GivenDirectories) -> Iterator[tuple[Path, str]]:
    """Return the configuration files of a directory with their texts."""
    for name in sorted(_names(directory)):
        file = directory / name
        if name.endswith(CONFIGURATION_SUFFIXES) and given.contain(file):
            yield file, _text(file)


def _text(file: Path) -> str:
    """Return the text of a regular file that is not too large; that of any other is empty."""
    try:
        return Files(file.parent).read_bytes(file.name, _LONGEST).decode("utf-8", errors="replace")
    except OSError:
        return ""


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def default_story(variables: str | None = None) -> Story:
    """Return the default story, each step with these values of variables. Created objects are destroyed also after an
    apply or a second plan that failed; the story has failed then nevertheless."""
    clean = parse_expression("result.clean")
    actions: dict[str, TaskAction] = {
        **{name: Operate(Step(name, _HERE, variables=variables)) for name in ("validate", "plan", "apply", "destroy")},
        "again": Operate(Step("plan", _HERE, variables=variables)),
        "unchanged": Assert(clean),
    }
    failed = ("destroy", WorkflowCommand.FAIL.value)
    followers: dict[str, Iterable[tuple[str, tuple[str, ...]]]] = {
        "validate": [("succeeded", ("plan",))],
        "plan": [("succeeded", ("apply",))],
        "apply": [("succeeded", ("again",)), ("failed", failed)],
        "again": [("succeeded", ("unchanged",)), ("failed", failed)],
        "unchanged": [("succeeded", ("destroy",)), ("failed", failed)],
        "destroy": [],
    }
    tasks = {
        name: Task(name, transitions=tuple(Transition(targets, parse_expression(when)) for when, targets in following))
        for name, following in followers.items()
    }
    return Story(Workflow(tasks, start=("validate",)), actions, begins_with=_HERE)
