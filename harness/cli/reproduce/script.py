"""The commands of the engines alone, as a script that runs without diffharness wherever the engine does.

Each engine works in a directory of its own below `work`, in which the configuration of each step is put beside the
state that the step before has left. A step does what the harness does: it installs modules if there may be some, and
applies a saved plan unless the run has applied at once. All paths are relative.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from harness.case.actions import Taint, Wait
from harness.case.steps import Step
from harness.cli.engine.product_command import translate_options
from harness.cli.reproduce.engine_facts import OURS, EngineFacts
from harness.cli.reproduce.kept_case import KeptCase, PlayedStep
from harness.cli.reproduce.layout import PRIOR_STATE, SCRIPT_FILE, VARIABLES, Layout
from harness.play.external_step import needs_init
from harness.play.run_spec import RunSpec
from harness.play.schedule import PlanTransfer, Schedule
from harness.simulation.simcloud.sim import SIM
from shared_nodes.flavour import Flavour
from shared_nodes.record import record

__all__ = ["ScriptWriter", "needs_case_file", "slug"]

_PLAN: Final = "../step.tfplan"
_CLOUD: Final = "../cloud.json"
_STATE: Final = "terraform.tfstate"
_UNUSUAL: Final = re.compile(r"[^\w.-]+")
_SIMULATED: Final = f"{SIM.namespace}/{SIM.type}"
_USUAL: Final = Schedule()

_HEAD: Final = """\
#!/bin/sh
# Runs the steps of this report with one engine alone:
#
{usage}
#
# PROGRAM=/path/of/a/binary runs that binary instead of the one on the PATH. Everything is written to work/.
{about}
engine=${{1:-{default}}}
cd "$(dirname "$0")" || exit 1
here=$PWD

run() {{
  echo "+ $program $*"
  "$program" "$@"
  status=$?
  echo "exit code $status"
  return $status
}}

