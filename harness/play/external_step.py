"""Runs steps of a case by a binary, and observes them in the published formats that it prints.

The observation has the same form as that of an engine of ours, so that both can be compared. The files of the harness
(state, variables, plan) are not in the working directory, where the configuration could see them: a step looks the same
to every engine. A binary cannot reach the simulated cloud, which stays as it is.
"""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from harness.case.case import Case, Step
from harness.engines.encryption import encryption_in
from harness.engines.external import Answer, BinaryFailedError, ExternalBinary, Surrounding, run_binary
from harness.observe.json_trees import JsonObject, as_object, as_objects
from harness.observe.observation import STEP_VARIABLES, Observation, observed_plan, observed_state_file
from harness.play.binary_order import (
    add_order,
    has_execution_graph,
    logged_execution_graph,
    logging_execution_graph,
)
from harness.play.checkpoint import EngineMemory
from harness.play.schedule import Schedule
from harness.simulation.simcloud.faults import Phase
from harness.simulation.simcloud.sim import SIM
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.config.inputs import VarFile, gather_inputs
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.encryption.encryption import NO_ENCRYPTION, Encryption
from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES
from shared_nodes.values.json import Tree
from shared_nodes.world import Files, World

__all__ = ["STATE_IS_DEPRECATED", "BinarySteps", "needs_init", "obstacle"]

_STATE: Final = "step.tfstate"
_PLAN: Final = "step.tfplan"
_LOG: Final = "plan.log"
STATE_IS_DEPRECATED: Final = "Deprecated flag: -state"
"""A warning about how the harness calls the binary, not about the configuration."""

_NEEDS_INIT: Final = re.compile(r"\b(?:module|provider|required_providers|backend|cloud)\b")
_SIMULATED: Final = f"{SIM.namespace}/{SIM.type}"
_MOCKED: Final = "hashicorp/tfcoremock"
_UTILITY: Final = re.compile(r'"(?:hashicorp/|(?=[a-z]+_))(local|null|random)(?:_[a-z_]+)?"')
"""The source of such a provider, or a type of its resources. The bare word may be something else, such as a backend."""

_GRAPH_OF_MODE: Final = {"normal": "plan", "destroy": "plan", "refresh-only": "plan-refresh-only"}
"""Before it plans to destroy, a binary refreshes by a plan of the normal mode, and only that one has events."""


@dataclass(frozen=True, slots=True)
class BinarySteps:
    """Runs the steps of one run by a binary."""

    binary: ExternalBinary
    surrounding: Surrounding
    schedule: Schedule
    timeout_s: float
    with_graphs: bool = False
    """Whether to ask for the graphs of planning and applying as well, `plan_graph` and `graph`. Recordings need
    them."""

    kept_sections: tuple[str, ...] = ()
    """Sections of the JSON plan that the case compares in addition."""

    with_orders: bool = False
    """Whether to report the order of effects of each apply, which takes another call of some binaries."""

    def run(
        self, directory: Path, step: Step, state: str | None, *, until_killed: bool = False
    ) -> tuple[Observation, str | None]:
        """Return what happened, and the text of the state file afterwards (None: there is none yet)."""
        assert not until_killed, "a story that kills an apply needs the simulated cloud"
        _prepare(self, directory, step, state)
        untouched = Simulation()
        if step.operation == "validate":
            return _validate(self, directory, step, untouched), state
        observation = replace(
            _plan(self, directory, step),
            plan_calls=as_object(untouched.record.summary(Phase.PLAN)),
            inventory=untouched.cloud.inventory(),
        )
        if step.operation == "plan":
            return observation, state
        if observation.ok:
            if self.with_orders:
                observation = _with_order(self, directory, observation, state)
            observation = _apply(self, directory, step, observation)
            observation = replace(observation, calls=as_object(untouched.record.summary(Phase.APPLY)))
            file = self.place_of(_STATE)
            state = file.read_text(encoding="utf-8", errors="surrogateescape") if file.exists() else None
        document, provider_data = observed_state_file(state, _encryption(self, directory, step))
        return replace(observation, state=document, provider_data=provider_data), state

    def remember(self) -> EngineMemory | None:
        return None

    def recall(self, memory: EngineMemory) -> None:
        """A binary finds nothing but the state."""

    def ask(self, directory: Path, *arguments: str) -> Answer:
        return run_binary(self.binary, arguments, directory, self.surrounding, timeout_s=self.timeout_s)

    def place_of(self, name: str) -> Path:
        return self.surrounding.scratch / name

    @property
    def needs_graph(self) -> bool:
        return self.with_graphs or self.with_orders


