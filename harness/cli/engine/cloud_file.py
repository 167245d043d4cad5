"""The simulated cloud of one step, between two commands a file.

The cloud is what the file says; before the first step, when there is no file yet, what the case says. Afterwards the
file is replaced, also where the step has failed, since most of what a failed step did stays done.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from harness.case.case import Case, CaseError, read_case
from harness.case.case_cloud import furnished_cloud
from harness.cli.support.options import Asked
from harness.cli.support.output import write_file
from harness.simulation.simcloud.faults import Fault, Phase
from harness.simulation.simcloud.simulation import Simulation, simulation_from_json
from shared_nodes.values.json import JsonError, Tree, dumps, loads

__all__ = ["case_of", "simulated_step"]

_CASE_FILE: Final = "case.yaml"


@contextmanager
def simulated_step(asked: Asked, *, planned: bool) -> Iterator[Simulation]:
    case = None if asked.case is None else case_of(asked.case)
    faults = () if case is None else _faults(case, asked.step)
    simulation = _begun(asked, case, faults) if planned else _beginning(asked, case, faults)
    try:
        yield simulation
    finally:
        if asked.cloud is not None:
            write_file(asked.cloud, dumps(simulation.to_json(), escape_html=False, indent=1) + "\n")


def _beginning(asked: Asked, case: Case | None, faults: tuple[Fault, ...]) -> Simulation:
    tree = _cloud_tree(asked.cloud)
    simulation = Simulation(furnished_cloud(() if case is None else case.cloud))
    if tree is not None:
        simulation = _read(asked.cloud, tree)
    simulation.begin_step(faults)
    return simulation


def _begun(asked: Asked, case: Case | None, faults: tuple[Fault, ...]) -> Simulation:
    tree = _cloud_tree(asked.cloud)
    simulation = _beginning(asked, case, faults) if tree is None else _read(asked.cloud, tree, faults)
    simulation.phase = Phase.APPLY
    return simulation


def case_of(file: Path) -> Case:
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