# Put a configuration into the working directory, beside the state.
use() {{
  mkdir -p "$work" && cd "$work" || exit 1
  [ -n "$inside" ] || find . -mindepth 1 -maxdepth 1 ! -name '{state}*' -exec rm -rf {{}} +
  for each in "$@"; do cp -R "$here/$each" . || exit 1; done
  cd "./$inside" || exit 1
}}
"""


_ABOUT_SIMULATED: Final = f"""\
#
# The provider {_SIMULATED} is simulated. For a binary, serve it from another terminal, once for each engine:
#
#   diffharness provider serve {SIM.type}
#
# It prints a variable to export before this is run. Its cloud is empty, and nothing fails in it on purpose.
"""


def slug(number: int, played: PlayedStep) -> str:
    """Return the name of the files of a step: "02-apply-v1"."""
    words = played.place.split(" ") if played.step is None else [played.step.operation, played.step.config]
    return _UNUSUAL.sub("-", f"{number:02}-{'-'.join(words)}").strip("-.")


def needs_case_file(kept: KeptCase, engines: Sequence[EngineFacts]) -> bool:
    """Return whether an engine of ours has to read the case, because its cloud or its faults are simulated."""
    case = kept.case
    return any(each.is_ours for each in engines) and case.tasks is None and bool(case.cloud or case.faults)


@record
class ScriptWriter:
    kept: KeptCase
    layout: Layout
    spec: RunSpec
    played: Sequence[PlayedStep]

    def text(self, engines: Sequence[EngineFacts]) -> str:
        """Return the script. Its default is the last engine, which is what a report is about."""
        width = max(len(each.label) for each in engines)
        usage = "\n".join(
            f"#   sh {SCRIPT_FILE} {each.label:{width}}   {each.version}{_switches(each)}" for each in engines
        )
        is_served = self._is_simulated() and not all(each.is_ours for each in engines)
        about = _ABOUT_SIMULATED if is_served else ""
        parts = [_HEAD.format(usage=usage, about=about, default=engines[-1].label, state=_STATE)]
        for ours in dict.fromkeys(each.is_ours for each in engines):
            flavour = next(each.flavour for each in engines if each.is_ours is ours)
            parts.append(self._function(ours, flavour))
        return "\n".join([*parts, self._choice(engines)])

    def commands(self, engine: EngineFacts) -> Iterator[tuple[str, list[str]]]:
        """Yield the steps with the command lines of an engine, for the text of a report."""
        name = f"{OURS} engine {engine.label}" if engine.is_ours else engine.program
        for number, played in enumerate(self.played, 1):
            lines = [
                f"{name} {shlex.join(words)}"
                for words, _ in self._words(number, played, engine.is_ours, engine.flavour)
            ]
            if lines:
                yield played.place, lines

    def _choice(self, engines: Sequence[EngineFacts]) -> str:
        lines = [
            'work="$here/work/$engine/configuration"',
            f"inside={shlex.quote(self.layout.inside)}",
            'case "$engine" in',
        ]
        everywhere = {name for each in engines for name in each.switches}
        for each in engines:
            others = [f"unset {name}; " for name in sorted(everywhere - each.switches.keys())]
            exports = [f"export {name}={shlex.quote(value)}; " for name, value in each.switches.items()]
            program = OURS if each.is_ours else each.program
            lines.append(f"  {shlex.quote(each.label)})")
            lines.append(f"    {''.join((*others, *exports))}program=${{PROGRAM:-{program}}}")
            lines.append(f"    steps={_function_name(each.is_ours)} ;;")
        names = " | ".join(each.label for each in engines)
        lines += ["  *)", f"    echo {shlex.quote(f'usage: sh {SCRIPT_FILE} [{names}]')} >&2; exit 2 ;;", "esac"]
        lines += ['rm -rf "$here/work/$engine" && mkdir -p "$work"/"$inside" || exit 1']
        if self.kept.prior_state is not None:
            lines.append(f'cp "$here/{PRIOR_STATE}" "$work/$inside/{_STATE}"')
        return "\n".join([*lines, "$steps", ""])

    def _function(self, ours: bool, flavour: Flavour) -> str:
        lines = [f"{_function_name(ours)}() {{"]
        for number, played in enumerate(self.played, 1):
            lines += [f"  echo; echo {shlex.quote(f'# {played.place}')}", *self._lines(number, played, ours, flavour)]
        return "\n".join([*lines, "}", ""])

    def _lines(self, number: int, played: PlayedStep, ours: bool, flavour: Flavour) -> Iterator[str]:
        if played.step is None:
            yield f"  {_between(played, ours)}"
            return
        yield f"  use {shlex.join(self.layout.copied[played.step.config])}"
        start = 'run engine "$engine"' if ours else "run"
        text = ""
        for words, is_condition in self._words(number, played, ours, flavour):
            text += f"  {start} {shlex.join(words)}" if not text else f" &&\n    {start} {shlex.join(words)}"
            if not is_condition:
                yield text
                text = ""

    def _words(self, number: int, played: PlayedStep, ours: bool, flavour: Flavour) -> Iterator[tuple[list[str], bool]]:
        """Yield the arguments of each command, and whether the next one needs its success."""
        if (step := played.step) is None:
            return
        given = (
            [] if step.variables is None else [f"-var-file={self._up}{VARIABLES}/{slug(number, played)}.tfvars.json"]
        )
        if ours:
            yield from self._our_words(number, step, given)
            return
        static = given if flavour.evaluates_statically else []
        if needs_init(self.kept.case.directory / step.config):
            yield ["init", "-input=false", "-no-color", *static], False
        if step.operation == "validate":
            yield ["validate", "-no-color", *static, *step.options], False
            return
        schedule = self.spec.schedules[0]
        limit = [] if schedule.parallelism == _USUAL.parallelism else [f"-parallelism={schedule.parallelism}"]
        common = ["-input=false", "-no-color", *limit, *given]
        applies = step.operation != "plan"
        if applies and schedule.handover is PlanTransfer.MEMORY:
            yield ["apply", "-auto-approve", *common, *step.planning_options, *step.apply_options], False
            return
        yield ["plan", *common, f"-out={self._plan}", *step.planning_options], applies
        if applies:
            yield ["apply", *common, *step.apply_options, self._plan], False

    def _our_words(self, number: int, step: Step, given: Sequence[str]) -> Iterator[tuple[list[str], bool]]:
        spec, schedule = self.spec, self.spec.schedules[0]
        product = ["--flavour", self.kept.case.flavour]
        mocked = [
            word for source in (*spec.permissive, *self.kept.case.permissive) for word in ("--permissive", source)
        ]
        if step.operation == "validate":
            yield ["validate", ".", *translate_options("validate", given), *product, *mocked], False
            return
        common = [*product, *mocked, *self._simulation(number)]
        common += [] if schedule.seed == _USUAL.seed else ["--seed", str(schedule.seed)]
        common += [] if schedule.parallelism == _USUAL.parallelism else ["--parallelism", str(schedule.parallelism)]
        common += [word for change in sorted(spec.changes) for word in ("--change", change)]
        common += translate_options("plan", given)
        planning = [*translate_options("plan", [each for each in step.planning_options if "-deprecation" not in each])]
        applies = step.operation != "plan"
        if applies and schedule.handover is PlanTransfer.MEMORY:
            yield ["apply", ".", *common, *planning], False
            return
        yield ["plan", ".", "--out", self._plan, *common, *planning], applies
        if applies:
            yield ["apply", self._plan, *common], False

    def _simulation(self, number: int) -> list[str]:
        """Return the options that give an engine of ours the simulated cloud of the case."""
        layout, case = self.layout, self.kept.case
        if layout.case_file is not None:
            step = number - 1 - (len(self.played) - len(case.steps))
            return ["--case", f"{self._up}{layout.case_file}", "--step", str(step), "--cloud", self._beside(_CLOUD)]
        return ["--cloud", self._beside(_CLOUD)] if self._is_simulated() else []

    def _is_simulated(self) -> bool:
        return any(_SIMULATED in text for text in self.kept.files.values())

    @property
    def _up(self) -> str:
        """The way from the working directory of a command to the directory of the report."""
        return "../" * (3 + self._depth)

    @property
    def _plan(self) -> str:
        return self._beside(_PLAN)

    def _beside(self, path: str) -> str:
        return posixpath.join("../" * self._depth, path)

    @property
    def _depth(self) -> int:
        return len(self.layout.inside.split("/")) if self.layout.inside else 0


def _function_name(ours: bool) -> str:
    return "steps_of_diffharness" if ours else "steps_of_binary"


def _switches(engine: EngineFacts) -> str:
    return "".join(f", {name}={value}" for name, value in engine.switches.items())


def _between(played: PlayedStep, ours: bool) -> str:
    if isinstance(played.action, Taint) and not ours:
        return f"run taint {shlex.quote(played.action.address)}"
    if isinstance(played.action, Wait):
        return f"sleep {played.action.seconds:g}"
    return f"echo {shlex.quote(f'{played.place} has no command of its own')}"