def _encryption(steps: BinarySteps, directory: Path, step: Step) -> Encryption:
    """Return how the configuration wants the state to be encrypted, so that it can be shown."""
    flavour = steps.binary.flavour
    if flavour is None:
        return NO_ENCRYPTION
    world = World(Files(directory))
    given = [] if step.variables is None else [VarFile(STEP_VARIABLES, step.variables)]
    gathered, _ = gather_inputs(given, world.files, world.environment)
    return encryption_in(world.files, flavour, StaticInputs(world, gathered.static_values(flavour)))[0]


def obstacle(case: Case, binary: ExternalBinary) -> str | None:
    """Return why a binary cannot run a case, or None if it can."""
    if case.faults:
        return "the case has faults, which only the simulated provider can make"
    if case.tasks is not None and case.tasks.needs_cloud is not None:
        return f"the story has the action {case.tasks.needs_cloud}, which needs the simulated cloud"
    if case.cloud:
        return "the case begins with things in the simulated cloud"
    if any(_SIMULATED in text for name in case.configurations for text in _texts(case.directory / name, "**/*")):
        return f"the case needs the simulated provider {SIM}"
    if case.permissive:
        return "the case has a provider stood in for, and a binary has none that would do so"
    if any(_MOCKED in text for name in case.configurations for text in _texts(case.directory / name, "**/*")):
        return f"the case needs the mocked provider {_MOCKED}"
    if not case.is_recorded and (named := _named_utility(case)):
        return f"the case needs the mocked provider hashicorp/{named}"
    if binary.flavour is not None and binary.flavour.name != case.flavour:
        return f"the case is run as {case.flavour}, and this is {binary.version}"
    return None


def _named_utility(case: Case) -> str | None:
    """Return the first of the providers local, null and random that the configurations name."""
    texts = (text for name in case.configurations for text in _texts(case.directory / name, "**/*"))
    return next((found[1] for text in texts if (found := _UTILITY.search(text))), None)


def _texts(directory: Path, pattern: str) -> Iterator[str]:
    """Return the texts of the files from which a binary may read configuration."""
    for path in directory.glob(pattern):
        if path.is_file() and path.name.endswith(CONFIGURATION_SUFFIXES):
            yield path.read_text(encoding="utf-8", errors="replace")


def _validate(steps: BinarySteps, directory: Path, step: Step, untouched: Simulation) -> Observation:
    answer = steps.ask(directory, "validate", "-json", *_static_variables(steps, step), *step.options)
    found = as_objects(answer.document().get("diagnostics"))
    _check_failure("validate", answer, found)
    return Observation(
        step.operation,
        answer.status == 0,
        _diagnostics("validate", found),
        step.config,
        calls=as_object(untouched.record.summary(Phase.PLAN)),
        inventory=untouched.cloud.inventory(),
    )


def _static_variables(steps: BinarySteps, step: Step) -> list[str]:
    """Return the option that passes variables to commands which need them only for static evaluation."""
    flavour = steps.binary.flavour
    is_taken = step.variables is not None and flavour is not None and flavour.evaluates_statically
    return [f"-var-file={steps.place_of(STEP_VARIABLES)}"] if is_taken else []


def _prepare(steps: BinarySteps, directory: Path, step: Step, state: str | None) -> None:
    """Write the files of the step, and install modules and providers if the configuration may need some. A failure to
    initialise is ignored: the command itself fails for the same reason, and reports it again."""
    shutil.rmtree(steps.surrounding.data, ignore_errors=True)
    for name, text in ((_STATE, state), (STEP_VARIABLES, step.variables), (_PLAN, None), (_LOG, None)):
        file = steps.place_of(name)
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_text(text, encoding="utf-8", errors="surrogateescape")
    if needs_init(directory):
        steps.ask(directory, "init", "-input=false", "-no-color", *_static_variables(steps, step))


