"""The backend: whether its block can be used. Only the local one is known here. Where others would store the state does
not matter to those who are given a state; a command that would look for one itself refuses them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from shared_nodes.config.blocks import BackendBlock
from shared_nodes.config.static_evaluation import StaticEvaluator
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.json_static import static_value
from shared_nodes.lang.tree import Expression
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value

__all__ = ["backend_problems", "local_state_file"]

_LOCAL: Final = "local"
_PATH: Final = "path"
_LOCAL_ARGUMENTS: Final = (_PATH, "workspace_dir")


def backend_problems(evaluator: StaticEvaluator, *, only_local: bool = False) -> list[Diagnostic]:
    """Report a backend that keeps a plan from being made. One whose arguments have mistakes could not be initialised
    before, and that is all that is known about them by then. With `only_local`, neither could any other be."""
    module = evaluator.module
    backend = module.backend or module.cloud
    if backend is None:
        return []
    expressions = [
        attribute.expression
        for name, attribute in backend.body.attributes.items()
        if backend.type != _LOCAL or name in _LOCAL_ARGUMENTS
    ]
    problems: list[Diagnostic] = []
    if module.flavour.evaluates_statically:
        problems = _static_problems(evaluator, backend, expressions)
    if not problems and backend.type == _LOCAL and not _is_usable(evaluator, backend):
        problems = [_uninitialised(backend, module.flavour)]
    if not problems and only_local and backend.type != _LOCAL:
        problem = _uninitialised if backend is module.backend else _uninitialised_cloud
        problems = [problem(backend, module.flavour)]
    return problems


def local_state_file(evaluator: StaticEvaluator) -> str | None:
    """Return the path that a local backend names for the state; None where there is none."""
    backend = evaluator.module.backend
    if backend is None or backend.type != _LOCAL or _PATH not in backend.body.attributes:
        return None
    value, problems = _evaluate(evaluator, backend, backend.body.attributes[_PATH].expression)
    try:
        text = convert(value.unmark_deep()[0], STRING)
    except ConversionError:
        return None
    return None if problems or text.is_null or not text.is_known else str(text.payload)


def _static_problems(
    evaluator: StaticEvaluator, backend: BackendBlock, expressions: Iterable[Expression]
) -> list[Diagnostic]:
    prepared = [evaluator.module.expressions.prepare(expression) for expression in expressions]
    malformed = [problem for one in prepared for problem in one.problems]
    if malformed:
        return malformed
    use = evaluator.use(f"backend.{backend.type}", backend.range)
    scope, problems = evaluator.scope([reference for one in prepared for reference in one.references], use)
    if has_errors(problems):
        return problems
    marks = frozenset(mark for one in prepared for mark in one.compiled.evaluate(scope)[0].deep_marks())
    for mark, word in ((SENSITIVE, "sensitive"), (EPHEMERAL, "ephemeral")):
        if mark in marks:
            detail = (
                "The backend configuration is stored in .terraform/terraform.tfstate as well as plan files. It is "
                f"recommended to instead supply {word} credentials via backend specific environment variables"
            )
            return [error(f"Backend config contains {word} values", detail, backend.range)]
    return []


def _is_usable(evaluator: StaticEvaluator, backend: BackendBlock) -> bool:
    body = backend.body
    if body.blocks or not body.attributes.keys() <= set(_LOCAL_ARGUMENTS):
        return False
    return all(_is_usable_text(evaluator, backend, attribute.expression) for attribute in body.attributes.values())


def _is_usable_text(evaluator: StaticEvaluator, backend: BackendBlock, expression: Expression) -> bool:
    value, problems = _evaluate(evaluator, backend, expression)
    if problems:
        return False
    try:
        text = convert(value, STRING)
    except ConversionError:
        return False
    return text.is_null or (text.is_known and text.payload != "")


def _evaluate(
    evaluator: StaticEvaluator, backend: BackendBlock, expression: Expression
) -> tuple[Value, list[Diagnostic]]:
    if not evaluator.module.flavour.evaluates_statically:
        return static_value(expression)
    return evaluator.evaluate(expression, evaluator.use(f"backend.{backend.type}", backend.range))


def _uninitialised_cloud(_cloud: BackendBlock, flavour: Flavour) -> Diagnostic:
    product, command = flavour.product, flavour.command
    if flavour.cloud_is_a_kind_of_backend:
        summary, reason, changed = "Cloud backend", "cloud backend", "cloud backend"
    else:
        summary = reason = "HCP Terraform or Terraform Enterprise"
        changed = "HCP Terraform"
    detail = (
        f"Reason: Initial configuration of {reason}.\n\n"
        f"Changes to the {changed} configuration block require reinitialization, to discover any changes to the "
        f"available workspaces.\n\nTo re-initialize, run:\n  {command} init\n\n"
        f"{product} has not yet made changes to your existing configuration or state."
    )
    return error(f'{summary} initialization required: please run "{command} init"', detail)


def _uninitialised(backend: BackendBlock, flavour: Flavour) -> Diagnostic:
    product, command = flavour.product, flavour.command
    detail = (
        f'Reason: Initial configuration of the requested backend "{backend.type}"\n\n'
        f'The "backend" is the interface that {product} uses to store state,\n'
        "perform operations, etc. If this message is showing up, it means that the\n"
        f"{product} configuration you're using is using a custom configuration for\n"
        f"the {product} backend.\n\n"
        "Changes to backend configurations require reinitialization. This allows\n"
        f"{product} to set up the new configuration, copy existing state, etc. Please run\n"
        f'"{command} init" with either the "-reconfigure" or "-migrate-state" flags to\n'
        "use the current configuration.\n\n"
        "If the change reason above is incorrect, please verify your configuration\n"
        "hasn't changed and try again. At this point, no changes to your existing\n"
        "configuration or state have been made."
    )
    return error(f'Backend initialization required, please run "{command} init"', detail)
