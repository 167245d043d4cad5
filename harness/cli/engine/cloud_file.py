"""The simulated cloud of one step, kept in a file between two commands.

The cloud is read from the file or, before the first step, from the case. Afterwards the file is replaced even if the
step failed, because most effects of a failed step remain.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from harness.case.case import Case, CaseError, read_case
from harness.case.case_cloud import furnished_cloud
from harness.cli.engine.options import OperationOptions
from harness.cli.support.output import write_file
from harness.simulation.simcloud.faults import Fault, Phase
from harness.simulation.simcloud.simulation import Simulation, simulation_from_json
from shared_nodes.values.json import JsonError, Tree, dumps, loads

__all__ = ["read_case_file", "simulated_step"]

_CASE_FILE: Final = "case.yaml"


@contextmanager
def simulated_step(options: OperationOptions, *, planned: bool) -> Iterator[Simulation]:
    case = None if options.case is None else read_case_file(options.case)
    faults = () if case is None else _faults(case, options.step)
    simulation = _continue_step(options, case, faults) if planned else _begin_step(options, case, faults)
    try:
        yield simulation
    finally:
        if options.cloud is not None:
            write_file(options.cloud, dumps(simulation.to_json(), escape_html=False, indent=1) + "\n")


def _begin_step(options: OperationOptions, case: Case | None, faults: tuple[Fault, ...]) -> Simulation:
    tree = _cloud_tree(options.cloud)
    simulation = Simulation(furnished_cloud(() if case is None else case.cloud))
    if tree is not None:
        simulation = _read(options.cloud, tree)
    simulation.begin_step(faults)
    return simulation


def _continue_step(options: OperationOptions, case: Case | None, faults: tuple[Fault, ...]) -> Simulation:
    tree = _cloud_tree(options.cloud)
    simulation = _begin_step(options, case, faults) if tree is None else _read(options.cloud, tree, faults)
    simulation.phase = Phase.APPLY
    return simulation


def read_case_file(file: Path) -> Case:
    if file.name != _CASE_FILE:
        raise click.UsageError(f"--case {file}: a case is a file named {_CASE_FILE}")
    try:
        return read_case(file.parent)
    except CaseError as problem:
        raise click.ClickException(str(problem)) from problem


def _faults(case: Case, step: int | None) -> tuple[Fault, ...]:
    if step is None:
        raise click.UsageError("--case needs --step: which step of the case this is, counted from 0")
    if case.tasks is not None:
        raise click.UsageError("--step: the case has tasks, and no steps that could be counted")
    if step >= len(case.steps):
        raise click.UsageError(f"--step {step}: the case has steps 0 to {len(case.steps) - 1}")
    return case.faults_of(step)


def _cloud_tree(file: Path | None) -> dict[str, Tree] | None:
    if file is None or not file.exists():
        return None
    try:
        tree = loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, JsonError) as problem:
        raise click.ClickException(f"cannot read the cloud in {file}: {problem}") from problem
    if not isinstance(tree, dict):
        raise click.ClickException(f"cannot read the cloud in {file}: it must be a JSON object with an inventory")
    return tree


def _read(file: Path | None, tree: dict[str, Tree], begun: tuple[Fault, ...] = ()) -> Simulation:
    try:
        return simulation_from_json(tree, begun)
    except JsonError as problem:
        raise click.ClickException(f"cannot read the cloud in {file}: {problem}") from problem