def needs_init(directory: Path) -> bool:
    """Return whether there may be modules or providers to install."""
    return any(map(_NEEDS_INIT.search, _texts(directory, "*")))


def _options(steps: BinarySteps, step: Step) -> list[str]:
    """Return the options that planning and applying have in common."""
    options = [
        "-json",
        "-input=false",
        f"-parallelism={steps.schedule.parallelism}",
        f"-state={steps.place_of(_STATE)}",
    ]
    return options if step.variables is None else [*options, f"-var-file={steps.place_of(STEP_VARIABLES)}"]


def _plan(steps: BinarySteps, directory: Path, step: Step) -> Observation:
    mode = _mode(step)
    options = [*_options(steps, step), f"-out={steps.place_of(_PLAN)}", *step.planning_options]
    planner = logging_execution_graph(steps.binary, steps.place_of(_LOG)) if steps.needs_graph else steps.binary
    answer = replace(steps, binary=planner).ask(directory, "plan", *options)
    stream = answer.lines()
    observation = Observation(
        step.operation,
        answer.status == 0,
        _observe_diagnostics(steps, "plan", answer, stream),
        step.config,
        plan=_shown_plan(steps, directory),
        plan_summary=_summary(stream, planning=True),
        plan_events=_events(stream),
    )
    observation = replace(observation, execution_graph=logged_execution_graph(steps.place_of(_LOG)))
    return _with_graphs(steps, directory, mode, observation) if steps.with_graphs else observation


def _mode(step: Step) -> str:
    return "destroy" if step.operation == "destroy" else step.mode


def _shown_plan(steps: BinarySteps, directory: Path) -> JsonObject | None:
    """Return None if there is no plan, or if it cannot be shown because it contains unreadable objects."""
    file = steps.place_of(_PLAN)
    if not file.exists():
        return None
    answer = steps.ask(directory, "show", "-json", str(file))
    return observed_plan(answer.document(), steps.kept_sections) if answer.status == 0 else None


def _apply(steps: BinarySteps, directory: Path, step: Step, planned: Observation) -> Observation:
    answer = steps.ask(directory, "apply", *_options(steps, step), *step.apply_options, str(steps.place_of(_PLAN)))
    stream = answer.lines()
    found = _observe_diagnostics(steps, "apply", answer, stream)
    return replace(
        planned,
        ok=answer.status == 0,
        diagnostics=[*planned.diagnostics, *found],
        apply_summary=_summary(stream, planning=False) if answer.status == 0 else None,
        events=_events(stream),
    )


def _with_graphs(steps: BinarySteps, directory: Path, mode: str, observation: Observation) -> Observation:
    """Add the graphs that the binary draws. Those of OpenTofu's new runtime would be the graphs of its old one."""
    if has_execution_graph(steps.binary):
        return observation
    plan_graph = _drawn(steps, directory, f"-type={_GRAPH_OF_MODE[mode]}")
    observation = replace(observation, plan_graph=plan_graph)
    return _with_apply_graph(steps, directory, observation)


def _with_apply_graph(steps: BinarySteps, directory: Path, observation: Observation) -> Observation:
    if observation.graph is not None or not (plan := steps.place_of(_PLAN)).exists():
        return observation
    return replace(observation, graph=_drawn(steps, directory, "-type=apply", f"-plan={plan}"))


def _drawn(steps: BinarySteps, directory: Path, *options: str) -> str:
    """Return a graph. The state is copied to where this command looks for it: it has no option for that, and refuses a
    plan made from another state."""
    state, copied = steps.place_of(_STATE), directory / "terraform.tfstate"
    if state.exists():
        shutil.copyfile(state, copied)
    drawn = steps.ask(directory, "graph", *options).output
    copied.unlink(missing_ok=True)
    return drawn


def _with_order(steps: BinarySteps, directory: Path, observation: Observation, state: str | None) -> Observation:
    if not has_execution_graph(steps.binary):
        observation = _with_apply_graph(steps, directory, observation)
    return add_order(observation, directory, steps.binary.flavour, state)


# The event stream


