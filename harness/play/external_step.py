"""Runs steps of a case by a binary, and observes them in the published formats that it prints.

The observation has the same form as that of an engine of ours, so that both can be compared. The files of the harness
(state, variables, plan) are not in the working directory, where the configuration could see them: a step looks the same
to every engine. Simulated providers are offered to the binary from this process, so that its calls reach the same cloud
as those of an engine of ours, and are recorded alike.

A binary that crashes has failed in this step, and whatever it printed and stored before is observed: the story goes on.
So is a failure to initialise. A binary that hangs, or whose answer makes no sense, ends the run.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from harness.case.case import Case, Step
from harness.engines.encryption import encryption_in
from harness.engines.external import (
    Answer,
    BinaryCrashedError,
    BinaryFailedError,
    ExternalBinary,
    Surrounding,
    run_binary,
)
from harness.observe.json_trees import JsonObject, as_object, as_objects
from harness.observe.observation import STEP_VARIABLES, Observation, observed_plan, observed_state_file
from harness.observe.panic import crash_of
from harness.play.binary_order import (
    add_order,
    has_execution_graph,
    logged_execution_graph,
    logging_execution_graph,
)
from harness.play.checkpoint import EngineMemory, remember_engine
from harness.play.killed_apply import KILLED_PROBLEM
from harness.play.mock_objects import MockObjects
from harness.play.planned_owners import PlannedOwners
from harness.play.schedule import PlanTransfer, Schedule
from harness.play.served_providers import NO_EXTRA, makers_for, serving
from harness.play.step_context import StepContext
from harness.play.stopwatch import Stopwatch
from harness.plugins.extra import has_extra
from harness.simulation.simcloud.faults import Phase, Verb
from harness.simulation.simcloud.sim import SIM
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.config.inputs import VarFile, gather_inputs
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.encryption.encryption import NO_ENCRYPTION, Encryption
from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, Tree, dumps
from shared_nodes.world import MANIFEST, Files, World

if TYPE_CHECKING:
    from harness.plugins.serving.background import Makers

__all__ = ["STATE_IS_DEPRECATED", "BinarySteps", "needs_init", "obstacle"]

_STATE: Final = "step.tfstate"
_PLAN: Final = "step.tfplan"
_LOG: Final = "plan.log"
STATE_IS_DEPRECATED: Final = "Deprecated flag: -state"
"""A warning about how the harness calls the binary, not about the configuration."""

_FAILED_CHECK: Final = "Check block assertion failed"
_NEEDS_INIT: Final = re.compile(r"\b(?:module|provider|required_providers|backend|cloud)\b")
_ELSEWHERE: Final = re.compile(
    r"""^[ \t]*(?:backend[ \t]+"(?!local")|cloud[ \t]*\{)|"backend"\s*:\s*\{\s*"(?!local")|"cloud"\s*:\s*\{""",
    re.MULTILINE,
)
"""A backend that stores the state elsewhere, in native and in JSON syntax."""

_OVERRIDE: Final = "diffharness_backend_override.tf"
_SIMULATED: Final = f"{SIM.namespace}/{SIM.type}"
_MOCKED: Final = "hashicorp/tfcoremock"
_UTILITY: Final = re.compile(r'"(?:hashicorp/|(?=[a-z]+_))(local|null|random)(?:_[a-z_]+)?"')
"""The source of such a provider, or a type of its resources. The bare word may be something else, such as a backend."""

_GRAPH_OF_MODE: Final = {"normal": "plan", "destroy": "plan", "refresh-only": "plan-refresh-only"}
"""Before it plans to destroy, a binary refreshes by a plan of the normal mode, and only that one has events."""


@record
class BinarySteps:
    """Runs the steps of one run by a binary."""

    binary: ExternalBinary
    surrounding: Surrounding
    schedule: Schedule
    timeout_s: float
    context: StepContext
    """The world and the cloud in which its providers work."""

    with_graphs: bool = False
    """Whether to ask for the graphs of planning and applying as well, `plan_graph` and `graph`. Recordings need
    them."""

    kept_sections: tuple[str, ...] = ()
    """Sections of the JSON plan that the case compares in addition."""

    keep_log: Callable[[str, str], None] | None = None
    """Called with each command and what it wrote to its standard error stream, where that is wanted."""

    with_orders: bool = False
    """Whether to report the order of effects of each apply, which takes another call of some binaries."""

    keeps_states_here: bool = False
    """Whether a backend that would store the state elsewhere is replaced: the steps have states of their own, and so it
    is for engines in process. A case that was recorded is run as it is."""

    applied_by: ExternalBinary | None = None
    """The binary that applies plans, where that is another one."""

    in_binary: Stopwatch = field(default_factory=Stopwatch, compare=False)
    """Runs while a command of the binary does, which includes the answers of providers that are offered to it."""

    objects: MockObjects = field(default_factory=MockObjects)
    makers: Makers = field(default_factory=dict)
    """The simulated providers of the current step."""

    owners: PlannedOwners = field(default_factory=PlannedOwners)
    """The addresses that the plan of the current step names, for these providers."""

    def run(
        self, directory: Path, step: Step, state: str | None, *, until_killed: bool = False
    ) -> tuple[Observation, str | None]:
        """Return what happened, and the text of the state file afterwards (None: there is none yet)."""
        context, owners = self.context.at(directory), PlannedOwners()
        makers = makers_for(context, step, state, owners.owner_of)
        served = replace(self, context=context, makers=makers, owners=owners)
        return served._run(directory, step, state, until_killed)

    def _run(
        self, directory: Path, step: Step, state: str | None, until_killed: bool
    ) -> tuple[Observation, str | None]:
        _write_files(self, step, state)
        if self.keeps_states_here:
            _replace_backend(directory)
        self.objects.put_into(directory)
        init = _initialise(self, directory, step)
        if step.operation == "validate":
            return replace(_validate(self, directory, step), init=init), state
        observation = replace(_plan(self, directory, step), init=init)
        if step.operation != "plan":
            if observation.ok:
                if self.with_orders:
                    observation = _with_order(self, directory, observation, state)
                applier = self if self.applied_by is None else replace(self, binary=self.applied_by)
                observation = _apply(applier, directory, step, observation, until_killed)
                state = _stored_state(self.place_of(_STATE))
            observation = _with_state(observation, state, _encryption(self, directory, step))
        self.objects.take_from(directory, state)
        return observation, state

    def remember(self) -> EngineMemory | None:
        return remember_engine(self.context.world, self.objects)

    def recall(self, memory: EngineMemory) -> None:
        memory.restore(self.context.world, self.objects)

    @property
    def simulation(self) -> Simulation:
        return self.context.simulation

    def ask(self, directory: Path, *arguments: str, interruption: signal.Signals = signal.SIGINT) -> Answer:
        """Run a command. Where the simulation would interrupt an engine, because a call is stuck and nothing else goes
        on, the binary gets a signal."""

        def started(process: int) -> None:
            self.simulation.interrupt = lambda: os.kill(process, interruption)

        try:
            with serving(self.makers, self.surrounding.scratch) as variables:
                binary = replace(self.binary, environment={**self.binary.environment, **variables})
                with self.in_binary.running():
                    answer = run_binary(
                        binary, arguments, directory, self.surrounding, timeout_s=self.timeout_s, started=started
                    )
        finally:
            self.simulation.interrupt = lambda: None
        self._keep_log(arguments[0], answer)
        return answer

    def attempt(self, directory: Path, *arguments: str, interruption: signal.Signals = signal.SIGINT) -> _Reply:
        """Run a command that may crash."""
        try:
            return _Reply(self.ask(directory, *arguments, interruption=interruption))
        except BinaryCrashedError as crashed:
            self._keep_log(arguments[0], crashed.answer)
            return _Reply(crashed.answer, crash_of(crashed.answer.errors, crashed.answer.ending))

    def _keep_log(self, command: str, answer: Answer) -> None:
        if self.keep_log is not None:
            self.keep_log(command, answer.errors)

    def place_of(self, name: str) -> Path:
        return self.surrounding.scratch / name

    @property
    def needs_graph(self) -> bool:
        return self.with_graphs or self.with_orders


@record
class _Reply:
    """What a command printed, and how it crashed if it did."""

    answer: Answer
    crash: Mapping[str, Tree] | None = None

    @property
    def is_success(self) -> bool:
        return self.answer.status == 0

    @property
    def stream(self) -> list[dict[str, Tree]]:
        return self.answer.lines() if self.crash is None else self.answer.whole_lines()

    def crash_in(self, phase: str) -> JsonObject | None:
        return None if self.crash is None else {"phase": phase, **self.crash}


def _stored_state(file: Path) -> str | None:
    """Return the text of the state file. A binary that crashed may have left an empty one, which is none to all."""
    text = file.read_text(encoding="utf-8", errors="surrogateescape") if file.exists() else ""
    return text if text.strip() else None


def _with_state(observation: Observation, state: str | None, encryption: Encryption) -> Observation:
    """Add the state. One that a crash has left half written cannot be shown; the next step begins with it as it is."""
    try:
        document, provider_data = observed_state_file(state, encryption)
    except JsonError:
        if observation.crash is None:
            raise
        return observation
    return replace(observation, state=document, provider_data=provider_data)


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
    if not has_extra() and _needs_simulation(case):
        return NO_EXTRA
    if any(fault.verb is Verb.RENEW for fault in case.faults):
        return "the case has faults of renewals, and tokens that live for seconds are renewed only in virtual time"
    if binary.flavour is not None and binary.flavour.name != case.flavour:
        return f"the case is run as {case.flavour}, and this is {binary.version}"
    return None


def _needs_simulation(case: Case) -> bool:
    """Return whether a case needs a provider or a cloud of ours. A recorded case was recorded without the models of
    local, null and random."""
    if case.taped_directory is not None:
        return True
    if case.faults or case.cloud or case.permissive or (case.tasks is not None and case.tasks.needs_cloud is not None):
        return True
    texts = [text for name in case.configurations for text in _texts(case.directory / name, "**/*")]
    if any(name in text for text in texts for name in (_SIMULATED, _MOCKED)):
        return True
    return not case.is_recorded and any(map(_UTILITY.search, texts))


def _texts(directory: Path, pattern: str) -> Iterator[str]:
    """Return the texts of the files from which a binary may read configuration."""
    for path in directory.glob(pattern):
        if path.is_file() and path.name.endswith(CONFIGURATION_SUFFIXES):
            yield path.read_text(encoding="utf-8", errors="replace")


def _validate(steps: BinarySteps, directory: Path, step: Step) -> Observation:
    reply = steps.attempt(directory, "validate", "-json", *_static_variables(steps, step), *step.options)
    document = reply.answer.document() if reply.crash is None else {}
    found = as_objects(document.get("diagnostics"))
    _check_failure("validate", reply, found)
    return Observation(
        step.operation,
        reply.is_success,
        _diagnostics("validate", found),
        step.config,
        crash=reply.crash_in("validate"),
        calls=as_object(steps.simulation.record.summary(Phase.PLAN)),
        inventory=steps.simulation.cloud.inventory(),
    )


def _static_variables(steps: BinarySteps, step: Step) -> list[str]:
    """Return the option that passes variables to commands which need them only for static evaluation."""
    flavour = steps.binary.flavour
    is_taken = step.variables is not None and flavour is not None and flavour.evaluates_statically
    return [f"-var-file={steps.place_of(STEP_VARIABLES)}"] if is_taken else []


def _write_files(steps: BinarySteps, step: Step, state: str | None) -> None:
    shutil.rmtree(steps.surrounding.data, ignore_errors=True)
    for name, text in ((_STATE, state), (STEP_VARIABLES, step.variables), (_PLAN, None), (_LOG, None)):
        file = steps.place_of(name)
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_text(text, encoding="utf-8", errors="surrogateescape")


def _initialise(steps: BinarySteps, directory: Path, step: Step) -> JsonObject | None:
    """Install modules and providers if the configuration may need some. Return what failed, or None if nothing did."""
    if not needs_init(directory):
        return None
    _pass_manifest(steps, directory)
    options = ("-input=false", *_static_variables(steps, step))
    reply = steps.attempt(directory, "init", "-json", *options)
    if reply.answer.status == 1 and not reply.answer.output.startswith("{"):
        reply = steps.attempt(directory, "init", "-no-color", *options)  # older releases do not know -json here
    if reply.is_success:
        return None
    found = _reported(steps, reply.answer.whole_lines())
    crash: JsonObject = {} if reply.crash is None else {"crash": dict(reply.crash)}
    return {"ok": False, "diagnostics": _diagnostics("init", found), **crash}


def _replace_backend(directory: Path) -> None:
    """Override the backend of a configuration if it is one that needs the network. Several are a mistake, which the
    binary shall report."""
    if sum(len(_ELSEWHERE.findall(text)) for text in _texts(directory, "*")) == 1:
        (directory / _OVERRIDE).write_text('terraform {\n  backend "local" {}\n}\n', encoding="utf-8")


def _pass_manifest(steps: BinarySteps, directory: Path) -> None:
    """Tell the binary which modules are installed. Its own data directory, which may be shared with nothing, is not
    that of the configuration."""
    content = Files(directory).module_manifest()
    if content is not None:
        manifest = steps.surrounding.data.joinpath(*MANIFEST)
        manifest.parent.mkdir(parents=True, exist_ok=True)
        manifest.write_bytes(content)


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
    out = f"-out={steps.place_of(_PLAN)}"
    planner = logging_execution_graph(steps.binary, steps.place_of(_LOG)) if steps.needs_graph else steps.binary
    asking = replace(steps, binary=planner)
    reply = asking.attempt(directory, "plan", *_options(steps, step), out, *step.planning_options)
    calls, stream = steps.simulation.record.summary(Phase.PLAN), reply.stream
    diagnostics = _observe_diagnostics(steps, "plan", reply, stream)
    plan, crash = _shown_plan(steps, directory) if reply.crash is None else (None, reply.crash_in("plan"))
    observation = Observation(
        step.operation,
        reply.is_success and crash is None,
        diagnostics,
        step.config,
        crash=crash,
        plan=plan,
        plan_summary=_summary(stream, planning=True),
        plan_events=_events(stream),
        plan_calls=as_object(calls),
        inventory=steps.simulation.cloud.inventory(),
    )
    observation = replace(observation, execution_graph=logged_execution_graph(steps.place_of(_LOG)))
    return _with_graphs(steps, directory, _mode(step), observation) if steps.with_graphs else observation


def _mode(step: Step) -> str:
    return "destroy" if step.operation == "destroy" else step.mode


def _shown_plan(steps: BinarySteps, directory: Path) -> tuple[JsonObject | None, JsonObject | None]:
    """Return the plan, and how the binary crashed when it was to show it. There is no plan if none was made, or if it
    cannot be shown because it contains unreadable objects."""
    file = steps.place_of(_PLAN)
    if not file.exists():
        return None, None
    reply = steps.attempt(directory, "show", "-json", str(file))
    if not reply.is_success:
        return None, reply.crash_in("plan")
    document = reply.answer.document()
    steps.owners.learn(document)
    return observed_plan(document, steps.kept_sections), None


def _apply(
    steps: BinarySteps, directory: Path, step: Step, planned: Observation, until_killed: bool = False
) -> Observation:
    """Apply the saved plan, or plan once more and apply at once: what planning reports again is then left out. With
    simulated providers the saved plan is always taken, since they are to be called once for each half of a step."""
    at_once = steps.schedule.handover is PlanTransfer.MEMORY and not steps.makers
    what = ["-auto-approve", *step.planning_options] if at_once else [str(steps.place_of(_PLAN))]
    steps.simulation.phase = Phase.APPLY
    interruption = signal.SIGKILL if until_killed else signal.SIGINT
    options = (*_options(steps, step), *step.apply_options)
    reply = steps.attempt(directory, "apply", *options, *what, interruption=interruption)
    is_killed = until_killed and reply.answer.status == -signal.SIGKILL
    stream = reply.stream
    found: list[Tree] = [dict(KILLED_PROBLEM)] if is_killed else _observe_diagnostics(steps, "apply", reply, stream)
    if at_once:
        found, stream = _not_planned(found, planned.diagnostics), _after_planning(stream)
    return replace(
        planned,
        ok=reply.is_success,
        crash=None if is_killed else reply.crash_in("apply"),
        diagnostics=[*planned.diagnostics, *found],
        apply_summary=_summary(stream, planning=False) if reply.is_success else None,
        events=_events(stream),
        calls=as_object(steps.simulation.record.summary(Phase.APPLY)),
        inventory=steps.simulation.cloud.inventory(),
    )


def _not_planned(found: Iterable[Tree], planned: Iterable[Tree]) -> list[Tree]:
    """Return the diagnostics of an apply without those that planning has reported already, each as often. Failed checks
    are those of the apply: they are evaluated again, and then reported once."""
    before = Counter(map(_diagnosed, planned))
    kept: list[Tree] = []
    for each in found:
        key = _diagnosed(each)
        if before[key] and as_object(each).get("summary") != _FAILED_CHECK:
            before[key] -= 1
        else:
            kept.append(each)
    return kept


def _diagnosed(diagnostic: Tree) -> str:
    """Return what identifies a diagnostic. Its detail may list things in another order each time."""
    return dumps({name: part for name, part in as_object(diagnostic).items() if name not in ("phase", "detail")})


def _after_planning(stream: list[dict[str, Tree]]) -> list[dict[str, Tree]]:
    """Return what follows the summary of the plan; nothing if planning did not get that far."""
    for index, line in enumerate(stream):
        if line.get("type") == "change_summary" and as_object(line["changes"]).get("operation") == "plan":
            return stream[index + 1 :]
    return []


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


def _drawn(steps: BinarySteps, directory: Path, *options: str) -> str | None:
    """Return a graph; None if the command cannot draw it, because it reads the whole state, even where the plan does
    not. The state is copied to where this command looks for it: it has no option for that, and refuses a plan made from
    another state."""
    state, copied = steps.place_of(_STATE), directory / "terraform.tfstate"
    if state.exists():
        shutil.copyfile(state, copied)
    reply = steps.attempt(directory, "graph", *options)
    copied.unlink(missing_ok=True)
    return reply.answer.output if reply.is_success else None


def _with_order(steps: BinarySteps, directory: Path, observation: Observation, state: str | None) -> Observation:
    if not has_execution_graph(steps.binary):
        observation = _with_apply_graph(steps, directory, observation)
    return add_order(observation, directory, steps.binary.flavour, state)


# The event stream


def _observe_diagnostics(
    steps: BinarySteps, phase: str, reply: _Reply, stream: Iterable[Mapping[str, Tree]]
) -> list[Tree]:
    lines = list(stream)
    found = _reported(steps, lines)
    if _is_silent(reply, found) and any(line.get("type") == "version" for line in lines):
        found = [*found, {"severity": "error", "summary": f"(exit status {reply.answer.status}, and no message)"}]
    _check_failure(phase, reply, found)
    return _diagnostics(phase, [each for each in found if each["summary"] != STATE_IS_DEPRECATED])


def _reported(steps: BinarySteps, stream: Iterable[Mapping[str, Tree]]) -> list[dict[str, Tree]]:
    found = [as_object(line["diagnostic"]) for line in stream if line.get("type") == "diagnostic"]
    return as_objects(_renamed(found, str(steps.place_of(STEP_VARIABLES))))


def _is_silent(reply: _Reply, found: Iterable[Mapping[str, Tree]]) -> bool:
    """Return whether a command failed without a diagnostic and did not crash. If it has reported what it did, that
    silence is an observation like any other."""
    return not reply.is_success and reply.crash is None and not any(each.get("severity") == "error" for each in found)


def _check_failure(command: str, reply: _Reply, found: Iterable[Mapping[str, Tree]]) -> None:
    """Raise BinaryFailedError for a command that failed silently: then nothing has been observed."""
    if _is_silent(reply, found):
        said = (reply.answer.errors or reply.answer.output).strip()
        raise BinaryFailedError(f"{command} failed without a diagnostic: {said}")


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
