"""Graphs as Terraform 1.11.4 builds them, read from its trace log before redundant edges are removed.

Each recording has a configuration that is applied first (or none), one that is planned next, and the graphs of
validate, plan and apply: one line per vertex, with its dependencies indented below.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import trio

from legacy_engine import api
from legacy_engine.pipelines import build_graph
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.session import open_session
from shared_nodes.plan.options import Mode, Options
from shared_nodes.state.model import State
from tests.unit.legacy_engine.conftest import Workspace

_RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.json"))


def _options(arguments: list[str]) -> Options:
    targets = tuple(argument.removeprefix("-target=") for argument in arguments if argument.startswith("-target="))
    return Options(mode=Mode.DESTROY if "-destroy" in arguments else Mode.NORMAL, targets=targets)


def _lines(graph: VertexGraph | None) -> list[str]:
    assert graph is not None
    return re.sub(r"deposed [0-9a-f]{8}", "deposed KEY", graph.text()).splitlines()


@pytest.mark.parametrize("file", _RECORDED, ids=lambda file: file.stem)
def test_graphs_are_as_recorded(file: Path, workspace: Workspace) -> None:
    recorded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    if recorded["before"]:
        workspace.write(recorded["before"])
        assert workspace.apply().ok
    workspace.write(recorded["after"])
    options = _options(recorded["options"])

    async def graphs() -> tuple[VertexGraph | None, VertexGraph | None]:
        planned, problems = await api.graph(workspace.request(options))
        assert problems == []
        applied, problems = await api.graph(workspace.request(options), applying=True)
        assert problems == []
        return planned, applied

    session, _ = open_session(workspace.request(options), State())
    assert session is not None
    validated, problems = build_graph(
        BuildContext.for_walk(session, PlanInput(Operation.VALIDATE, State(), PlanOptions()))
    )
    assert problems == []
    assert _lines(validated) == recorded["validate"]
    planned, applied = trio.run(graphs)
    assert _lines(planned) == recorded["plan"]
    assert _lines(applied) == recorded["apply"]
