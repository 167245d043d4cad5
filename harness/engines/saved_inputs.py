"""Values of root variables when a saved plan is applied.

The plan contains them, and they cannot be changed any more. Only ephemeral values are never saved: those that were set
when the plan was made have to be set again, to any value. In some flavours all others must stay unset; in others they
may be set, and defaults fill the gaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shared_nodes.config.blocks.variable import Variable
from shared_nodes.config.inputs import Given, GivenValue, collect_inputs
from shared_nodes.config.static_evaluation import VariableValues
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.plan.plan import Plan
from shared_nodes.values.json import dumps, value_to_json
from shared_nodes.values.value import Value
from shared_nodes.world import World

__all__ = ["saved_inputs", "saved_static_values"]

_REQUIRED: tuple[str, ...] = ("No value for required variable",)


def saved_inputs(
    config: ConfigTree, given: Sequence[Given], world: World, plan: Plan
) -> tuple[dict[str, GivenValue], list[Diagnostic]]:
    collected, problems = collect_inputs(config, given, world.files, world.environment)
    problems = [problem for problem in problems if problem.summary not in _REQUIRED]
    variables = config.module.variables
    saved = {name: GivenValue(value, "set in the saved plan") for name, value in plan.variables.items()}
    if config.module.flavour.saved_plans_take_further_inputs:
        problems.extend(_contradictions(variables, collected, plan))
        return collected | saved, problems
    problems.extend(_ephemeral_problems(variables, collected, plan))
    problems.extend(_changes(variables, collected, plan))
    ephemeral = {name: value for name, value in collected.items() if name in plan.apply_time_variables}
    return ephemeral | saved, problems


def _contradictions(
    variables: Mapping[str, Variable], collected: Mapping[str, GivenValue], plan: Plan
) -> Iterator[Diagnostic]:
    """Report values that differ from those in the plan, and required ephemeral values that are not given again."""
    for name, variable in variables.items():
        if name in collected and name in plan.variables and collected[name].value != plan.variables[name]:
            yield error(
                "Mismatch between input and plan variable value",
                f'Value saved in the plan file for variable "{name}" is different from the one given to the current '
                "command.",
            )
        elif name in plan.apply_time_variables and name not in collected and variable.default is None:
            yield error(
                "No value for required variable",
                f'Variable "{name}" is configured as ephemeral. This type of variables need to be given a value during '
                "`tofu plan` and also during `tofu apply`.",
                variable.range,
            )


def saved_static_values(plan: Plan) -> VariableValues:
    """Return the values of root variables with which the configuration of a plan is evaluated statically again."""

    def value(variable: Variable) -> tuple[Value | None, list[Diagnostic]]:
        saved = plan.variables.get(variable.name)
        if saved is None and variable.default is None:
            return None, [error(f"Missing plan variable {variable.name}")]
        return (variable.default if saved is None else saved), []

    return value


def _ephemeral_problems(
    variables: Mapping[str, Variable], collected: Mapping[str, GivenValue], plan: Plan
) -> Iterator[Diagnostic]:
    for name in sorted(plan.apply_time_variables - collected.keys()):
        yield error(
            "No value for required variable",
            f'The ephemeral input variable "{name}" was set during the plan phase, and so must also be set during the '
            "apply phase.",
        )
    for name in sorted(collected.keys() - plan.apply_time_variables):
        if variables[name].ephemeral:
            yield error(
                "Ephemeral variable was not set during planning",
                f'The ephemeral input variable "{name}" was not set during the planning phase, and so must remain '
                "unset during the apply phase.",
                collected[name].range,
            )


def _changes(
    variables: Mapping[str, Variable], collected: Mapping[str, GivenValue], plan: Plan
) -> Iterator[Diagnostic]:
    for name in sorted(collected):
        if variables[name].ephemeral or (name in plan.variables and collected[name].value == plan.variables[name]):
            continue
        planned = _shown(variables[name], plan.variables.get(name))
        now = _shown(variables[name], collected[name].value)
        yield error(
            "Can't change variable when applying a saved plan",
            f"The variable {name} cannot be set using the -var and -var-file options when applying a saved plan file, "
            "because a saved plan includes the variable values that were set when it was created. The saved plan "
            f"specifies {planned} as the value whereas during apply the value {now} was set by a CLI argument. To "
            "declare an ephemeral variable which is not saved in the plan file, use ephemeral = true.",
        )


def _shown(variable: Variable, value: Value | None) -> str:
    if variable.sensitive:
        return "(sensitive value)"
    if value is None:
        value = variable.default
    return "null" if value is None else dumps(value_to_json(value.unmark_deep()[0]), escape_html=False)
