"""Static analysis of a workflow: where it begins, what is reachable, which tasks are shared.

A *shared* task is named at least twice, has no join and is in no cycle. Every arrival at it opens a new branch and so
multiplies everything that follows; joins count within one branch. A join must therefore know on which branch its
predecessors run. It is rejected if they may be on different ones (`ambiguous_joins`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from harness.workflow.model import Task, Workflow
from shared_nodes.record import record

__all__ = ["TaskGraph", "analyse_workflow"]


@record
class TaskGraph:
    entry_points: tuple[str, ...]
    reachable: frozenset[str]
    """Tasks to which an entry point leads. All other tasks never run and do not count as predecessors."""

    predecessors: Mapping[str, frozenset[str]]
    shared: frozenset[str]
    ambiguous_joins: tuple[str, ...]


def analyse_workflow(workflow: Workflow) -> TaskGraph:
    tasks = workflow.tasks
    followers = {name: _followers(task, tasks) for name, task in tasks.items()}
    named = Counter(target for task in tasks.values() for step in task.transitions for target in step.targets)
    entry_points = tuple(sorted(workflow.start or (name for name in tasks if not named[name])))
    reachable = _reachable(entry_points, followers)
    in_cycle = _in_cycle(followers)
    shared = frozenset(name for name in tasks if named[name] > 1 and tasks[name].join is None and name not in in_cycle)
    return TaskGraph(
        entry_points,
        reachable,
        _predecessors(reachable, followers),
        shared,
        _ambiguous_joins(tasks, entry_points, followers, shared, in_cycle),
    )


def _followers(task: Task, tasks: Mapping[str, Task]) -> tuple[str, ...]:
    return tuple(sorted({name for step in task.transitions for name in step.tasks if name in tasks}))


def _reachable(entry_points: Iterable[str], followers: Mapping[str, Iterable[str]]) -> frozenset[str]:
    seen: set[str] = set()
    pending = list(entry_points)
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            pending.extend(followers[name])
    return frozenset(seen)


def _predecessors(reachable: Iterable[str], followers: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {name: set() for name in reachable}
    for name in found:
        for follower in followers[name]:
            found[follower].add(name)
    return {name: frozenset(others) for name, others in found.items()}


def _in_cycle(followers: Mapping[str, Iterable[str]]) -> frozenset[str]:
    import networkx as nx  # takes longer to import than most cases take, which are no workflows

    graph = nx.DiGraph([(name, follower) for name, all_of in followers.items() for follower in all_of])
    loops = (component for component in nx.strongly_connected_components(graph) if len(component) > 1)
    alone = {name for name, all_of in followers.items() if name in all_of}
    return frozenset(alone.union(*loops))


def _ambiguous_joins(
    tasks: Mapping[str, Task],
    entry_points: Iterable[str],
    followers: Mapping[str, Iterable[str]],
    shared: frozenset[str],
    in_cycle: frozenset[str],
) -> tuple[str, ...]:
    """Find joins whose predecessors are not all behind the same shared tasks.

    All paths are followed simultaneously, step by step, and those that meet at one step are merged, because there are
    exponentially many. A task in a cycle is entered only by the paths that reach it first: a path back into the cycle
    is behind everything in it.
    """
    behind: dict[str, frozenset[str]] = {}
    before: dict[str, set[str]] = {}
    step: dict[tuple[str | None, str], frozenset[str]] = {(None, name): frozenset() for name in entry_points}
    while step:
        following: dict[tuple[str | None, str], frozenset[str]] = {}
        for (origin, name), passed_before in step.items():
            passed = passed_before | (shared & {name})
            behind[name] = behind.get(name, frozenset()) | passed
            before.setdefault(name, set()).update(() if origin is None else (origin,))
            for follower in followers[name]:
                if follower not in behind or follower not in in_cycle:
                    following[name, follower] = following.get((name, follower), frozenset()) | passed
        step = following
    return tuple(
        name
        for name in sorted(behind)
        if tasks[name].join is not None and any(behind[other] != behind[name] for other in before[name])
    )
