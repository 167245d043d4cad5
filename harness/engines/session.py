"""The stages of a command: load the configuration, collect inputs, validate, plan, apply.

Which of these report what, and where a failure ends the command, is the same as in the original: planning validates
first and keeps the warnings; applying a saved plan loads and collects again, so that those warnings are reported twice,
but validates nothing; applying at once what was just planned goes on with what is loaded. Obstacles are reported as
diagnostics; a plan is None if nothing could be planned.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from harness.engines.encryption import encryption_in, is_encryption_wanted
from harness.engines.providers import BUILTIN_PROVIDERS, ProviderContext, Providers
from harness.engines.registry import Engine, is_ours
from harness.engines.saved_inputs import saved_inputs, saved_static_values
from harness.engines.scheduling import run_deterministically
from harness.engines.state_place import STATE_FILE, state_place
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.config.backend import backend_problems
from shared_nodes.config.files import missing_configuration
from shared_nodes.config.given_modules import NO_GIVEN_MODULES, GivenModules
from shared_nodes.config.inputs import Given, GivenValue, collect_inputs, gather_inputs
from shared_nodes.config.loading import ReadDirectory, load_configuration, read_directory, read_root
from shared_nodes.config.module import Module
from shared_nodes.config.requirements import missing_providers, required_sources
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.config.tree import ConfigTree
from shared_nodes.encryption.encryption import NO_ENCRYPTION, DecryptionError, Encryption
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors, joined_problems
from shared_nodes.operations.engine import ApplyResult, EngineRequest
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.options import Mode, Options, parse_options
from shared_nodes.plan.plan import Plan
from shared_nodes.record import record
from shared_nodes.state.adoption import adopt_providers
from shared_nodes.state.file import StateMeta, read_state
from shared_nodes.state.model import State
from shared_nodes.state.store import unreadable_problem
from shared_nodes.world import Files, World

if TYPE_CHECKING:
    from shared_nodes.config.test_files import TestFile
    from shared_nodes.plan.file import SavedPlan

__all__ = ["EngineSession", "Planned"]

_Result = TypeVar("_Result")

_ROOT: Final = "."


_NO_PLAN: Final = (
    "The engine ended without a plan, and without an error that would explain why there is none. This is a mistake of "
    "the engine, not of the configuration."
)


@record
class Planned:
    """The outcome of planning. `request` is what the engine was asked; None if it was not asked."""

    diagnostics: list[Diagnostic]
    plan: Plan | None = None
    request: EngineRequest | None = None
    providers: Providers = BUILTIN_PROVIDERS
    """The providers of the engine, all with known schemas."""

    @property
    def can_be_applied(self) -> bool:
        return self.plan is not None and not has_errors(self.diagnostics)


@record
class EngineSession:
    """One engine in one directory, which is the World's working directory."""

    engine: Engine
    world: World
    flavour: Flavour
    given: Sequence[Given] = ()
    """Values for root variables, in addition to the files that are always read."""

    saved: SavedPlan | None = None
    """The plan file that is applied. It contains its own configuration and values of variables."""

    providers: Providers = BUILTIN_PROVIDERS
    read: ReadDirectory = read_directory
    """How the directories of modules are read."""

    modules: GivenModules = NO_GIVEN_MODULES
    """Directories that stand in for sources of modules."""

    only_local: bool = False
    """Whether a configuration with another backend than the local one is refused: where its state is was not said."""

    def run(self, seed: int, function: Callable[..., Awaitable[_Result]], *arguments: Any) -> _Result:
        """Run an operation of this session in an event loop of its own."""
        in_trio = self.providers.may_be_plugins or not is_ours(self.engine)
        return run_deterministically(seed, function, *arguments, in_trio=in_trio)

    def of_saved(self, saved: SavedPlan) -> EngineSession:
        """Return a session for a saved plan. Schemas that depend on the configuration are resolved with that of the
        plan. It is loaded here only if the plan uses such a provider, since applying a plan loads it anyway."""
        session = replace(self, world=replace(self.world, files=saved.files(self.world.files)), saved=saved)
        named = (ProviderSource(*text.split("/", 2)) for text in saved.schema_fingerprints)
        if not any(self.providers.is_announced(source) for source in named):
            return session
        config, _ = session._load(lambda _source: True)
        providers, _ = self.providers.resolve(
            ProviderContext(config, saved.plan.prior_state, session.world, session.flavour)
        )
        return replace(session, providers=providers)

    async def validate(self, options: Options, events: EventSink | None = None) -> list[Diagnostic]:
        """Validate the configuration and its tests. Variables are unknown, except where they are evaluated statically,
        and the state is not used. Of the options only the schedule matters."""
        from shared_nodes.config.test_files import check_tests, required_by_tests

        tests: list[TestFile] = []
        config, problems = self._load(self.providers.has, read=self._reading_tests(tests))
        trees, found = self._load_tested(tests)
        problems.extend(found)
        if config is not None and not has_errors(problems):
            required = required_by_tests(tests, config, self.flavour)
            problems.extend(missing_providers(required, self.providers.has, self.flavour))
        if config is None or has_errors(problems):
            return problems
        for tree in (config, *trees.values()):
            problems.extend(await self._validate_tree(tree, options, events))
        return [*problems, *check_tests(tests, config, trees, self.flavour)]

    async def _validate_tree(self, tree: ConfigTree, options: Options, events: EventSink | None) -> list[Diagnostic]:
        resolved, problems = self.providers.resolve(ProviderContext(tree, State(), self.world, self.flavour))
        if has_errors(problems):
            return problems
        providers = resolved.factory(self.world, self.flavour)
        request = EngineRequest(tree, State(), self.world, providers, options=options, flavour=self.flavour)
        request = request if events is None else replace(request, events=events)
        return [*problems, *(await self.engine.validate(request)).diagnostics]

    def _reading_tests(self, tests: list[TestFile]) -> ReadDirectory:
        """Return a reader that reads the test files together with the root module. `tests` receives them, unless the
        module or a test is faulty: nothing more is asked about it then."""
        from shared_nodes.config.test_files import read_test_files

        def read(files: Files, directory: str, flavour: Flavour) -> tuple[Module, list[Diagnostic]]:
            module, problems = self.read(files, directory, flavour)
            if directory != _ROOT:
                return module, problems
            found, mistakes = read_test_files(files, flavour)
            problems = [*problems, *mistakes]
            tests.extend([] if has_errors(problems) else found)
            return module, problems

        return read

    def _load_tested(self, tests: Sequence[TestFile]) -> tuple[dict[str, ConfigTree], list[Diagnostic]]:
        """Load the local modules that runs of tests are about, by their directory."""
        from shared_nodes.config.test_files import tested_directories, uninstalled_modules

        trees: dict[str, ConfigTree] = {}
        problems = uninstalled_modules(tests, self.world.files, self.flavour)
        for place in () if problems else tested_directories(tests):

            def read(
                files: Files, directory: str, flavour: Flavour, place: str = place
            ) -> tuple[Module, list[Diagnostic]]:
                return self.read(files, place if directory == _ROOT else directory, flavour)

            tree, found = self._load(self.providers.has, read=read)
            problems.extend(found)
            if tree is not None:
                trees[place] = tree
        return trees, problems

    def encryption(self) -> tuple[Encryption, list[Diagnostic]]:
        """Return how the configuration in the directory wants files to be encrypted."""
        if not is_encryption_wanted(self.world, self.flavour, self.read):
            return NO_ENCRYPTION, []
        inputs, problems = self._static_inputs()
        if has_errors(problems):
            return NO_ENCRYPTION, problems
        return encryption_in(self.world.files, self.flavour, inputs, self.read)

    def state_place(self) -> str:
        """Return the path of the state file, relative to the directory."""
        inputs, problems = self._static_inputs()
        return STATE_FILE if has_errors(problems) else state_place(self.world.files, self.flavour, inputs, self.read)

    def open_state(self, text: str) -> tuple[State, StateMeta, list[Diagnostic]]:
        """Read the text of a state file, which may be encrypted. With errors, the state is empty."""
        encryption, problems = self.encryption()
        if has_errors(problems):
            return State(), StateMeta(), problems
        try:
            plain = encryption.state_from_text(text)
        except DecryptionError as failure:
            return State(), StateMeta(), [*problems, unreadable_problem(str(failure), self.flavour)]
        state, meta, found = read_state(plain, self.flavour)
        if found:
            problems = [*problems, unreadable_problem(joined_problems(found), self.flavour)]
        return state, meta, problems

    async def plan(self, state: State, options: Options, events: EventSink, *, to_apply: bool = False) -> Planned:
        """Plan. `to_apply` says that the plan is made to be applied at once, which shows in one message."""
        _, problems = parse_options(options, self.world.files, self.flavour)
        if not has_errors(problems) and options.mode is not Mode.DESTROY:
            problems += missing_configuration(self.world.files, self.flavour, "apply" if to_apply else "plan")
        if has_errors(problems):
            return Planned(problems)
        remarks, obstacles = self._read_root()
        if obstacles:
            return Planned([*remarks, *obstacles])
        request, providers, problems = self._prepared(state, options, events, to_plan=True)
        problems = problems if to_apply else [*remarks, *problems]
        if request is None:
            return Planned(problems)
        result = await self.engine.plan(request)
        problems = [*problems, *result.diagnostics]
        if result.plan is None and result.ok and not events.stopping:
            problems.append(error("Engine returned no plan", _NO_PLAN))
        return Planned(problems, result.plan, request, providers)

    def _read_root(self) -> tuple[list[Diagnostic], list[Diagnostic]]:
        """Return what is reported about the root module before anything else is read, and what then keeps everything
        else from being read. Where the root module is read only once, its mistakes are found with those of others."""
        inputs, problems = self._static_inputs()
        if problems:
            return [], problems
        evaluator, problems = read_root(self.world.files, self.flavour, inputs, self.read)
        remarks = problems if self.flavour.planning_reads_root_twice else []
        if has_errors(problems):
            return [], remarks
        return remarks, backend_problems(evaluator, only_local=self.only_local)

    async def apply(self, planned: Planned, events: EventSink) -> ApplyResult:
        """Apply at once what this session has planned, with everything that a plan file would not hold, such as the
        planned values of outputs of modules and the values of ephemeral variables."""
        assert planned.request is not None, "only what can be applied is"
        return await self.engine.apply(replace(planned.request, plan=planned.plan, events=events))

    async def apply_saved(self, plan: Plan, state: State, options: Options, events: EventSink) -> ApplyResult:
        """Apply a saved plan. Without a usable configuration or inputs nothing is done, and the state does not
        change."""
        request, problems = self.prepare(state, options, events)
        if request is None:
            return ApplyResult(tuple(problems), state)
        result = await self.engine.apply(replace(request, plan=plan))
        return ApplyResult((*problems, *result.diagnostics), result.state)

    def prepare(
        self, state: State, options: Options, events: EventSink
    ) -> tuple[EngineRequest | None, list[Diagnostic]]:
        """Return the request, or None if the configuration or the inputs have errors."""
        request, _, problems = self._prepared(state, options, events)
        return request, problems

    def _prepared(
        self, state: State, options: Options, events: EventSink, *, to_plan: bool = False
    ) -> tuple[EngineRequest | None, Providers, list[Diagnostic]]:
        config, problems = self._load(lambda _source: True, to_plan=to_plan)
        if config is None:
            return None, self.providers, problems
        required = required_sources(config)
        problems.extend(self.providers.unselected(required, self.flavour))
        if has_errors(problems):
            return None, self.providers, problems
        state = adopt_providers(state, required, self.flavour)
        resolved, found = self.providers.resolve(ProviderContext(config, state, self.world, self.flavour))
        variables, found_in_inputs = self._inputs(config)
        problems.extend((*found, *found_in_inputs))
        if has_errors(problems):
            return None, resolved, problems
        factory = resolved.factory(self.world, self.flavour)
        request = EngineRequest(config, state, self.world, factory, variables, options, self.flavour, events)
        return request, resolved, problems

    def _load(
        self,
        is_available: Callable[[ProviderSource], bool],
        *,
        to_plan: bool = False,
        read: ReadDirectory | None = None,
    ) -> tuple[ConfigTree | None, list[Diagnostic]]:
        inputs, problems = self._static_inputs()
        if has_errors(problems):
            return None, problems
        reader = read or self.read
        return load_configuration(self.world.files, self.flavour, is_available, inputs, reader, to_plan=to_plan)

    def _static_inputs(self) -> tuple[StaticInputs, list[Diagnostic]]:
        """Return what static evaluation may use. What was given for variables is read only if it is needed."""
        inputs = StaticInputs(self.world, modules=NO_GIVEN_MODULES if self.saved is not None else self.modules)
        if self.saved is not None:
            return replace(inputs, values=saved_static_values(self.saved.plan)), []
        if not self.flavour.evaluates_statically:
            return inputs, []
        given, problems = gather_inputs(self.given, self.world.files, self.world.environment)
        return replace(inputs, values=given.static_values(self.flavour)), problems

    def _inputs(self, config: ConfigTree) -> tuple[dict[str, GivenValue], list[Diagnostic]]:
        if self.saved is not None:
            return saved_inputs(config, self.given, self.world, self.saved.plan)
        return collect_inputs(config, self.given, self.world.files, self.world.environment)
