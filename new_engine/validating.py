"""Validating a configuration by itself: no state, and nothing known of any variable."""

from __future__ import annotations

from new_engine.compiled import Compiled, compile_configuration
from new_engine.cycles import cycles
from new_engine.evaluation import Evaluation
from new_engine.limiting import limit_calls
from new_engine.promises import Session as Promises
from new_engine.promises import run_session
from shared_nodes.config.analysis import ConfigAnalysis
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.statements.imports import import_targets
from shared_nodes.operations.graph import components
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.session import Session
from shared_nodes.state.model import State

__all__ = ["analyse_configuration", "validate_configuration"]


async def validate_configuration(session: Session) -> list[Diagnostic]:
    imports = tuple(import_targets(session.request.config))
    start = PlanInput(Operation.VALIDATE, State(), PlanOptions(), imports=imports)
    compiled, problems = compile_configuration(session, start)
    problems = problems or _cycles(compiled)
    if has_errors(problems):
        return problems

    context = session.context(Operation.VALIDATE, State())
    limit_calls(context, session.request.options.parallelism)

    async def evaluate(promises: Promises) -> list[Diagnostic]:
        evaluation = Evaluation(promises, compiled, context)
        await evaluation.look_at(compiled.nodes)
        await evaluation.close()
        return evaluation.diagnostics

    return [*problems, *await run_session(session.request.options.seed, evaluate)]


def _cycles(compiled: Compiled) -> list[Diagnostic]:
    """Evaluation would come upon them as well, but by then it would have asked providers about blocks outside of the
    cycle: a configuration without a meaning is to be turned down before anybody else sees it."""
    return cycles(components(compiled.nodes, compiled.dependencies))


def analyse_configuration(session: Session) -> ConfigAnalysis:
    """What the configuration says about dependencies. Nothing is evaluated for it."""
    start = PlanInput(Operation.VALIDATE, State(), PlanOptions(), imports=tuple(import_targets(session.request.config)))
    return compile_configuration(session, start)[0].analysis
