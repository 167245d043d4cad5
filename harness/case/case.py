"""A case on disk: `case.yaml` next to the configuration directories it names, and recordings if it has some.

A case is a list of `steps`, or `tasks` with transitions between them (docs/stories.md), or it names a `configuration`
that goes through the default story of configurations without a `case.yaml`.

Reading is strict. An unknown key, a key given twice or a value of the wrong kind is a `CaseError` that names the file,
the line and the key: a misspelt `traget` must never make a case silently test something else.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import yaml

from harness.case.case_cloud import read_cloud, read_faults
from harness.case.containment import KEPT_DIRECTORY, files_of, is_kept, read_contained, require_contained
from harness.case.directory_flavour import flavour_of_directory
from harness.case.expectation import read_expectation
from harness.case.given import NOTHING_GIVEN, GivenInputs
from harness.case.own_output import is_output
from harness.case.plain_directory import (
    PlainDirectory,
    default_story,
    holds_configuration,
    read_plain_directory,
    with_names,
)
from harness.case.recordings import (
    find_recording,
    is_recording,
    nearest_flavour,
    read_recording,
    recorded_flavour,
    system_file,
)
from harness.case.steps import OPERATIONS, Step, read_options
from harness.case.story import STORY_KEYS, Story, read_story
from harness.case.yaml_fields import CaseError, Fields, json_mapping, line_of
from harness.directory_walk import is_hidden, walk
from harness.engines.dynamic_providers import PERMISSIBLE, is_permissible
from harness.plugins.tapes.tape import has_tapes, read_tapes
from harness.plugins.tapes.tape_error import TapeError
from harness.simulation.permissive.permissive_files import NO_FILES, PermissiveFiles
from harness.simulation.simcloud.faults import Fault
from harness.workflow.yaml_values import compose_plain
from shared_nodes.flavour import FLAVOUR_NAMES, TERRAFORM_1_11
from shared_nodes.record import record
from shared_nodes.values.json import Tree, loads

__all__ = [
    "CASE_FILE",
    "HISTORY_FILE",
    "KEPT_DIRECTORY",
    "LONGEST",
    "PLACES",
    "Case",
    "CaseError",
    "Step",
    "find_cases",
    "read_case",
    "read_golden",
    "read_system_recording",
]

CASE_FILE: Final = "case.yaml"
HISTORY_FILE: Final = "shrink.json"
"""The history of the reduction of a reduced case. Reports show it; it is not part of the case."""

LONGEST: Final = 256_000
"""Limit of case.yaml in bytes. Reading that many takes seconds."""

_LONGEST_NAME: Final = 255
"""Characters of a name that a message repeats."""

_SECTIONS: Final = frozenset({"configuration", "planned_values", "prior_state", "variables"})
"""Sections of a JSON plan that a case may keep."""

PLACES: Final = "places"
"""The key of a recording of tasks that names the place of each of its steps."""


@record
class Case:
    directory: Path
    description: str
    steps: tuple[Step, ...]
    tags: tuple[str, ...] = ()
    prior_state: str | None = None
    flavour: str = TERRAFORM_1_11.name
    """The product that engines follow."""

    own_flavour: str = TERRAFORM_1_11.name
    """The product that the case is about. Its recording is `golden.json`."""

    seed: int = 0
    cloud: tuple[Mapping[str, Tree], ...] = ()
    """Things that exist in the simulated cloud before the first step."""

    faults: tuple[Fault, ...] = ()
    keep: tuple[str, ...] = ()
    """Sections of the JSON plan that are compared in addition to those that are always compared."""

    permissive: tuple[str, ...] = ()
    """Providers that are replaced by the permissive one, which refuses nothing, as `--permissive` names them."""

    permissive_files: PermissiveFiles = NO_FILES
    """What the run knows about these beyond the configuration."""

    prelude: bool = True
    """Whether the prelude of a run is added to its modules. Not to a case that is about missing declarations."""

    tasks: Story | None = None
    """A case has these or steps, not both."""

    plain: PlainDirectory | None = None
    """Set where there is only a configuration, whether or not a `case.yaml` names it."""

    @property
    def has_file(self) -> bool:
        """Whether there is a `case.yaml`, which says all that is needed to run the case."""
        return (self.directory / CASE_FILE).is_file()

    @property
    def area(self) -> str:
        return self.directory.parent.name

    @property
    def identifier(self) -> str:
        return f"{self.area}/{self.directory.name}"

    @property
    def is_recorded(self) -> bool:
        """Whether there is a recording of any system. The binaries that recordings are made with have no providers but
        their own."""
        return any(is_recording(path.name) for path in self.directory.glob("golden*.json"))

    @property
    def taped_directory(self) -> Path | None:
        """The directory of the case if it has tapes of providers, which are then replayed."""
        return self.directory if has_tapes(self.directory) else None

    def faults_of(self, step: int) -> tuple[Fault, ...]:
        """Return the faults of a step, counted from 0. Those of every step come first, so that they go on counting."""
        lasting = tuple(fault for fault in self.faults if fault.step is None)
        return (*lasting, *(fault for fault in self.faults if fault.step == step))

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """Every operation the case names, in the order of the file."""
        return self.steps if self.tasks is None else self.tasks.steps

    @property
    def configurations(self) -> list[str]:
        """The configuration directories that are used, each once, in the order they are first named."""
        return (
            list(dict.fromkeys(step.config for step in self.steps)) if self.tasks is None else self.tasks.configurations
        )

    @property
    def files(self) -> list[Path]:
        """All files of the case that were not made from it."""
        if self.plain is not None:
            return list(self.plain.files)
        found = files_of(self.directory)
        return sorted(path for path in found if path.name != HISTORY_FILE and not is_recording(path.name))


def find_cases(paths: Iterable[Path]) -> list[Path]:
    """Return the directories of cases at or below the given paths, sorted. What is hidden belongs to other programs, or
    was written by this one."""
    paths = list(paths)
    named = {path.parent for path in paths if path.name == CASE_FILE and os.path.isfile(path)}
    walked = (found for path in paths for found in walk(path, is_hidden, is_foreign=is_output))
    found = {place for place, directories, others in walked if CASE_FILE in directories + others}
    return sorted(map(with_names, named | found))


def read_case(directory: Path, flavour: str = "", given: GivenInputs = NOTHING_GIVEN) -> Case:
    """Read a case. CaseError says what is wrong with it. A directory that has only a configuration is a case, too.

    `flavour` is the product that engines follow in a case that does not name one; by default it is the one that was
    recorded. `given` is what a configuration without `case.yaml` gets from the user.
    """
    file = directory / CASE_FILE
    if not os.path.lexists(file) and holds_configuration(directory):
        return _plain_case(directory, flavour, given)
    if not os.path.lexists(file) and directory.is_dir():
        raise CaseError(f"{directory}: neither a {CASE_FILE} nor a configuration (*.tf, *.tofu) is here")
    require_contained(directory)
    text = read_contained(file, directory, LONGEST)
    try:
        root = compose_plain(text)
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line + 1 if problem.problem_mark is not None else 1
        raise CaseError(f"{file}:{line}: not YAML: {problem.problem or problem.context}") from problem
    except yaml.YAMLError as problem:
        raise CaseError(f"{file}: not YAML: {problem}") from problem
    if root is None:
        raise CaseError(f"{file}:1: the file is empty")
    fields = Fields(file, root, "the case")
    if "configuration" in fields:
        return _configured_case(file, fields, flavour)
    tasks = _tasks(file, fields)
    steps: tuple[Step, ...] = () if tasks else fields.take("steps", lambda key, node: _steps(file, key, node))
    named = _named_flavour(fields)
    own = named or recorded_flavour(directory) or nearest_flavour(directory) or TERRAFORM_1_11.name
    case = Case(
        directory,
        description=fields.take("description", fields.text),
        steps=steps,
        tags=fields.take("tags", fields.texts, ()),
        prior_state=fields.take("prior_state", fields.text, None),
        flavour=named or flavour or own,
        own_flavour=own,
        seed=fields.take("seed", fields.integer, 0),
        keep=fields.take("keep", lambda key, node: _kept_sections(fields, key, node), ()),
        cloud=fields.take("cloud", lambda key, node: read_cloud(file, key, node), ()),
        faults=() if tasks else fields.take("faults", lambda key, node: read_faults(file, key, node, len(steps)), ()),
        permissive=fields.take("permissive", lambda key, node: _permissive(file, key, node), ()),
        prelude=fields.take("prelude", fields.boolean, True),
        tasks=tasks,
    )
    fields.finish(_BESIDE_TASKS if tasks else _BESIDE_STEPS)
    _check_files(file, case)
    return case


def _named_flavour(fields: Fields) -> str:
    named: str = fields.take("flavour", fields.one_of(FLAVOUR_NAMES), "")
    return FLAVOUR_NAMES[named] if named else ""


def _plain_case(directory: Path, flavour: str, given: GivenInputs) -> Case:
    own = flavour_of_directory(directory)
    plain = read_plain_directory(directory, given, flavour or own)
    case = Case(
        directory,
        "a configuration by itself: validate, plan, apply, plan again expecting no change, destroy",
        (),
        flavour=flavour or own,
        own_flavour=own,
        tasks=default_story(plain.values.text),
        plain=plain,
    )
    _check_tapes(case)
    return case


def _configured_case(file: Path, fields: Fields, flavour: str) -> Case:
    """Read a case that has a configuration instead of steps. Its modules are inside of the case."""
    directory, named = file.parent, _named_flavour(fields)
    place = directory / fields.take("configuration", fields.text)
    if not _is_inside(place / ".", directory.resolve()) and place.resolve() != directory.resolve():
        raise CaseError(f"{file}: {_shortened(str(place))} is not in the directory of the case")
    if not holds_configuration(place):
        raise CaseError(f"{file}: {_shortened(str(place))} has no configuration")
    own = named or flavour_of_directory(place)
    modules = fields.take("modules", lambda key, node: _modules(file, key, node), {})
    values: str | None = fields.take("variables", fields.json_object, None)
    generates = fields.take("generate_vars", fields.boolean, False)
    given = GivenInputs((directory.absolute(),), modules, generates_values=generates)
    plain = read_plain_directory(place, given, named or flavour or own, _object(values))
    case = Case(
        directory,
        description=fields.take("description", fields.text),
        steps=(),
        tags=fields.take("tags", fields.texts, ()),
        flavour=named or flavour or own,
        own_flavour=own,
        permissive=fields.take("permissive", lambda key, node: _permissive(file, key, node), ()),
        prelude=fields.take("prelude", fields.boolean, True),
        tasks=default_story(plain.values.text),
        plain=plain,
    )
    fields.finish(_BESIDE_CONFIGURATION)
    _check_tapes(case)
    return case


def _object(text: str | None) -> Mapping[str, Tree]:
    tree = None if text is None else loads(text)
    return tree if isinstance(tree, dict) else {}


def _modules(file: Path, key: str, node: yaml.Node) -> dict[str, str]:
    """Read directories of the case by the sources of the modules that they are."""
    tree = loads(json_mapping(file, key, node, "a mapping of sources to directories of the case"))
    found: dict[str, str] = {}
    for source, name in (tree if isinstance(tree, dict) else {}).items():
        if not isinstance(name, str) or not _is_inside(file.parent / name, file.parent.resolve()):
            raise CaseError(f"{file}:{line_of(node)}: {key}: {source}: must be a directory of the case")
        found[source] = str((file.parent / name).absolute())
    return found


_BESIDE_CONFIGURATION: Final = dict.fromkeys(
    ("steps", *STORY_KEYS, "prior_state", "faults", "cloud"),
    "belongs to a story, and the configuration has the default one",
)
_BESIDE_TASKS: Final = {
    "steps": "a case has steps or tasks, not both",
    "faults": "beside tasks there are no steps that faults could be of; a task with the action fault arranges one",
}
_BESIDE_STEPS: Final = dict.fromkeys(STORY_KEYS, "belongs to tasks, and the case has steps")


def _permissive(file: Path, key: str, node: yaml.Node) -> tuple[str, ...]:
    """Read one provider, or several. A misspelt one would silently have no effect, and so is refused."""
    named: list[yaml.Node] = node.value if isinstance(node, yaml.SequenceNode) else [node]
    for item in named:
        if not isinstance(item, yaml.ScalarNode) or not is_permissible(item.value):
            raise CaseError(f"{file}:{line_of(item)}: {key}: must be {PERMISSIBLE}, or a list of such")
    return tuple(item.value for item in named)


def _kept_sections(fields: Fields, key: str, node: yaml.Node) -> tuple[str, ...]:
    sections = fields.texts(key, node)
    if not _SECTIONS.issuperset(sections):
        raise fields.wrong(key, node, f"a list of {', '.join(sorted(_SECTIONS))}")
    return sections


def _tasks(file: Path, fields: Fields) -> Story | None:
    if "tasks" not in fields:
        return None
    return read_story(file, {key: fields.take_whole(key) for key in STORY_KEYS if key in fields})


def _steps(file: Path, key: str, node: yaml.Node) -> tuple[Step, ...]:
    if not isinstance(node, yaml.SequenceNode) or not node.value:
        raise CaseError(f"{file}:{line_of(node)}: {key}: a list with at least one step is needed")
    return tuple(_step(file, item, position) for position, item in enumerate(node.value, 1))


def _step(file: Path, node: yaml.Node, position: int) -> Step:
    fields = Fields(file, node, f"step {position}")
    operation: str = fields.take("op", fields.one_of(OPERATIONS))
    step = read_options(fields, operation, fields.take("config", fields.text))
    expect = fields.take("expect", read_expectation(file, operation), None)
    fields.finish()
    return replace(step, expect=expect)


def _check_files(file: Path, case: Case) -> None:
    """Check that everything the case names exists inside of its directory."""
    root = case.directory.resolve()
    for name in [*case.configurations, *([case.prior_state] if case.prior_state is not None else [])]:
        if not _is_inside(case.directory / name, root) or not _is_plain(name):
            raise CaseError(f"{file}: {_shortened(name)} is not in the directory of the case")
    for name in case.configurations:
        if not (case.directory / name).is_dir():
            raise CaseError(f"{file}: {name} is not a directory, so it cannot be a configuration")
    _check_tapes(case)


def _is_plain(name: str) -> bool:
    """Return whether a name leads straight down, and not to stored runs, which are no part of a case."""
    return not any(part == ".." or is_kept(part) for part in Path(name).parts)


def _is_inside(path: Path, root: Path) -> bool:
    try:
        place = path.resolve()
        return root in place.parents and place.exists()
    except OSError:  # a name that is too long
        return False


def _shortened(name: str) -> str:
    return (name or '""') if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def _check_tapes(case: Case) -> None:
    try:
        read_tapes(case.directory)
    except TapeError as problem:
        raise CaseError(str(problem)) from problem


def read_golden(case: Case, against: str = "") -> Mapping[str, Tree] | None:
    """Return the recording of the flavour that engines follow, or of the flavour `against`; None if there is none."""
    file = find_recording(case.directory, against or case.flavour, case.own_flavour)
    return None if file is None else _read_checked(case, file, len(case.steps))


def read_system_recording(case: Case, system: str, omitted: int = 0) -> Mapping[str, Tree]:
    """Return the recording of the system, which must exist. The case may have been shortened by `omitted` steps at its
    end; the recording is shortened likewise."""
    golden = _read_checked(case, system_file(case.directory, system), len(case.steps) + omitted)
    steps = golden["steps"]
    assert isinstance(steps, list)
    return golden if case.tasks is not None else {**golden, "steps": steps[: len(case.steps)]}


def _read_checked(case: Case, file: Path, count: int) -> Mapping[str, Tree]:
    """Read a recording of the case. CaseError is raised if it does not have `count` steps, or names no tasks."""
    golden = read_recording(file)
    steps = golden["steps"]
    assert isinstance(steps, list)
    if case.tasks is None and len(steps) != count:
        raise CaseError(f"{file}: recorded another number of steps than {CASE_FILE} has")
    if case.tasks is not None and not _are_places(golden.get(PLACES), len(steps)):
        raise CaseError(f"{file}: not the recording of a story: it does not say which of the tasks each step was")
    return golden


def _are_places(tree: Tree, count: int) -> bool:
    return isinstance(tree, list) and len(tree) == count and all(isinstance(place, str) for place in tree)
