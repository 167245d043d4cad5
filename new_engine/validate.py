"""Validating a configuration by itself, without a state and without values of variables."""

from __future__ import annotations

from new_engine.concurrency.promises import PromiseSession, run_session
from new_engine.discovery.compile import compile_configuration
from new_engine.discovery.dependencies import Dependencies
from new_engine.discovery.evaluation import Evaluation
from new_engine.planning.cycles import find_cycles
from shared_nodes.config.analysis import ConfigAnalysis
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.statements.import_targets import imports_to_validate
from shared_nodes.operations.graph import components
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.session import Session
from shared_nodes.state.model import State

__all__ = ["analyse_configuration", "validate_configuration"]


async def validate_configuration(session: Session) -> list[Diagnostic]:
    table, problems = compile_configuration(session, _inputs(session))
    dependencies = Dependencies(table)
    problems = problems or _find_cycles(dependencies)
    if has_errors(problems):
        return problems
    context = session.context(Operation.VALIDATE, State())

    async def evaluate(promises: PromiseSession) -> list[Diagnostic]:
        evaluation = Evaluation(promises, dependencies, context)
        await evaluation.evaluate(table.nodes)
        await evaluation.close()
        return evaluation.diagnostics

    return [*problems, *await run_session(session.request.options.seed, evaluate)]


def analyse_configuration(session: Session) -> ConfigAnalysis:
    """Return what the configuration states about dependencies. Nothing is evaluated."""
    return Dependencies(compile_configuration(session, _inputs(session))[0]).analysis


def _inputs(session: Session) -> PlanInput:
    imports = tuple(imports_to_validate(session.request.config))
    return PlanInput(Operation.VALIDATE, State(), PlanOptions(), imports=imports)


def _find_cycles(dependencies: Dependencies) -> list[Diagnostic]:
    """Report cycles. Evaluation would find them as well, but by then it would have asked providers about blocks outside
    of the cycle. A configuration without a meaning is refused before a provider sees any of it."""
    return find_cycles(components(dependencies.nodes, dependencies.of))