def _observe_diagnostics(
    steps: BinarySteps, phase: str, answer: Answer, stream: Iterable[Mapping[str, Tree]]
) -> list[Tree]:
    found = [as_object(line["diagnostic"]) for line in stream if line.get("type") == "diagnostic"]
    _check_failure(phase, answer, found)
    named = as_objects(_renamed(found, str(steps.place_of(STEP_VARIABLES))))
    return _diagnostics(phase, [each for each in named if each["summary"] != STATE_IS_DEPRECATED])


def _check_failure(command: str, answer: Answer, found: Iterable[Mapping[str, Tree]]) -> None:
    """Raise BinaryFailedError for a command that failed without a diagnostic: then nothing has been observed."""
    if answer.status != 0 and not any(each.get("severity") == "error" for each in found):
        raise BinaryFailedError(f"{command} failed without a diagnostic: {(answer.errors or answer.output).strip()}")


def _renamed(tree: Tree | list[dict[str, Tree]], path: str) -> Tree:
    """Replace the path of the variables file by its name in recordings."""
    if isinstance(tree, str):
        return tree.replace(path, STEP_VARIABLES)
    if isinstance(tree, list):
        return [_renamed(item, path) for item in tree]
    if isinstance(tree, dict):
        return {key: _renamed(item, path) for key, item in tree.items()}
    return tree


def _diagnostics(phase: str, found: Iterable[Mapping[str, Tree]]) -> list[Tree]:
    return [_diagnostic(phase, each) for each in found]


def _diagnostic(phase: str, found: Mapping[str, Tree]) -> Tree:
    tree: dict[str, Tree] = {"phase": phase}
    tree |= {name: found.get(name, "") for name in ("severity", "summary", "detail")}
    if found.get("address"):
        tree["address"] = found["address"]
    place = as_object(found.get("range"))
    if place and place.get("filename") not in ("", STEP_VARIABLES):
        start = as_object(place["start"])
        tree["range"] = {"filename": place["filename"], "start": {key: start[key] for key in ("line", "column")}}
    return tree


_COUNTS: Final = ("add", "change", "import", "remove", "forget")


def _summary(stream: Iterable[Mapping[str, Tree]], *, planning: bool) -> JsonObject | None:
    """Return the counts of the stream. Applying a saved plan may print those of the plan once more before its own."""
    for line in stream:
        if line.get("type") == "change_summary":
            changes = as_object(line["changes"])
            if (changes.get("operation") == "plan") == planning:
                return {name: changes[name] for name in _COUNTS if name in changes}
    return None


_APPLYING: Final = ("apply_start", "apply_complete", "apply_errored")
_PROVISIONING: Final = ("provision_start", "provision_progress", "provision_complete", "provision_errored")
_REFRESHING: Final = ("refresh_start", "refresh_complete")
_RECORDED_ACTIONS: Final = ("create", "update", "delete", "read")


def _events(stream: Iterable[Mapping[str, Tree]]) -> list[Tree]:
    """Return the events in the order of time. The stream does not distinguish objects of one address: of several that
    are deleted, the first to begin is assumed to be the first to end."""
    found: list[Tree] = []
    deleting: dict[str, list[Tree]] = defaultdict(list)
    for line in stream:
        kind, hook = line.get("type"), as_object(line.get("hook"))
        address = str(as_object(hook.get("resource")).get("addr", ""))
        if kind in _REFRESHING:
            found.append(_item(kind, address, None, hook.get("id_value")))
        elif kind in _PROVISIONING:
            found.append(_item(kind, address, hook.get("provisioner"), hook.get("output")))
        elif kind in _APPLYING and hook.get("action") in _RECORDED_ACTIONS:
            identifier = hook.get("id_value")
            if hook["action"] == "delete":
                if kind == "apply_start":
                    deleting[address].append(identifier)
                elif deleting[address]:
                    identifier = deleting[address].pop(0)
            elif kind == "apply_errored":
                identifier = None
            found.append(_item(kind, address, hook["action"], identifier))
    return found


def _item(kind: Tree, address: str, action: Tree, extra: Tree) -> Tree:
    item: list[Tree] = [kind, address, action]
    return item if extra is None else [*item, extra]
